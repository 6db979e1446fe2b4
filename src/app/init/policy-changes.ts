// What an adopted file said and what it says now, for the person who is asked to adopt it. The ledger knows the digest
// only; the text is looked for in the branch's own history.
import { fromUtf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import type { Oid } from '../../format/git/object.ts';
import type { Workbench } from '../workbench.ts';
import { fileDigest } from '../rules-kept.ts';
import { countingBytes, findFile, headCommit, type FileWorld, type PolicySource } from './policy-files.ts';

export type FileChange = { readonly path: string; readonly lines: readonly string[] };

/** Only files that changed. */
export async function changesOf(
  crypto: Crypto,
  source: PolicySource,
  files: readonly { readonly path: string; readonly digest: string }[],
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const { path, digest } of files) {
    const now = countingBytes(await source.find(path));
    if (now === undefined || fileDigest(crypto, now) === digest) continue;
    changes.push({ path, lines: await source.difference(path, digest, now) });
  }
  return changes;
}

/** The files of the branch that is checked out. */
export function branchFiles(world: FileWorld): PolicySource {
  const { bench, workTree } = world;
  return {
    find: (path) => findFile(world, path),
    async difference(path, digest, now) {
      const before = await blobWith(bench, await workTree.versions(path), digest);
      const after = await blobAt(bench, await headCommit(bench), path);
      return before === undefined || after === undefined
        ? wholeText(now)
        : linesIn(await workTree.difference(before, after));
    },
  };
}

/** Where the text in force is nowhere to be found: all of what would take its place. */
export function wholeText(now: Uint8Array): readonly string[] {
  return ['(the text in force was not found; this is the new one)', ...linesIn(fromUtf8(now))];
}

function linesIn(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

async function blobWith({ parts }: Workbench, oids: readonly Oid[], digest: string): Promise<Oid | undefined> {
  for (const oid of oids)
    for await (const { body } of parts.repository.read([oid]))
      if (fileDigest(parts.crypto, body) === digest) return oid;
  return undefined;
}

async function blobAt({ parts }: Workbench, commit: Oid, path: string): Promise<Oid | undefined> {
  for await (const file of parts.repository.files(commit, path)) if (file.path === path) return file.oid;
  return undefined;
}
