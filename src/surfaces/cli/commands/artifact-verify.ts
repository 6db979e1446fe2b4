// `lazarus artifact verify`: is everything here that the ledger records, and gone what it says was erased?
import { auditArtifacts, isUnsound, type Audit, type Finding } from '../../../app/artifacts/audit.ts';
import { ledgerName } from '../../../ledger/names.ts';
import { REASONS } from '../../../reasons.ts';
import type { Context } from '../command.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';
import { findingJson } from './artifact-list.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<number> {
  return withWorkbench(ctx, options, async ({ bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const audit = await auditArtifacts(bench, ref, { signal: ctx.signal });
    const { findings, unnamed } = audit;
    const unsound = findings.filter(isUnsound);
    ctx.out.emit(tell(ledgerName(ref), audit), {
      ledger: ledgerName(ref),
      ok: unsound.length === 0,
      artifacts: findings.map(findingJson),
      unnamed,
    });
    return unsound.length === 0 ? 0 : REASONS.artifact_corrupt.exit;
  });
}

function tell(ledger: string, { findings, unnamed }: Audit): Line[] {
  const count = (is: Finding['is']): number => findings.filter((one) => one.is === is).length;
  const lines: Line[] = [];
  for (const { artifact, is } of findings) {
    const where = `${artifact.digest}, recorded at index ${artifact.index}`;
    if (is === 'missing') lines.push([{ text: 'artifact_missing:', style: 'red' }, ` ${where}`]);
    if (is === 'corrupt') lines.push([{ text: 'artifact_corrupt:', style: 'red' }, ` ${where}`]);
    if (is === 'lingering')
      lines.push(
        [{ text: 'erased, but still here:', style: 'yellow' }, ` ${artifact.digest}`],
        `  next: lazarus artifact erase ${ledger} ${artifact.digest.slice(0, 19)} --because ${artifact.erased!.because}`,
      );
  }
  if (count('missing') + count('corrupt') > 0) lines.push(`  next: lazarus artifact verify ${ledger} --remote <name>`);
  if (unnamed.length > 0) lines.push(`${unnamed.length} on the artifact reference that no event names`);
  lines.push(
    `${ledger}: ${count('sound')} sound, ${count('missing')} missing, ${count('corrupt')} corrupt, ${count('erased') + count('lingering')} erased`,
  );
  return lines;
}
