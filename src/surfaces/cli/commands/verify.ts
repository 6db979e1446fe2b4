// `lazarus verify`: everything about a ledger, recomputed; without a name, every ledger of the repository.
import type { ProjectView } from '../../../app/adoption.ts';
import { cosign, fetchCosignatures } from '../../../app/cosign.ts';
import type { Report } from '../../../app/verify/report.ts';
import type { Verified } from '../../../app/verify/verify-ledger.ts';
import type { Workbench } from '../../../app/workbench.ts';
import { Failure } from '../../../failure.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { reportExit, reportJson, reportLines } from '../report-text.ts';
import type { Values } from '../values.ts';
import { signerOf, withWorkbench, type Workspace } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<number> {
  return withWorkbench(ctx, options, async (workspace) => {
    const { bench } = workspace;
    const typed = args.text('ledger');
    const refs = typed === undefined ? await bench.ledgers() : [await bench.find(typed)];
    if (refs.length === 0) throw new Failure('ledger_not_found', { ledger: 'any' });
    if (options.need('mode') === 'head') return headsOnly(ctx, bench, refs);
    const verified = await verifyAll(ctx, bench, refs, options);
    const reports = verified.map(({ report }) => report);
    if (options.flag('cosign')) await cosignAll(ctx, workspace, options, { refs, verified });
    const [only] = reports;
    ctx.out.emit(
      reports.flatMap(reportLines),
      reports.length === 1 ? reportJson(only!) : { reports: reports.map(reportJson) },
    );
    return Math.max(...reports.map(reportExit));
  });
}

/** What a clone of depth 1 can tell. */
async function headsOnly(ctx: Context, bench: Workbench, refs: readonly string[]): Promise<number> {
  const reports: Report[] = [];
  for (const ref of refs) reports.push(await bench.verifyHead(ref));
  ctx.out.emit(reports.flatMap(reportLines), { reports: reports.map(reportJson) });
  return Math.max(...reports.map(reportExit));
}

async function verifyAll(
  ctx: Context,
  bench: Workbench,
  refs: readonly string[],
  options: Values,
): Promise<Verified[]> {
  const mode = options.need('mode') === 'since-pin' ? 'since-pin' : 'full';
  const genesis = options.text('genesis');
  const progress = ctx.out.progress('verifying');
  let done = 0;
  const watch = {
    signal: ctx.signal,
    onCommit: () => progress.update((done += 1)),
    ...(genesis === undefined ? {} : { genesis }),
  };
  const all: Verified[] = [];
  let project: ProjectView | undefined;
  for (const ref of refs) {
    if (options.text('remote') !== undefined) await fetchCosignatures(bench, ref);
    if (ref !== PROJECT_REF) project ??= await bench.projectIfHere();
    all.push(await bench.verify(ref, mode, { ...watch, ...(project === undefined ? {} : { project }) }));
  }
  progress.end();
  return all;
}

/** Only what is whole and owned: a co-signature tells others that this head may be relied on. */
async function cosignAll(
  ctx: Context,
  { app, bench }: Workspace,
  options: Values,
  { refs, verified }: { readonly refs: readonly string[]; readonly verified: readonly Verified[] },
): Promise<void> {
  for (const [i, { report, tip }] of verified.entries()) {
    if (report.integrity.is === 'refused' || report.trust.is === 'disowned' || report.state === undefined) continue;
    const signer = await signerOf(app, options, report.state.roster);
    const { fingerprint, size } = await cosign(bench, refs[i]!, tip, signer);
    ctx.out.note(`co-signed ${report.name} at size ${size} with ${fingerprint}`);
  }
}
