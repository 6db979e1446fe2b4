// `lazarus ledger snapshot`: verify a ledger from its first event, and sign what it came to, beside others who did the same.
import { shareSnapshot } from '../../../app/share-snapshot.ts';
import type { Roster } from '../../../kernel/roster/roster.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { signerOf, withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  await withWorkbench(ctx, options, async ({ app, bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const progress = ctx.out.progress('verifying');
    let done = 0;
    const signer = (roster: Roster) => signerOf(app, options, roster);
    const { head, signed } = await shareSnapshot(bench, ref, signer, {
      signal: ctx.signal,
      onCommit: () => progress.update((done += 1)),
    });
    progress.end();
    ctx.out.emit([`snapshot at size ${head.size}`, ...signed.map((fingerprint) => `  signed by ${fingerprint}`)], {
      head,
      signed,
    });
  });
}
