// One event, one spelling, in every language: each way to spell it otherwise is refused by its own name.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromUtf8, utf8 } from '../../src/format/bytes.ts';
import { jcs } from '../../src/format/jcs.ts';
import { decodeEvent, writeEvent } from '../../src/kernel/codec.ts';
import { EVENT_TYPES, type Event, type EventType } from '../../src/kernel/event.ts';
import { uuid } from '../support/events.ts';
import { exampleOf, registration } from '../support/examples.ts';
import { CAST, DIGEST, MISSION, bytesOf, fact } from '../support/given.ts';

const NOTE = fact('note.recorded', { bytes: 7, digest: DIGEST, media_type: 'text/plain' }, CAST.gate);
const NOTE_TEXT = fromUtf8(bytesOf(NOTE));

function decoded(text: string): object {
  return decodeEvent(utf8(text));
}

function noteWith(changes: object): string {
  return `${jcs({ ...NOTE, ...changes })}\n`;
}

describe('an event', () => {
  it.each([...EVENT_TYPES] as EventType[])('of type %s is read back as it was written', (type) => {
    const { event } = exampleOf(type, CAST.gate);
    expect(decodeEvent(bytesOf(event))).toEqual({ is: 'accepted', value: event });
  });

  it('is canonical JSON and one line feed', () => {
    expect(NOTE_TEXT).toBe(`${jcs(NOTE)}\n`);
  });

  it('keeps its optional fields', () => {
    const event = { ...NOTE, attempt_id: uuid('attempt'), step_id: uuid('step'), workspace_id: uuid('workspace') };
    expect(decodeEvent(bytesOf(event))).toEqual({ is: 'accepted', value: event });
  });

  it('is not written when it could not be read', () => {
    const broken = { ...NOTE, actor_id: 'Ana <ana@example.org>' };
    expect(writeEvent(broken)).toMatchObject({ is: 'refused', code: 'event_malformed' });
  });
});

describe('a decoder', () => {
  it.each([
    ['no line feed', NOTE_TEXT.trimEnd(), 'event_not_canonical'],
    ['two line feeds', `${NOTE_TEXT}\n`, 'event_not_canonical'],
    ['a carriage return', NOTE_TEXT.replace('\n', '\r\n'), 'event_not_canonical'],
    ['a byte order mark', `\ufeff${NOTE_TEXT}`, 'event_not_canonical'],
    ['blanks', NOTE_TEXT.replaceAll(':', ': '), 'event_not_canonical'],
    [
      'keys in another order',
      `${JSON.stringify(Object.fromEntries(Object.entries(NOTE).toReversed()))}\n`,
      'event_not_canonical',
    ],
    ['a key twice', NOTE_TEXT.replace('"bytes":7', '"bytes":7,"bytes":7'), 'event_not_canonical'],
    [
      'a key twice, the last one different',
      NOTE_TEXT.replace('"bytes":7', '"bytes":9,"bytes":7'),
      'event_not_canonical',
    ],
    ['an escape that is not needed', NOTE_TEXT.replace('"gate"', String.raw`"\u0067ate"`), 'event_not_canonical'],
    ['an exponent', NOTE_TEXT.replace('"bytes":7', '"bytes":7e0'), 'event_not_canonical'],
    ['minus zero', NOTE_TEXT.replace('"bytes":7', '"bytes":-0'), 'event_not_canonical'],
    ['no JSON', 'hello\n', 'event_not_canonical'],
    ['nothing', '', 'event_not_canonical'],
    ['very deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, 'event_not_canonical'],
    ['a fraction', noteWith({ payload: { ...NOTE.payload, bytes: 0.5 } }), 'event_not_integer'],
    [
      'an integer that not every language can hold',
      noteWith({ payload: { ...NOTE.payload, bytes: 2 ** 53 } }),
      'event_not_integer',
    ],
    [
      'a number with an exponent in its canonical form',
      noteWith({ payload: { ...NOTE.payload, bytes: 1e21 } }),
      'event_not_integer',
    ],
    ['a negative count', noteWith({ payload: { ...NOTE.payload, bytes: -1 } }), 'event_malformed'],
    ['a field too many', noteWith({ mood: 'good' }), 'event_malformed'],
    ['a payload field too many', noteWith({ payload: { ...NOTE.payload, text: 'free text' } }), 'event_malformed'],
    ['a field named __proto__', NOTE_TEXT.replace('{"actor_id"', '{"__proto__":{},"actor_id"'), 'event_malformed'],
    ['an optional field that is null', noteWith({ step_id: null }), 'event_malformed'],
    ['the entity type of another event', noteWith({ entity_type: 'task' }), 'event_malformed'],
    ['a version before the first', noteWith({ schema_version: 0 }), 'event_malformed'],
    ['a newer version', noteWith({ schema_version: 2 }), 'event_version_newer'],
    [
      'a newer version with fields nobody knows yet',
      noteWith({ schema_version: 2, mood: 'good' }),
      'event_version_newer',
    ],
    ['a type nobody knows', noteWith({ event_type: 'note.sung' }), 'event_type_unknown'],
    ['a type that is no word', noteWith({ event_type: 7 }), 'event_type_unknown'],
    ['a name every object has as type', noteWith({ event_type: 'constructor' }), 'event_type_unknown'],
    ['no type', '{}\n', 'event_type_unknown'],
    ['no object', 'null\n', 'event_type_unknown'],
  ])('refuses %s', (_, text, code) => {
    expect(decoded(text)).toMatchObject({ is: 'refused', code });
  });

  it.each(['actor_id', 'causation_id', 'correlation_id', 'event_id', 'idempotency_key', 'occurred_at', 'task_id'])(
    'refuses an event without %s',
    (name) => {
      const { [name as keyof Event]: _gone, ...rest } = NOTE;
      expect(decoded(`${jcs(rest)}\n`)).toMatchObject({ code: 'event_malformed', facts: { at: name } });
    },
  );

  it.each([
    ['a byte that cannot be', [0xff]],
    ['a long spelling of a short character', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['half a character', [0xe2, 0x82]],
  ])('refuses %s in its UTF-8', (_, bytes) => {
    const at = NOTE_TEXT.indexOf('gate');
    const broken = Uint8Array.from([...utf8(NOTE_TEXT.slice(0, at)), ...bytes, ...utf8(NOTE_TEXT.slice(at))]);
    expect(decodeEvent(broken)).toMatchObject({ code: 'event_not_utf8' });
  });

  it('takes a path in any Unicode form: bytes that differ are different paths, in every runtime', () => {
    const claims = (claim: string): string =>
      `${jcs(fact('mission.registered', { ...registration, claims: [claim] }, CAST.gate, { entity: MISSION }))}\n`;
    // The last two compose in newer tables only.
    for (const path of ['u\u0308ber', '\u00fcber', '\u{105d2}\u0307', 'a\u1acf\u0316'])
      expect(decoded(claims(path))).toMatchObject({ is: 'accepted' });
  });

  it('takes an event of exactly the largest size, and refuses one byte more without reading it', () => {
    const evidence = Array.from({ length: 400 }, (_, i) => `${i}-`.padEnd(150, 'x'));
    const padded = (bytes: number): Uint8Array => {
      const empty = `${jcs({ ...NOTE, padding: [...evidence, ''] })}\n`.length;
      return utf8(`${jcs({ ...NOTE, padding: [...evidence, 'y'.repeat(bytes - empty)] })}\n`);
    };
    const [fits, tooLarge] = [padded(65_536), padded(65_537)];
    expect([fits.length, tooLarge.length]).toEqual([65_536, 65_537]);
    expect(decodeEvent(fits)).toMatchObject({ code: 'event_malformed' });
    expect(decodeEvent(tooLarge)).toMatchObject({
      code: 'event_too_large',
      facts: { bytes: 65_537, bytes_max: 65_536 },
    });
  });

  it('repeats nothing of a stranger’s text but a short type name', () => {
    const verdict = decoded(noteWith({ event_type: 'x'.repeat(1000), actor_id: 'secret' }));
    expect(JSON.stringify(verdict)).not.toContain('secret');
    expect(JSON.stringify(verdict).length).toBeLessThan(200);
  });
});

describe('for any bytes', () => {
  it('decoding answers with a verdict, and what it accepts is encoded as those very bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(utf8)), (bytes) => {
        expectOneSpelling(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('changing one byte of an event makes it refused or another event, never the same one spelt otherwise', () => {
    const samples: Uint8Array[] = [];
    for (const type of EVENT_TYPES) samples.push(bytesOf(exampleOf(type as EventType, CAST.gate).event));
    const change = fc.record({
      sample: fc.constantFrom(...samples),
      at: fc.nat(),
      byte: fc.integer({ min: 0, max: 255 }),
      kind: fc.constantFrom('replace', 'insert', 'delete'),
    });
    fc.assert(
      fc.property(change, ({ sample, at, byte, kind }) => {
        const bytes = [...sample];
        bytes.splice(at % bytes.length, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : [byte]));
        expectOneSpelling(Uint8Array.from(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  function expectOneSpelling(bytes: Uint8Array): void {
    const verdict = decodeEvent(bytes);
    if (verdict.is === 'accepted')
      expect(writeEvent(verdict.value)).toEqual({ is: 'accepted', value: { blob: bytes, event: verdict.value } });
  }
});
