// `lazarus verify`: everything about a ledger, recomputed; without a name, every ledger of the repository.
import type { ProjectView } from '../../../app/adoption.ts';
import { bring, missionsAnywhere } from '../../../app/bring.ts';
import { cosign, fetchCosignatures } from '../../../app/cosign.ts';
import { RegistryAudit, type Finding } from '../../../app/registry.ts';
import type { Report } from '../../../app/verify/report.ts';
import type { Verified } from '../../../app/verify/verify-ledger.ts';
import type { Seen } from '../../../app/verify/walk.ts';
import type { Workbench } from '../../../app/workbench.ts';
import { Failure } from '../../../failure.ts';
import { REASONS } from '../../../reasons.ts';
import { ledgerName, PROJECT_REF } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { findingLines, reportExit, reportJson, reportLines } from '../report-text.ts';
import type { Values } from '../values.ts';
import { atHome, settled, type Ledgers } from '../mission/home.ts';
import { signerOf, withWorkbench, type Workspace } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<number> {
  return inClone(ctx, options, async (workspace) => {
    const { bench } = workspace;
    const typed = args.text('ledger');
    const { refs, exit } = await refsHere(ctx, workspace, typed, options);
    if (refs.length === 0) throw new Failure('ledger_not_found', { ledger: 'any' });
    if (options.need('mode') === 'head') return Math.max(exit, await headsOnly(ctx, bench, refs));
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
    return Math.max(exit, ...reports.map(reportExit), ...registry.map(({ code }) => REASONS[code].exit));
  });
}

/** Through the remote that was named; else as the clone lies, with what it lacks from the remote that it belongs to. */
function inClone<T>(ctx: Context, options: Values, use: (ledgers: Ledgers) => Promise<T>): Promise<T> {
  if (options.text('remote') === undefined) return atHome(ctx, use);
  return withWorkbench(ctx, options, (workspace) => use({ ...workspace, home: undefined }));
}

/**
 * What was typed, as new as it is where it lives. The report says how far it is to be trusted, so nothing is asked. Without
 * the remote it judges what is here, and says that this is all it knows.
 */
async function refsHere(
  ctx: Context,
  ledgers: Ledgers,
  typed: string | undefined,
  options: Values,
): Promise<{ readonly refs: readonly string[]; readonly exit: number }> {
  const { bench, home } = ledgers;
  const here = async (): Promise<readonly string[]> =>
    typed === undefined ? bench.ledgers() : [await bench.find(typed)];
  if (home === undefined || options.need('mode') === 'head') return { refs: await here(), exit: 0 };
  try {
    const genesis = options.text('genesis');
    const wanted = typed === undefined ? await missionsAnywhere(bench) : await here();
    await settled(ledgers);
    await bring(bench, [PROJECT_REF], { genesis });
    if (typed !== undefined) {
      await bring(bench, wanted);
      return { refs: wanted, exit: 0 };
    }
    const exit = await bringEach(ctx, bench, wanted);
    return { refs: await bench.ledgers(), exit };
  } catch (error) {
    if (!(error instanceof Failure) || !CUT_OFF.has(error.code)) throw error;
    const refs = (await bench.ledgers()).filter((ref) => typed === undefined || isTyped(ref, typed));
    if (refs.length === 0) throw error;
    ctx.out.warn(`${home} could not be asked (${error.code}): this is what was fetched before`);
    return { refs, exit: 0 };
  }
}

/** One that does not verify is named and not taken over; it holds up no other. */
async function bringEach(ctx: Context, bench: Workbench, refs: readonly string[]): Promise<number> {
  let exit = 0;
  for (const ref of refs) {
    try {
      await bring(bench, [ref]);
    } catch (error) {
      if (!(error instanceof Failure) || CUT_OFF.has(error.code)) throw error;
      ctx.out.warn(
        `${ledgerName(ref)} as it is on the remote was not taken over: ${error.code}: ${REASONS[error.code].says}`,
      );
      exit = Math.max(exit, REASONS[error.code].exit);
    }
  }
  return exit;
}

const CUT_OFF: ReadonlySet<string> = new Set(['remote_unreachable', 'authentication_needed', 'remote_protocol']);

function isTyped(ref: string, typed: string): boolean {
  const name = ledgerName(ref);
  return name === typed || name.startsWith(`m-${typed.replace(/^m-/, '').toLowerCase()}`);
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
