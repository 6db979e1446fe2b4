// Verifies the newest commit alone, from its own tree: signature, every event's bytes, root, and the tree rebuilt. For a
// clone without history (depth 1). It says that this head is whole and who signed it, not how it came to be.
import { hex } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { gitObject, type GitObject, type Oid } from '../../format/git/object.ts';
import { parseTree } from '../../format/git/tree.ts';
import { Frontier, leafHash } from '../../format/merkle.ts';
import { Failure } from '../../failure.ts';
import { REASONS } from '../../reasons.ts';
import { decodeEvent } from '../../kernel/codec.ts';
import { EVENTS_PER_TRANSACTION_MAX } from '../../kernel/limits.ts';
import { accept, refuse, type Refused, type Verdict } from '../../kernel/verdict.ts';
import type { ShownEvent } from '../../ledger/bundle-commits.ts';
import { headFiles, readStanding, rosterFiles, standingFile } from '../../ledger/derived.ts';
import { EMPTY_LAYOUT, extend } from '../../ledger/layout.ts';
import { eventIndexOf, FILES, ledgerName, missionRef, PROJECT_REF } from '../../ledger/names.ts';
import { GENESIS_SELF, subject, type Claims } from '../../ledger/trailers.ts';
import { checkRepair, readCommit, type ReadCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { claimedIndex } from './chain.ts';
import { checkAuthority, type Authority } from './head-authority.ts';
import type { Integrity, Report } from './report.ts';

export type VerifyHead = {
  readonly crypto: Crypto;
  readonly reader: RepositoryReader;
  readonly ref: string;
  /** The commit to verify when it is not the one the reference names. */
  readonly head?: string | undefined;
  readonly pin?: Pin | undefined;
};

export async function verifyHead({ crypto, reader, ref, head, pin }: VerifyHead): Promise<Report> {
  const oid = head ?? (await reader.resolve(ref));
  if (oid === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(ref) });
  const read = await refusing(async () => {
    const object = await readOne(reader, oid);
    const commit = readCommit(crypto, object);
    return commit.is === 'accepted' ? commit : refuse(commit.code, { index: claimedIndex(object), ...commit.facts });
  });
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
    trust: { is: 'unpinned', project_genesis: pin?.project_genesis ?? '', disowned: [], rejected: [] },
  };
}

/** Bytes that cannot even be read are a flaw of the head, not of the machine. */
async function refusing<T>(check: () => Promise<Verdict<T>>): Promise<Verdict<T>> {
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
  const place = placeFlaw(ref, read);
  if (place !== undefined) return place;
  const files = await readTree(reader, commit.tree);
  const events = decodeAll(files.events);
  if (events.is === 'refused') return events;
  const tree = { events: events.value, roster: files.roster, standing: readStanding(files.standing) };
  const after = checkAuthority(crypto, read, tree, await rosterBefore(crypto, reader, commit.parents[0]));
  if (after.is === 'refused') return after;
  const own = events.value.slice(claims.prevSize).map(({ event }) => event);
  const repair = checkRepair(own, claims, foreignClaimed(read));
  if (repair.is === 'refused') return repair;
  const rebuilt = rebuild(crypto, claims, files.events, { pin, after: after.value });
  if (rebuilt.is === 'refused') return rebuilt;
  const { size, prevRoot, root } = rebuilt.value;
  if (size !== claims.size) return refuse('events_missing', { claimed: claims.size, found: size });
  if (prevRoot !== claims.prevRoot)
    return refuse('prev_root_mismatch', { claimed: claims.prevRoot, computed: prevRoot });
  if (root !== claims.root) return refuse('root_mismatch', { claimed: claims.root, computed: root });
  const opened = events.value[0]!.event.entity_id;
  if (opened !== claims.ledgerId) return refuse('ledger_id_mismatch', { claimed: claims.ledgerId, found: opened });
  if (rebuilt.value.tree !== commit.tree)
    return refuse('tree_mismatch', { claimed: commit.tree, computed: rebuilt.value.tree });
  const types = own.map((event) => event.event_type);
  return commit.message.startsWith(`${subject(claims, types)}\n`) ? accept(undefined) : refuse('subject_mismatch');
}

/** What a commit says of its own place can be wrong in itself, with no history to compare it with. */
function placeFlaw(ref: string, { commit, claims }: ReadCommit): Refused | undefined {
  const { prevSize, size, project, genesis } = claims;
  const isProject = ref === PROJECT_REF;
  if (isProject && project !== undefined) return refuse('project_head_misplaced');
  if (!isProject && project === undefined) return refuse('project_head_missing');
  const parents = isProject && prevSize === 0 ? 0 : 1;
  if (commit.parents.length !== parents)
    return refuse('commit_parents', { expected: parents, found: commit.parents.length });
  if (!isProject && prevSize === 0 && commit.parents[0] !== project!.oid)
    return refuse('commit_reparented', { expected: project!.oid, found: commit.parents[0]! });
  const isGenesisNamed = isProject
    ? genesis === undefined
    : prevSize === 0
      ? genesis === GENESIS_SELF
      : OID.test(genesis ?? '');
  if (!isGenesisNamed) return refuse('ledger_genesis_mismatch', { claimed: genesis ?? null });
  const events = size - prevSize;
  return events < 1 || events > EVENTS_PER_TRANSACTION_MAX ? refuse('transaction_size', { events }) : undefined;
}

const OID = /^[0-9a-f]{40}$/;

/** How many commits a repair leaves behind takes history; that its document and its trailer agree does not. */
function foreignClaimed({ commit, claims }: ReadCommit): { readonly count: number; readonly tip: string } | undefined {
  return claims.repairs && { count: claims.repairs.foreign, tip: commit.parents[0] ?? '' };
}

function decodeAll(blobs: readonly Uint8Array[]): Verdict<readonly ShownEvent[]> {
  const events: ShownEvent[] = [];
  for (const [index, bytes] of blobs.entries()) {
    const event = decodeEvent(bytes);
    if (event.is === 'refused') return refuse(event.code, { index, ...event.facts });
    events.push({ index, event: event.value, bytes });
  }
  return accept(events);
}

/** The roster in the tree of the commit before. A clone of depth 1 has none, and most commits need none. */
async function rosterBefore(
  crypto: Crypto,
  reader: RepositoryReader,
  parent: Oid | undefined,
): Promise<Uint8Array | undefined> {
  if (parent === undefined) return undefined;
  try {
    const read = readCommit(crypto, await readOne(reader, parent));
    if (read.is === 'refused') return undefined;
    const entries = parseTree((await readOne(reader, read.value.commit.tree)).body);
    const roster = entries.find(({ name }) => name === FILES.roster);
    return roster && (await readOne(reader, roster.oid)).body;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

type TreeFiles = {
  readonly events: readonly Uint8Array[];
  readonly roster: Uint8Array;
  readonly standing: Uint8Array;
};

async function readTree(reader: RepositoryReader, tree: Oid): Promise<TreeFiles> {
  const events: Oid[] = [];
  for await (const { path, oid } of reader.files(tree)) {
    const index = eventIndexOf(path);
    if (index !== undefined) events[index] = oid;
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
  return { events: blobs, roster: await file(FILES.roster), standing: await file(FILES.standing) };
}

function rebuild(
  crypto: Crypto,
  { ledgerId, prevSize }: Pick<Claims, 'ledgerId' | 'prevSize'>,
  events: readonly Uint8Array[],
  { pin, after }: { readonly pin: Pin | undefined; readonly after: Authority },
): Verdict<{ size: number; prevRoot: string; root: string; tree: Oid }> {
  const frontier = new Frontier(crypto);
  let prevRoot = '';
  for (const [index, blob] of events.entries()) {
    if (index === prevSize) prevRoot = hex(frontier.root());
    frontier.append(leafHash(crypto, blob));
    if (pin !== undefined && pin.head.size === index + 1 && hex(frontier.root()) !== pin.head.root)
      return refuse('fork_detected', { index: 0, pinned: pin.head.root, found: hex(frontier.root()) });
  }
  if (pin !== undefined && pin.head.size > events.length)
    return refuse('rollback_detected', { pinned_size: pin.head.size, size: events.length });
  const head = headFiles(crypto, ledgerId, frontier);
  const derived: Record<string, GitObject> = {
    ...head.objects,
    ...rosterFiles(crypto, after.roster),
    [FILES.standing]: standingFile(crypto, after),
  };
  const files = Object.fromEntries(Object.entries(derived).map(([name, object]) => [name, object.oid]));
  const blobs = events.map((blob) => gitObject(crypto, 'blob', blob).oid);
  const { tree } = extend(crypto, EMPTY_LAYOUT, { events: blobs, files });
  return accept({ size: events.length, prevRoot, root: head.root, tree });
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
