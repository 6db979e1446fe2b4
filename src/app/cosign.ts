// Co-signatures: members sign the tree heads they verified and leave them beside the ledger. A forge that later shows an
// older or another ledger contradicts them, also to somebody who never saw it before and has no pin.
import { base64 } from '../format/bytes.ts';
import { filesCommit } from '../format/git/files-commit.ts';
import type { Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import { MEMBERS_MAX, KEYS_PER_MEMBER_MAX } from '../kernel/limits.ts';
import { Cosignature } from '../ledger/bundle-format.ts';
import { checkCosignature, cosignedBytes } from '../ledger/cosignature.ts';
import { cosignRef, fetchedRef, ledgerName } from '../ledger/names.ts';
import { readSaid, saidBytes } from '../ledger/said.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { Signer } from '../ports/keys.ts';
import type { RepositoryReader } from '../ports/repository.ts';
import { moveBeside } from './move-beside.ts';
import type { Workbench } from './workbench.ts';

/** Signs the head of a ledger that was verified just now, and keeps the valid ones of others. */
export async function cosign(bench: Workbench, ref: string, tip: Tip, signer: Signer): Promise<Cosignature> {
  const { crypto, clock, repository } = bench.parts;
  const { size, root } = headOf(tip);
  const atSeconds = clock.nowSeconds();
  const packet = await signer.sign(cosignedBytes(tip.state!.ledger_id, size, root), atSeconds);
  const ours: Cosignature = { fingerprint: signer.fingerprint, root, signature: base64(packet), size };
  const checked = checkCosignature(crypto, tip, ours);
  if (checked.is === 'refused') throw new Failure(checked.code, checked.facts);
  const target = cosignRef(ledgerName(ref));
  return moveBeside(bench.parts, bench.place, target, async (old) => {
    const others = old === undefined ? [] : await cosignaturesAt(repository, old);
    const kept = validCosignatures(crypto, tip, others).filter((one) => one.fingerprint !== ours.fingerprint);
    return { value: ours, ...cosignCommit(bench, [...kept, ours], atSeconds) };
  });
}

/** What lies beside a ledger here, ours and fetched, unchecked; nothing where nobody co-signed. */
export async function readCosignatures(repository: RepositoryReader, ref: string): Promise<readonly Cosignature[]> {
  const target = cosignRef(ledgerName(ref));
  const found: Cosignature[] = [];
  const heads = await Promise.all([target, fetchedRef(target)].map((beside) => repository.resolve(beside)));
  for (const head of heads) {
    if (head !== undefined) found.push(...(await cosignaturesAt(repository, head)));
  }
  return found;
}

/** Fetches what lies beside a ledger on the remote, where there is one. */
export async function fetchCosignatures(bench: Workbench, ref: string): Promise<void> {
  await bench.place.head(cosignRef(ledgerName(ref)));
}

/** Those by keys that count where the ledger stands. Others are ignored: any repository writer can put some there. */
export function validCosignatures(
  crypto: Parameters<typeof checkCosignature>[0],
  tip: Tip,
  found: readonly Cosignature[],
): readonly Cosignature[] {
  return found.filter((one) => checkCosignature(crypto, tip, one).is === 'accepted');
}

const COSIGNATURES_MAX = MEMBERS_MAX * KEYS_PER_MEMBER_MAX;
const FILE = /^[0-9A-F]{40}\.json$/;

async function cosignaturesAt(reader: RepositoryReader, commit: Oid): Promise<readonly Cosignature[]> {
  const blobs: Oid[] = [];
  for await (const { path, oid } of reader.files(commit))
    if (FILE.test(path) && blobs.length < COSIGNATURES_MAX) blobs.push(oid);
  const found: Cosignature[] = [];
  for await (const object of reader.read(blobs)) {
    const cosignature = readSaid(Cosignature, object.body);
    if (cosignature !== undefined) found.push(cosignature);
  }
  return found;
}

/** No parent: older co-signatures are worth nothing once there is a newer one by the same key. */
function cosignCommit({ parts: { crypto } }: Workbench, cosignatures: readonly Cosignature[], atSeconds: number) {
  const files = cosignatures.map((one) => [`${one.fingerprint}.json`, saidBytes(one)] as const);
  const about = { by: 'cosign', message: 'cosign\n', atSeconds };
  const { objects, commit } = filesCommit(crypto, files, about);
  return { objects, next: commit };
}
