// `lazarus verify`: everything about a ledger, recomputed; without a name, every ledger of the repository.
import type { ProjectView } from '../../../app/adoption.ts';
import type { Report } from '../../../app/verify/report.ts';
import type { Workbench } from '../../../app/workbench.ts';
import { Failure } from '../../../failure.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { reportExit, reportJson, reportLines } from '../report-text.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<number> {
  return withWorkbench(ctx, options, async ({ bench }) => {
    const typed = args.text('ledger');
    const refs = typed === undefined ? await bench.ledgers() : [await bench.find(typed)];
    if (refs.length === 0) throw new Failure('ledger_not_found', { ledger: 'any' });
    const reports = await verifyAll(ctx, bench, refs, options);
    const [only] = reports;
    ctx.out.emit(
      reports.flatMap(reportLines),
      reports.length === 1 ? reportJson(only!) : { reports: reports.map(reportJson) },
    );
    return Math.max(...reports.map(reportExit));
  });
}

async function verifyAll(ctx: Context, bench: Workbench, refs: readonly string[], options: Values): Promise<Report[]> {
  const mode = options.need('mode') === 'since-pin' ? 'since-pin' : 'full';
  const genesis = options.text('genesis');
  const progress = ctx.out.progress('verifying');
  let done = 0;
  const watch = {
    signal: ctx.signal,
    onCommit: () => progress.update((done += 1)),
    ...(genesis === undefined ? {} : { genesis }),
  };
  const reports: Report[] = [];
  let project: ProjectView | undefined;
  for (const ref of refs) {
    if (ref !== PROJECT_REF) project ??= await bench.projectIfHere();
    const { report } = await bench.verify(ref, mode, { ...watch, ...(project === undefined ? {} : { project }) });
    reports.push(report);
  }
  progress.end();
  return reports;
}
