// How a mission begins, and how it takes over what its project decided about keys.
import type { EventOf, EventType } from '../event.ts';
import { cutOffKey, updateRoster } from '../project/evolve.ts';
import { NOTHING_MOVED, type MissionState, type ProjectState } from '../state.ts';
import type { Circumstances } from '../transition.ts';
import type { TreeHead } from '../values.ts';
import { accept, refuse, type Refused, type Verdict } from '../verdict.ts';
import type { AdoptedFrom } from './events.ts';
import { OPENS_A_LEDGER, overMission, type Rules } from '../rule.ts';
import { withNewRoster } from '../course/proposers.ts';

export function openMission(
  event: EventOf<'mission.opened'>,
  parent: { readonly head: TreeHead; readonly state: ProjectState },
): Verdict<MissionState> {
  const { mission_id, project_id, grew_from, proposal } = event.payload;
  const project = parent.state;
  if (event.entity_id !== mission_id || event.task_id !== mission_id)
    return refuse('event_malformed', { event_type: event.event_type, at: 'entity_id' });
  if (project.halt !== null) return refuse('project_halted', { mission: mission_id });
  if (project.sealed) return refuse('ledger_sealed', { event_type: event.event_type });
  if (project_id !== project.project_id) return refuse('mission_other_project', { project: project_id });
  const { size, root, oid } = parent.head;
  if (grew_from.size !== size || grew_from.root !== root || grew_from.oid !== oid)
    return refuse('mission_parent_mismatch', { named: grew_from.oid, parent: oid });
  return accept({
    kind: 'mission',
    causes: NOTHING_MOVED,
    ledger_id: mission_id,
    project_id,
    project_genesis: project.project_genesis,
    grew_from,
    proposal,
    roster: project.roster,
    cut_offs: project.cut_offs,
    annotations: [],
    sealed: false,
    tasks: {},
    notes: 0,
    artifacts: { recorded: 0, erased: 0 },
  });
}

function adoptRoster(
  state: MissionState,
  { from, ...update }: EventOf<'roster.adopted'>['payload'],
  at: Circumstances,
): Verdict<MissionState> {
  const adopted = outOfSight(from, at) ?? updateRoster(state, update, at);
  if (adopted.is === 'refused' || adopted.value.course === undefined) return adopted;
  const { course, roster } = adopted.value;
  return accept({ ...adopted.value, course: withNewRoster(course, roster) });
}

function adoptCutOff(
  state: MissionState,
  { from, ...cutOff }: EventOf<'cut_off.adopted'>['payload'],
  at: Circumstances,
): Verdict<MissionState> {
  return outOfSight(from, at) ?? cutOffKey(state, cutOff, at);
}

/**
 * What is adopted lies below the project head that is cited: whoever knows that head can look whether it is there. That
 * it is there takes the project ledger, and is a verifier's work.
 */
function outOfSight({ index }: AdoptedFrom, { basis }: Circumstances): Refused | undefined {
  return index < basis ? undefined : refuse('adoption_not_of_project', { at: index, cited: basis });
}

export const missionRules = {
  'mission.opened': OPENS_A_LEDGER,
  'roster.adopted': overMission((state, event, at) => adoptRoster(state, event.payload, at)),
  'cut_off.adopted': overMission((state, event, at) => adoptCutOff(state, event.payload, at)),
} satisfies Partial<Rules<EventType>>;
