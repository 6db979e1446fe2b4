// A mission in the midst of its work, and the governed actions that its writer takes one after the other: approved, the
// agent's cell closed, one lease. Everything got there through the write path, signed by whoever may sign it.
import { aesCipher } from '../../../src/adapters/artifacts/aes-cipher.ts';
import { keyFiles } from '../../../src/adapters/artifacts/key-files.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { fileFolds } from '../../../src/adapters/state/file-folds.ts';
import type { Workbench } from '../../../src/app/workbench.ts';
import { MissionDesk } from '../../../src/app/mission-desk.ts';
import { pathsOf } from '../../../src/kernel/course/plan.ts';
import { within } from '../../../src/kernel/decide/about.ts';
import type { EventDraft } from '../../../src/kernel/draft.ts';
import type { Event } from '../../../src/kernel/event.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import type { ArtifactKit } from '../../../src/ports/artifacts.ts';
import type { Change } from '../../../src/ports/repository.ts';
import { courseRoster, eventsUpTo, turnsOf } from '../../support/course.ts';
import { terms } from '../../support/course/asked.ts';
import { leased } from '../../support/course/worked.ts';
import { CAST, MISSION, PROJECT } from '../../support/given.ts';
import { git } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { aMission, benchOver, foundProject } from '../../support/workbench.ts';

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
  const bench = benchOver(repository, {
    folds: fileFolds(repository.stateDir),
    clock: { nowSeconds: () => AT_SECONDS },
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
  await foundProject(bench, courseRoster().members, { project_id: PROJECT, by: CAST.root });
  await aMission(bench, CAST.gate, MISSION);
  const genesis = (await bench.place.head(ref))!;
  const registered = { claims: [...pathsOf(terms())], genesis, mission_id: MISSION };
  const register = () => accept([within('mission.registered', MISSION, PROJECT, registered)]);
  taken(await bench.session(PROJECT_REF, CAST.gate).submit({ decide: register }));
  const project = await bench.project();
  const walked = [...eventsUpTo('closed'), { event: leased(FENCE, CAST.writer, 'mutable'), by: CAST.writer }];
  for (const { by, events } of turnsOf(walked))
    taken(await bench.session(ref, by, project).submit({ decide: () => accept(events.map(draftOf)) }));
  return new MissionDesk(bench, { ref, signer: CAST.writer, project });
}

function draftOf({ actor_id: principal_id, actor_type: principal_type, ...event }: Event): EventDraft {
  const { entity_id, entity_type, event_type, payload, task_id, step_id, attempt_id } = event;
  const about = { entity_id, entity_type, event_type, payload, task_id, step_id, attempt_id };
  return { ...about, actor: { principal_id, principal_type } } as EventDraft;
}
