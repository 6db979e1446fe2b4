// From a recorded artifact to its content: found in a shelf, held against its digest, decrypted when the key is here.
// Not one byte is handed out before the digest over all of them was checked.
import { artifactDigest, associatedData, digestHex, storedPart } from '../../format/artifact.ts';
import { equalBytes } from '../../format/bytes.ts';
import { Failure } from '../../failure.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { ArtifactKit } from '../../ports/artifacts.ts';
import type { Watch, Workbench } from '../workbench.ts';
import { bodyOf } from './copies.ts';
import { findRecorded, knownArtifacts, type Recorded } from './recorded.ts';
import { shelvesHere, type Shelf } from './shelf.ts';

export type Opened = { readonly artifact: Recorded; readonly content: Uint8Array };

export async function openArtifact(
  bench: Workbench,
  kit: ArtifactKit,
  ref: string,
  typed: string,
  watch: Watch = {},
): Promise<Opened> {
  const artifact = findRecorded((await knownArtifacts(bench, ref, watch)).artifacts, typed, ref);
  const about = { ledger: ledgerName(ref), digest: artifact.digest };
  if (artifact.erased !== undefined)
    throw new Failure('artifact_erased', { ...about, index: artifact.erased.index, because: artifact.erased.because });
  const found = await readStored(bench, await shelvesHere(bench, about.ledger), artifact);
  if (found.is !== 'sound') throw new Failure(found.is === 'corrupt' ? 'artifact_corrupt' : 'artifact_missing', about);
  if (artifact.encryption === 'none') return { artifact, content: found.stored };
  const key = await kit.keys.read(artifact.digest);
  if (key === undefined) throw new Failure('artifact_key_absent', about);
  return { artifact, content: decrypt(kit, artifact, key, found.stored) };
}

/** Takes a key from a colleague: only one that opens the artifact, as far as its bytes are here to try. */
export async function takeKey(
  bench: Workbench,
  kit: ArtifactKit,
  ref: string,
  given: { readonly digest: string; readonly key: Uint8Array },
): Promise<{ readonly isTried: boolean }> {
  const artifact = findRecorded((await knownArtifacts(bench, ref)).artifacts, given.digest, ref);
  const about = { ledger: ledgerName(ref), digest: artifact.digest };
  if (artifact.erased !== undefined) throw new Failure('artifact_erased', about);
  const known = await kit.keys.read(artifact.digest);
  if (known !== undefined && !equalBytes(known, given.key)) throw new Failure('artifact_key_exists', about);
  const found = await readStored(bench, await shelvesHere(bench, about.ledger), artifact);
  if (found.is === 'sound') decrypt(kit, artifact, given.key, found.stored);
  await kit.keys.write(artifact.digest, given.key);
  return { isTried: found.is === 'sound' };
}

type Stored =
  | { readonly is: 'sound'; readonly stored: Uint8Array }
  /** There are bytes under this digest, and they are others. */
  | { readonly is: 'corrupt' }
  | { readonly is: 'missing' };

/** The first sound copy of the shelves; a damaged one does not hide a good one. */
export async function readStored(
  bench: Workbench,
  shelves: readonly Shelf[],
  { digest, bytes }: Pick<Recorded, 'digest' | 'bytes'>,
): Promise<Stored> {
  const { crypto } = bench.parts;
  let isDamaged = false;
  for (const oid of new Set(shelves.map(({ blobs }) => blobs.get(digestHex(digest))))) {
    if (oid === undefined) continue;
    const blob = await bodyOf(bench, oid);
    if (blob === undefined) continue;
    const stored = storedPart(blob);
    if (stored?.length === bytes && artifactDigest(crypto, blob) === digest) return { is: 'sound', stored };
    isDamaged = true;
  }
  return { is: isDamaged ? 'corrupt' : 'missing' };
}

function decrypt(
  { cipher }: ArtifactKit,
  { digest, media_type }: Recorded,
  key: Uint8Array,
  stored: Uint8Array,
): Uint8Array {
  const content = cipher.open(key, stored, associatedData(media_type));
  if (content === undefined) throw new Failure('artifact_key_wrong', { digest });
  return content;
}
