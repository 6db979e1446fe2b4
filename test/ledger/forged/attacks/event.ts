// Attacks on the bytes of an event: a text that two readers could understand differently, or that one of them cannot.
// A member signed all of them, with the right root and tree over the wrong bytes.
import { fromUtf8, utf8 } from '../../../../src/format/bytes.ts';
import { jcs } from '../../../../src/format/jcs.ts';
import type { ReasonCode } from '../../../../src/reasons.ts';
import { KEY } from '../../../support/forge/cast.ts';
import { everywhere, forgedOn, refused, type Attack } from '../../../support/forge/attack.ts';
import { note } from '../../../support/forge/facts.ts';
import { MISSION_ID } from '../../../support/forge/golden.ts';
import { joined } from '../../../support/forge/workshop.ts';
import { bytesOf } from '../../../support/given.ts';

/** 64 KiB and the braces around it. */
const TOO_MANY_CHARACTERS = 64 * 1024;

export const EVENT: readonly Attack[] = [
  spelled('blanks', 'writes a blank behind a colon', 'event_not_canonical', (text) => text.replace(':', ': ')),
  spelled('keys-unsorted', 'writes the last key first', 'event_not_canonical', (text) =>
    text.replace(/^\{(.*),("task_id":"[^"]*")\}\n$/, '{$2,$1}\n'),
  ),
  spelled('key-twice', 'writes one key twice, first with another value', 'event_not_canonical', (text) =>
    text.replace('"bytes":9000', '"bytes":1,"bytes":9000'),
  ),
  spelled('escape-needless', 'spells a letter as an escape', 'event_not_canonical', (text) =>
    text.replace('plain', String.raw`\u0070lain`),
  ),
  spelled('surrogate-alone', 'escapes half a character', 'event_not_canonical', (text) =>
    text.replace('plain', String.raw`\ud800`),
  ),
  spelled('exponent', 'spells a number with an exponent', 'event_not_canonical', (text) =>
    text.replace(':9000', ':9e3'),
  ),
  spelled('number-rounded', 'writes an integer that a double cannot hold', 'event_not_canonical', (text) =>
    text.replace(':9000', ':9007199254740993'),
  ),
  spelled('final-line-feed-missing', 'leaves the final line feed out', 'event_not_canonical', (text) => text.trimEnd()),
  spelled('final-line-feed-twice', 'ends in two line feeds', 'event_not_canonical', (text) => `${text}\n`),
  spelled('byte-order-mark', 'begins with a byte order mark', 'event_not_canonical', (text) => `\ufeff${text}`),
  spelled('not-json', 'writes something that is not JSON', 'event_not_canonical', () => 'event\n'),
  spelled('float', 'writes a fraction', 'event_not_integer', (text) => text.replace(':9000', ':9000.5')),
  spelled('integer-huge', 'writes a number beyond 2^53 in its canonical spelling', 'event_not_integer', (text) =>
    text.replace(':9000', ':1e+21'),
  ),
  spelled(
    'event-oversized',
    'writes an event of more than 64 KiB',
    'event_too_large',
    (text) => text.replace('plain', 'x'.repeat(TOO_MANY_CHARACTERS)),
    { is: 'stopped', code: 'bundle_malformed' },
  ),
  spelled(
    'utf8-broken',
    'writes a byte that is no UTF-8',
    'event_not_utf8',
    (text) => {
      const [before = '', after = ''] = text.split('plain');
      return joined(before, Uint8Array.of(0xff), after);
    },
    refused('event_malformed'),
  ),
  spelled('letter-beyond-ascii', 'writes a letter beyond ASCII into a word', 'event_malformed', (text) =>
    text.replace('plain', 'pl\u0430in'),
  ),
  spelled('version-a-fraction', 'writes an event of version 1.5', 'event_not_integer', (text) =>
    text.replace('"schema_version":1', '"schema_version":1.5'),
  ),
  spelled('not-an-object', 'writes a list where an event should be', 'event_type_unknown', () => '[]\n'),
  spelled('type-unknown', 'writes an event type that no version knows', 'event_type_unknown', (text) =>
    text.replace('note.recorded', 'note.forged'),
  ),
  spelled('type-missing', 'writes an event without a type', 'event_type_unknown', (text) =>
    text.replace('"event_type":"note.recorded",', ''),
  ),
  spelled('version-newer', 'writes an event of a newer version', 'event_version_newer', (text) =>
    text.replace('"schema_version":1', '"schema_version":2'),
  ),
  spelled('field-unknown', 'adds a field with free text', 'event_malformed', (text) => {
    const event = JSON.parse(text) as { payload: object };
    return `${jcs({ ...event, payload: { ...event.payload, text: 'hello' } })}\n`;
  }),
  spelled('field-missing', 'leaves a field out', 'event_malformed', (text) => text.replace('"causation_id":null,', '')),
  spelled('actor-an-address', 'writes an e-mail address as the actor', 'event_malformed', (text) =>
    text.replace('"actor_id":"sam"', '"actor_id":"sam@example.invalid"'),
  ),
];

type Change = (text: string) => string | Uint8Array;

function spelled(name: string, does: string, code: ReasonCode, change: Change, bundle = refused(code)): Attack {
  return {
    name: `event-${name}`.replace('event-event-', 'event-'),
    does,
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const event = note(KEY.sam, MISSION_ID.long, 9000);
      const changed = change(fromUtf8(bytesOf(event)));
      const blob = typeof changed === 'string' ? utf8(changed) : changed;
      return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: [event], blobs: [blob] });
    },
    ...everywhere(refused(code)),
    bundle,
  };
}
