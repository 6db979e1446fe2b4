// The two halves of one git-receive-pack exchange as bytes: the request that we write and the report that comes back.
// Knows no sockets. Reads the report strictly, for an answer that is not understood is not an answer.
import { concat, utf8 } from '../../format/bytes.ts';
import { isOid, type Oid } from '../../format/git/object.ts';
import type { RefUpdate } from '../../ports/repository.ts';
import { Failure } from '../../failure.ts';
import { FLUSH, packetsUntilFlush, pktLine } from './pkt-line.ts';
import { protocolFailure } from './protocol-failure.ts';

export type Report = {
  /** What the server says of the pack: `ok` or its complaint. */
  readonly unpack: string;
  /** Why each reference did not move; undefined when it did. One entry for each reference of the request. */
  readonly refs: ReadonlyMap<string, string | undefined>;
  /** What hooks and the server said beside the report (side-band 2). */
  readonly said: string;
};

const ZERO_OID: Oid = '0'.repeat(40);
// side-band-64k brings the words of hooks and of the reference lock; without it a lost race looks like any refusal.
const CAPABILITIES = 'report-status side-band-64k atomic object-format=sha1 agent=lazarus';
const REF_NAME = /^refs\/[^\p{Cc} ~^:?*[\\]+$/u;

export function encodePushRequest(updates: readonly RefUpdate[], pack: Uint8Array): Uint8Array {
  const lines = updates.map((update, index) =>
    pktLine(utf8(command(update) + (index === 0 ? `\0 ${CAPABILITIES}` : ''))),
  );
  return concat([...lines, FLUSH, pack]);
}

/** Refuses what would say something else on the wire than it says here: a name with a line break holds two commands. */
export function assertUpdates(updates: readonly RefUpdate[]): void {
  for (const { ref, old, next } of updates) {
    const isSound = REF_NAME.test(ref) && (old === undefined || isOid(old)) && (next === undefined || isOid(next));
    if (!isSound) throw new Failure('internal', { unsound: 'reference update' });
  }
  if (new Set(updates.map((update) => update.ref)).size !== updates.length) {
    throw new Failure('internal', { unsound: 'one reference twice in a push' });
  }
}

/** Throws `remote_protocol` unless the report speaks of each reference of the request exactly once. */
export function parseReport(body: Uint8Array, refs: readonly string[]): Report {
  const packets = packetsUntilFlush(body);
  const first = packets[0];
  if (first === undefined) throw protocolFailure('an empty report');
  if (startsWith(first, 'ERR ')) return failedWhole(text(first).slice('ERR '.length), refs);

  if (!isSideBand(first)) return parseLines(packets, refs, '');
  const { report, said, fatal } = unband(packets);
  if (fatal !== undefined) return failedWhole(fatal, refs);
  return parseLines(packetsUntilFlush(report), refs, said);
}

function command({ ref, old, next }: RefUpdate): string {
  return `${old ?? ZERO_OID} ${next ?? ZERO_OID} ${ref}`;
}

function parseLines(packets: readonly Uint8Array[], refs: readonly string[], said: string): Report {
  const lines = packets.map((packet) => text(packet).replace(/\n$/, ''));
  const unpack = /^unpack ([^\n]+)$/.exec(lines[0] ?? '')?.[1];
  if (unpack === undefined) throw protocolFailure('a report that does not begin with unpack');

  const found = new Map<string, string | undefined>();
  for (const line of lines.slice(1)) {
    const [, verdict, ref, why] = /^(ok|ng) ([^ \n]+)(?: ([^\n]+))?$/.exec(line) ?? [];
    if (ref === undefined || !refs.includes(ref) || found.has(ref))
      throw protocolFailure('a report on something not asked');
    if ((verdict === 'ok') !== (why === undefined)) throw protocolFailure('a report line that says neither yes nor no');
    found.set(ref, why);
  }
  if (found.size !== refs.length) throw protocolFailure('a report that is silent on a reference');
  return { unpack, refs: found, said };
}

function unband(packets: readonly Uint8Array[]): { report: Uint8Array; said: string; fatal: string | undefined } {
  const report: Uint8Array[] = [];
  const said: Uint8Array[] = [];
  const fatal: Uint8Array[] = [];
  for (const packet of packets) {
    if (!isSideBand(packet)) throw protocolFailure('a packet outside the three bands');
    const band = packet[0] === 1 ? report : packet[0] === 2 ? said : fatal;
    band.push(packet.subarray(1));
  }
  return {
    report: concat(report),
    said: text(concat(said)),
    fatal: fatal.length === 0 ? undefined : text(concat(fatal)),
  };
}

function failedWhole(why: string, refs: readonly string[]): Report {
  return { unpack: why, refs: new Map(refs.map((ref) => [ref, why])), said: '' };
}

function isSideBand(packet: Uint8Array): boolean {
  return packet[0] === 1 || packet[0] === 2 || packet[0] === 3;
}

function startsWith(bytes: Uint8Array, prefix: string): boolean {
  return utf8(prefix).every((byte, index) => bytes[index] === byte);
}

/** For words, not for names: a hook may speak any encoding, and what is compared is compared with plain ASCII. */
function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
