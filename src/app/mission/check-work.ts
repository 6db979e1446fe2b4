// The plan's checks, each in the cell that was born for it, on exactly the commit that was handed over, and how all of
// that is written down. The first that cannot be run ends them; none is left open.
import { courseOf } from '../../kernel/course/steps.ts';
import { CANCELLED, mayTryAgain } from '../../kernel/attempt/blame.ts';
import type { Results } from '../../kernel/decide/work.ts';
import { checksOf, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Cell, CellHolds, CheckRun, CheckSpec, Work } from '../../ports/cells.ts';
import type { FoundEnvironment, Mounted } from '../../ports/environments.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { NewDocument } from '../artifacts/documents.ts';
import type { Keeper } from '../printed/keep.ts';
import { placesToFill } from './check-places.ts';
import type { Running } from './run.ts';
import { factsDocument } from './cell-facts.ts';
import { closedRun } from './closed-run.ts';
import { mountedOf, type Prepared } from './prepare.ts';
import { codeOf, troubleOf } from './trouble.ts';
import { wantedToWrite } from './wanted-to-write.ts';
import { MINUTE_SECONDS } from './world.ts';

export type Checking = {
  readonly state: MissionState;
  readonly document: PlanDocument;
  readonly work: Work;
  /** In the plan's order. */
  readonly born: readonly { readonly cell: string; readonly limits: CellHolds }[];
  /** What had to be prepared for them first, and everything that is ready then. */
  readonly prepared: Prepared;
  readonly found: readonly FoundEnvironment[];
  readonly canaries: readonly string[];
  readonly keepPrinted: Keeper;
  /** Aborted when the mission is called off. */
  readonly cancelled: AbortSignal;
};

export type Checked = {
  readonly documents: ReadonlyMap<string, NewDocument>;
  readonly describe: (digestOf: (name: string) => string) => Results;
  readonly failure: ReasonCode | undefined;
};

export async function checkWork(running: Running, checking: Checking): Promise<Checked> {
  const runs: CheckRun[] = [];
  const { prepared } = checking;
  if (prepared.failure !== undefined) return described(checking, runs, unchecked(prepared.failure));
  try {
    const beside = {
      ...(await mountedOf(running.environments, checking.found)),
      writable: await placesToFill(running.repositories, checking.document, {
        base: { repository: running.mirror, commit: checking.state.course!.plan!.base_commit },
        work: checking.work,
      }),
    };
    for (const [n] of checking.born.entries()) {
      if (checking.cancelled.aborted) break;
      runs.push(await runOne(running, checking, n, beside));
    }
  } catch (error) {
    // A tree that no fresh cell can lay out is work that nobody can check.
    return described(checking, runs, unchecked(codeOf(error)), factsDocument({ trouble: troubleOf(error) }));
  }
  if (checking.cancelled.aborted) return described(checking, runs, CANCELLED);
  return described(checking, runs, runs.every(({ exitCode }) => exitCode === 0) ? undefined : 'verify_failed');
}

/**
 * An agent that makes it look like the machine's fault gets no other attempt for it: the code then says that nothing was
 * checked, and none that another attempt follows from.
 */
function unchecked(failure: ReasonCode): ReasonCode {
  if (!mayTryAgain(failure)) return failure;
  return failure === 'environment_failed' ? 'check_environment_failed' : 'check_not_run';
}

function runOne(
  running: Running,
  { state, document, work, born, canaries, cancelled }: Checking,
  n: number,
  beside: Partial<Mounted> & Pick<CheckSpec, 'writable'>,
): Promise<CheckRun> {
  const plan = state.course!.plan!;
  return running.cells.runCheck({
    cellId: born[n]!.cell,
    project: { repository: work.repository, commit: work.commit },
    shellText: checksOf(document.proposal)[n]!.shellText,
    limits: { wallMs: plan.budget_minutes * MINUTE_SECONDS * 1000 },
    requiredLevel: plan.level as Cell['level'],
    requiredLimits: born[n]!.limits,
    canaries,
    ...beside,
    signal: cancelled,
  });
}

async function described(
  checking: Checking,
  runs: readonly CheckRun[],
  failure: ReasonCode | undefined,
  trouble?: NewDocument,
): Promise<Checked> {
  const { state, document, born, prepared, keepPrinted } = checking;
  const kinds = checksOf(document.proposal);
  const documents = new Map<string, NewDocument>(prepared.documents);
  if (trouble !== undefined) documents.set('trouble', trouble);
  for (const [n, { exitCode, level, output }] of runs.entries()) {
    documents.set(`check ${n}`, await keepPrinted({ text: output, by: 'check', isFailed: exitCode !== 0 }));
    const wanted = exitCode === 0 || level === 0 ? undefined : wantedToWrite(output);
    // The names of these folders are words that the check printed.
    const read_only = wanted !== undefined && document.output.excerpt === 'none' ? [] : wanted;
    if (read_only !== undefined) documents.set(`facts ${n}`, factsDocument({ read_only }));
  }
  const has = (name: string, digestOf: (name: string) => string): string | null =>
    documents.has(name) ? digestOf(name) : null;
  return {
    documents,
    failure,
    describe: (digestOf) => ({
      ended: [
        ...prepared.ended(digestOf),
        ...born.map(({ cell }, n) => ({
          cell,
          closed: closedRun(runs[n], {
            failure,
            output: has(`check ${n}`, digestOf),
            facts: has(runs[n] === undefined ? 'trouble' : `facts ${n}`, digestOf),
          }),
        })),
      ],
      verification:
        runs.length < born.length
          ? undefined
          : {
              checks: runs.map((run, n) => ({
                cell: born[n]!.cell,
                check: kinds[n]!.check,
                exit_code: run.exitCode,
                level: run.level,
                n,
                output: digestOf(`check ${n}`),
              })),
              revision: courseOf(state)!.attempt!.work!.commit,
              verdict: failure === undefined ? 'satisfied' : 'unsatisfied',
            },
      failure: failure === undefined ? undefined : { because: failure, audit: null, isOfRunner: false },
    }),
  };
}
