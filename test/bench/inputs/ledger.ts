// Builds ledgers of a given size through the write path that users have: the same on every run, key by key and id by id;
// only their times are those of the run.
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { fileFolds } from '../../../src/adapters/state/file-folds.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import type { EventDraft } from '../../../src/kernel/draft.ts';
import { beginMission } from '../../../src/app/begin.ts';
import type { Workbench } from '../../../src/app/workbench.ts';
import type { LedgerSession, Submission } from '../../../src/app/ledger-session.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import type { Ids } from '../../../src/ports/ids.ts';
import type { Remote } from '../../../src/ports/remote.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import { uuid } from '../../support/events.ts';
import { member, testKey } from '../../support/people.ts';
import { git } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { benchOver, foundProject } from '../../support/workbench.ts';

export type Shape = { readonly commits: number; readonly eventsEach: number; readonly runners?: number };
export type BuiltLedger = {
  readonly path: string;
  readonly ref: string;
  readonly commits: number;
  readonly events: number;
};

export const ana = testKey('ana');
export const PROJECT = uuid('bench project');
export const MISSION = uuid('bench mission');
/** Submissions in one breath: as many as share one push. */
const GROUP = 1000;

export async function buildLedger(path: string, { commits, eventsEach, runners = 1 }: Shape): Promise<BuiltLedger> {
  git('.', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
  const bench = await openBench(path, { ids: countedIds(path.split('/').at(-1)!) });
  try {
    const others = Array.from({ length: runners }, (_, i) =>
      member(runner(i), { principal_type: 'runner', person_id: null, roles: ['runner'] }),
    );
    await foundProject(bench, [member(ana), ...others], { project_id: PROJECT });
    const project = await bench.project();
    const ref = missionRef(MISSION);
    const session = bench.session(ref, ana, project);
    await landed(session, beginMission(MISSION, project, null));
    await growTo(session, { commits, eventsEach });
    return { path, ref, commits, events: 1 + (commits - 1) * eventsEach };
  } finally {
    await bench.close();
  }
}

/** From its opening on, a thousand commits in a push. */
export async function growTo(session: LedgerSession, { commits, eventsEach }: Shape): Promise<void> {
  for (let at = 1; at < commits; at += GROUP) {
    const count = Math.min(GROUP, commits - at);
    await Promise.all(Array.from({ length: count }, (_, i) => landed(session, notes(at + i, eventsEach))));
  }
}

export function runner(i: number): ReturnType<typeof testKey> {
  return testKey(`runner-${i}`);
}

export async function openBench(
  path: string,
  parts: { readonly ids?: Ids; readonly remote?: (repository: Repository) => Promise<Remote> } = {},
): Promise<Workbench> {
  const repository = await openRepository(path);
  return benchOver(repository, {
    remote: await parts.remote?.(repository),
    folds: fileFolds(repository.stateDir),
    ids: parts.ids ?? systemIds,
  });
}

/** One transaction of notes, each with every field of the envelope. */
export function notes(at: number, count: number): Submission {
  const drafts = Array.from({ length: count }, (_, i) => note(at * count + i));
  return { decide: () => accept(drafts) };
}

export async function landed(session: LedgerSession, submission: Submission): Promise<void> {
  taken(await session.submit(submission));
}

const FIXED = ['correlation', 'step', 'attempt', 'workspace'].map((word) => uuid(`bench ${word}`));

function note(i: number): EventDraft {
  const [correlation_id, step_id, attempt_id, workspace_id] = FIXED as [string, string, string, string];
  return {
    event_type: 'note.recorded',
    entity_type: 'note',
    entity_id: numbered('note', i),
    task_id: MISSION,
    correlation_id,
    idempotency_key: numbered('once', i),
    step_id,
    attempt_id,
    workspace_id,
    payload: { bytes: i, digest: `sha256:${String(i).padStart(64, '0')}`, media_type: 'application/json' },
  };
}

/** Shaped like a random one, without the price of a hash: a bench must not measure its own inputs. */
function numbered(word: 'note' | 'once' | 'drawn', i: number): string {
  const kind = { note: 'a', once: 'b', drawn: 'c' }[word];
  return `${kind.repeat(8)}-0000-4000-8000-${i.toString(16).padStart(12, '0')}`;
}

function countedIds(name: string): Ids {
  const prefix = uuid(name).slice(0, 8);
  let drawn = 0;
  return { next: () => `${prefix}${numbered('drawn', drawn++).slice(8)}` };
}
