// A mission that goes its whole way, tier 2, with detours, and a state snapshot wherever its state holds the most: what
// another verifier has to compute exactly as the program does.
import { headOf } from '../../src/ledger/tip.ts';
import { attemptCreated, ID, LATER, onAttempt, VIC, vote, withdrawal, type Said } from '../support/course/asked.ts';
import { approvalFor, observed, receipt, runReceipt } from '../support/course/caused.ts';
import { cellClosed } from '../support/course/worked.ts';
import { courseRoster, eventsUpTo, turnsOf, type Stage } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, fact, MISSION, PROJECT } from '../support/given.ts';
import { notes } from '../support/written.ts';
import { Written } from './written.ts';

const TIER = { tier: 2 } as const;
const APPROVED = approvalFor(TIER);
/** Where a snapshot is due. */
const SNAPSHOTS: readonly Stage[] = ['granted', 'verified', 'effectsApproved', 'intended'];
const SEGMENT_EVENTS = 256;

export type CourseStory = { readonly project: Written; readonly mission: Written };

export function courseStory(): CourseStory {
  const { project, mission } = opened();
  let told = 0;
  for (const stage of SNAPSHOTS) {
    const upTo = eventsUpTo(stage, TIER);
    tell(mission, upTo.slice(told).map(stage === 'granted' ? asFirstGrant : (one) => one));
    if (stage === 'granted') changeOfMind(mission);
    fill(mission);
    told = upTo.length;
  }
  unknownFirst(mission);
  tell(mission, eventsUpTo('ended', TIER).slice(eventsUpTo('receipted', TIER).length));
  return { project, mission };
}

/** As far as a cell whose supervisor dies: closed by the gate, and tried again. */
export function deathStory(): CourseStory {
  const { project, mission } = opened();
  tell(mission, eventsUpTo('spawned'));
  const late = { occurred_at: LATER };
  const expired = onAttempt('lease.expired', { fence: 1, silence: null }, CAST.gate, { entity: ID.cellLease, ...late });
  const failed = onAttempt('attempt.failed', { because: 'supervisor_lost' }, CAST.gate, {
    entity: ID.attempt,
    ...late,
  });
  mission.append(CAST.gate, [
    expired,
    { ...cellClosed(1, CAST.gate), ...late },
    failed,
    { ...attemptCreated(2, ID.attempt), ...late },
  ]);
  fill(mission);
  return { project, mission };
}

function opened(): CourseStory {
  const project = Written.project();
  project.append(CAST.root, [fact('project.opened', { roster: courseRoster() }, CAST.root)]);
  const policy = { policy: DIGEST, revision: 1, sacred: DIGEST };
  project.append(CAST.root, [fact('policy.revised', policy, CAST.root)]);
  const mission = Written.mission(project);
  const grew_from = headOf(project.tip);
  const payload = { grew_from, mission_id: MISSION, project_id: PROJECT, proposal: DIGEST };
  mission.append(CAST.gate, [fact('mission.opened', payload, CAST.gate)]);
  return { project, mission };
}

/** It falls with the vote that is taken back; ids are drawn once. */
function asFirstGrant(said: Said): Said {
  const { event } = said;
  return event.event_type === 'grant.issued' ? { ...said, event: { ...event, entity_id: uuid('first grant') } } : said;
}

/** A vote is taken back and given again, so that approval and grant fall and come back. */
function changeOfMind(mission: Written): void {
  const again = eventsUpTo('granted', TIER).slice(eventsUpTo('voted', TIER).length);
  mission.append(VIC, [withdrawal(VIC)]);
  const [first, second, ...rest] = again;
  const { event } = first!;
  if (event.event_type !== 'approval.granted') throw new Error('the approval comes first');
  const said = vote(TIER, VIC);
  const anew = uuid('vote given again');
  const votes = event.payload.votes.toReversed().map((id) => (id === said.event.entity_id ? anew : id));
  const granted = { ...event, payload: { ...event.payload, votes } };
  tell(mission, [
    { ...said, event: { ...said.event, entity_id: anew } },
    { ...first!, event: granted },
    { ...second!, event: { ...second!.event, entity_id: uuid('receipt of the approval given again') } },
    ...rest,
  ]);
}

/** One outcome is known at once; the other only after the first has its receipt. */
function unknownFirst(mission: Written): void {
  const unknown = { outcome: 'unknown_outcome', reason: 'forge_silent', oid: null } as const;
  mission.append(CAST.writer, [
    observed('push_branch'),
    observed('open_pull_request', unknown),
    receipt('push_branch', APPROVED),
    receipt('open_pull_request', { ...APPROVED, result_code: 'unknown_outcome', result_summary: 'forge_silent' }),
  ]);
  fill(mission);
  mission.append(CAST.writer, [
    observed('open_pull_request', { number: 12 }),
    receipt('open_pull_request', APPROVED),
    runReceipt(),
  ]);
}

/** One transaction for what one signer says in a row. */
function tell(mission: Written, said: readonly Said[]): void {
  for (const { by, events } of turnsOf(said)) mission.append(by, events);
}

/** Notes up to the segment's end, so that a snapshot of the state at hand is due. */
function fill(mission: Written): void {
  const { size } = mission.tip;
  mission.append(CAST.gate, notes(SEGMENT_EVENTS - (size % SEGMENT_EVENTS), size));
}
