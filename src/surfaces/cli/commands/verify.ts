// `lazarus verify`: everything about a ledger, recomputed; without a name, every ledger of the repository.
import type { ProjectView } from '../../../app/adoption.ts';
import { cosign, fetchCosignatures } from '../../../app/cosign.ts';
import { RegistryAudit, type Finding } from '../../../app/registry.ts';
import type { Report } from '../../../app/verify/report.ts';
import type { Verified } from '../../../app/verify/verify-ledger.ts';
import type { Seen } from '../../../app/verify/walk.ts';
import type { Workbench } from '../../../app/workbench.ts';
import { Failure } from '../../../failure.ts';
import { REASONS } from '../../../reasons.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { findingLines, reportExit, reportJson, reportLines } from '../report-text.ts';
import type { Values } from '../values.ts';
import { signerOf, withWorkbench, type Workspace } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<number> {
  return withWorkbench(ctx, options, async (workspace) => {
    const { bench } = workspace;
    const typed = args.text('ledger');
    const refs = typed === undefined ? await bench.ledgers() : [await bench.find(typed)];
    if (refs.length === 0) throw new Failure('ledger_not_found', { ledger: 'any' });
    if (options.need('mode') === 'head') return headsOnly(ctx, bench, refs);
    const isAll = typed === undefined;
    const { verified, registry } = await verifyAll(ctx, bench, { refs, isAll }, options);
    const reports = verified.map(({ report }) => report);
    if (options.flag('cosign')) await cosignAll(ctx, workspace, options, { refs, verified });
    const [only] = reports;
    ctx.out.emit(
      [...reports.flatMap(reportLines), ...registry.flatMap(findingLines)],
      reports.length === 1 && registry.length === 0
        ? reportJson(only!)
        : { reports: reports.map(reportJson), registry },
    );
    return Math.max(...reports.map(reportExit), ...registry.map(({ code }) => REASONS[code].exit));
  });
}

/** What a clone of depth 1 can tell. */
async function headsOnly(ctx: Context, bench: Workbench, refs: readonly string[]): Promise<number> {
  const reports: Report[] = [];
  for (const ref of refs) reports.push(await bench.verifyHead(ref));
  ctx.out.emit(reports.flatMap(reportLines), { reports: reports.map(reportJson) });
  return Math.max(...reports.map(reportExit));
}

/** With every ledger at hand, the project's registry is held against them. */
async function verifyAll(
  ctx: Context,
  bench: Workbench,
  { refs, isAll }: { readonly refs: readonly string[]; readonly isAll: boolean },
  options: Values,
): Promise<{ readonly verified: readonly Verified[]; readonly registry: readonly Finding[] }> {
  const mode = options.need('mode') === 'since-pin' ? 'since-pin' : 'full';
  const genesis = options.text('genesis');
  const progress = ctx.out.progress('verifying');
  let done = 0;
  const watch = {
    signal: ctx.signal,
    ...(genesis === undefined ? {} : { genesis }),
  };
  const all: Verified[] = [];
  let project: ProjectView | undefined;
  let audit: RegistryAudit | undefined;
  for (const ref of refs) {
    if (options.text('remote') !== undefined) await fetchCosignatures(bench, ref);
    const onCommit = (seen: Seen): void => {
      audit?.see(ref, seen);
      progress.update((done += 1));
    };
    if (ref !== PROJECT_REF) project ??= await soundProject(bench);
    if (isAll && mode === 'full' && project !== undefined) audit ??= new RegistryAudit(project.history.record, refs);
    all.push(await bench.verify(ref, mode, { ...watch, onCommit, ...(project === undefined ? {} : { project }) }));
  }
  // Not one of its missions is here.
  if (isAll && refs.length === 1 && all[0]!.report.integrity.is === 'ok' && refs[0] === PROJECT_REF)
    audit = new RegistryAudit((await bench.project()).history.record, refs);
  progress.end();
  return { verified: all, registry: audit?.findings() ?? [] };
}

/** A project ledger that does not verify judges no mission: they are reported as `project_unconfirmed`. */
async function soundProject(bench: Workbench): Promise<ProjectView | undefined> {
  try {
    return await bench.projectIfHere();
  } catch (error) {
    if (error instanceof Failure && REASONS[error.code].exit === 6) return undefined;
    throw error;
  }
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
