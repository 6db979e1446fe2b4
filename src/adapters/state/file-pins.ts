// Pins as small files in the repository's state folder. Replaced whole, so that no reader sees half a pin; not synced to
// the disk: what a power cut can take is the newest pin, and the one before it is a lower floor, not a wrong one.
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Failure, failureIn } from '../../failure.ts';
import { ASIDE_PREFIX } from '../system/disk.ts';
import { KeyFingerprint, TreeHead, Uuid } from '../../kernel/values.ts';
import type { Pin, Pins } from '../../ports/pins.ts';

const PinFile = z.strictObject({
  schema_version: z.literal(1),
  ledger_id: Uuid,
  head: TreeHead,
  roster: z.strictObject({ n: z.int(), digest: z.string() }),
  format: z.int(),
  project_genesis: z.string(),
  genesis_confirmed: z.boolean(),
  signers: z.record(KeyFingerprint, z.tuple([z.int(), z.int()])),
});

export function filePins(stateDir: string): Pins {
  const pathOf = (ledger: string): string => join(stateDir, 'pins', `${ledger.replaceAll(/[^a-z0-9-]/g, '_')}.json`);
  return {
    async read(ledger) {
      const path = pathOf(ledger);
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw new Failure('pin_unreadable', { path, error: error.code ?? '' }, { cause: error });
      });
      if (text === undefined) return undefined;
      const parsed = parse(text);
      // A damaged pin must not silently become no pin: that would be the rollback it guards against.
      if (parsed === undefined) throw new Failure('pin_unreadable', { path });
      const { schema_version: _, ...pin } = parsed;
      return pin;
    },
    async write(ledger, pin: Pin) {
      const path = pathOf(ledger);
      // Beside the folder of pins, under the prefix that the repository's next writer sweeps: a killed one leaves no litter.
      const temporary = join(stateDir, `${ASIDE_PREFIX}${randomUUID()}`);
      try {
        // Not synced, so that nothing here waits: to hand it to another thread would take longer than it does.
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(temporary, `${JSON.stringify({ schema_version: 1, ...pin })}\n`, { mode: 0o600 });
        renameSync(temporary, path);
      } catch (cause) {
        await unlink(temporary).catch(() => undefined);
        const next =
          failureIn(cause)?.code === 'disk_full' ? { next: 'free space on the disk, then: lazarus verify' } : {};
        const facts = { path, error: (cause as NodeJS.ErrnoException).code ?? '' };
        throw new Failure('pin_not_written', facts, { cause, ...next });
      }
    },
  };
}

function parse(text: string): z.infer<typeof PinFile> | undefined {
  try {
    return PinFile.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
