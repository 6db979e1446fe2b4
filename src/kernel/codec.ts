// Event ⇄ bytes. Canonical JSON plus LF, integers only, bounded: stricter than RFC 8785 itself, so that one event has one
// spelling in every language. Bytes that differ differ: no table of Unicode is asked. Knows shapes, not legality.
import { fromUtf8, utf8 } from '../format/bytes.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { Failure } from '../failure.ts';
import { eventSchema, type Event } from './event.ts';
import { EVENT_BYTES_MAX, LEDGER_FORMAT } from './limits.ts';
import { accept, refuse, type Verdict } from './verdict.ts';

/** The bytes, and the event read back from them: nothing is signed that we would refuse to read. */
export function writeEvent(event: Event): Verdict<{ readonly blob: Uint8Array; readonly event: Event }> {
  const blob = utf8(`${jcs(event)}\n`);
  const again = decodeEvent(blob);
  return again.is === 'refused' ? again : accept({ blob, event: again.value });
}

export function decodeEvent(bytes: Uint8Array): Verdict<Event> {
  if (bytes.length > EVENT_BYTES_MAX)
    return refuse('event_too_large', { bytes: bytes.length, bytes_max: EVENT_BYTES_MAX });
  const parsed = parse(bytes);
  if (parsed.is === 'refused') return parsed;
  const value = parsed.value;
  const type = field(value, 'event_type');
  const schema = typeof type === 'string' ? eventSchema(type) : undefined;
  if (typeof type !== 'string' || schema === undefined)
    return refuse('event_type_unknown', { event_type: shown(type) });
  const version = field(value, 'schema_version');
  if (Number.isSafeInteger(version) && Number(version) > 1)
    return refuse('event_version_newer', {
      event_type: type,
      schema_version: Number(version),
      ledger_format: LEDGER_FORMAT,
    });
  const event = schema.safeParse(value);
  if (!event.success) {
    // JCS would allow fractions; their spelling differs between languages, so the ledger has none.
    if (hasFraction(value)) return refuse('event_not_integer', { event_type: type });
    const issue = event.error.issues[0];
    const at = issue === undefined ? '' : issue.path.map(String).join('.');
    return refuse('event_malformed', { event_type: type, at, why: issue?.code ?? '' });
  }
  return accept(event.data);
}

function parse(bytes: Uint8Array): Verdict<unknown> {
  let text: string;
  try {
    text = fromUtf8(bytes);
  } catch {
    return refuse('event_not_utf8');
  }
  if (!text.endsWith('\n')) return refuse('event_not_canonical', { why: 'no final LF' });
  try {
    return accept(parseCanonical(text.slice(0, -1)));
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    return refuse('event_not_canonical', { why: cause.code });
  }
}

function hasFraction(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasFraction);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 64) : typeof value;
}
