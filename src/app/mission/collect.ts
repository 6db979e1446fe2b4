// From a running cell to what is handed over: what it said and did, its work judged path by path, and the checks run
// again in fresh cells on exactly that commit. Every way it can go wrong ends in a reason, never in silence.
import { Failure } from '../../failure.ts';
import { mayTryAgain } from '../../kernel/attempt/blame.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { Cell, CellExit, Work } from '../../ports/cells.ts';
import { MINUTE_SECONDS, type Acting } from './world.ts';
import type { Rules } from './rules.ts';
import type { Running } from './run.ts';
import { describeHandOver, type Checked, type Collected, type Taken, type Watched } from './hand-over.ts';
import { auditWork } from './audit-work.ts';

const OUTPUT_BYTES_MAX = 256 * 1024;
const CLAIMS_MAX = 16;

type Setting = {
  readonly state: MissionState;
  readonly document: PlanDocument;
  readonly rules: Rules;
  readonly by: Acting;
};

export async function collect(start: () => Promise<Cell>, running: Running, setting: Setting): Promise<Collected> {
  let cell: Cell;
  try {
    cell = await start();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code } = error;
    return describeHandOver({ failure: code, isOfRunner: mayTryAgain(code) }, setting.document.proposal.auditGates);
  }
  let taken: Taken = { failure: 'cell_failed' };
  try {
    const seen = await watch(cell, running);
    taken = await takeWork(cell, running, setting, seen);
    const residue = await cell.close();
    const checked = taken.failure === undefined ? await check(running, setting, taken.work!) : undefined;
    return describeHandOver(
      { cell, ...seen, ...taken, residue, ...checked, failure: taken.failure ?? checked?.failure },
      setting.document.proposal.auditGates,
    );
  } finally {
    await cell.close();
    // What goes on is in memory by now; the repository around it is nobody's.
    if (taken.work !== undefined) await running.cells.discard(taken.work);
  }
}

async function watch(cell: Cell, { onOutput }: Running): Promise<Watched> {
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
      if (output.length < OUTPUT_BYTES_MAX) output += chunk.text;
      onOutput?.(chunk);
    }
  })();
  const exit = await cell.exit;
  await Promise.all([listening, reading]);
  // What came through the port came from the participant while it ran; a file is looked at only where it said nothing.
  claim ??= await cell.claim();
  const question = blocked.length > 0 ? undefined : await cell.question();
  if (question !== undefined) blocked.push(question);
  return { exit, output: output.slice(0, OUTPUT_BYTES_MAX), claim, blocked };
}

const EXIT_FAILURE: Readonly<Record<CellExit['reason'], ReasonCode>> = {
  exited: 'cell_failed',
  signalled: 'cell_failed',
  timeout: 'cell_timeout',
  output_limit: 'cell_output_limit',
  memory_limit: 'cell_failed',
  disk_limit: 'cell_failed',
  killed: 'interrupted',
};

/** What shells and launchers answer for a program that is not there, or that cannot be executed. */
const NOT_FOUND: ReadonlySet<number | null> = new Set([126, 127]);

async function takeWork(
  cell: Cell,
  running: Running,
  { state, document, rules, by }: Setting,
  { exit }: Watched,
): Promise<Taken> {
  if (exit.reason === 'exited' && NOT_FOUND.has(exit.code)) return { failure: 'agent_missing', isOfRunner: true };
  if (exit.reason !== 'exited' || exit.code !== 0) return { failure: EXIT_FAILURE[exit.reason] };
  const { mission_id: mission, proposal } = document;
  let work: Work | undefined;
  try {
    work = await cell.takeWork({
      name: by.principal,
      email: `${by.signer.fingerprint}@lazarus.invalid`,
      atSeconds: by.world.bench.parts.clock.nowSeconds(),
      message: `${proposal.goal}\n\nMission: ${missionName(mission)}\nAttempt: ${state.course!.attempt!.no}\n`,
    });
    const { bench } = by.world;
    const audit = await auditWork(bench, running.repositories, work, { proposal, sacred: rules.sacred });
    if (audit.changed === 0) return { failure: 'nothing_done', work, audit };
    if (audit.verdict === 'violated') return { failure: 'scope_violated', work, audit };
    return {
      failure: undefined,
      work,
      audit,
      objects: await running.repositories.objectsOf(work.repository, work.base, work.commit),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: error.code, ...(work === undefined ? {} : { work }) };
  }
}

/** The verify command and every acceptance check, each in a cell of its own on the exact commit. */
async function check(running: Running, { state, document }: Setting, work: Work): Promise<Checked> {
  const { proposal } = document;
  const plan = state.course!.plan!;
  const wanted = [
    { check: 'verify' as const, shellText: proposal.verifyCommand },
    ...proposal.acceptance.map((shellText) => ({ check: 'acceptance' as const, shellText })),
  ];
  const runs: NonNullable<Checked['runs']>[number][] = [];
  try {
    for (const { check: kind, shellText } of wanted) {
      const run = await running.cells.runCheck({
        project: { repository: work.repository, commit: work.commit },
        shellText,
        limits: { wallMs: plan.budget_minutes * MINUTE_SECONDS * 1000 },
        requiredLevel: plan.level as Cell['level'],
        env: running.environment,
        canaries: running.canaries,
        tools: running.tools,
      });
      runs.push({ ...run, check: kind });
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A tree that no fresh cell can lay out is work that nobody can check.
    return { failure: error.code, runs: undefined };
  }
  return { failure: runs.every(({ exitCode }) => exitCode === 0) ? undefined : 'verify_failed', runs };
}
