// The repository around us, and the project in it: whether its ledger is here, verifies, and goes on.
import { isPerson } from '../../kernel/roster/roster.ts';
import { PROJECT_REF } from '../../ledger/names.ts';
import { Failure } from '../../failure.ts';
import type { Workbench } from '../workbench.ts';
import { missing, missingFor, ok, type Finding } from './finding.ts';
import type { Here } from './here.ts';
import { word } from './typed.ts';

const REPOSITORY = { item: 'repository', title: 'repository' };
const ROSTER = { item: 'roster', title: 'roster' };

export async function lookAtRepository({ git, bench, head }: Here): Promise<readonly Finding[]> {
  // That there is none is told where it stands.
  if ((await git()) === undefined) return [];
  try {
    await bench();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'repository_not_trusted') return [untrusted(error)];
    if (error.code !== 'git_missing') throw error;
    return [];
  }
  const commit = await head();
  return commit === undefined
    ? [missingFor(REPOSITORY, new Failure('no_commit'))]
    : [ok(REPOSITORY, `at ${commit.slice(0, 12)}`)];
}

export async function lookAtRoster({ opened, project, stored }: Here): Promise<readonly Finding[]> {
  const bench = await opened();
  if (bench === undefined) return [];
  const state = await project();
  if (state === undefined) {
    const remote = await remoteWithLedger(bench);
    if (remote !== undefined)
      return [missing(ROSTER, `${remote} has the project’s ledger, this clone not yet`, pull(remote))];
    const keys = await stored().catch(() => []);
    return [missing(ROSTER, 'no project ledger', `lazarus init${keys.length === 0 ? ' --name <you>' : ''}`)];
  }
  const { roster, halt, project_genesis: genesis } = state;
  if (halt !== null) return [missing(ROSTER, `${halt.by} stopped the project at ${halt.since}`, 'lazarus unstop')];
  const persons = roster.members.filter(isPerson).length;
  return [
    ok(
      ROSTER,
      `number ${roster.n}, verified: ${persons === 1 ? 'one person' : `${persons} persons`}, ${roster.threshold} to change it, genesis ${genesis}`,
    ),
  ];
}

/** As git words it: it would take settings, and programs they name, from whoever owns it. */
function untrusted(failure: Failure): Finding {
  const [, folder = '"$PWD"'] = /at ('[^'\n]+')/.exec(String(failure.facts['says'])) ?? [];
  return missingFor(REPOSITORY, failure, `git config --global --add safe.directory ${folder}`);
}

/** A clone brings the ledger along as a remote branch, without making it its own. */
async function remoteWithLedger({ parts }: Workbench): Promise<string | undefined> {
  const ending = `/${PROJECT_REF.replace('refs/heads/', '')}`;
  const copies = await parts.repository.list(REMOTES);
  const copy = copies.find(({ ref }) => ref.endsWith(ending))?.ref;
  return copy?.slice(REMOTES.length, -ending.length);
}

const REMOTES = 'refs/remotes/';

function pull(remote: string): string {
  return `lazarus ledger pull ${word(remote)}`;
}
