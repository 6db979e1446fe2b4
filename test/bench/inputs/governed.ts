// A mission in the midst of its work, and the governed actions that its writer takes one after the other: approved, the
// agent's cell closed, one lease. Everything got there through the write path, signed by whoever may sign it.
import { aesCipher } from '../../../src/adapters/artifacts/aes-cipher.ts';
import { keyFiles } from '../../../src/adapters/artifacts/key-files.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { fileFolds } from '../../../src/adapters/state/file-folds.ts';
import { filePins } from '../../../src/adapters/state/file-pins.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import { beginMission, beginProject } from '../../../src/app/begin.ts';
import { MissionDesk } from '../../../src/app/mission-desk.ts';
import { Workbench } from '../../../src/app/workbench.ts';
import { pathsOf } from '../../../src/kernel/course/plan.ts';
import { within } from '../../../src/kernel/decide/about.ts';
import type { EventDraft } from '../../../src/kernel/draft.ts';
import { accept, type Verdict } from '../../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import type { ArtifactKit } from '../../../src/ports/artifacts.ts';
import type { Change } from '../../../src/ports/repository.ts';
import { courseRoster, eventsUpTo } from '../../support/course.ts';
import { terms, type Said } from '../../support/course/asked.ts';
import { leased } from '../../support/course/worked.ts';
import { CAST, MISSION, PROJECT } from '../../support/given.ts';
import type { TestKey } from '../../support/people.ts';
import { git } from '../../support/repos.ts';

export type Governed = {
  readonly path: string;
  readonly ref: string;
  readonly bench: Workbench;
  readonly kit: ArtifactKit;
  /** The writer's. */
  readonly desk: MissionDesk;
  /** A commit that is here, for branches to name. */
  readonly work: string;
  /** Told of every change that is committed. */
  readonly watched: { tell: (change: Change) => void };
};

/** Before anything in the walk expires. */
const AT_SECONDS = Date.parse('2026-11-18T10:00:00Z') / 1000;
/** The lease of the cell had the first. */
export const FENCE = 2;

export async function underLease(path: string): Promise<Governed> {
  git('.', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
  const repository = await openRepository(path);
  const watched: Governed['watched'] = { tell: () => undefined };
  const commit = repository.commit.bind(repository);
  repository.commit = (change) => {
    watched.tell(change);
    return commit(change);
  };
  const bench = new Workbench({
    crypto: nodeCrypto,
    repository,
    remote: undefined,
    pins: filePins(repository.stateDir),
    folds: fileFolds(repository.stateDir),
    clock: { nowSeconds: () => AT_SECONDS },
    ids: systemIds,
    backOff: () => Promise.resolve(),
  });
  const tree = git(path, ['hash-object', '-t', 'tree', '-w', '--stdin']);
  const ref = missionRef(MISSION);
  return {
    path,
    ref,
    bench,
    kit: { cipher: aesCipher, keys: keyFiles(`${path}.keys`) },
    desk: await openDesk(bench, ref),
    work: git(path, ['commit-tree', '-m', 'work', tree]),
    watched,
  };
}

async function openDesk(bench: Workbench, ref: string): Promise<MissionDesk> {
  taken(await bench.session(PROJECT_REF, CAST.root).submit(beginProject(PROJECT, courseRoster())));
  const founded = await bench.project();
  const begun = taken(await bench.session(ref, CAST.gate, founded).submit(beginMission(MISSION, founded, null)));
  const registered = { claims: [...pathsOf(terms())], genesis: begun.head.oid, mission_id: MISSION };
  const register = () => accept([within('mission.registered', MISSION, PROJECT, registered)]);
  taken(await bench.session(PROJECT_REF, CAST.gate).submit({ decide: register }));
  const project = await bench.project();
  const walked = [...eventsUpTo('closed'), { event: leased(FENCE, CAST.writer, 'mutable'), by: CAST.writer }];
  for (const { by, drafts } of bySigner(walked))
    taken(await bench.session(ref, by, project).submit({ decide: () => accept(drafts) }));
  return new MissionDesk(bench, { ref, signer: CAST.writer, project });
}

/** What one member says in a row is one transaction. */
function bySigner(said: readonly Said[]): { by: TestKey; drafts: EventDraft[] }[] {
  const turns: { by: TestKey; drafts: EventDraft[] }[] = [];
  for (const { by, event } of said) {
    const { actor_id: principal_id, actor_type: principal_type } = event;
    const { entity_id, entity_type, event_type, payload, task_id, step_id, attempt_id } = event;
    const about = { entity_id, entity_type, event_type, payload, task_id, step_id, attempt_id };
    const draft = { ...about, actor: { principal_id, principal_type } } as EventDraft;
    const last = turns.at(-1);
    if (last !== undefined && last.by === by) last.drafts.push(draft);
    else turns.push({ by, drafts: [draft] });
  }
  return turns;
}

export function taken<T>(verdict: Verdict<T>): T {
  if (verdict.is === 'refused') throw new Error(`refused: ${verdict.code} ${JSON.stringify(verdict.facts)}`);
  return verdict.value;
}
