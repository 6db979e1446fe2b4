// Finds a repository's folders through a file system alone, and refuses, by name, those that cannot be read that way.
import type { PromiseFsClient } from 'isomorphic-git';
import { Failure } from '../../failure.ts';

export type FoundRepository = {
  readonly fs: PromiseFsClient;
  /** Holds references and objects; shared by all work trees. */
  readonly gitdir: string;
  /** Further folders like it, whose objects count as ours. */
  readonly alternates: readonly string[];
};

export type Where = {
  readonly fs: PromiseFsClient;
  readonly dir?: string | undefined;
  readonly gitdir?: string | undefined;
};

export async function findRepository({ fs, dir, gitdir }: Where): Promise<FoundRepository> {
  const named = gitdir ?? (dir === undefined ? undefined : `${dir}/.git`);
  if (named === undefined) throw new Failure('usage', { expected: 'dir or gitdir' });
  // A work tree and a submodule have a file here that names the real folder; a work tree's in turn names the shared one.
  const linked = /^gitdir: (.+)$/m.exec((await textOf(fs, named)) ?? '')?.[1];
  const own = linked === undefined ? named : from(dir ?? `${named}/..`, linked);
  const shared = (await textOf(fs, `${own}/commondir`))?.trim();
  const common = shared === undefined ? own : from(own, shared);
  const config = await textOf(fs, `${common}/config`);
  if (config === undefined) throw new Failure('not_a_repository', { folder: named });
  refuseByConfig(config);
  const alternates = (await textOf(fs, `${common}/objects/info/alternates`)) ?? '';
  const objects = alternates.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { fs, gitdir: common, alternates: objects.map((line) => `${from(`${common}/objects`, line)}/..`) };
}

/** A ledger is judged from its first commit on: absent history must not look like a short one. */
export async function refuseIncomplete({ fs, gitdir }: FoundRepository): Promise<void> {
  if ((await textOf(fs, `${gitdir}/shallow`)) !== undefined) throw new Failure('shallow_repository');
  const config = (await textOf(fs, `${gitdir}/config`)) ?? '';
  const packs = (await fs.promises.readdir(`${gitdir}/objects/pack`).catch(() => [])) as readonly string[];
  if (/^\s*(?:promisor|partialclone)\s*=/im.test(config) || packs.some((name) => name.endsWith('.promisor')))
    throw new Failure('partial_clone');
}

function refuseByConfig(config: string): void {
  const format = /^\s*objectformat\s*=\s*"?(\w+)/im.exec(config)?.[1];
  if (format !== undefined && format.toLowerCase() !== 'sha1') throw new Failure('sha256_repository', { format });
  const storage = /^\s*refstorage\s*=\s*"?(\w+)/im.exec(config)?.[1];
  if (storage !== undefined && storage !== 'files') throw new Failure('ref_backend_unreadable', { backend: storage });
}

/** Undefined where there is no such file, a folder of that name included. */
async function textOf(fs: PromiseFsClient, path: string): Promise<string | undefined> {
  try {
    return (await fs.promises.readFile(path, 'utf8')) as string;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function from(folder: string, path: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}
