// The honest walk of a mission, cast anew with the people of the golden ledgers: sam proposes, lee and ben agree, gus is
// the gate, rob runs the cell and wes writes.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { Event } from '../../../src/kernel/event.ts';
import { effectsDigest } from '../../../src/kernel/effect/evolve.ts';
import { planDigest } from '../../../src/kernel/course/plan.ts';
import { digestOf, ID, terms, WORK, type Said } from '../course/asked.ts';
import { effectItems, effectsDigestOf } from '../course/caused.ts';
import { eventsUpTo, turnsOf, type Stage } from '../course.ts';
import { uuid } from '../events.ts';
import { MISSION } from '../given.ts';
import type { TestKey } from '../people.ts';
import { KEY } from './cast.ts';
import { said } from './facts.ts';

export const COURSE_ID = uuid('golden mission course');
/** Under the roster that is in force where the mission grows. */
export const ABOUT = { tier: 2, plan: { roster_n: 1 } } as const;

export const STAGES = [
  'created',
  'asked',
  'awaiting',
  'voted',
  'approved',
  'granted',
  'leased',
  'spawned',
  'worked',
  'checking',
  'checked',
  'verified',
  'closed',
  'computed',
  'writing',
  'intended',
  'observed',
  'receipted',
  'succeeded',
  'ended',
] as const satisfies readonly Stage[];

const PART: Readonly<Record<string, TestKey>> = {
  gate: KEY.gus,
  runner: KEY.robSecond,
  writer: KEY.wes,
  pia: KEY.sam,
  vic: KEY.lee,
  val: KEY.ben,
  'pia-at-work': KEY.sid,
  stranger: KEY.mallory,
};

/** What is said between the stage before and this one, a transaction for what one signer says in a row. */
export function transactionsOf(stage: (typeof STAGES)[number]): ReturnType<typeof turnsOf> {
  const before = STAGES[STAGES.indexOf(stage) - 1];
  const from = before === undefined ? 0 : eventsUpTo(before, ABOUT).length;
  return turnsOf(eventsUpTo(stage, ABOUT).slice(from).map(recast));
}

/** The same event, said by the golden ledgers' people about the golden mission. */
export function recast({ event, by }: Said): Said {
  const key = partOf(by.principalId);
  const { event_type, entity_id, task_id, step_id, attempt_id, occurred_at, actor_id } = event;
  const own = (id: string): string => (id === MISSION ? COURSE_ID : id);
  const made = said(event_type, recastPayload(event) as never, key, {
    task: own(task_id),
    entity: own(entity_id),
    actor: partOf(actor_id).principalId,
  });
  const about = { occurred_at, ...(step_id && { step_id }), ...(attempt_id && { attempt_id }) };
  return { by: key, event: { ...made, ...about } };
}

function partOf(principal: string): TestKey {
  const key = PART[principal];
  if (key === undefined) throw new Error(`nobody plays ${principal}`);
  return key;
}

const PRINCIPAL = /"(holder_principal_id|issued_to_principal_id|principal_id)":"([a-z]+)"/g;

function digestHere(effects: ReturnType<typeof effectItems>): string {
  return effectsDigest(nodeCrypto, { mission_id: COURSE_ID, attempt_id: ID.attempt, commit: WORK }, effects);
}

/** Digests hold the mission's id, so they are others here. */
function recastPayload({ event_type, payload }: Event): unknown {
  if (event_type === 'effects.computed') return { ...payload, effects_digest: digestHere(payload.effects) };
  const own = digestHere(effectItems());
  const text = JSON.stringify(payload)
    .replaceAll(digestOf(ABOUT), planDigest(nodeCrypto, COURSE_ID, terms(ABOUT)))
    .replaceAll(effectsDigestOf(), own)
    .replace(PRINCIPAL, (_, field: string, name: string) => `"${field}":"${partOf(name).principalId}"`);
  return JSON.parse(text);
}
