// The commits of a bare repository in a folder, for the forge that has no server. Knows nothing of issues.
import { mkdir } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import { utf8 } from '../../format/bytes.ts';
import { isRefName } from '../../format/git/ref-name.ts';
import type { BookGit } from '../forge-book/records.ts';
import { askGit, collectStderr, exitOf, gitFailure, runGit, spawnGit, type GitPlace } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';

type Commit = Parameters<BookGit['commit']>[0];

export function bareGit(folder: string): BookGit {
  const place: GitPlace = { cwd: folder, gitDir: folder };
  const branchRef = (branch: string): string => {
    const ref = `refs/heads/${branch}`;
    if (!isRefName(ref)) throw new Failure('forge_not_found', { branch });
    return ref;
  };
  return {
    cloneUrl: folder,
    create: async () => {
      await mkdir(folder, { recursive: true });
      const options = ['--quiet', '--bare', '--template=', '--object-format=sha1', '--initial-branch=main'];
      await askGit({ cwd: folder }, ['init', ...options, folder]);
    },
    head: async (branch) => {
      const { exitCode, stdout } = await runGit(place, [
        'rev-parse',
        '--verify',
        '--quiet',
        `${branchRef(branch)}^{commit}`,
      ]);
      return exitCode === 0 ? stdout.trim() : undefined;
    },
    file: async (commit, path) => {
      const listed = await askGit(place, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', path]);
      if (listed === '') return undefined;
      const [, mode, oid] = /^(\d+) \S+ ([0-9a-f]{40})\t/.exec(listed) ?? [];
      // A symbolic link, folder or submodule where a file is expected is never followed.
      if (oid === undefined || (mode !== '100644' && mode !== '100755'))
        throw new Failure('forge_answer_unexpected', { path, why: `mode ${mode}` });
      const repository = await openRepository(folder);
      try {
        for await (const { body } of repository.read([oid])) return body;
        return undefined;
      } finally {
        await repository.close();
      }
    },
    commit: async (change) => {
      const ref = branchRef(change.branch);
      await fastImport(place, recipe(ref, change));
      return (await askGit(place, ['rev-parse', '--verify', `${ref}^{commit}`])).trim();
    },
  };
}

/** Refuses to move a branch that somebody else moved meanwhile: the new commit would not contain what is there. */
async function fastImport(place: GitPlace, input: Uint8Array): Promise<void> {
  const child = spawnGit(place, ['fast-import', '--quiet', '--date-format=now']);
  const stderr = collectStderr(child);
  child.stdout.resume();
  child.stdin.end(input);
  const exitCode = await exitOf(child, place);
  if (exitCode !== 0) throw gitFailure('fast-import', { exitCode, stderr: stderr() });
}

/** The paths have been checked: no line feed, no quote. Contents and message carry their length. */
function recipe(ref: string, { parent, author, message, files }: Commit): Uint8Array {
  const data = (content: Uint8Array): Uint8Array[] => [utf8(`data ${content.length}\n`), content, utf8('\n')];
  const parts = [
    utf8(`commit ${ref}\ncommitter ${author.name} <${author.email}> now\n`),
    ...data(utf8(`${message}\n`)),
    utf8(parent === undefined ? '' : `from ${parent}\n`),
    ...files.flatMap(({ path, content }) => [utf8(`M 100644 inline ${path}\n`), ...data(content)]),
  ];
  return Buffer.concat(parts);
}
