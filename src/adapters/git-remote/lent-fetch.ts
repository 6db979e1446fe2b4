// Fetching for a repository that git does not stand in: what it has already is told to git beforehand, and where the
// fetched references are to lie is written by us afterwards. The objects need no carrying, git stores them where they
// belong. Knows no transport.
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOid, type Oid } from '../../format/git/object.ts';
import type { Repository } from '../../ports/repository.ts';
import { askGit } from '../git/git.ts';
import { protocolFailure } from './protocol-failure.ts';
import { keepFetched, type Heads } from './reader.ts';

export type LentFetch = {
  /** Calls `fetch` with a place for its references, and moves what it found there into the repository. */
  run(into: string, fetch: (aside: string) => Promise<void>): Promise<void>;
};

export function fetchForLender(gitDir: string, repository: Repository, folder: () => Promise<string>): LentFetch {
  let fetches = 0;

  async function run(into: string, fetch: (aside: string) => Promise<void>): Promise<void> {
    const path = await folder();
    const own = ++fetches;
    await tellWhatIsHere(gitDir, path, own);
    const aside = `refs/fetched/${own}`;
    try {
      await fetch(aside);
      await keepFetched(repository, { objects: [], heads: await referencesBelow(join(path, aside)) }, into);
    } finally {
      await rm(join(path, aside), { recursive: true, force: true });
    }
  }
  return { run };
}

/**
 * Under numbers: only what they name matters. Without them the server would send everything again, and git would walk all
 * of it to see that nothing is missing.
 */
async function tellWhatIsHere(gitDir: string, folder: string, own: number): Promise<void> {
  const listed = await askGit({ cwd: gitDir, gitDir }, ['for-each-ref', '--format=%(objectname)']);
  const oids = [...new Set(listed.split('\n').filter(isOid))];
  const aside = join(folder, `packed-refs.${own}`);
  await writeFile(aside, oids.map((oid, at) => `${oid} refs/here/${at}\n`).join(''));
  await rename(aside, join(folder, 'packed-refs'));
}

/** As git wrote them: a file for each, since it does not pack references while it fetches. */
async function referencesBelow(folder: string, prefix = 'refs/'): Promise<Heads> {
  const found = new Map<string, Oid>();
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      for (const [ref, oid] of await referencesBelow(join(folder, entry.name), `${name}/`)) found.set(ref, oid);
      continue;
    }
    const oid = (await readFile(join(folder, entry.name), 'latin1')).trim();
    if (!isOid(oid)) throw protocolFailure('a reference without an object name');
    found.set(name, oid);
  }
  return found;
}
