// What a reader is shown of an event: every field the specification asks for, in its spelling, positions computed.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { EventReader, type ReadEvent } from '../../src/kernel/read.ts';
import type { Event } from '../../src/kernel/event.ts';
import { uuid } from '../support/events.ts';
import { rosterAdoption } from '../support/examples.ts';
import { bytesOf, CAST, castRoster, DIGEST, fact, MISSION, TASK } from '../support/given.ts';
import { nextRoster, type TestKey } from '../support/people.ts';
import { notes, reread, write, writtenMission, writtenProject, type Written } from '../support/written.ts';

// Hermit kernel specification, 8.4: minimum fields, then recommended ones.
const FIELDS = `
  event_id schema_version event_type entity_type entity_id task_id step_id attempt_id task_seq occurred_at actor_type
  actor_id payload causation_id correlation_id
  idempotency_key prev_event_hash workspace_id principal_scope policy_profile_version
`;

function readAll(history: readonly Written[]): ReadEvent[] {
  const reader = new EventReader(nodeCrypto);
  return history.flatMap((written) => {
    const verified = reread(written);
    if (verified.is === 'refused') throw new Error(verified.code);
    return reader.take(verified.value, written.blobs);
  });
}

function grown(from: Written, ...more: readonly (readonly [TestKey, readonly Event[]])[]): Written[] {
  const history = [from];
  for (const [by, events] of more) history.push(write(history.at(-1)!.tip, events, by));
  return history;
}

function hashOf(event: Event): string {
  return `sha256:${createHash('sha256').update(bytesOf(event)).digest('hex')}`;
}

const mission = writtenMission(writtenProject().tip);
const why = { causation_id: mission.events[0]!.event_id };
const created = { ...fact('task.created', { contract: null }, CAST.gate, { task: TASK }), ...why };
const readied = { ...fact('task.readied', {}, CAST.gate, { task: TASK }), ...why };
const noted = {
  ...fact('note.recorded', { bytes: 1, digest: DIGEST, media_type: 'text/plain' }, CAST.runner, { task: TASK }),
  ...why,
  attempt_id: uuid('attempt'),
  step_id: uuid('step'),
  workspace_id: uuid('workspace'),
};
const [first, second] = notes(2);
const history = grown(mission, [CAST.gate, [created, first!, readied]], [CAST.runner, [noted]], [CAST.gate, [second!]]);
const [opened, ...read] = readAll(history);

describe('a read event', () => {
  it('has all fields of the specification', () => {
    for (const event of read) expect(Object.keys(event)).toEqual(expect.arrayContaining(FIELDS.trim().split(/\s+/)));
  });

  it('keeps what was stored', () => {
    expect(read[0]).toMatchObject(created);
    expect(read[3]).toMatchObject(noted);
  });

  it('says null where nothing was stored', () => {
    expect(read[0]).toMatchObject({
      step_id: null,
      attempt_id: null,
      workspace_id: null,
      policy_profile_version: null,
    });
  });

  it('is numbered within its task from 1, across transactions', () => {
    const placed = read.map(({ event_type, task_seq }) => [event_type, task_seq]);
    expect(opened).toMatchObject({ task_id: MISSION, task_seq: 1 });
    expect(placed).toEqual([
      ['task.created', 1],
      ['note.recorded', 2],
      ['task.readied', 2],
      ['note.recorded', 3],
      ['note.recorded', 3],
    ]);
  });

  it('is linked to the event before it in its task by the hash of that one’s bytes', () => {
    expect(opened!.prev_event_hash).toBeNull();
    expect(read.map(({ prev_event_hash }) => prev_event_hash)).toEqual([
      null,
      hashOf(openingEvent()),
      hashOf(created),
      hashOf(readied),
      hashOf(first!),
    ]);
  });

  it('says where it stands and who signed it', () => {
    expect(read[3]).toMatchObject({
      index: 4,
      tx: history[2]!.tip.recent.at(-1),
      commit: history[2]!.tip.oid,
      signer: { fingerprint: CAST.runner.fingerprint, principal_id: 'runner' },
      roster: 0,
    });
    expect(read.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5]);
  });

  it('has the scope of its signer, who may not be its actor', () => {
    const relayed = fact('note.recorded', { bytes: 1, digest: DIGEST, media_type: 'text/plain' }, CAST.writer, {
      actor: 'person',
      entity: uuid('relayed'),
    });
    const [event] = readAll(grown(mission, [CAST.writer, [relayed]])).slice(1);
    expect(event).toMatchObject({
      actor_id: 'person',
      signer: { principal_id: 'writer' },
      principal_scope: { layer: 'L1', roles: ['writer'] },
    });
  });

  it('has the scope and roster in force at its index, not today’s', () => {
    const members = castRoster().members.map((one) =>
      one.principal_id === 'gate' ? { ...one, layer: 'L0' as const, roles: ['gate' as const, 'person' as const] } : one,
    );
    const adopted = fact('roster.adopted', rosterAdoption(nextRoster(castRoster(), { members })), CAST.gate);
    const events = readAll(grown(mission, [CAST.gate, [adopted]], [CAST.gate, notes(1)])).slice(1);
    expect(events).toMatchObject([
      { roster: 0, principal_scope: { layer: 'L1', roles: ['gate'] } },
      { roster: 1, principal_scope: { layer: 'L0', roles: ['gate', 'person'] } },
    ]);
  });

  function openingEvent(): Event {
    const verified = reread(mission);
    if (verified.is === 'refused') throw new Error(verified.code);
    return verified.value.events[0]!;
  }
});

describe('a reader', () => {
  it('reads no transaction that has no commit yet', () => {
    const verified = reread(mission);
    if (verified.is === 'refused') throw new Error(verified.code);
    const unsigned = { ...verified.value, tip: { oid: undefined } };
    expect(() => new EventReader(nodeCrypto).take(unsigned, mission.blobs)).toThrow(TypeError);
  });
});
