// The files of the tree that follow from the events: tree head, frontier, roster, keys, standing. Written by an append,
// rebuilt byte for byte by a verifier; whoever reads them alone has a convenience, never an authority.
import { base64, fromBase64, fromHex, fromUtf8, hex, roomFor, utf8, writeBase64 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { Failure } from '../failure.ts';
import { gitObject, type GitObject } from '../format/git/object.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { Frontier } from '../format/merkle.ts';
import { armoredKeyring } from '../format/openpgp/public-key.ts';
import type { Roster } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { FILES } from './names.ts';

const FRONTIER_LINE_BYTES = 45;
const LF = 10;

/** A C2SP-style tree head: origin, size, root. This text is what co-signatures sign. */
export function treeHeadBody(ledgerId: string, size: number, root: string): string {
  return headText(ledgerId, size, fromHex(root)!);
}

function headText(ledgerId: string, size: number, root: Uint8Array): string {
  return `lazarus/${ledgerId}\n${size}\n${base64(root)}\n`;
}

export function headFiles(
  crypto: Crypto,
  ledgerId: string,
  frontier: Frontier,
): { root: string; objects: Record<string, GitObject> } {
  const root = frontier.root();
  return {
    root: hex(root),
    objects: {
      [FILES.frontier]: gitObject(crypto, 'blob', frontierBody(frontier)),
      [FILES.treeHead]: gitObject(crypto, 'blob', utf8(headText(ledgerId, frontier.size, root))),
    },
  };
}

/** One line of base64 per hash. */
function frontierBody(frontier: Frontier): Uint8Array {
  const hashes = frontier.hashes();
  const body = roomFor(hashes.length * FRONTIER_LINE_BYTES).fill(LF);
  for (let i = 0; i < hashes.length; i++) writeBase64(hashes[i]!, body, i * FRONTIER_LINE_BYTES);
  return body;
}

const rosterObjects = new WeakMap<Roster, Record<string, GitObject>>();

/** `roster.json` and `keys.asc`: the latter so that stock gpg can import what stock git then verifies. */
export function rosterFiles(crypto: Crypto, roster: Roster): Record<string, GitObject> {
  let objects = rosterObjects.get(roster);
  if (objects === undefined) {
    const keys = roster.members.flatMap((member) => member.keys.map((key) => fromBase64(key.public_key)!));
    objects = {
      [FILES.keys]: gitObject(crypto, 'blob', utf8(armoredKeyring(keys))),
      [FILES.roster]: gitObject(crypto, 'blob', utf8(`${jcs(roster)}\n`)),
    };
    rosterObjects.set(roster, objects);
  }
  return objects;
}

const standingObjects = new WeakMap<State['cut_offs'], GitObject>();

/** `standing.json`: what forbids appending, so that a writer without the history can see it beside the roster. */
export function standingFile(crypto: Crypto, { cut_offs, sealed }: Pick<State, 'cut_offs' | 'sealed'>): GitObject {
  const known = sealed ? undefined : standingObjects.get(cut_offs);
  if (known !== undefined) return known;
  const fingerprints = cut_offs.map(({ fingerprint }) => fingerprint).sort();
  const object = gitObject(crypto, 'blob', utf8(`${jcs({ cut_offs: fingerprints, sealed })}\n`));
  if (!sealed) standingObjects.set(cut_offs, object);
  return object;
}

type Standing = { readonly cut_offs: readonly string[]; readonly sealed: boolean };

/** Reads the standing of a tree. Throws `derived_file_mismatch`: a head that is verified alone may hold anything. */
export function readStanding(body: Uint8Array): Standing {
  const value = parse(FILES.standing, body) as Partial<Standing> | null;
  const isWhole =
    typeof value?.sealed === 'boolean' &&
    Array.isArray(value.cut_offs) &&
    value.cut_offs.every((one) => typeof one === 'string');
  if (!isWhole) throw new Failure('derived_file_mismatch', { file: FILES.standing });
  return value as Standing;
}

/** Reads a frontier and says whether it has the root that was signed: it proves itself. */
export function readFrontier(crypto: Crypto, body: Uint8Array, size: number, root: string): Verdict<Frontier> {
  const lines = textOf(FILES.frontier, body).split('\n').slice(0, -1);
  const hashes = lines.map((line) => fromBase64(line) ?? new Uint8Array(0));
  const frontier = Frontier.from(crypto, size, hashes);
  return hex(frontier.root()) === root ? accept(frontier) : refuse('derived_file_mismatch', { file: FILES.frontier });
}

function parse(file: string, body: Uint8Array): unknown {
  return parseCanonical(textOf(file, body).slice(0, -1));
}

function textOf(file: string, body: Uint8Array): string {
  try {
    return fromUtf8(body);
  } catch (cause) {
    throw new Failure('derived_file_mismatch', { file }, { cause });
  }
}
