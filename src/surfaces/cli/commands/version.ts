// `lazarus version`: what somebody should paste into a bug report.
import { compose } from '../../../compose/app.ts';
import { LEDGER_FORMAT } from '../../../kernel/limits.ts';
import { VERSION } from '../../../version.ts';
import type { Context } from '../command.ts';
import { aligned } from '../output.ts';

export async function run(ctx: Context): Promise<void> {
  const [name, version] = ['lazarus', VERSION];
  const git = await compose(ctx).gitVersion();
  const platform = `${process.platform} ${process.arch}`;
  const facts = {
    name,
    version,
    node: process.versions.node,
    git: git ?? null,
    platform,
    ledger_format: LEDGER_FORMAT,
  };
  const rows = [
    [name, version],
    ['node', facts.node],
    ['git', git ?? 'not found'],
    ['platform', platform],
    ['ledger format', String(LEDGER_FORMAT)],
  ];
  ctx.out.emit(aligned(rows), facts);
}
