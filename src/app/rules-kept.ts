// The texts of policy and sacred scopes that the roots adopted, on a reference of their own: people merge a new policy before
// it is adopted, and until then missions go on under the one in force, whatever their base has. Believed by digest alone:
// who moves the reference takes texts away, and can add none that counts.
import { digestHex, digestOfHex } from '../format/artifact.ts';
import type { Crypto } from '../format/crypto.ts';
import { filesCommit } from '../format/git/files-commit.ts';
import { RULES_REF } from '../ledger/names.ts';
import type { Change } from '../ports/repository.ts';
import { fileAt } from './mission/target.ts';
import type { Workbench } from './workbench.ts';

/** The text with this digest; undefined where nobody kept it. */
export async function keptRule(bench: Workbench, digest: string): Promise<Uint8Array | undefined> {
  const head = await bench.place.head(RULES_REF);
  const bytes = head === undefined ? undefined : await fileAt(bench, head, digestHex(digest));
  return bytes !== undefined && fileDigest(bench.parts.crypto, bytes) === digest ? bytes : undefined;
}

/**
 * Goes with the event that adopts these texts, in the same push. `inForce`: digests of those that count until it lands, and
 * again where it does not.
 */
export async function keepRules(
  bench: Workbench,
  texts: readonly Uint8Array[],
  inForce: readonly string[],
): Promise<Change> {
  const { crypto } = bench.parts;
  const before = await Promise.all(inForce.map((digest) => keptRule(bench, digest)));
  const kept = new Map(
    [...before, ...texts].flatMap((text) => (text === undefined ? [] : [[fileDigest(crypto, text), text]])),
  );
  const files = [...kept].map(([digest, text]) => [digestHex(digest), text] as const);
  const about = { by: 'rules', message: 'the rules that were adopted\n', atSeconds: 0 };
  const { objects, commit } = filesCommit(crypto, files, about);
  const old = await bench.place.head(RULES_REF);
  return { objects, updates: old === commit ? [] : [{ ref: RULES_REF, old, next: commit }] };
}

/** By which the roots adopt a text. */
export function fileDigest(crypto: Crypto, bytes: Uint8Array): string {
  return digestOfHex(crypto.hashHex('sha256', bytes));
}
