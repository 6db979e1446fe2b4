// `lazarus check`: whether a proof bundle proves what it claims. Needs no repository; with --here it also holds it against
// the project ledger of this one.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { concat } from '../../../format/bytes.ts';
import { Failure } from '../../../failure.ts';
import type { Verdict } from '../../../kernel/verdict.ts';
import { checkBundle, type BundleReport } from '../../../ledger/bundle.ts';
import { BUNDLE_BYTES_MAX } from '../../../ledger/bundle-format.ts';
import { viewProof, type ProofView } from '../../proof-view.ts';
import type { Context } from '../command.ts';
import { failureJson } from '../failure-text.ts';
import { aligned, type Line } from '../output.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<number> {
  const bytes = await readBundle(args.need('file'), ctx);
  const verdict = await check(ctx, bytes, options);
  const view = viewProof(verdict);
  const json = verdict.is === 'refused' ? failureJson(verdict) : { ...verdict.value, not_shown: view.notShown };
  ctx.out.emit(lines(view), { proof: view.is, ...json });
  return view.exit;
}

async function check(ctx: Context, bytes: Uint8Array, options: Values): Promise<Verdict<BundleReport>> {
  const genesis = options.text('genesis');
  if (genesis !== undefined && !/^sha256:[0-9a-f]{64}$/.test(genesis))
    throw new Failure('usage', { option: 'genesis', expected: 'sha256: and 64 hex digits', found: genesis });
  if (options.flag('here')) {
    const { checkHere } = await import('../../../app/check.ts');
    return withWorkbench(ctx, options, ({ bench }) => checkHere(bench, bytes, { genesis, signal: ctx.signal }));
  }
  const { compose } = await import('../../../compose/app.ts');
  return checkBundle(compose(ctx).crypto, bytes, { genesis });
}

/** Reads no further than a bundle may be long: the file may be a device, or a stranger's. */
async function readBundle(file: string, { cwd, signal }: Context): Promise<Uint8Array> {
  const stream = file === '-' ? process.stdin : createReadStream(resolve(cwd, file), { signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > BUNDLE_BYTES_MAX) break;
    }
  } catch (cause) {
    throw new Failure('file_unreadable', { file, why: (cause as NodeJS.ErrnoException).code ?? 'unknown' }, { cause });
  }
  return concat(chunks);
}

const STYLES = { proved: 'green', unvouched: 'yellow', disowned: 'red', refused: 'red' } as const;

function lines({ is, headline, trust, rows, notShown }: ProofView): Line[] {
  const table = aligned(rows.map(([label, value]) => [`  ${label}`, value]));
  return [
    [{ text: is, style: STYLES[is] }, ` ${headline}`],
    ...(trust === undefined ? [] : [{ text: `  ${trust}`, style: 'bold' } as const]),
    ...table,
    ...(notShown.length === 0 ? [] : ['  A proof does not show:', ...notShown.map((what) => `    ${what}`)]),
  ];
}
