// `lazarus artifact push`: sends artifacts that were added here alone, so that the ledger can follow.
import { sendArtifacts } from '../../../app/artifacts/send.ts';
import { ledgerName } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  await withWorkbench(ctx, options.with('remote', args.text('remote') ?? 'origin'), async ({ bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const sent = await sendArtifacts(bench, ref, { signal: ctx.signal });
    const remote = bench.parts.remote?.displayUrl ?? '';
    ctx.out.emit(`${ledgerName(ref)}: ${sent} ${sent === 1 ? 'artifact' : 'artifacts'} sent to ${remote}`, {
      ledger: ledgerName(ref),
      sent,
      remote,
    });
  });
}
