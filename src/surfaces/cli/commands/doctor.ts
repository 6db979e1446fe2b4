// `lazarus doctor`: what missions need here, what of it is missing, and the line to type for each. Changes nothing.
import { examine } from '../../../app/doctor/examine.ts';
import { isReady, type Finding } from '../../../app/doctor/finding.ts';
import { inDoctorWorld } from '../../../compose/doctor.ts';
import type { Context } from '../command.ts';
import { traceLines } from '../failure-text.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

const STYLES = { ok: 'green', warn: 'yellow', missing: 'red' } as const;
const WIDTH = 'missing'.length;
/** As when setting up leaves something to do. */
const EXIT_WAITING = 8;

export async function run(ctx: Context, _args: Values, options: Values): Promise<number> {
  const ask = options.text('ask');
  const forge = options.flag('forge');
  const progress = ctx.out.progress('looking at this machine');
  const found = await inDoctorWorld(ctx, (world) =>
    examine(world, {
      ask,
      forge,
      onLooked: (done, total) => progress.update(done, total),
      onTrouble: (error) => traceLines(error).forEach((line) => ctx.out.detail(line)),
    }),
  ).finally(() => progress.end());
  const ready = isReady(found);
  ctx.out.emit([...found.flatMap(lines), summary(found)], { ready, findings: found });
  return ready ? 0 : EXIT_WAITING;
}

function lines(finding: Finding): readonly Line[] {
  const { title, is, says } = finding;
  const told: Line = [{ text: is.padEnd(WIDTH), style: STYLES[is] }, `  ${title}: ${says}`];
  return finding.is === 'ok' ? [told] : [told, `${' '.repeat(WIDTH)}  next: ${finding.next}`];
}

function summary(found: readonly Finding[]): Line {
  const lacking = found.filter(({ is }) => is === 'missing').length;
  if (lacking === 0) return { text: 'Everything that missions need here is ready.', style: 'bold' };
  return { text: `${lacking} missing: what to type stands below each.`, style: 'bold' };
}
