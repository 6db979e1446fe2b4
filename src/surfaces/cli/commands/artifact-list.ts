// `lazarus artifact list`: what a ledger says of its artifacts, and whether their bytes are here.
import { auditArtifacts, type Finding } from '../../../app/artifacts/audit.ts';
import { ledgerName } from '../../../ledger/names.ts';
import { aligned } from '../output.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  await withWorkbench(ctx, options, async ({ bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const { findings } = await auditArtifacts(bench, ref, { signal: ctx.signal });
    const human = findings.length === 0 ? [`${ledgerName(ref)} records no artifacts`] : aligned(findings.map(row));
    ctx.out.emit(human, { ledger: ledgerName(ref), artifacts: findings.map(findingJson) });
  });
}

export function findingJson({ artifact, is }: Finding): Readonly<Record<string, unknown>> {
  const { entity, task, erased, ...rest } = artifact;
  return { ...rest, entity_id: entity, task_id: task, state: is, erased: erased ?? null };
}

function row({ artifact, is }: Finding): string[] {
  const { digest, media_type, bytes, encryption, index, by, at, erased } = artifact;
  const state = erased === undefined ? is : `${is} at index ${erased.index} by ${erased.by}: ${erased.because}`;
  const kind = encryption === 'none' ? media_type : `${media_type}, encrypted`;
  return [digest.slice(0, SHOWN_CHARACTERS), String(bytes), kind, `index ${index}`, by, at, state];
}

/** `sha256:` and twelve digits: enough to type back. */
const SHOWN_CHARACTERS = 19;
