// The commits of a bare repository in a folder, for the forge that has no server. Knows nothing of issues.
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { Failure } from '../../../src/failure.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { isRefName } from '../../../src/format/git/ref-name.ts';
import type { BookGit } from './records.ts';
type Commit = Parameters<BookGit['commit']>[0];

export function bareGit(folder: string): BookGit {
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
      said(folder, ['init', ...options, '.']);
    },
    head: async (branch) => {
      const { status, stdout } = run(folder, ['rev-parse', '--verify', '--quiet', `${branchRef(branch)}^{commit}`]);
      return status === 0 ? String(stdout).trim() : undefined;
    },
    file: async (commit, path) => {
      const listed = String(said(folder, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', path]));
      if (listed === '') return undefined;
      const [, mode, oid] = /^(\d+) \S+ ([0-9a-f]{40})\t/.exec(listed) ?? [];
      // A symbolic link, folder or submodule where a file is expected is never followed.
      if (oid === undefined || (mode !== '100644' && mode !== '100755'))
        throw new Failure('forge_answer_unexpected', { path, why: `mode ${mode}` });
      return new Uint8Array(said(folder, ['cat-file', 'blob', oid]));
    },
    filesIn: async (commit, path) => {
      const listed = String(said(folder, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', `${path}/`]));
      return listed.split('\0').flatMap((line) => /^100(?:644|755) blob \S+\t(.+)$/s.exec(line)?.[1] ?? []);
    },
    commit: async (change) => {
      const ref = branchRef(change.branch);
      // Refuses to move a branch that somebody else moved meanwhile: the new commit would not contain what is there.
      said(folder, ['fast-import', '--quiet', '--date-format=now'], recipe(ref, change));
      return String(said(folder, ['rev-parse', '--verify', `${ref}^{commit}`])).trim();
    },
  };
}

function said(cwd: string, args: readonly string[], input?: Uint8Array): Buffer {
  const { status, stdout, stderr } = run(cwd, args, input);
  if (status !== 0) throw new Error(`git ${args[0]} ended with ${status}: ${String(stderr)}`);
  return stdout;
}

function run(cwd: string, args: readonly string[], input: Uint8Array = new Uint8Array()) {
  return spawnSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], { cwd, input, maxBuffer: 256 << 20 });
}

/** The paths have been checked: no line feed, no quote. Contents and message carry their length. */
function recipe(ref: string, { parent, author, message, files }: Commit): Uint8Array {
  const data = (content: Uint8Array): Uint8Array[] => [utf8(`data ${content.length}\n`), content, utf8('\n')];
  const parts = [
    utf8(`commit ${ref}\ncommitter ${author.name} <${author.email}> now\n`),
    ...data(utf8(`${message}\n`)),
    utf8(parent === undefined ? '' : `from ${parent}\n`),
    ...files.flatMap(({ path, content }) =>
      content === undefined ? [utf8(`D ${path}\n`)] : [utf8(`M 100644 inline ${path}\n`), ...data(content)],
    ),
  ];
  return Buffer.concat(parts);
}
