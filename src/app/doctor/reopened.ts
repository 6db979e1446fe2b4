// What the workflows of a team read when a person reopens a pull request of lazarus: they run what an agent wrote, with what
// their text hands them. By names alone; no value is asked for.
import { pullRequestRuns } from '../../forge-text/pull-request-runs.ts';
import { RUNNER_LABELS } from '../../forge-text/workflows.ts';
import { WORK_RULE } from '../init/forge/rules.ts';
import { setUpLine } from '../init/forge/world.ts';
import { ok, warn, type Finding } from './finding.ts';
import { ofForges, type Asked } from './forge.ts';
import type { Here } from './here.ts';
import { lackingIn } from './rules.ts';

/** The first that is there is where Gitea looks. */
const FOLDERS = ['.gitea/workflows', '.github/workflows'];
const OURS: ReadonlySet<string> = new Set(Object.values(RUNNER_LABELS));

export function lookAtReopened(here: Here): Promise<readonly Finding[]> {
  return ofForges(here, { item: 'reopened', title: 'what a reopened pull request runs' }, async (asked, about) => {
    const there = asked.forge.repository(asked.name);
    const [own, owners, rules] = [await there.secretNames(), await there.ownersSecretNames(), await there.rules()];
    const names = [...new Set([...own, ...(owners ?? [])])];
    const rule = rules.find(({ pattern }) => pattern === WORK_RULE.pattern);
    if (lackingIn(WORK_RULE, rule) !== undefined)
      return [
        warn(about, `whatever comes with the work, on any runner, with ${secretWords('all', names)}`, setUpLine(asked)),
      ];
    const started = await startedThere(asked);
    if (started.length === 0) return [ok(about, 'nothing: no workflow there is started by a pull request')];
    const says = started.map(
      ({ path, runners, secrets }) =>
        `${path} on ${runners.join(', ') || 'no runner'}, with ${secretWords(secrets, names)}`,
    );
    const giving = started.filter(({ secrets }) => secrets === 'all' || secrets.length > 0);
    const onOurs = started.filter(({ runners }) => runners.some((label) => OURS.has(label)));
    const next = [
      ...giving.map(({ path }) => `take the secrets out of ${path}, or read the difference before you reopen`),
      ...onOurs.map(({ path }) => `give ${path} another runner than lazarus’s: a job reads what that one’s user can`),
    ];
    return [next.length === 0 ? ok(about, says.join('; ')) : warn(about, says.join('; '), next.join('; '))];
  });
}

type Started = { readonly path: string } & NonNullable<ReturnType<typeof pullRequestRuns>>;

async function startedThere({ forge, name }: Asked): Promise<readonly Started[]> {
  const there = forge.repository(name);
  for (const folder of FOLDERS) {
    const paths = (await there.filesIn(folder)).filter((path) => /\.ya?ml$/.test(path));
    if (paths.length === 0) continue;
    const found: Started[] = [];
    for (const path of paths) {
      const runs = pullRequestRuns(new TextDecoder().decode(await there.readFile(path)));
      if (runs !== undefined) found.push({ path, ...runs });
    }
    return found;
  }
  return [];
}

function secretWords(secrets: readonly string[] | 'all', known: readonly string[]): string {
  if (secrets === 'all') return `every secret: ${known.toSorted().join(', ') || 'there is none'}`;
  return secrets.length === 0 ? 'no secret' : secrets.join(', ');
}
