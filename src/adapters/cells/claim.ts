// Reads one file from a folder that a cell wrote, step by step through descriptors: a link anywhere on the way leads
// nowhere, a pipe blocks nobody, a huge file is not read.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const CLAIM_BYTES_MAX = 256 * 1024;

/** Undefined where there is no such regular file, or one that is too large to be a claim. */
export async function readClaim(folder: string, name: string): Promise<string | undefined> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const directory = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  if (directory === undefined) return undefined;
  try {
    // Through the descriptor, not the path: what was opened is what is read.
    const below = process.platform === 'linux' ? `/proc/self/fd/${directory.fd}` : folder;
    const file = await open(`${below}/${name}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const about = await file.stat();
      if (!about.isFile() || about.size > CLAIM_BYTES_MAX) return undefined;
      return (await file.readFile()).subarray(0, CLAIM_BYTES_MAX).toString('utf8');
    } finally {
      await file.close();
    }
  } finally {
    await directory.close();
  }
}
