// What an adopted file said and what it says now, for the person who is asked to adopt it. The ledger knows the digest
// only; the text is looked for in the branch's own history.
import { fromUtf8 } from '../../format/bytes.ts';
import type { Oid } from '../../format/git/object.ts';
import type { Workbench } from '../workbench.ts';
import { countingBytes, fileDigest, findFile, headCommit, POLICY_PATH, type FileWorld } from './policy-files.ts';

export type FileChange = { readonly path: string; readonly lines: readonly string[] };

/** Only files that changed. Where the old text is gone, the whole new one is shown. */
export async function changesOf(
  world: FileWorld,
  inForce: { readonly policy: string; readonly sacred: string },
  sacredPath: string,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const [path, digest] of [
    [POLICY_PATH, inForce.policy],
    [sacredPath, inForce.sacred],
  ] as const) {
    const now = countingBytes(await findFile(world, path));
    if (now === undefined || fileDigest(world.bench.parts.crypto, now) === digest) continue;
    changes.push({ path, lines: await linesOf(world, path, now, digest) });
  }
  return changes;
}

async function linesOf(world: FileWorld, path: string, now: Uint8Array, digest: string): Promise<readonly string[]> {
  const { bench, workTree } = world;
  const before = await blobWith(bench, await workTree.versions(path), digest);
  const after = await blobAt(bench, await headCommit(bench), path);
  if (before !== undefined && after !== undefined) return linesIn(await workTree.difference(before, after));
  return [
    '(what is in force now is not in the history of this branch; this is the new text)',
    ...linesIn(fromUtf8(now)),
  ];
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
