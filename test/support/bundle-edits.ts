// Forged proof bundles by somebody who holds no key, and may edit every byte of an honest one.
import { utf8 } from '../../src/format/bytes.ts';
import { jcs } from '../../src/format/jcs.ts';
import { armor, dearmor } from '../../src/format/openpgp/armor.ts';
import type { Bundle, ShownCommit } from '../../src/ledger/bundle-format.ts';
import type { ReasonCode } from '../../src/reasons.ts';
import type { Attack } from './bundle-attacks.ts';
import { ana, noteBy, parsed } from './bundles.ts';
import { bytesOf } from './given.ts';

/** Index of the event that the honest bundle proves. */
export const PROVED = 4;

/** The honest bundle with one thing changed, written canonically again. */
export function edits(honest: Uint8Array): Attack[] {
  const edit = (name: string, refusedFor: ReasonCode, change: (bundle: Bundle) => void): Attack => {
    const bundle = parsed(honest);
    change(bundle);
    return { name, refusedFor, bytes: utf8(`${jcs(bundle)}\n`) };
  };
  const event = (bundle: Bundle): ShownCommit['events'][number] =>
    bundle.ledger.flatMap(({ events }) => events).find(({ index }) => index === PROVED)!;
  const step = (bundle: Bundle): ShownCommit =>
    bundle.ledger.find(({ events }) => events.some(({ index }) => index === PROVED))!;
  const head = (bundle: Bundle): ShownCommit => bundle.ledger.at(-1)!;
  const genesis = (bundle: Bundle): ShownCommit => bundle.project[0]!;
  const flip = (hash: string): string => (hash.startsWith('A') ? 'B' : 'A') + hash.slice(1);
  return [
    edit('the event says something else', 'inclusion_invalid', (b) => {
      event(b).event = event(b).event.replace(/"bytes":\d+/, '"bytes":777');
    }),
    edit('the event is another one of the same ledger', 'inclusion_invalid', (b) => {
      event(b).event = new TextDecoder().decode(bytesOf(noteBy(ana, 0)));
    }),
    edit('the event stands at another index', 'inclusion_invalid', (b) => {
      event(b).index -= 1;
      b.claim = { is: 'event', index: PROVED - 1 };
    }),
    edit('the event stands beyond its own commit', 'inclusion_invalid', (b) => {
      event(b).index += 4;
      b.claim = { is: 'event', index: PROVED + 4 };
    }),
    edit('a hash of the way to the root is another', 'inclusion_invalid', (b) => {
      event(b).inclusion[0] = flip(event(b).inclusion[0]!);
    }),
    edit('the way to the root is too short', 'inclusion_invalid', (b) => void event(b).inclusion.pop()),
    edit(
      'the way to the root is too long',
      'inclusion_invalid',
      (b) => void event(b).inclusion.push(event(b).inclusion[0]!),
    ),
    edit('a hash is spelled in a second way', 'inclusion_invalid', (b) => {
      event(b).inclusion[0] = respelled(event(b).inclusion[0]!);
    }),
    edit('the head does not continue what was shown', 'consistency_invalid', (b) => {
      head(b).since[0] = flip(head(b).since[0]!);
    }),
    edit('the commit does not continue its own past', 'consistency_invalid', (b) => {
      step(b).grown[0] = flip(step(b).grown[0]!);
    }),
    edit('the two heads are swapped', 'prev_size_mismatch', (b) => void b.ledger.reverse()),
    edit('a transaction is shown twice', 'prev_size_mismatch', (b) => void b.ledger.splice(1, 0, b.ledger[1]!)),
    edit('the mission begins in the middle', 'prev_size_mismatch', (b) => void b.ledger.shift()),
    edit('the mission stands on no project', 'commit_parents', (b) => void b.project.splice(0)),
    edit('the project’s first event is left out', 'events_missing', (b) => void genesis(b).events.pop()),
    edit('the mission’s first event is left out', 'ledger_not_opened', (b) => void b.ledger[0]!.events.pop()),
    edit('the roster names a member differently', 'roster_key_user_id', (b) => {
      const first = genesis(b).events[0]!;
      first.event = first.event.replaceAll(ana.principalId, 'amy');
    }),
    edit('the claim is about an event that is not shown', 'bundle_incomplete', (b) => {
      b.claim = { is: 'event', index: 2 };
    }),
    edit('the claim is about a head that is not shown', 'bundle_incomplete', (b) => {
      b.claim = { is: 'continuation', old_size: 2 };
    }),
    edit('the signature has another bit', 'signature_invalid', (b) => {
      step(b).commit = otherSignature(step(b).commit);
    }),
    edit('the signature is gone', 'commit_unsigned', (b) => {
      step(b).commit = step(b).commit.replace(/gpgsig [^]*?END PGP SIGNATURE-----\n/, '');
    }),
    edit('the commit carries a second signature', 'commit_second_signature', (b) => {
      step(b).commit = step(b).commit.replace(/(gpgsig [^]*?END PGP SIGNATURE-----\n)/, '$1gpgsig-sha256 x\n');
    }),
    edit('the commit carries a merged tag', 'commit_mergetag', (b) => {
      step(b).commit = step(b).commit.replace(/\ngpgsig /, '\nmergetag object\ngpgsig ');
    }),
    edit('the commit’s time is another', 'signature_invalid', (b) => {
      step(b).commit = step(b).commit.replace(/> (\d{9})\d \+0000/g, '> $17 +0000');
    }),
    edit('the commit is of a newer format', 'format_newer', (b) => {
      head(b).commit = head(b).commit.replace('Ledger-Format: 1', 'Ledger-Format: 2');
    }),
    edit('a trailer is repeated', 'trailers_malformed', (b) => {
      step(b).commit = step(b).commit.replace(/(Ledger-Size: \d+\n)/, '$1$1');
    }),
    edit('the head is no ledger commit', 'foreign_commit', (b) => {
      head(b).commit = head(b).commit.replace(/\n\nledger: [^]*$/, '\n\nhello\n');
    }),
    edit('it is of a newer version', 'bundle_newer', (b) => {
      (b as { schema_version: number }).schema_version = 2;
    }),
    edit('it is something else', 'bundle_malformed', (b) => {
      (b as { kind: string }).kind = 'lazarus.cell';
    }),
    edit('it says more than it may', 'bundle_malformed', (b) => {
      (b as unknown as Record<string, unknown>)['note'] = 'trust me';
    }),
    edit('an index is a fraction', 'bundle_malformed', (b) => {
      b.claim = { is: 'event', index: 4.5 };
    }),
    edit('a prototype is slipped in', 'bundle_malformed', (b) => {
      Object.defineProperty(b, '__proto__', { value: { is: 'accepted' }, enumerable: true, configurable: true });
    }),
  ];
}

/** The honest bundle in another spelling. */
export function texts(honest: Uint8Array): Attack[] {
  const text = new TextDecoder().decode(honest);
  const spelled = (name: string, refusedFor: ReasonCode, bytes: Uint8Array): Attack => ({ name, refusedFor, bytes });
  return [
    spelled('it is indented', 'bundle_not_canonical', utf8(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)),
    spelled('the last line feed is gone', 'bundle_not_canonical', honest.subarray(0, -1)),
    spelled('a key stands twice', 'bundle_not_canonical', utf8(text.replace('{"claim"', '{"claim":1,"claim"'))),
    spelled('a byte order mark goes before', 'bundle_malformed', utf8(`\ufeff${text}`)),
    spelled(
      'it is not UTF-8',
      'bundle_malformed',
      Uint8Array.of(...honest.subarray(0, 40), 0xff, ...honest.subarray(40)),
    ),
    spelled('it is cut off', 'bundle_malformed', utf8(`${text.slice(0, text.length >> 1)}\n`)),
    spelled('it is nested without end', 'bundle_malformed', utf8(`${'['.repeat(100_000)}\n`)),
    spelled('it is larger than memory should be', 'bundle_too_large', new Uint8Array(16 * 1024 * 1024 + 1)),
    spelled('it is empty', 'bundle_not_canonical', new Uint8Array(0)),
  ];
}

/** 32 bytes leave two bits of the last digit unused: a careless decoder ignores them. */
function respelled(hash: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = digits.indexOf(hash.charAt(42));
  return `${hash.slice(0, 42)}${digits.charAt(last ^ 1)}=`;
}

/** One bit of S changed, in an armor that is well-formed again. */
function otherSignature(commit: string): string {
  const [, armored = ''] = /gpgsig (-----BEGIN[^]*?END PGP SIGNATURE-----)\n/.exec(commit) ?? [];
  const packet = dearmor('SIGNATURE', armored.replaceAll('\n ', '\n'));
  packet[packet.length - 1]! ^= 1;
  return commit.replace(armored, armor('SIGNATURE', packet).trimEnd().replaceAll('\n', '\n '));
}
