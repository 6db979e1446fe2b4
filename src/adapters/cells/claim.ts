// Reads one file from a folder that a cell wrote, step by step through descriptors: a link anywhere on the way leads
// nowhere, a pipe blocks nobody, a huge file is not read.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

const CLAIM_BYTES_MAX = 256 * 1024;
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Undefined where there is no such regular file, or one that is too large to be a claim. `path`: below the folder. */
export async function readClaim(folder: string, path: string): Promise<string | undefined> {
  const steps = path.split('/');
  const name = steps.pop()!;
  const opened: FileHandle[] = [];
  try {
    let place = folder;
    for (const step of ['', ...steps]) {
      const next = step === '' ? place : `${place}/${step}`;
      const directory = await open(next, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
      if (directory === undefined) return undefined;
      opened.push(directory);
      // Through the descriptor, not the path: what was opened is what is read.
      place = process.platform === 'linux' ? `/proc/self/fd/${directory.fd}` : next;
    }
    const file = await open(`${place}/${name}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
    if (file === undefined) return undefined;
    opened.push(file);
    const about = await file.stat();
    if (!about.isFile() || about.size > CLAIM_BYTES_MAX) return undefined;
    return (await file.readFile()).subarray(0, CLAIM_BYTES_MAX).toString('utf8');
  } finally {
    for (const one of opened) await one.close();
  }
}
