// Whether what stands on the default branch is what this lazarus writes there: by which version it is, and what people
// changed. Only looked at; `lazarus init` brings it up to date.
import { VERSION } from '../../version.ts';
import { ACTION_REPOSITORY, actionCommit } from '../init/forge/action.ts';
import { MARKED_PATHS, setUpFiles } from '../init/forge/set-up-files.ts';
import { standingFiles, type StandingFile } from '../init/forge/standing.ts';
import { brokenRules } from '../init/forge/workflow-files.ts';
import { setUpLine } from '../init/forge/world.ts';
import { WORKFLOW_PATHS } from '../../forge-text/workflows.ts';
import { missing, ok, warn, type Finding } from './finding.ts';
import { ofForges, type Asked } from './forge.ts';
import type { Here } from './here.ts';

export function lookAtSetUp(here: Here): Promise<readonly Finding[]> {
  return ofForges(here, { item: 'set_up', title: 'set-up' }, async (asked, about) => {
    // That there is no project, or none that verifies, is told where the roster is.
    const state = await here.project().catch(() => undefined);
    if (state === undefined) return [];
    const { crypto } = (await here.bench()).parts;
    const repository = asked.forge.repository(asked.name);
    const { commit } = actionCommit(crypto, await here.builtAction());
    const pin = { address: await addressThere(asked), commit };
    const files = setUpFiles(crypto, state, { pin, texts: NOT_ASKED }).filter(({ is }) => is === 'marked');
    return judge(await standingFiles(crypto, repository, files), asked, about);
  });
}

const NOT_ASKED = { policy: new Uint8Array(), sacred: new Uint8Array() };

/** Whose repository holds the action is for whoever set it up. */
async function addressThere({ forge, name }: Asked): Promise<string> {
  const gate = await forge.repository(name).readFile(WORKFLOW_PATHS.gate);
  const [, address] = /^ +uses: (https?:\/\/[\w.:/-]+)@[0-9a-f]{40}$/m.exec(new TextDecoder().decode(gate)) ?? [];
  return address ?? `${forge.displayUrl}/${name.owner}/${ACTION_REPOSITORY}`;
}

function judge(
  files: readonly StandingFile[],
  asked: Asked,
  about: Pick<Finding, 'item' | 'title'>,
): readonly Finding[] {
  const which = (is: StandingFile['standing']['is']): readonly StandingFile[] =>
    files.filter((file) => file.standing.is === is);
  const [absent, earlier, newer, changed] = [which('absent'), which('earlier'), which('newer'), which('changed')];
  if (absent.length === MARKED_PATHS.length)
    return [missing(about, 'nothing of one is on the default branch', setUpLine(asked))];
  const found: Finding[] = files.flatMap(({ path, there, standing }) => {
    const broken = there === undefined || standing.is === 'same' ? [] : brokenRules(path, there);
    const line = setUpLine(asked, standing.is === 'changed' ? `--overwrite ${path}` : undefined);
    const next = `find out who changed it and what ran since; then: ${line}`;
    return broken.length === 0 ? [] : [missing(about, broken.join('; '), next)];
  });
  if (newer.length > 0) {
    const by = newer.flatMap(({ standing }) => (standing.is === 'newer' ? [standing.by] : []))[0]!;
    found.push(warn(about, `by lazarus ${by}, and this is ${VERSION}`, `install lazarus ${by} or newer here`));
  } else if (earlier.length > 0) {
    const versions = new Set(earlier.map(({ standing }) => (standing.is === 'earlier' ? standing.by : undefined)));
    const by = [...versions]
      .map((one) => (one === undefined ? 'a lazarus from before files named it' : `lazarus ${one}`))
      .join(' and ');
    found.push(warn(about, `by ${by}, and this is ${VERSION}: ${paths(earlier)}`, setUpLine(asked)));
  }
  if (absent.length > 0) found.push(missing(about, `not there: ${paths(absent)}`, setUpLine(asked)));
  if (changed.length > 0)
    found.push(
      warn(
        about,
        `people changed ${paths(changed)}: it stays, and is theirs to bring up to date`,
        setUpLine(asked, '--dry-run'),
      ),
    );
  return found.length > 0 ? found : [ok(about, `as lazarus ${VERSION} writes it`)];
}

function paths(files: readonly StandingFile[]): string {
  return files.map(({ path }) => path).join(', ');
}
