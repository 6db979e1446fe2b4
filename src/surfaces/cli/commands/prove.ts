// `lazarus prove`: one file that shows an event, or the growth of a ledger, to somebody who has no repository.
import { rename, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { prove, type Proof, type Wanted } from '../../../app/prove.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const wanted = wantedOf(args, options);
  const proof = await withWorkbench(ctx, options, async ({ bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const progress = ctx.out.progress('verifying');
    let done = 0;
    const made = await prove(bench, ref, wanted, { signal: ctx.signal, onCommit: () => progress.update((done += 1)) });
    progress.end();
    return made;
  });
  const file = options.text('output') ?? fileName(proof);
  await save(resolve(ctx.cwd, file), proof.bytes);
  const { claim, ledger, size, bytes } = proof;
  const what = claim.is === 'event' ? `event ${claim.index}` : `growth since size ${claim.old_size}`;
  ctx.out.emit(
    [`${file}: ${what} of ${ledger}, shown at size ${size} (${bytes.length} bytes)`, `  next: lazarus check ${file}`],
    {
      file,
      ledger,
      claim,
      size,
      bytes: bytes.length,
    },
  );
}

function wantedOf(args: Values, options: Values): Wanted {
  const event = args.text('event');
  const oldSize = options.whole('consistency', 1);
  if (event !== undefined && oldSize === undefined) return { event };
  if (event === undefined && oldSize !== undefined) return { oldSize };
  throw new Failure('usage', {
    expected: 'either an event (index or beginning of its id) or --consistency <old size>',
  });
}

function fileName({ ledger, claim }: Proof): string {
  return claim.is === 'event' ? `${ledger}-${claim.index}.proof.json` : `${ledger}-since-${claim.old_size}.proof.json`;
}

/** A file appears whole or not at all; a device or a pipe is written to as it is. */
async function save(path: string, bytes: Uint8Array): Promise<void> {
  try {
    const there = await stat(path).catch(() => undefined);
    if (there !== undefined && !there.isFile()) return await writeFile(path, bytes);
    const unfinished = `${path}.${process.pid}.tmp`;
    await writeFile(unfinished, bytes, { flag: 'wx' });
    await rename(unfinished, path);
  } catch (cause) {
    throw new Failure(
      'file_unwritable',
      { file: path, why: (cause as NodeJS.ErrnoException).code ?? 'unknown' },
      { cause },
    );
  }
}
