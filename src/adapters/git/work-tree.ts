// The files around a repository and the branch that is checked out. A prepared repository may hold links that lead
// anywhere and settings that name programs: no link is followed, and no filter, hook or difference driver is run.
import { constants, existsSync } from 'node:fs';
import { lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import { isOid, type Oid } from '../../format/git/object.ts';
import type { CommitFile, WorkTree } from '../../ports/work-tree.ts';
import { isRefName } from '../../format/git/ref-name.ts';
import { askGit, gitFailure, type GitAt } from './git.ts';
import { look } from './look.ts';
import { requireOid } from './reader.ts';

const FILE_BYTES_MAX = 1024 * 1024;
const VERSIONS_MAX = 100;
const STAGED_SHOWN_MAX = 5;

export async function openWorkTree(cwd: string, signal?: AbortSignal): Promise<WorkTree> {
  if (!existsSync(cwd)) throw new Failure('not_a_repository', { folder: cwd });
  const found = await look({ cwd, signal }, ['rev-parse', '--path-format=absolute', '--show-toplevel']);
  if (/must be run in a work tree/.test(found.stderr)) throw new Failure('no_work_tree');
  if (found.exitCode !== 0) throw gitFailure('rev-parse', found);
  const folder = found.stdout.replace(/\n$/, '');
  // Where git finds files it finds `.git`; only a core.worktree of the repository leads elsewhere, and files with it.
  if (!existsSync(join(folder, '.git')))
    throw new Failure('no_work_tree', { folder, why: 'core.worktree leads to a folder without .git' });
  return new GitWorkTree({ cwd: folder, signal });
}

class GitWorkTree implements WorkTree {
  readonly folder: string;
  readonly #place: GitAt;

  constructor(place: GitAt) {
    this.folder = place.cwd;
    this.#place = place;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    if (!(await this.#isPlain(path))) return undefined;
    const file = await open(this.#at(path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = await file.stat();
      if (size > FILE_BYTES_MAX) throw new Failure('file_not_plain', { path, bytes: size, bytes_max: FILE_BYTES_MAX });
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  }

  async write({ path, content }: CommitFile): Promise<void> {
    await this.#isPlain(path);
    const target = this.#at(path);
    const temporary = `${target}.${randomUUID()}`;
    try {
      await mkdir(join(target, '..'), { recursive: true });
      const file = await open(temporary, 'wx', 0o644);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, target);
    } catch (cause) {
      await unlink(temporary).catch(() => undefined);
      throw new Failure('file_unwritable', { path, why: (cause as NodeJS.ErrnoException).code ?? '' }, { cause });
    }
  }

  async commit({ files, message, author }: Parameters<WorkTree['commit']>[0]): Promise<Oid> {
    const branch = await this.#branch();
    const [parent, unfiltered, as] = await Promise.all([
      this.#look(['rev-parse', '--verify', 'HEAD^{commit}']),
      this.#withoutFilters(),
      this.#identity(author),
      this.#refuseStaged(files.map(({ path }) => path)),
    ]);
    for (const { path, content } of files) {
      // Without filters: the digest that was recorded is of these bytes.
      const blob = await this.#ask(['hash-object', '-w', '--stdin'], content);
      await this.#ask([...unfiltered, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
    }
    const tree = await this.#ask([...unfiltered, 'write-tree']);
    const commit = await this.#ask([...as, 'commit-tree', tree, '-p', parent, '-F', '-'], message);
    await this.#ask(['update-ref', branch, requireOid(commit), parent]);
    return commit;
  }

  async versions(path: string): Promise<readonly Oid[]> {
    const shown = ['--raw', '--no-abbrev', '--no-renames', '--format=', '-n', String(VERSIONS_MAX)];
    const lines = await this.#look(['log', ...shown, 'HEAD'], [path]);
    const blobs = lines.split('\n').map((line) => line.split(' ')[3] ?? '');
    return [...new Set(blobs.filter((oid) => isOid(oid) && !/^0+$/.test(oid)))];
  }

  async difference(before: Oid, after: Oid): Promise<string> {
    const text = await this.#look([
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      requireOid(before),
      requireOid(after),
    ]);
    const hunks = text.indexOf('\n@@');
    return hunks === -1 ? text : text.slice(hunks + 1);
  }

  async remoteCopies(ending: string): Promise<readonly string[]> {
    const refs = (await this.#look(['for-each-ref', '--format=%(refname)', 'refs/remotes/'])).split('\n');
    return refs.filter((ref) => ref.endsWith(`/${ending}`));
  }

  #at(path: string): string {
    return join(this.folder, ...path.split('/'));
  }

  /** Whether the file is there. Every step is looked at: a folder that is a link would lead a write out of the tree. */
  async #isPlain(path: string): Promise<boolean> {
    const steps = path.split('/');
    for (let depth = 1; depth <= steps.length; depth++) {
      const found = await lstat(this.#at(steps.slice(0, depth).join('/'))).catch(() => undefined);
      if (found === undefined) return false;
      const isRight = depth === steps.length ? found.isFile() : found.isDirectory();
      if (!isRight) throw new Failure('file_not_plain', { path: steps.slice(0, depth).join('/') });
    }
    return true;
  }

  async #refuseStaged(ours: readonly string[]): Promise<void> {
    const staged = (await this.#look(['diff-index', '--cached', '--name-only', '-z', 'HEAD', '--'])).split('\0');
    const others = staged.filter((path) => path !== '' && !ours.includes(path));
    if (others.length > 0) throw new Failure('index_in_use', { files: others.slice(0, STAGED_SHOWN_MAX) });
  }

  /** Whoever writes the index compares files that are as new as it is, through the programs that the filters name. */
  async #withoutFilters(): Promise<readonly string[]> {
    const { stdout } = await look(this.#place, ['config', '--name-only', '-z', '--get-regexp', '^filter[.]']);
    const drivers = new Set(stdout.split('\0').map((name) => name.slice(0, name.lastIndexOf('.'))));
    drivers.delete('');
    // Such a one could not be switched off: everything behind the sign would be taken for its value.
    if ([...drivers].some((driver) => driver.includes('=')))
      throw new Failure('git_failed', { says: 'the configuration names a filter with an equals sign' });
    return [...drivers].flatMap((driver) =>
      ['clean=', 'process=', 'required=false'].flatMap((setting) => ['-c', `${driver}.${setting}`]),
    );
  }

  /** A name that git would make up from the machine's is nobody's business. */
  async #identity(fallback: { readonly name: string; readonly email: string }): Promise<readonly string[]> {
    const told = await Promise.all(['user.name', 'user.email'].map((name) => look(this.#place, ['config', name])));
    if (told.every(({ exitCode }) => exitCode === 0)) return [];
    return ['-c', `user.name=${fallback.name}`, '-c', `user.email=${fallback.email}`];
  }

  async #branch(): Promise<string> {
    const { exitCode, stdout } = await look(this.#place, ['symbolic-ref', '--quiet', 'HEAD']);
    const ref = stdout.replace(/\n$/, '');
    // HEAD is a file that anybody may have written.
    if (exitCode !== 0 || !ref.startsWith('refs/heads/') || !isRefName(ref)) throw new Failure('head_detached');
    return ref;
  }

  async #look(question: readonly string[], paths?: readonly string[]): Promise<string> {
    const answer = await look(this.#place, question, paths);
    if (answer.exitCode !== 0) throw gitFailure(question[0] ?? '', answer);
    return answer.stdout.replace(/\n$/, '');
  }

  /** What writes: exactly these bytes, and the branch only from where it was found. */
  async #ask(args: readonly string[], input: string | Uint8Array = ''): Promise<string> {
    return (await askGit(this.#place, args, input)).replace(/\n$/, '');
  }
}
