// The remote that a clone's ledgers live on, as one line in the repository's state folder. Not in git's configuration, which
// people copy from each other: which remote may be written to is this clone's own affair. Losing it loses no trust: pins
// remember which project it is.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { CloneHome } from '../../ports/clone-home.ts';
import { ASIDE_PREFIX } from '../system/disk.ts';

const REMOTE_CHARACTERS_MAX = 2_000;

export function cloneHome(stateDir: string): CloneHome {
  const path = join(stateDir, 'home');
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      const line = text.trim();
      return line === '' || line.length > REMOTE_CHARACTERS_MAX ? undefined : line;
    },
    keep: async (remote) => {
      const temporary = join(stateDir, `${ASIDE_PREFIX}${randomUUID()}`);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, `${remote}\n`, { mode: 0o600 });
      renameSync(temporary, path);
    },
  };
}
