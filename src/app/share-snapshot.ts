// A person computes what a ledger came to, from its first event, and signs that for writers who have no clone of it. Adds
// to the signatures that are there where they are over the very same bytes; signs nothing that somebody else computed.
import { base64, equalBytes } from '../format/bytes.ts';
import { Failure } from '../failure.ts';
import type { Oid } from '../format/git/object.ts';
import { checkBundle } from '../ledger/bundle.ts';
import { writeBundle } from '../ledger/bundle-write.ts';
import { ledgerName, PROJECT_REF, snapshotRef } from '../ledger/names.ts';
import {
  checkSnapshotSignature,
  encodeSnapshot,
  SNAPSHOT_BYTES_MAX,
  snapshotStatement,
  type SnapshotSignature,
} from '../ledger/snapshot.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { TreeHead } from '../kernel/values.ts';
import type { Roster } from '../kernel/roster/roster.ts';
import type { Signer } from '../ports/keys.ts';
import { moveBeside } from './move-beside.ts';
import { ProofCollector } from './proof-collector.ts';
import { readShared, sharedCommit, type SharedFiles } from './shared-snapshot.ts';
import { Crossings } from './verify/snapshots.ts';
import { verifyLedger } from './verify/verify-ledger.ts';
import { refuseFlawed, type Watch, type Workbench } from './workbench.ts';

export type Shared = {
  readonly head: TreeHead;
  /** Whose signatures over these bytes lie there now, ours included. */
  readonly signed: readonly string[];
};

/** `signer` is asked once the roster is known. */
export async function shareSnapshot(
  bench: Workbench,
  ref: string,
  signer: (roster: Roster) => Promise<Signer>,
  watch: Watch = {},
): Promise<Shared> {
  const { crypto, clock } = bench.parts;
  const name = ledgerName(ref);
  const crossings = new Crossings();
  const kind = ref === PROJECT_REF ? 'project' : 'mission';
  const { report } = await bench.verify(ref, 'full', {
    ...watch,
    ...(ref === PROJECT_REF ? {} : { project: await bench.project() }),
    onCommit: (seen) => {
      if (seen.ledger === kind) crossings.add(seen.tip, seen.events.length);
      watch.onCommit?.(seen);
    },
  });
  refuseFlawed(report);
  if (report.trust.is === 'disowned' || report.trust.is === 'rejected')
    throw new Failure('snapshot_of_disowned', { ledger: name });
  const tips = crossings.take();
  const newest = tips.at(-1);
  if (newest === undefined) throw new Failure('snapshot_needless', { ledger: name, size: report.events });
  const by = await signer(report.state!.roster);
  return moveBeside(bench.parts, bench.place, snapshotRef(name), async (old) => {
    const { is, tip, files } = await nextFiles(bench, ref, { tips, newest, by, old });
    const value = { head: headOf(tip), signed: files.signatures.map(({ fingerprint }) => fingerprint) };
    return is === 'there' ? { value } : { value, ...sharedCommit(crypto, files, clock.nowSeconds()) };
  });
}

type Own = { readonly tips: readonly Tip[]; readonly newest: Tip; readonly by: Signer; readonly old: Oid | undefined };
type Next = { readonly is: 'there' | 'new'; readonly tip: Tip; readonly files: SharedFiles };

/**
 * What is there and is what we computed ourselves gets our signature; once it has that, a newer boundary begins anew. All
 * else that lies there is replaced.
 */
async function nextFiles(bench: Workbench, ref: string, { tips, newest, by, old }: Own): Promise<Next> {
  const there = old === undefined ? undefined : await readShared(bench.parts.repository, old);
  const same = there && tips.find((tip) => equalBytes(encodeSnapshot(tip), there.snapshot));
  if (there !== undefined && same !== undefined) {
    const kept = there.signatures.filter((one) => isGood(bench, same, there.snapshot, one));
    const isOurs = kept.some(({ fingerprint }) => fingerprint === by.fingerprint);
    if (isOurs && same === newest) return { is: 'there', tip: same, files: { ...there, signatures: kept } };
    if (!isOurs) return { is: 'new', tip: same, files: await signedBy(bench, ref, same, by, kept) };
  }
  return { is: 'new', tip: newest, files: await signedBy(bench, ref, newest, by, []) };
}

async function signedBy(
  bench: Workbench,
  ref: string,
  tip: Tip,
  by: Signer,
  others: readonly SnapshotSignature[],
): Promise<SharedFiles> {
  const { crypto, clock } = bench.parts;
  const snapshot = encodeSnapshot(tip);
  if (snapshot.length > SNAPSHOT_BYTES_MAX)
    throw new Failure('limit_reached', { snapshot_bytes: snapshot.length, snapshot_bytes_max: SNAPSHOT_BYTES_MAX });
  const packet = await by.sign(statementOf(bench, tip, snapshot), clock.nowSeconds());
  const ours = { fingerprint: by.fingerprint, signature: base64(packet) };
  const checked = checkSnapshotSignature(crypto, tip, statementOf(bench, tip, snapshot), ours);
  if (checked.is === 'refused') throw new Failure(checked.code, checked.facts);
  return { snapshot, proof: await proofAt(bench, ref, tip), signatures: [...others, ours] };
}

function isGood(bench: Workbench, tip: Tip, snapshot: Uint8Array, one: SnapshotSignature): boolean {
  return checkSnapshotSignature(bench.parts.crypto, tip, statementOf(bench, tip, snapshot), one).is === 'accepted';
}

function statementOf(bench: Workbench, tip: Tip, snapshot: Uint8Array): Uint8Array {
  return snapshotStatement(bench.parts.crypto, snapshot, { ledgerId: tip.state!.ledger_id, head: headOf(tip) });
}

/** The roster chain from the project's first event to that very head, for whoever has nothing but the genesis. */
async function proofAt(bench: Workbench, ref: string, tip: Tip): Promise<Uint8Array> {
  const { crypto, repository } = bench.parts;
  const own = new ProofCollector(crypto, { sizes: new Set([tip.size]) });
  const project = new ProofCollector(crypto);
  const { report } = await verifyLedger({
    crypto,
    reader: repository,
    ref,
    head: tip.oid,
    mode: 'full',
    onCommit: (seen) => (seen.ledger === 'project' && ref !== PROJECT_REF ? project : own).add(seen),
  });
  refuseFlawed(report);
  const bundle = writeBundle(crypto, {
    claim: { is: 'continuation', old_size: tip.size },
    cosignatures: [],
    ledger: await own.extracts(repository, new Set([tip.size])),
    project: project.size === 0 ? undefined : await project.extracts(repository, new Set()),
  });
  if (bundle.is === 'refused') throw new Failure(bundle.code, bundle.facts);
  const checked = checkBundle(crypto, bundle.value);
  if (checked.is === 'refused') throw new Failure(checked.code, checked.facts);
  return bundle.value;
}
