// What lies on a ledger's snapshot reference: a snapshot, the proof of its keys, and members' signatures. Anybody who can
// push may have put it there: what is read here is bytes of bounded size, and believed by nobody yet.
import { filesCommit, type CommittedFile } from '../format/git/files-commit.ts';
import type { GitObject, Oid } from '../format/git/object.ts';
import type { Crypto } from '../format/crypto.ts';
import { KEYS_PER_MEMBER_MAX, MEMBERS_MAX } from '../kernel/limits.ts';
import { BUNDLE_BYTES_MAX } from '../ledger/bundle-format.ts';
import { readSaid, saidBytes } from '../ledger/said.ts';
import { SNAPSHOT_BYTES_MAX, SnapshotSignature } from '../ledger/snapshot.ts';
import type { Repository } from '../ports/repository.ts';
import { bytesOf } from './tree-entry.ts';

export type SharedFiles = {
  readonly snapshot: Uint8Array;
  readonly proof: Uint8Array;
  readonly signatures: readonly SnapshotSignature[];
};

const SNAPSHOT = 'snapshot.json';
const PROOF = 'proof.json';
const SIGNATURE = /^[0-9A-F]{40}\.json$/;
const SIGNATURES_MAX = MEMBERS_MAX * KEYS_PER_MEMBER_MAX;
const SIGNATURE_BYTES_MAX = 2048;

/** Undefined where anything of it is missing, or larger than it may be. */
export async function readShared(reader: Repository, commit: Oid): Promise<SharedFiles | undefined> {
  const files = new Map<string, Oid>();
  for await (const { path, oid } of reader.files(commit)) {
    if (path === SNAPSHOT || path === PROOF || (SIGNATURE.test(path) && files.size < SIGNATURES_MAX))
      files.set(path, oid);
  }
  const snapshot = await bytesOf(reader, files.get(SNAPSHOT), SNAPSHOT_BYTES_MAX);
  const proof = await bytesOf(reader, files.get(PROOF), BUNDLE_BYTES_MAX);
  if (snapshot === undefined || proof === undefined) return undefined;
  const signatures: SnapshotSignature[] = [];
  for (const [path, oid] of files) {
    if (!SIGNATURE.test(path)) continue;
    const body = await bytesOf(reader, oid, SIGNATURE_BYTES_MAX);
    const signature = body && readSaid(SnapshotSignature, body);
    if (signature !== undefined) signatures.push(signature);
  }
  return { snapshot, proof, signatures };
}

/** A commit without a parent: what it replaces is worth nothing any more. */
export function sharedCommit(
  crypto: Crypto,
  { snapshot, proof, signatures }: SharedFiles,
  atSeconds: number,
): { readonly objects: readonly GitObject[]; readonly next: Oid } {
  const files: CommittedFile[] = [
    ...signatures.map((one) => [`${one.fingerprint}.json`, saidBytes(one)] as const),
    [PROOF, proof],
    [SNAPSHOT, snapshot],
  ];
  const { objects, commit } = filesCommit(crypto, files, { by: 'snapshot', message: 'snapshot\n', atSeconds });
  return { objects, next: commit };
}
