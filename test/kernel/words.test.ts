// The fixed words of the format and how many of a thing an event can carry, written out: whoever drops a word, or a bound,
// makes ledgers unreadable that are good, or good ones that are not.
import { describe, expect, it } from 'vitest';
import { writeEvent } from '../../src/kernel/codec.ts';
import { PLACES, type Event, type EventType } from '../../src/kernel/event.ts';
import { uuid } from '../support/events.ts';
import { exampleOf } from '../support/examples.ts';
import { CAST, DIGEST, MISSION, when } from '../support/given.ts';

const WORDS = `
  action.requested      kind                write_local_branch push_branch open_pull_request post_comment
  action.requested      reversibility_hint  reversible partly_reversible irreversible unknown
  action.requested      action_class        read_local write_local delete_local execute_command network_read network_write credentialed_api_call vcs_mutation publication payment_or_spending durable_memory_write rollback policy_override
  policy.evaluated      result              allow require_approval deny downgrade
  policy.evaluated      risk                low moderate high critical
  approval.requested    approval_type       plan effects
  vote.cast             choice              approve reject
  lease.acquired        mode                readonly mutable isolated external_effects_disabled
  effect.observed       outcome             applied refused failed unknown_outcome
  decision.recorded     outcome             applied not_applied
  decision.recorded     risk_level          low moderate high critical
  receipt.issued        receipt_class       tool_execution command_execution publish memory_promotion approval_resolution rollback observation_resolution
  receipt.issued        replay_class        deterministic_replay idempotent_replay observe_only explain_only
  receipt.issued        result_code         succeeded failed refused denied expired unknown_outcome
  receipt.issued        rollback.how        none delete_branch close_pull_request delete_comment
  receipt.issued        rollback.supported  yes partly no
  cell.spawned          purpose             agent check
  cell.spawned          role                director executor observer guest substitute
  cell.spawned          limits.cpu          hard soft none
  cell.closed           outcome             completed failed expired lost
  done.claimed          status              done_clean pending failed unreadable
  verification.recorded verdict             satisfied unsatisfied
  ingress.recorded      resolution          control approval append_note fork_child start_new_root chat_only pending_disambiguation
  ingress.recorded      source_channel      cli issue_form issue_comment scheduler
  ingress.recorded      status              bound refused pending_disambiguation
  mission.ended         outcome             done failed cancelled expired
  claims.released       because             ended withdrawn revised
  tree_head.recorded    because             repaired sealed
  artifact.recorded     encryption          none per_artifact_key
`;

describe.each(rows(WORDS))('%s: %s', (type, field, ...words) => {
  it.each(words)('may be %s', (word) => {
    expect(encoded(type, field, word)).toBe('accepted');
  });

  it.each(['', 'another_word', words[0]!.toUpperCase()])('may not be "%s"', (word) => {
    expect(encoded(type, field, word)).toBe('event_malformed');
  });
});

/** The fewest and the most, and what each of them is. */
const BOUNDS: readonly (readonly [EventType, string, number, number, (i: number) => unknown])[] = [
  ['action.requested', 'target_resources', 0, 32, (i) => `work/${i}`],
  ['policy.evaluated', 'reasons', 0, 16, (i) => `rule_${i}`],
  ['approval.granted', 'votes', 0, 64, (i) => uuid(`vote ${i}`)],
  ['effects.computed', 'effects', 1, 16, (i) => effect(i)],
  ['receipt.issued', 'input_refs', 0, 16, () => DIGEST],
  ['receipt.issued', 'output_refs', 0, 16, () => DIGEST],
];

describe.each(BOUNDS)('%s: %s', (type, field, least, most, made) => {
  const many = (length: number): unknown => Array.from({ length }, (_, i) => made(i));

  it(`are ${least} to ${most}`, () => {
    for (const count of [least, most]) expect(encoded(type, field, many(count))).toBe('accepted');
    for (const count of [least - 1, most + 1].filter((count) => count >= 0))
      expect(encoded(type, field, many(count))).toBe('event_malformed');
  });
});

it('a fence that is taken is at least one', () => {
  expect(encoded('lease.acquired', 'fence', 1)).toBe('accepted');
  expect(encoded('lease.acquired', 'fence', 2)).toBe('accepted');
  expect(encoded('lease.acquired', 'fence', 0)).toBe('event_malformed');
});

/** Only what concerns a mission as a whole carries the mission's own id as its task. */
const OF_A_TASK: readonly EventType[] = [
  'action.requested',
  'approval.denied',
  'approval.expired',
  'approval.granted',
  'approval.invalidated',
  'approval.requested',
  'attempt.created',
  'cell.closed',
  'cell.spawned',
  'effect.intended',
  'effect.observed',
  'effects.computed',
  'grant.issued',
  'grant.revoked',
  'lease.acquired',
  'lease.expired',
  'lease.released',
  'policy.evaluated',
  'receipt.issued',
  'step.created',
  'verification.recorded',
  'vote.cast',
  'vote.withdrawn',
  'work.proposed',
];

it.each(OF_A_TASK)('%s is about a task, and no mission passes for one', (type) => {
  const who = CAST[PLACES[type].by[0]!];
  const { given, event, at } = exampleOf(type, who);
  expect(when(given, event, who, at)).toMatchObject({ is: 'accepted' });
  const about = { ...event, task_id: MISSION };
  expect(when(given, about, who, at)).toEqual({ is: 'refused', code: 'task_unknown', facts: { task: MISSION } });
});

/** Made once: many words are tried on each. */
const EXAMPLES = new Map<EventType, ReturnType<typeof exampleOf>>();

function encoded(type: EventType, path: string, value: unknown): string {
  const made = EXAMPLES.get(type) ?? exampleOf(type, CAST.gate);
  EXAMPLES.set(type, made);
  const { event } = made;
  const verdict = writeEvent({ ...event, payload: replaced(event.payload, path.split('.'), value) } as Event);
  return verdict.is === 'refused' ? verdict.code : verdict.is;
}

function replaced(payload: object, [field, ...rest]: readonly string[], value: unknown): object {
  const inner = (payload as Record<string, object>)[field!];
  return { ...payload, [field!]: rest.length === 0 ? value : replaced(inner!, rest, value) };
}

function effect(i: number) {
  return { action_request_ref: uuid(`request ${i}`), effect: String(i).padStart(64, 'e'), kind: 'push_branch' };
}

function rows(table: string): [EventType, string, ...string[]][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/u) as [EventType, string, ...string[]]);
}
