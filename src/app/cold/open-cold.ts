// A tip of a remote ledger for a writer that has no clone: a few kilobytes instead of a history. Allowed only where the
// head, or an ancestor of it, was verified before (a pin); otherwise the answer is that everything must be verified.
import { fromUtf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { parseTree, type TreeEntry } from '../../format/git/tree.ts';
import { SEGMENT_EVENTS } from '../../kernel/limits.ts';
import { Roster } from '../../kernel/roster/roster.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { readFrontier, readStanding } from '../../ledger/derived.ts';
import { FILES, hotDirectory, ledgerName, PROJECT_REF, segmentOf } from '../../ledger/names.ts';
import type { Tip } from '../../ledger/tip.ts';
import { readCommit, type ReadCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import type { Remote } from '../../ports/remote.ts';
import type { Repository } from '../../ports/repository.ts';
import { FETCHED_REFS, fetchedRef } from '../place.ts';
import { chain } from '../verify/chain.ts';
import { restoreTip, snapshotAt } from '../verify/restore.ts';
import { walk } from '../verify/walk.ts';

export type ColdParts = { readonly crypto: Crypto; readonly repository: Repository; readonly remote: Remote };

/** The head with the trees at its top: what every cold writer needs, 24 KB at any length. */
export async function openHead({ crypto, repository, remote }: ColdParts, ref: string): Promise<Verdict<ReadCommit>> {
  await remote.fetchPart({ wants: [ref], commitsMax: 1, treeDepth: 2 }, FETCHED_REFS);
  const oid = await repository.resolve(fetchedRef(ref));
  if (oid === undefined) return refuse('ledger_not_found', { ledger: ledgerName(ref) });
  return readCommit(crypto, await readOne(repository, oid));
}

/**
 * A tip that is good for events which only add to a mission (notes, artifacts): who may sign and whether the ledger
 * takes anything at all is known, its tasks are not. Refused where more is needed.
 */
export async function additiveTip({ crypto, repository }: ColdParts, { oid, commit, claims }: ReadCommit, pin: Pin | undefined, adding: number): Promise<Verdict<Tip>> {
  if (pin?.head.oid !== oid || claims.project === undefined) return refuse('cold_needs_history', { head: oid });
  // The next segment's snapshot holds the whole state, which is not at hand here.
  if (segmentOf(claims.size) !== segmentOf(claims.size + adding)) return refuse('cold_needs_history', { size: claims.size });
  const top = new Map(parseTree((await readOne(repository, commit.tree)).body).map((entry) => [entry.name, entry]));
  const body = async (name: string): Promise<Uint8Array> => (await readOne(repository, entryOf(top, name).oid)).body;
  const frontier = readFrontier(crypto, await body(FILES.frontier), claims.size, claims.root);
  if (frontier.is === 'refused') return frontier;
  const standing = readStanding(await body(FILES.standing));
  if (standing.sealed) return refuse('ledger_sealed', { ledger: claims.ledgerId });
  const roster = Roster.parse(JSON.parse(fromUtf8(await body(FILES.roster))));
  const hot = top.get(hotDirectory(segmentOf(claims.size)));
  const state: MissionState = {
    kind: 'mission',
    ledger_id: claims.ledgerId,
    project_id: roster.project_id,
    project_genesis: pin.project_genesis,
    grew_from: claims.project,
    proposal: null,
    roster,
    cut_offs: standing.cut_offs.map((fingerprint) => ({ fingerprint, heads: [], project_id: roster.project_id, roster: '' })),
    annotations: [],
    sealed: false,
    tasks: {},
    notes: 0,
    artifacts: { recorded: 0, erased: 0 },
  };
  return accept({
    kind: 'mission',
    oid,
    size: claims.size,
    root: claims.root,
    frontier: frontier.value,
    layout: {
      size: claims.size,
      hot: hot === undefined ? undefined : await readOne(repository, hot.oid),
      fan: undefined,
      fullFans: new Uint8Array(0),
      segments: top.get(FILES.segments)?.oid,
      snapshots: top.get(FILES.snapshots)?.oid,
      root: await readOne(repository, commit.tree),
    },
    state,
    recent: [claims.tx],
    project: claims.project,
    parent: undefined,
  });
}

/**
 * The whole tip: the commits since the last snapshot are fetched and verified, and the snapshot itself is trusted
 * because the pin lies behind it in the same chain.
 */
export async function decidedTip(parts: ColdParts, ref: string, head: ReadCommit, pin: Pin | undefined): Promise<Verdict<Tip>> {
  const { crypto, repository, remote } = parts;
  const boundary = head.claims.size - (head.claims.size % SEGMENT_EVENTS);
  if (pin === undefined || boundary === 0 || pin.head.size < boundary) return refuse('cold_needs_history', { head: head.oid });
  await remote.fetchPart({ wants: [ref], commitsMax: (head.claims.size % SEGMENT_EVENTS) + 1, treeDepth: 0 }, FETCHED_REFS);
  const links = await chain(repository, head.oid, (object) => isAtOrBelow(crypto, object, boundary));
  const [first, ...rest] = links;
  const start = first === undefined ? undefined : readCommit(crypto, first.object);
  if (start?.is !== 'accepted' || start.value.claims.size < boundary) return refuse('cold_needs_history', { head: head.oid });
  // The pinned commit must be one of those fetched, or the snapshot before it is nobody's word.
  if (!links.some(({ object }) => object.oid === pin.head.oid)) return refuse('fork_detected', { pinned: pin.head.oid, found: head.oid });
  const { tree } = start.value.commit;
  await remote.fetchPart({ wants: [tree, ...(await hotEvents(repository, head))], treeDepth: 3 }, FETCHED_REFS);
  const snapshot = await snapshotAt(crypto, repository, tree);
  if (snapshot === undefined) return refuse('derived_file_mismatch', { file: FILES.snapshots });
  const restored = await restoreTip(crypto, repository, start.value, snapshot);
  if (restored.is === 'refused') return restored;
  const kind = ref === PROJECT_REF ? 'project' : 'mission';
  const walked = await walk(restored.value, rest, { crypto, reader: repository, kind, onCommit: () => undefined });
  return walked.flaw === undefined ? accept(walked.tip) : refuse(walked.flaw.code, { ...walked.flaw.facts, index: walked.flaw.index, commit: walked.flaw.oid });
}

/** The commit whose transaction crossed into the open segment: it left the snapshot. */
function isAtOrBelow(crypto: Crypto, object: GitObject, boundary: number): boolean {
  const read = readCommit(crypto, object);
  return read.is === 'accepted' && read.value.claims.prevSize < boundary;
}

async function hotEvents(repository: Repository, { commit, claims }: ReadCommit): Promise<Oid[]> {
  const top = parseTree((await readOne(repository, commit.tree)).body);
  const hot = top.find((entry) => entry.name === hotDirectory(segmentOf(claims.size)));
  return hot === undefined ? [] : parseTree((await readOne(repository, hot.oid)).body).map((entry) => entry.oid);
}

function entryOf(top: ReadonlyMap<string, TreeEntry>, name: string): TreeEntry {
  const entry = top.get(name);
  if (entry === undefined) throw new TypeError(`a verified tree has no ${name}`);
  return entry;
}

async function readOne(repository: Repository, oid: Oid): Promise<GitObject> {
  for await (const object of repository.read([oid])) return object;
  throw new TypeError(`fetched, and yet not here: ${oid}`);
}
