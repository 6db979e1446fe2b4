// How something signed that is said beside a ledger lies on its reference: one file in a commit without a parent. Judges
// none, and knows nobody.
import { base64 } from '../format/bytes.ts';
import { filesCommit } from '../format/git/files-commit.ts';
import type { GitObject, Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import { readSaid, saidBytes, saidStatement, type Said, type SaidKind, type Sealed } from '../ledger/said.ts';
import type { Signer } from '../ports/keys.ts';
import type { Workbench, WorkbenchParts } from './workbench.ts';

/** Signed now. */
export async function saidCommit<S extends Sealed>(
  { crypto, clock }: Pick<WorkbenchParts, 'crypto' | 'clock'>,
  signer: Signer,
  kind: SaidKind<S>,
  said: Said<S>,
): Promise<{ readonly objects: readonly GitObject[]; readonly next: Oid }> {
  const atSeconds = clock.nowSeconds();
  const signature = base64(await signer.sign(saidStatement(kind, said), atSeconds));
  const bytes = saidBytes({ ...said, fingerprint: signer.fingerprint, signature });
  const about = { by: kind.name, message: `${kind.name}\n`, atSeconds };
  const { objects, commit } = filesCommit(crypto, [[fileOf(kind), bytes]], about);
  return { objects, next: commit };
}

/** What lies on a reference that was seen there; undefined where that is nothing of ours. */
export async function saidAt<S extends Sealed>(
  { place, parts: { repository } }: Workbench,
  kind: SaidKind<S>,
  seen: { readonly ref: string; readonly oid: Oid },
): Promise<S | undefined> {
  await place.head(seen.ref);
  for await (const { path, oid } of repository.files(seen.oid)) {
    if (path !== fileOf(kind)) continue;
    for await (const { body } of repository.read([oid])) return readSaid(kind.schema, body);
  }
  return undefined;
}

/** For whom what cannot be read, or moved on in this very moment, is nothing. */
export function nothingSaid(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
  return undefined;
}

function fileOf({ name }: { readonly name: string }): string {
  return `${name}.json`;
}
