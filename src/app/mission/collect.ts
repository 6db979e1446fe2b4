// From a running cell to what is handed over: what it said and did, and its work judged path by path. Every way it can go
// wrong ends in a reason, never in silence. Whoever asks owns the work's repository, and discards it.
import { courseOf } from '../../kernel/course/steps.ts';
import { failureIn } from '../../failure.ts';
import { CANCELLED, mayTryAgain } from '../../kernel/attempt/blame.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import type { FoundEnvironment } from '../../ports/environments.ts';
import type { Cell, Work, WorkIdentity } from '../../ports/cells.ts';
import type { Acting } from './world.ts';
import { agentFailure } from './cell-end.ts';
import type { Rules } from './rules.ts';
import type { Running } from './run.ts';
import { describeHandOver, ranIn, type Collected, type Taken, type Watched } from './hand-over.ts';
import type { Keeper } from '../printed/keep.ts';
import { keepWork } from './kept.ts';
import type { Prepared } from './prepare.ts';
import { broken, troubleOf } from './trouble.ts';
import { auditWork } from './audit-work.ts';

/** Beyond what is kept of it. */
const OUTPUT_CHARACTERS_MAX = 512 * 1024;
const CLAIMS_MAX = 16;

type Setting = {
  readonly state: MissionState;
  readonly document: PlanDocument;
  readonly rules: Rules;
  readonly by: Acting;
  /** Aborted when the mission is called off: the cell ends then, and its work is left. */
  readonly cancelled: AbortSignal;
  /** What was prepared before the agent's cell is made. */
  readonly prepared: Prepared;
  readonly prepareMs: number;
  readonly keepPrinted: Keeper;
  /** The last day on which work that failed can be had. */
  readonly keepUntil: string | null;
  /** What the checks of this work find beside it. Throws where the work took away what that is made of. */
  readonly forChecks: (work: Work) => Promise<readonly FoundEnvironment[]>;
};

export async function collect(start: () => Promise<Cell>, running: Running, setting: Setting): Promise<Collected> {
  const gates = setting.document.proposal.auditGates;
  const { cancelled, prepared } = setting;
  const { nowMs } = setting.by.world.bench.parts;
  const { agent, proposal } = setting.document;
  const named = { name: 'name' in proposal.agent ? proposal.agent.name : null, version: agent.version ?? null };
  const always = { prepared, exposedTo: running.exposedTo, agent: named };
  let cell: Cell;
  try {
    if (cancelled.aborted) return describeHandOver({ failure: CANCELLED, ...always }, gates);
    if (prepared.failure !== undefined)
      return describeHandOver(
        { failure: prepared.failure, isOfRunner: mayTryAgain(prepared.failure), ...always },
        gates,
      );
    cell = await start();
  } catch (error) {
    const failure = failureIn(error)?.code ?? 'cell_start_failed';
    return describeHandOver({ failure, isOfRunner: mayTryAgain(failure), trouble: troubleOf(error), ...always }, gates);
  }
  const letGo = endOn(cancelled, cell);
  let work: Work | undefined;
  try {
    const { output, ...seen } = await watch(cell, running);
    const endedMs = nowMs();
    const taken = await takeWork(cell, running, setting, seen);
    const took = { prepare_ms: setting.prepareMs, take_ms: Math.round(nowMs() - endedMs) };
    ({ work } = taken);
    const keep = { until: setting.keepUntil, commit: await keptCommit(taken, running, setting) };
    const residue = await cell.close();
    const printed = await setting.keepPrinted({ text: output, by: 'agent', isFailed: taken.failure !== undefined });
    return describeHandOver({ ran: ranIn(cell), ...seen, ...taken, printed, residue, ...always, took, keep }, gates);
  } catch (error) {
    // A cell that brings its supervisor to fall must not leave the lease open, nor get another attempt for it.
    if (work !== undefined) await running.cells.discard(work).catch(() => undefined);
    return describeHandOver(
      { ran: ranIn(cell), failure: 'supervision_failed', trouble: troubleOf(error), ...always },
      gates,
    );
  } finally {
    letGo();
    await cell.close().catch(() => undefined);
  }
}

/** Before it is written down what became of it: what is said to be there is there. */
export async function keptCommit(
  { failure, work }: Taken,
  { repositories }: Running,
  { by, state, keepUntil: until }: Pick<Setting, 'by' | 'state' | 'keepUntil'>,
): Promise<string | null> {
  if (failure === undefined || failure === CANCELLED || failure === 'nothing_done' || work === undefined) return null;
  const attempt = courseOf(state)!.attempt!.id;
  const isKept = await keepWork({ bench: by.world.bench, repositories, attempt, until }, work);
  return isKept ? work.commit : null;
}

/** Answers with what takes the waiting back. */
function endOn(signal: AbortSignal, cell: Cell): () => void {
  const end = (): void => void cell.kill().catch(() => undefined);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

async function watch(cell: Cell, { onOutput }: Running): Promise<Watched & { readonly output: string }> {
  let output = '';
  let claim: string | undefined;
  const blocked: string[] = [];
  const listening = (async () => {
    for await (const { kind, body } of cell.events) {
      if (kind === 'done') claim ??= JSON.stringify(body);
      if (kind === 'blocked' && blocked.length < CLAIMS_MAX) blocked.push(JSON.stringify(body));
    }
  })();
  const reading = (async () => {
    for await (const chunk of cell.output) {
      if (output.length < OUTPUT_CHARACTERS_MAX) output += chunk.text;
      onOutput?.(chunk);
    }
  })();
  // Together: what one of them throws while the cell still runs must find somebody waiting.
  const [exit] = await Promise.all([cell.exit, listening, reading]);
  // What came through the port came from the participant while it ran; a file is looked at only where it said nothing.
  claim ??= await cell.claim();
  const question = blocked.length > 0 ? undefined : await cell.question();
  if (question !== undefined) blocked.push(question);
  return { exit, output, claim, blocked };
}

async function takeWork(cell: Cell, running: Running, setting: Setting, { exit }: Watched): Promise<Taken> {
  const { cancelled, by } = setting;
  if (cancelled.aborted) return { failure: CANCELLED };
  const failure = agentFailure(exit);
  if (failure !== undefined) return { failure, isOfRunner: mayTryAgain(failure) };
  const taken = identityOf(setting, by.world.bench.parts.clock.nowSeconds());
  let work: Work;
  try {
    work = await cell.takeWork(taken);
  } catch (error) {
    return broken(error);
  }
  return { taken, ...(await judgeTaken(work, running, setting)) };
}

/** Whose the host's commit is: the same words and the same time make the same commit. */
export function identityOf(
  { state, document, by }: Pick<Setting, 'state' | 'document' | 'by'>,
  atSeconds: number,
): WorkIdentity {
  const { mission_id: mission, proposal } = document;
  return {
    name: by.principal,
    email: `${by.signer.fingerprint}@lazarus.invalid`,
    atSeconds,
    message: `${proposal.goal}\n\nMission: ${missionName(mission)}\nAttempt: ${courseOf(state)!.attempt!.no}\n`,
  };
}

/** Path by path, and with what its checks find beside it. */
export async function judgeTaken(
  work: Work,
  { repositories }: Running,
  { document, rules, by, forChecks }: Pick<Setting, 'document' | 'rules' | 'by' | 'forChecks'>,
): Promise<Taken> {
  try {
    const audit = await auditWork(by.world.bench, repositories, work, { ...document, sacred: rules.sacred });
    if (audit.changed === 0) return { failure: 'nothing_done', work, audit };
    if (audit.verdict === 'violated') return { failure: 'scope_violated', work, audit };
    return {
      failure: undefined,
      work,
      audit,
      found: await forChecks(work),
      objects: await repositories.objectsOf(work.repository, work.base, work.commit),
    };
  } catch (error) {
    return { ...broken(error), work };
  }
}
