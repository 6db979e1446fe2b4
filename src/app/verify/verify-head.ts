// Verifies the newest commit alone, from its own tree: signature, every event's bytes, root, and the tree rebuilt. For a
// clone without history (depth 1). It says that this head is whole and who signed it, not how it came to be.
import { fromUtf8, hex } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { gitObject, type GitObject, type Oid } from '../../format/git/object.ts';
import { parseTree } from '../../format/git/tree.ts';
import { Frontier, leafHash } from '../../format/merkle.ts';
import { Failure } from '../../failure.ts';
import { REASONS } from '../../reasons.ts';
import { decodeEvent } from '../../kernel/codec.ts';
import { Roster, rosterDigest } from '../../kernel/roster/roster.ts';
import type { State } from '../../kernel/state.ts';
import { accept, refuse, type Refused, type Verdict } from '../../kernel/verdict.ts';
import { headFiles, readStanding, rosterFiles, standingFile } from '../../ledger/derived.ts';
import { EMPTY_LAYOUT, extend } from '../../ledger/layout.ts';
import { eventIndexOf, FILES, ledgerName, missionRef, PROJECT_REF } from '../../ledger/names.ts';
import { checkSignature, readCommit, type ReadCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import type { Integrity, Report } from './report.ts';

export type VerifyHead = {
  readonly crypto: Crypto;
  readonly reader: RepositoryReader;
  readonly ref: string;
  readonly pin?: Pin | undefined;
};

export async function verifyHead({ crypto, reader, ref, pin }: VerifyHead): Promise<Report> {
  const oid = await reader.resolve(ref);
  if (oid === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(ref) });
  const read = readCommit(crypto, await readOne(reader, oid));
  const checked = read.is === 'refused' ? read : await refusing(() => checkHead(crypto, reader, ref, read.value, pin));
  const ledger = ref === PROJECT_REF ? 'project' : 'mission';
  const index = checked.is === 'refused' ? indexOf(checked, read) : 0;
  const integrity: Integrity = checked.is === 'accepted' ? { is: 'ok' } : { ...checked, index, oid, ledger };
  const claims = read.is === 'accepted' ? read.value.claims : undefined;
  return {
    mode: 'head',
    name: ledgerName(ref),
    head: integrity.is === 'ok' && claims !== undefined ? { size: claims.size, root: claims.root, oid } : undefined,
    state: undefined,
    transactions: integrity.is === 'ok' ? 1 : 0,
    events: integrity.is === 'ok' ? claims!.size : 0,
    integrity,
    // The roster is the tree's own word here: only history, or a pin on this very roster, could vouch for it.
    trust: { is: 'unpinned', project_genesis: pin?.project_genesis ?? '', disowned: [] },
  };
}

/** Bytes that cannot even be read are a flaw of the head, not of the machine. */
async function refusing(check: () => Promise<Verdict<undefined>>): Promise<Verdict<undefined>> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Failure && REASONS[error.code].exit === 6) return refuse(error.code, error.facts);
    throw error;
  }
}

async function checkHead(
  crypto: Crypto,
  reader: RepositoryReader,
  ref: string,
  read: ReadCommit,
  pin: Pin | undefined,
): Promise<Verdict<undefined>> {
  const { commit, claims } = read;
  const expected = ref === PROJECT_REF ? ref : missionRef(claims.ledgerId);
  if (expected !== ref) return refuse('ledger_id_mismatch', { expected: ledgerName(ref), found: ledgerName(expected) });
  const files = await readTree(reader, commit.tree);
  const signer = checkSigner(crypto, read, files);
  if (signer.is === 'refused') return signer;
  const rebuilt = rebuild(crypto, claims.ledgerId, files, { pin, roster: signer.value });
  if (rebuilt.is === 'refused') return rebuilt;
  const { size, root, tree } = rebuilt.value;
  if (size !== claims.size) return refuse('events_missing', { claimed: claims.size, found: size });
  if (root !== claims.root) return refuse('root_mismatch', { claimed: claims.root, computed: root });
  return tree === commit.tree ? accept(undefined) : refuse('tree_mismatch', { claimed: commit.tree, computed: tree });
}

type TreeFiles = {
  readonly events: readonly Uint8Array[];
  readonly roster: Uint8Array;
  readonly standing: Uint8Array;
  readonly snapshot: Oid | undefined;
};

async function readTree(reader: RepositoryReader, tree: Oid): Promise<TreeFiles> {
  const events: Oid[] = [];
  let snapshot: Oid | undefined;
  for await (const { path, oid } of reader.files(tree)) {
    const index = eventIndexOf(path);
    if (index !== undefined) events[index] = oid;
    if (path === `${FILES.snapshots}/${FILES.snapshot}`) snapshot = oid;
  }
  const known = events.filter((oid) => oid !== undefined);
  const blobs: Uint8Array[] = [];
  for await (const object of reader.read(known)) blobs.push(object.body);
  const top = new Map(parseTree((await readOne(reader, tree)).body).map(({ name, oid }) => [name, oid]));
  const file = async (name: string): Promise<Uint8Array> => {
    const oid = top.get(name);
    if (oid === undefined) throw new Failure('derived_file_mismatch', { file: name });
    return (await readOne(reader, oid)).body;
  };
  return { events: blobs, roster: await file(FILES.roster), standing: await file(FILES.standing), snapshot };
}

/** The signer must be on the roster that the signed trailers name by digest. */
function checkSigner(crypto: Crypto, read: ReadCommit, { roster, standing }: TreeFiles): Verdict<Roster> {
  const parsed = parseRoster(roster);
  if (parsed === undefined || rosterDigest(crypto, parsed) !== read.claims.roster.digest)
    // A transaction that changes the roster was decided under the one before it, which only history knows.
    return refuse('head_needs_history', { roster_claimed: read.claims.roster.n, roster_here: parsed?.n ?? null });
  const { prevSize, project } = read.claims;
  const state = { roster: parsed, cut_offs: cutOffsOf(standing) };
  const kind = project === undefined ? 'project' : 'mission';
  const signer = checkSignature(crypto, { kind, size: prevSize, state, parent: undefined }, read, []);
  return signer.is === 'refused' ? signer : accept(parsed);
}

function rebuild(
  crypto: Crypto,
  ledgerId: string,
  { events, standing, snapshot }: TreeFiles,
  { pin, roster }: { pin: Pin | undefined; roster: Roster },
): Verdict<{ size: number; root: string; tree: Oid }> {
  const frontier = new Frontier(crypto);
  for (const [index, blob] of events.entries()) {
    const event = decodeEvent(blob);
    if (event.is === 'refused') return refuse(event.code, { index, ...event.facts });
    frontier.append(leafHash(crypto, blob));
    if (pin !== undefined && pin.head.size === index + 1 && hex(frontier.root()) !== pin.head.root)
      return refuse('fork_detected', { index: 0, pinned: pin.head.root, found: hex(frontier.root()) });
  }
  if (pin !== undefined && pin.head.size > events.length)
    return refuse('rollback_detected', { pinned_size: pin.head.size, size: events.length });
  const standingNow = { cut_offs: cutOffsOf(standing), sealed: readStanding(standing).sealed };
  const head = headFiles(crypto, ledgerId, frontier);
  const derived: Record<string, GitObject> = {
    ...head.objects,
    ...rosterFiles(crypto, roster),
    [FILES.standing]: standingFile(crypto, standingNow),
  };
  const files = Object.fromEntries(Object.entries(derived).map(([name, object]) => [name, object.oid]));
  const blobs = events.map((blob) => gitObject(crypto, 'blob', blob).oid);
  const { tree } = extend(crypto, EMPTY_LAYOUT, { events: blobs, files, snapshot });
  return accept({ size: events.length, root: head.root, tree });
}

/** Which keys are cut off is all that a head tells of its cut-offs. */
function cutOffsOf(standing: Uint8Array): State['cut_offs'] {
  return readStanding(standing).cut_offs.map((fingerprint) => ({ fingerprint, heads: [], project_id: '', roster: '' }));
}

function parseRoster(body: Uint8Array): Roster | undefined {
  try {
    return Roster.parse(JSON.parse(fromUtf8(body)));
  } catch {
    return undefined;
  }
}

function indexOf(refused: Refused, read: Verdict<ReadCommit>): number {
  const { index } = refused.facts;
  if (typeof index === 'number') return index;
  return read.is === 'accepted' ? read.value.claims.prevSize : 0;
}

async function readOne(reader: RepositoryReader, oid: Oid): Promise<GitObject> {
  for await (const object of reader.read([oid])) return object;
  throw new Failure('object_missing', { oid });
}
