// What one attempt came to, in two transactions: what the agent's cell handed over with the births of its checks, and what
// these made of it. The agent's own word decides nothing.
import { courseOf } from '../../kernel/course/steps.ts';
import { decideHandOver, decideResults, type BornUnder } from '../../kernel/decide/work.ts';
import { agentCellOf } from '../../kernel/course/course.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { incomingRef } from '../../ledger/names.ts';
import type { CellHolds, Work } from '../../ports/cells.ts';
import type { FoundEnvironment } from '../../ports/environments.ts';
import type { Change } from '../../ports/repository.ts';
import { drawDocuments, type DrawnDocument, type NewDocument } from '../artifacts/documents.ts';
import { CANCELLED } from '../../kernel/attempt/blame.ts';
import type { Keeper } from '../printed/keep.ts';
import { checkWork } from './check-work.ts';
import { keepWork } from './kept.ts';
import type { Collected } from './hand-over.ts';
import { environmentsOf, prepareAll, toPrepare, type ToPrepare } from './prepare.ts';
import { probed } from './probed.ts';
import { namesFrom, type Acting } from './world.ts';
import type { Running } from './run.ts';

type Judging = {
  readonly document: PlanDocument;
  readonly canaries: readonly string[];
  readonly keepPrinted: Keeper;
  readonly cancelled: AbortSignal;
  readonly born: MissionState;
  readonly keepUntil: string | null;
};

type Made = NonNullable<Collected['made']>;

/** What was born for the checks, in the ledger by now. */
export type BornChecks = {
  readonly checks: readonly { readonly cell: string; readonly limits: CellHolds }[];
  readonly prepares: readonly ToPrepare[];
};

/** Hands over what the agent's cell came to and, with work in it, what the plan's checks made of that. */
export async function judge(
  acting: Acting,
  running: Running,
  { collected, ...judging }: Judging & { readonly collected: Collected },
): Promise<Verdict<MissionState>> {
  const { world, desk } = acting;
  const { born } = judging;
  const names = namesFrom(world.bench.parts.ids);
  const plan = born.course!.plan!;
  const { made } = collected;
  const found = made?.found ?? [];
  const prepares = await toPrepare(running.cells, found, names);
  const checks = await Promise.all(
    plan.checks.map(async (_, n) => {
      const cell = names(`check ${n}`);
      return { cell, environment: found.map(({ key }) => key), ...(await probed(running.cells, cell)) };
    }),
  );
  const documents = await drawAll(acting, collected.documents);
  const out = collected.describe((name) => documents.get(name)!.digest, {
    checks,
    prepares: prepares.map((one) => one.born),
  });
  const handed = await desk.transact({
    documents: [...documents.values()],
    decide: (now) => decideHandOver(now, bornUnder(born), out, names),
  });
  if (handed.is === 'refused') return handed;
  const { state } = handed.value;
  // Called off: no check was born, whatever was to be checked.
  if (made === undefined || out.failure !== undefined || state.course!.cancelled !== null) return accept(state);
  await running.onPoint?.('handed_over');
  return judgeHandedOver(acting, running, { ...judging, state, made, checks, prepares });
}

/** `state`: with the work and the births of its checks in the ledger, however long ago. */
export async function judgeHandedOver(
  acting: Acting,
  running: Running,
  judging: Judging & BornChecks & { readonly state: MissionState; readonly made: Made },
): Promise<Verdict<MissionState>> {
  const { world, desk } = acting;
  const { state, document, cancelled, canaries, keepPrinted, keepUntil, made, checks, prepares } = judging;
  const names = namesFrom(world.bench.parts.ids);
  const prepared = await prepareAll(prepares, {
    environments: running.environments,
    plan: state.course!.plan!,
    canaries,
    keepPrinted,
    cancelled,
  });
  const checked = await checkWork(running, {
    state,
    document,
    work: made.work,
    born: checks,
    cancelled,
    canaries,
    keepPrinted,
    prepared,
    found: made.found,
  });
  await running.onPoint?.('checked');
  const attempt = courseOf(state)!.attempt!.id;
  if (checked.failure !== undefined && checked.failure !== CANCELLED)
    await keepWork({ bench: world.bench, repositories: running.repositories, attempt, until: keepUntil }, made.work);
  const outputs = await drawAll(acting, checked.documents);
  const results = checked.describe((name) => outputs.get(name)!.digest);
  const fence = state.course!.fence;
  const written = await desk.transact({
    documents: [...outputs.values()],
    decide: (now) => decideResults(now, { fence }, results, names),
    ...(checked.failure === undefined ? { along: () => bringWork(acting, state, made) } : {}),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

function bornUnder(born: MissionState): BornUnder {
  return { cell: agentCellOf(courseOf(born)!)!, fence: born.course!.fence };
}

/** Made from the work, an entry is this attempt's own: nobody else is given what an agent brought about. */
export async function environmentsForChecks(
  running: Running,
  document: PlanDocument,
  work: Work,
  born: MissionState,
): Promise<readonly FoundEnvironment[]> {
  const attempt = courseOf(born)!.attempt!.id;
  const ofBase = await environmentsOf(running.environments, document, {
    project: { repository: running.mirror, commit: born.course!.plan!.base_commit },
    origin: 'base',
  });
  const ofWork = await environmentsOf(running.environments, document, {
    project: { repository: work.repository, commit: work.commit },
    origin: 'base',
  });
  return Promise.all(
    ofWork.map(async (one, n) =>
      one.key === ofBase[n]!.key ? ofBase[n]! : running.environments.find({ ...one, origin: attempt }),
    ),
  );
}

async function drawAll(
  { world }: Acting,
  wanted: ReadonlyMap<string, NewDocument>,
): Promise<ReadonlyMap<string, DrawnDocument>> {
  const drawn = await drawDocuments(world.bench, world.kit, [...wanted.values()]);
  return new Map([...wanted.keys()].map((name, i) => [name, drawn[i]!]));
}

/** The work's objects and the reference that hands them over, in the same change as the verdict that lets it go on. */
async function bringWork({ world }: Acting, state: MissionState, { work, objects }: Made): Promise<Change> {
  const ref = incomingRef(courseOf(state)!.attempt!.id);
  const old = await world.bench.place.head(ref);
  return { objects, updates: [{ ref, old, next: work.commit }] };
}
