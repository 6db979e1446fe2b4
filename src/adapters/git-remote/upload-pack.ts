// Reading from a remote in Git's protocol 2 as bytes: the two questions that we write, for references and for objects, and
// the answers that come back. Knows no sockets and looks into no pack. Reads strictly: the other side may be anybody.
import { concat, utf8 } from '../../format/bytes.ts';
import { isOid, type Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import { DELIMITER, FLUSH, packetsOf, pktLine, type Packet } from './pkt-line.ts';
import { printable, protocolFailure } from './protocol-failure.ts';

export type Wanted = {
  readonly wants: readonly Oid[];
  /** What is here with everything it reaches: the server leaves all of that out. */
  readonly haves?: readonly Oid[];
  readonly commitsMax?: number;
  /** In the words of git's `--filter`. */
  readonly filter?: string;
};

const CAPABILITIES = ['agent=lazarus', 'object-format=sha1'];
const WORDS_CHARS_MAX = 300;

/** Exact names, or patterns with `*`; the server is told beginnings only, and may answer with more. */
export function encodeLsRefs(refs: readonly string[]): Uint8Array {
  const prefixes = new Set(refs.map((ref) => `ref-prefix ${ref.split('*', 1)[0]}`));
  return message('ls-refs', [...prefixes]);
}

/** Every reference of an answer, with what it names, in the server's words. */
export function* parseLsRefs(body: Uint8Array): Generator<readonly [oid: string, ref: string], void, undefined> {
  let hasEnded = false;
  for (const packet of packetsOf(body)) {
    if (hasEnded || packet === 'delimiter') throw protocolFailure('more than a list of references');
    if (packet === 'flush') {
      hasEnded = true;
      continue;
    }
    const [, oid = '', ref = ''] = /^([0-9a-f]{40}) ([^ \n]+)(?: [^\n]*)?\n?$/.exec(textOf(packet)) ?? [];
    yield [oid, ref];
  }
  if (!hasEnded) throw protocolFailure('a list of references without an end');
}

export function encodeFetch({ wants, haves = [], commitsMax, filter }: Wanted): Uint8Array {
  if (![...wants, ...haves].every(isOid)) throw new Failure('internal', { unsound: 'object name' });
  return message('fetch', [
    'no-progress',
    'ofs-delta',
    ...(commitsMax === undefined ? [] : [`deepen ${commitsMax}`]),
    ...(filter === undefined ? [] : [`filter ${filter}`]),
    ...wants.map((oid) => `want ${oid}`),
    ...haves.map((oid) => `have ${oid}`),
    'done',
  ]);
}

/** The pack of an answer, whatever it holds. What is said of shallow commits is left: whoever asked for a part knows. */
export function parseFetch(body: Uint8Array): Uint8Array {
  const pack: Uint8Array[] = [];
  let section = '';
  let hasEnded = false;
  for (const packet of packetsOf(body)) {
    if (hasEnded) throw protocolFailure('more behind the end of an answer');
    if (section === 'packfile') hasEnded = takeBand(packet, pack);
    else if (packet === 'flush') throw protocolFailure('an answer without objects');
    else if (packet === 'delimiter') section = '';
    else if (section === '') section = sectionOf(packet);
  }
  if (!hasEnded) throw protocolFailure('the answer ends inside a pack');
  return concat(pack);
}

/** True at the end of the pack. Band 1 is the pack, 2 is talk, 3 is why there is none. */
function takeBand(packet: Packet, pack: Uint8Array[]): boolean {
  if (packet === 'flush') return true;
  if (packet === 'delimiter') throw protocolFailure('a packet outside the three bands');
  const band = packet[0];
  if (band === 3) throw protocolFailure(`the server gave up: ${words(packet.subarray(1))}`);
  if (band === 1) pack.push(packet.subarray(1));
  else if (band !== 2) throw protocolFailure('a packet outside the three bands');
  return false;
}

function sectionOf(packet: Uint8Array): string {
  const name = textOf(packet).replace(/\n$/, '');
  if (name !== 'packfile' && name !== 'shallow-info') throw protocolFailure('an answer in an unknown part');
  return name;
}

function message(command: string, lines: readonly string[]): Uint8Array {
  const packet = (line: string): Uint8Array => pktLine(utf8(`${line}\n`));
  return concat([...[`command=${command}`, ...CAPABILITIES].map(packet), DELIMITER, ...lines.map(packet), FLUSH]);
}

/** A packet of words; instead of any of them a server may say why it will not. */
function textOf(packet: Uint8Array): string {
  const text = new TextDecoder().decode(packet);
  if (text.startsWith('ERR ')) throw protocolFailure(`the server gave up: ${words(packet.subarray('ERR '.length))}`);
  return text;
}

function words(bytes: Uint8Array): string {
  return printable(new TextDecoder().decode(bytes), WORDS_CHARS_MAX);
}
