// How a mission begins, and how it takes over what its project decided about keys.
import type { EventOf } from '../event.ts';
import { cutOffKey, updateRoster } from '../project/evolve.ts';
import type { CutOff, RosterUpdate } from '../project/events.ts';
import type { MissionState, ProjectState } from '../state.ts';
import type { Circumstances } from '../transition.ts';
import type { TreeHead } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

export function openMission(
  event: EventOf<'mission.opened'>,
  parent: { readonly head: TreeHead; readonly state: ProjectState },
): Verdict<MissionState> {
  const { mission_id, project_id, grew_from, proposal } = event.payload;
  const project = parent.state;
  if (event.entity_id !== mission_id || event.task_id !== mission_id)
    return refuse('event_malformed', { event_type: event.event_type, at: 'entity_id' });
  if (project.halted) return refuse('project_halted', { mission: mission_id });
  if (project.sealed) return refuse('ledger_sealed', { event_type: event.event_type });
  if (project_id !== project.project_id) return refuse('mission_other_project', { project: project_id });
  const { size, root, oid } = parent.head;
  if (grew_from.size !== size || grew_from.root !== root || grew_from.oid !== oid)
    return refuse('mission_parent_mismatch', { named: grew_from.oid, parent: oid });
  return accept({
    kind: 'mission',
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

export function adoptRoster(state: MissionState, update: RosterUpdate, at: Circumstances): Verdict<MissionState> {
  return updateRoster(state, update, at);
}

export function adoptCutOff(state: MissionState, cutOff: CutOff, at: Circumstances): Verdict<MissionState> {
  return cutOffKey(state, cutOff, at);
}
