// Kept folds as small files in the repository's state folder, readable by their owner alone. Unlike a pin, a damaged one
// is as good as none: its first line says what the rest must hash to, and nobody has to trust the disk.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TreeHead } from '../../kernel/values.ts';
import type { Folds, KeptFold } from '../../ports/folds.ts';
import { ASIDE_PREFIX } from '../system/disk.ts';

const FoldFile = z.strictObject({
  schema_version: z.literal(1),
  ledger: z.string(),
  name: z.string(),
  version: z.int(),
  format: z.int(),
  head: TreeHead,
  value: z.unknown(),
});

/** A longer one would take longer to read than its ledger's newest events to fold. */
const BYTES_MAX = 8 * 1024 * 1024;
const SUM_CHARACTERS = 64;

export function fileFolds(stateDir: string): Required<Folds> {
  const pathOf = (ledger: string, name: string): string =>
    join(stateDir, 'folds', `${ledger.replaceAll(/[^a-z0-9-]/g, '_')}.${name}.json`);
  return {
    async read(ledger, name) {
      try {
        const path = pathOf(ledger, name);
        if ((await stat(path)).size > BYTES_MAX) return undefined;
        const { schema_version: _, ledger: of, name: what, ...kept } = parse(await readFile(path, 'utf8'));
        return of === ledger && what === name ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    async write(ledger, name, kept: KeptFold) {
      const path = pathOf(ledger, name);
      const temporary = join(stateDir, `${ASIDE_PREFIX}${randomUUID()}`);
      const body = JSON.stringify({ schema_version: 1, ledger, name, ...kept });
      if (Buffer.byteLength(body) > BYTES_MAX) return;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(temporary, `${sumOf(body)}\n${body}\n`, { mode: 0o600 });
        await rename(temporary, path);
      } catch {
        await unlink(temporary).catch(() => undefined);
      }
    },
  };
}

/** Throws where it is not what was written. */
function parse(text: string): z.infer<typeof FoldFile> {
  const body = text.slice(SUM_CHARACTERS + 1, -1);
  if (text !== `${sumOf(body)}\n${body}\n`) throw new TypeError('damaged');
  return FoldFile.parse(JSON.parse(body));
}

function sumOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
