// Events as the people of the golden ledgers write them, each with an id that follows from what it says.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { Oid } from '../../../src/format/git/object.ts';
import { hex } from '../../../src/format/bytes.ts';
import { leafHash } from '../../../src/format/merkle.ts';
import type { Event, EventOf, EventType } from '../../../src/kernel/event.ts';
import type { AdoptedFrom } from '../../../src/kernel/mission/events.ts';
import { rosterDigest, type Roster } from '../../../src/kernel/roster/roster.ts';
import type { TreeHead } from '../../../src/kernel/values.ts';
import { headOf, type Tip } from '../../../src/ledger/tip.ts';
import { event, uuid } from '../events.ts';
import { bytesOf } from '../given.ts';
import { agreed, type TestKey } from '../people.ts';
import { KEY, PROJECT_ID, typeOf } from './cast.ts';

type About = { readonly task?: string; readonly entity?: string; readonly actor?: string };

export function said<Type extends EventType>(
  type: Type,
  payload: EventOf<Type>['payload'],
  by: TestKey,
  { task = PROJECT_ID, entity = task, actor = by.principalId }: About = {},
): EventOf<Type> {
  return event(type, payload, { actor_id: actor, actor_type: typeOf(actor), entity_id: entity, task_id: task });
}

export function note(by: TestKey, mission: string, i: number, actor?: string): EventOf<'note.recorded'> {
  const payload = { bytes: i, digest: digestOf(`note ${i}`), media_type: 'text/plain' };
  return said('note.recorded', payload, by, {
    task: mission,
    entity: uuid(`note ${i} of ${mission}`),
    ...(actor && { actor }),
  });
}

export function notes(by: TestKey, mission: string, from: number, count: number): Event[] {
  return Array.from({ length: count }, (_, i) => note(by, mission, from + i));
}

export function opened(by: TestKey, mission: string, from: Tip | TreeHead): EventOf<'mission.opened'> {
  const grew_from = 'layout' in from ? headOf(from) : from;
  return said('mission.opened', { grew_from, mission_id: mission, project_id: PROJECT_ID, proposal: null }, by, {
    task: mission,
  });
}

export function rosterUpdate(
  by: TestKey,
  roster: Roster,
  roots: readonly TestKey[] = [KEY.ana, KEY.ben],
): EventOf<'roster.updated'> {
  return said('roster.updated', agreed(roots, 'roster', roster), by);
}

/** As the project has it at that place. */
export function adopted(
  by: TestKey,
  mission: string,
  update: EventOf<'roster.updated'>,
  index: number,
): EventOf<'roster.adopted'> {
  return adoptedFrom(by, mission, update, fromAt(update, index));
}

export function adoptedFrom(
  by: TestKey,
  mission: string,
  { payload }: EventOf<'roster.updated'>,
  from: AdoptedFrom,
): EventOf<'roster.adopted'> {
  return said('roster.adopted', { ...payload, from }, by, { task: mission, entity: PROJECT_ID });
}

export function fromAt(event: Event, index: number): AdoptedFrom {
  return { index, leaf: hex(leafHash(nodeCrypto, bytesOf(event))) };
}

export function sealed(
  by: TestKey,
  tip: Tip,
  roots: readonly TestKey[] = [KEY.ana, KEY.ben],
): EventOf<'ledger.sealed'> {
  const { ledger_id, roster } = tip.state!;
  const document = { ledger_id, roster: rosterDigest(nodeCrypto, roster) };
  return said('ledger.sealed', agreed(roots, 'seal', document), by, {
    task: ledger_id,
  });
}

export function cutOff(by: TestKey, key: TestKey, judgedBy: Roster, trusted: readonly Tip[]): EventOf<'key.cut_off'> {
  const document = {
    fingerprint: key.fingerprint,
    heads: trusted.map((tip) => ({ head: headOf(tip), ledger_id: tip.state!.ledger_id })),
    project_id: PROJECT_ID,
    roster: rosterDigest(nodeCrypto, judgedBy),
  };
  return said('key.cut_off', agreed([KEY.ana, KEY.ben], 'cut_off', document), by);
}

export type RepairWords = { readonly foreignTip: Oid; readonly foreignCount: number };

export function repair(
  by: TestKey,
  valid: Tip,
  { foreignTip, foreignCount }: RepairWords,
  roots: readonly TestKey[] = [KEY.ana, KEY.ben],
): EventOf<'ledger.repaired'> {
  const { ledger_id, roster } = valid.state!;
  const document = {
    foreign_count: foreignCount,
    foreign_tip: foreignTip,
    ledger_id,
    roster: rosterDigest(nodeCrypto, roster),
    valid_head: headOf(valid),
  };
  return said('ledger.repaired', agreed(roots, 'repair', document), by, {
    task: ledger_id,
  });
}

export function annotated(
  by: TestKey,
  at: Tip,
  fingerprint: string,
  from: number,
  until: number,
  judgement: 'accepted' | 'rejected' = 'accepted',
): EventOf<'trust.annotated'> {
  const { ledger_id, roster } = at.state!;
  const document = {
    fingerprint,
    from,
    judgement,
    ledger_id,
    roster: rosterDigest(nodeCrypto, roster),
    until,
  };
  return said('trust.annotated', agreed([KEY.ana, KEY.ben], 'annotation', document), by, { task: ledger_id });
}

function digestOf(text: string): string {
  return `sha256:${Buffer.from(nodeCrypto.hash('sha256', Buffer.from(text))).toString('hex')}`;
}
