// What somebody was told already on this computer, as names that say nothing by themselves, in the repository's state folder.
// Losing it costs a second message about each thing that still waits.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { ToldBefore } from '../../ports/messenger.ts';
import { ASIDE_PREFIX } from '../system/disk.ts';

const File = z.strictObject({ version: z.literal(1), told: z.array(z.string().max(100)) });

/** `person`: what is told to one is not told to another; null for whoever is told everything. */
export function toldFile(stateDir: string, person: string | null): ToldBefore {
  const path = join(stateDir, person === null ? 'told-all.json' : `told-to-${person}.json`);
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      const kept = File.safeParse(jsonOrNot(text));
      return kept.success ? new Set(kept.data.told) : undefined;
    },
    keep: async (topics) => {
      const temporary = join(stateDir, `${ASIDE_PREFIX}${randomUUID()}`);
      mkdirSync(stateDir, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, `${JSON.stringify({ version: 1, told: [...topics].sort() })}\n`, { mode: 0o600 });
      renameSync(temporary, path);
    },
  };
}

function jsonOrNot(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
