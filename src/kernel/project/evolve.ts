// How project events change a project: birth, roster succession, cut-offs, registry and claims, halt.
import { enforced } from '../enforced.ts';
import type { Event, EventOf, EventType } from '../event.ts';
import { CUT_OFFS_MAX, OPEN_MISSIONS_MAX } from '../limits.ts';
import { isBarred } from '../roster/barred.ts';
import { checkRoster, checkSuccession, rosterDigest, type Member } from '../roster/roster.ts';
import { checkThreshold } from '../roster/threshold.ts';
import { NOTHING_MOVED, type ProjectState, type State } from '../state.ts';
import type { Circumstances } from '../transition.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { CutOff, RosterUpdate } from './events.ts';
import { overlappingClaim } from './claims.ts';
import { OPENS_A_LEDGER, overProject, type Rules } from '../rule.ts';

export function openProject(event: EventOf<'project.opened'>, at: Circumstances): Verdict<ProjectState> {
  const { roster } = event.payload;
  const id = event.entity_id;
  if (event.task_id !== id || roster.project_id !== id)
    return refuse('event_malformed', { event_type: event.event_type, at: 'entity_id' });
  if (roster.n !== 0 || roster.prev !== null) return refuse('roster_replayed', { expected: 0, found: roster.n });
  const sound = checkRoster(at.crypto, roster);
  if (sound.is === 'refused') return sound;
  return accept({
    kind: 'project',
    causes: NOTHING_MOVED,
    ledger_id: id,
    project_id: id,
    project_genesis: at.digest(),
    roster,
    cut_offs: [],
    annotations: [],
    sealed: false,
    halt: null,
    missions: {},
  });
}

/** Rosters and cut-offs reach a mission by adoption under the very same rule, hence generic in the kind of state. */
export function updateRoster<S extends State>(state: S, update: RosterUpdate, at: Circumstances): Verdict<S> {
  const barred = isBarred(state);
  const successor = checkSuccession(at.crypto, state.roster, update.roster, barred);
  if (successor.is === 'refused') return successor;
  const { signatures, roster: document } = update;
  const signed = checkThreshold(at.crypto, state.roster, barred, {
    purpose: 'roster',
    document,
    signatures,
    basis: at.basis,
    since: at.since,
  });
  return signed.is === 'refused' ? signed : accept({ ...state, roster: update.roster });
}

export function cutOffKey<S extends State>(state: S, { cut_off, signatures }: CutOff, at: Circumstances): Verdict<S> {
  if (cut_off.project_id !== state.project_id) return refuse('roster_other_project', { project: cut_off.project_id });
  if (cut_off.roster !== rosterDigest(at.crypto, state.roster))
    return refuse('statement_stale', { purpose: 'cut-off' });
  if (state.cut_offs.some((other) => other.fingerprint === cut_off.fingerprint))
    return refuse('key_already_cut_off', { fingerprint: cut_off.fingerprint });
  if (state.cut_offs.length >= CUT_OFFS_MAX) return refuse('limit_reached', { cut_offs_max: CUT_OFFS_MAX });
  // The compromised key may not vote on its own cut-off, neither for nor in place of somebody.
  const barred = isBarred(state);
  const signed = checkThreshold(at.crypto, state.roster, (key) => key === cut_off.fingerprint || barred(key), {
    purpose: 'cut-off',
    document: cut_off,
    signatures,
    basis: at.basis,
    since: at.since,
  });
  return signed.is === 'refused' ? signed : accept({ ...state, cut_offs: [...state.cut_offs, cut_off] });
}

function registerMission(
  state: ProjectState,
  payload: EventOf<'mission.registered'>['payload'],
): Verdict<ProjectState> {
  const { mission_id, genesis, claims } = payload;
  if (state.halt !== null) return refuse('project_halted', { mission: mission_id });
  const known = state.missions[mission_id];
  // One that let go of its paths, because a vote was taken back, may claim them again.
  if (known !== undefined && (known.claims.length > 0 || known.genesis !== genesis))
    return refuse('mission_exists', { mission: mission_id });
  if (known === undefined && Object.keys(state.missions).length >= OPEN_MISSIONS_MAX)
    return refuse('limit_reached', { open_missions_max: OPEN_MISSIONS_MAX });
  for (const [holder, mission] of Object.entries(state.missions)) {
    const overlap = overlappingClaim(mission.claims, claims);
    if (overlap !== undefined) return refuse('path_claimed', { claim: overlap, holder });
  }
  return accept({ ...state, missions: { ...state.missions, [mission_id]: { genesis, claims } } });
}

/** A mission that has ended leaves the state: else the project could register so many in its life and no more. */
function releaseClaims(
  state: ProjectState,
  { because, mission_id }: EventOf<'claims.released'>['payload'],
): Verdict<ProjectState> {
  const mission = state.missions[mission_id];
  if (mission === undefined) return refuse('mission_unknown', { mission: mission_id });
  if (because === 'ended') return accept(without(state, mission_id));
  return accept({ ...state, missions: { ...state.missions, [mission_id]: { ...mission, claims: [] } } });
}

function without(state: ProjectState, missionId: string): ProjectState {
  const { [missionId]: _over, ...missions } = state.missions;
  return { ...state, missions };
}

function concludeMission(
  state: ProjectState,
  payload: EventOf<'tree_head.recorded'>['payload'],
): Verdict<ProjectState> {
  if (payload.because === 'repaired' || state.missions[payload.ledger_id] === undefined) return accept(state);
  return accept(without(state, payload.ledger_id));
}

function declareHalt(
  state: ProjectState,
  { actor_id: by, occurred_at: since }: EventOf<'halt.declared'>,
  signer: Member,
): Verdict<ProjectState> {
  if (state.halt !== null) return refuse('project_halted', { by: state.halt.by });
  return accept({ ...state, halt: { by, since, root: signer.roles.includes('root') } });
}

/** Whoever may stop it is not thereby stronger than a root who did. */
function liftHalt(state: ProjectState, signer: Member): Verdict<ProjectState> {
  const { halt } = state;
  if (halt === null) return refuse('project_not_halted');
  if (halt.root && !signer.roles.includes('root') && enforced('halt_of_a_root_stands'))
    return refuse('halt_of_root', { by: halt.by, principal: signer.principal_id });
  return accept({ ...state, halt: null });
}

/** One after the other: a policy that was in force before cannot be brought back as if it were new. */
function revisePolicy(
  state: ProjectState,
  { policy, revision, sacred }: EventOf<'policy.revised'>['payload'],
): Verdict<ProjectState> {
  const expected = (state.policy?.revision ?? 0) + 1;
  if (revision !== expected) return refuse('policy_replayed', { revision, expected });
  return accept({ ...state, policy: { revision, policy, sacred } });
}

export const projectRules = {
  'project.opened': OPENS_A_LEDGER,
  'roster.updated': overProject((state, event, at) => updateRoster(state, event.payload, at)),
  'key.cut_off': overProject((state, event, at) => cutOffKey(state, event.payload, at)),
  'mission.registered': overProject((state, event) =>
    about(event, event.payload.mission_id, () => registerMission(state, event.payload)),
  ),
  'claims.released': overProject((state, event) =>
    about(event, event.payload.mission_id, () => releaseClaims(state, event.payload)),
  ),
  'tree_head.recorded': overProject((state, event) =>
    about(event, event.payload.ledger_id, () => concludeMission(state, event.payload)),
  ),
  'halt.declared': overProject((state, event, at) => declareHalt(state, event, at.signer!)),
  'halt.lifted': overProject((state, _event, at) => liftHalt(state, at.signer!)),
  'policy.revised': overProject((state, event) => revisePolicy(state, event.payload)),
} satisfies Partial<Rules<EventType>>;

/** A payload and an envelope that disagree on what the event is about would be read in two ways. */
function about(event: Event, named: string, rule: () => Verdict<ProjectState>): Verdict<ProjectState> {
  return event.entity_id === named
    ? rule()
    : refuse('event_malformed', { event_type: event.event_type, at: 'entity_id' });
}
