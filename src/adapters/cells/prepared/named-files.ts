// The files that an environment is prepared from, out of a commit's objects: a working tree could be changed between being
// read and being judged. Knows no environment.
import { Failure } from '../../../failure.ts';
import type { PreparedFile } from '../../../kernel/policy/environment-key.ts';
import type { ProjectBase } from '../../../ports/cells.ts';
import type { WorkRepositories } from '../../../ports/work.ts';

/** All of them together. */
const FILES_BYTES_MAX = 64 << 20;

/** Throws `environment_file_missing` for what is no plain file there: a link would lead on to what nobody named. */
export async function namedFiles(
  repositories: WorkRepositories,
  { repository, commit }: ProjectBase,
  paths: readonly string[],
): Promise<readonly PreparedFile[]> {
  const found = await repositories.filesAt(repository, commit, paths);
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > FILES_BYTES_MAX)
    throw new Failure('environment_file_missing', {
      why: 'all together are too large',
      bytes,
      bytes_max: FILES_BYTES_MAX,
    });
  const files: PreparedFile[] = [];
  for (const path of paths) {
    const file = found.find((one) => one.path === path);
    if (file === undefined || !isPlain(file.mode)) throw new Failure('environment_file_missing', { path, commit });
    files.push({ path, mode: file.mode, bytes: await repositories.blob(repository, file.oid) });
  }
  return files;
}

function isPlain(mode: string): mode is PreparedFile['mode'] {
  return mode === '100644' || mode === '100755';
}
