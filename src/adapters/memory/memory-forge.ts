// A forge that lives in memory and answers like a real one, for tests of what is built upon the port.
// Its repositories are repositories in memory: a test that wants to look into them hands them in.
import { fromUtf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { encodeCommit } from '../../format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../../format/git/object.ts';
import { encodeTree, parseTree, type TreeEntry } from '../../format/git/tree.ts';
import type { Forge, RepositoryName } from '../../ports/forge.ts';
import type { Repository } from '../../ports/repository.ts';
import { createBookForge, type ByHand } from '../forge-book/book-forge.ts';
import type { BookGit, Shelf } from '../forge-book/records.ts';
import { createMemoryRepository } from './memory-repository.ts';

export type MemoryServer = {
  /** The forge as one account sees it. */
  as(login: string): Forge & ByHand;
  repository(name: RepositoryName): Repository;
};

/** Commits that nobody signs need no true time. */
const COMMITTED_AT_SECONDS = 1_700_000_000;

export function createMemoryServer(crypto: Crypto): MemoryServer {
  const shelf = memoryShelf();
  const repositories = new Map<string, Repository>();
  const repository = ({ owner, name }: RepositoryName): Repository => {
    const known = repositories.get(`${owner}/${name}`) ?? createMemoryRepository(`/memory/${owner}/${name}/lazarus`);
    repositories.set(`${owner}/${name}`, known);
    return known;
  };
  return {
    repository,
    as: (login) =>
      createBookForge({
        kind: { software: 'memory', version: '1' },
        displayUrl: 'memory:',
        shelf,
        git: (name) => memoryGit(repository(name), `memory:${name.owner}/${name.name}`, crypto),
        crypto,
        login,
      }),
  };
}

function memoryShelf(): Shelf {
  const documents = new Map<string, unknown>();
  return {
    read: async (name) => structuredClone(documents.get(name)),
    change: async (name, change) => {
      const { next, result } = change(documents.get(name));
      documents.set(name, structuredClone(next));
      return result;
    },
  };
}

function memoryGit(repository: Repository, cloneUrl: string, crypto: Crypto): BookGit {
  const one = async (oid: Oid): Promise<GitObject> => {
    for await (const object of repository.read([oid])) return object;
    throw new Error('read answers or throws');
  };
  const treeOf = async (commit: Oid): Promise<Oid> => fromUtf8((await one(commit)).body).slice('tree '.length, 45);
  const entriesOf = async (tree: Oid): Promise<TreeEntry[]> => parseTree((await one(tree)).body);

  /** The tree with the content at `path`, after the new objects it is made of. */
  async function withFile(tree: Oid | undefined, path: readonly string[], content: Uint8Array): Promise<GitObject[]> {
    const [name = '', ...below] = path;
    const entries = tree === undefined ? [] : await entriesOf(tree);
    const there = entries.find((entry) => entry.name === name && entry.mode === '40000')?.oid;
    const made = below.length === 0 ? [gitObject(crypto, 'blob', content)] : await withFile(there, below, content);
    const mode = below.length === 0 ? '100644' : '40000';
    const next = [...entries.filter((entry) => entry.name !== name), { mode, name, oid: made.at(-1)!.oid } as const];
    return [...made, gitObject(crypto, 'tree', encodeTree(next))];
  }

  return {
    cloneUrl,
    create: async () => undefined,
    head: async (branch) => repository.resolve(`refs/heads/${branch}`),
    file: async (commit, path) => {
      for await (const file of repository.files(commit)) if (file.path === path) return (await one(file.oid)).body;
      return undefined;
    },
    commit: async ({ branch, parent, author, message, files }) => {
      const ref = `refs/heads/${branch}`;
      const old = await repository.resolve(ref);
      const objects: GitObject[] = [];
      let tree = parent === undefined ? undefined : await treeOf(parent);
      for (const { path, content } of files) {
        const made = await withFile(tree, path.split('/'), content);
        await repository.commit({ objects: made, updates: [] });
        objects.push(...made);
        tree = made.at(-1)?.oid;
      }
      tree ??= gitObject(crypto, 'tree', encodeTree([])).oid;
      const parents = parent === undefined ? [] : [parent];
      const text = { tree, parents, author: { ...author, atSeconds: COMMITTED_AT_SECONDS }, message: `${message}\n` };
      const commit = gitObject(crypto, 'commit', encodeCommit(text));
      await repository.commit({ objects: [...objects, commit], updates: [{ ref, old, next: commit.oid }] });
      return commit.oid;
    },
  };
}
