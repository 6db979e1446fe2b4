// Hand-overs that wait on this machine's disk, taken up by the next job of a cell for the same project: made from there as if the
// first job had gone on, where the ledger still has that very lease, fence and birth; else the work is kept for whoever asks for
// it. The file says what an agent's cell came to, which is its runner's word as ever; paths, secrets and checks are judged anew.
import { courseOf } from '../../kernel/course/steps.ts';
import { agentCellOf } from '../../kernel/course/course.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { refuse, type Verdict } from '../../kernel/verdict.ts';
import { Failure, failureIn } from '../../failure.ts';
import type { Work } from '../../ports/cells.ts';
import type { FoundEnvironment } from '../../ports/environments.ts';
import type { Stow, Stowed, TakenStowed } from '../../ports/stow.ts';
import { keeperOf } from '../printed/keep.ts';
import { readEvents } from '../read-events.ts';
import { identityOf, judgeTaken, keptCommit } from './collect.ts';
import { planDocumentOf } from './documents.ts';
import { describeHandOver } from './hand-over.ts';
import { environmentsForChecks, judge, judgeHandedOver, type BornChecks } from './judge.ts';
import { keepLate } from './late-work.ts';
import type { ToPrepare } from './prepare.ts';
import { rulesOf } from './rules.ts';
import { whileAlive, type Running } from './run.ts';
import { canariesFor, reachOf } from './spawn.ts';
import { baseCommit } from './target.ts';
import { readStowed, seenAgain, type StowedFile } from './stowed-file.ts';
import { troubleOf } from './trouble.ts';
import { instant, missionState, type Acting, type MissionWorld } from './world.ts';

export type TakingUp = {
  readonly stow: Stow;
  /** The job's log. */
  readonly told: (line: string) => void;
  readonly world: MissionWorld;
  readonly actOn: (mission: string) => Promise<Acting>;
  readonly running: () => Promise<Running>;
};

/** Of whatever stands in the way of one, the job is told; its own mission waits for none of it. */
export async function takeUpStowed(at: TakingUp): Promise<void> {
  const waiting = await at.stow.list().catch((error: unknown) => {
    at.told(`nobody can see whether a hand-over waits here: ${troubleOf(error).code}`);
    return [];
  });
  for (const one of waiting) {
    try {
      await takeOne(at, one);
    } catch (error) {
      const failure = failureIn(error);
      if (failure === undefined) throw error;
      at.told(`a hand-over waits here still: ${failure.code}: ${one.path}`);
    }
  }
}

async function takeOne(at: TakingUp, one: Stowed): Promise<void> {
  const taken = await at.stow.take(one);
  if (taken === undefined) return;
  try {
    at.told(await takeUp(at, one, taken));
  } finally {
    await taken.letGo();
  }
}

async function takeUp(at: TakingUp, { path }: Stowed, taken: TakenStowed): Promise<string> {
  const file = fileOf(at.world, await taken.read());
  const name = missionName(file.body.mission);
  const acting = await at.actOn(name);
  if (file.signer !== acting.principal) return `${name}: what waits here is of ${file.signer}, and left to it: ${path}`;
  const state = await missionState(acting);
  const document = await planDocumentOf(acting, state);
  // This job has a clone of its own, and what the work stands on may be for another mission.
  await baseCommit(acting.world.bench, document.proposal.base);
  const running = await at.running();
  // Its own trouble must find no second way to the disk.
  const { stowing: _, ...once } = running;
  const course = courseOf(state);
  const isOurs = standsAsItWas(acting, state, file);
  const handed = isOurs
    ? await handOver(acting, once, { state, document }, file)
    : refuse('lease_lost', { fence: course?.fence ?? 0 });
  if (handed.is === 'accepted') {
    await taken.remove();
    return `${name}: what waited here is handed over, under the lease that it came from`;
  }
  const isKept = await keep(acting, once, file);
  await taken.remove();
  const { until } = file.body;
  return isKept
    ? `${name}: ${handed.code}: what waited here came too late, and its work is kept until ${until ?? ''}`
    : `${name}: ${handed.code}: what waited here came too late, and there is nothing to keep`;
}

/** Before its signature holds, no name in it counts. */
function fileOf({ bench, project }: MissionWorld, bytes: Uint8Array): StowedFile {
  const file = readStowed(bench.parts.crypto, project.tip, bytes);
  if (typeof file === 'string') throw new Failure('handover_altered', { why: file });
  if (file.body.genesis !== project.tip.state!.project_genesis)
    throw new Failure('handover_altered', { why: 'it is of another project' });
  return file;
}

/** The very attempt, under the very lease, as far as it had come or as far as its hand-over brought it. */
function standsAsItWas({ world, principal }: Acting, state: MissionState, { body }: StowedFile): boolean {
  const course = courseOf(state);
  const { lease = null, attempt = null } = course ?? {};
  if (course === undefined || lease === null || attempt === null || course.end !== null) return false;
  if (lease.id !== body.lease || lease.fence !== body.fence || lease.holder !== principal) return false;
  if (attempt.id !== body.attempt || lease.expires_at < instant(world)) return false;
  return agentCellOf(course) === body.cell || (attempt.work !== null && attempt.work.commit === body.work?.commit);
}

async function handOver(
  acting: Acting,
  running: Running,
  { state, document }: { readonly state: MissionState; readonly document: PlanDocument },
  file: StowedFile,
): Promise<Verdict<MissionState>> {
  const { body } = file;
  const { world } = acting;
  const rules = await rulesOf(world, state.course!.plan!);
  const canaries = canariesFor(running, await reachOf(running.secrets, document));
  const keepPrinted = keeperOf(world, running.messages, document.output);
  const keepUntil = body.until;
  const setting = { state, document, by: acting, rules, keepUntil };
  return whileAlive(acting, running, { state, isResumed: true }, async (cancelled) => {
    const work = await workIn(running, file, { ...setting, canaries });
    try {
      const forChecks = (one: Work) => environmentsForChecks(running, document, one, state);
      const taken = work === undefined ? undefined : await judgeTaken(work, running, { ...setting, forChecks });
      const common = { document, canaries, keepPrinted, cancelled, born: state, keepUntil };
      if (courseOf(state)!.attempt!.work === null) {
        const seen = { ...seenAgain(body.seen), ...taken };
        // What failed in its cell has failed, whatever its work looks like.
        const failure = body.seen.failure ?? seen.failure;
        const keep = { until: keepUntil, commit: await keptCommit({ ...taken, failure }, running, setting) };
        const collected = describeHandOver({ ...seen, failure, keep }, document.proposal.auditGates);
        return await judge(acting, running, { ...common, collected });
      }
      if (taken?.work === undefined || taken.failure !== undefined)
        return refuse('lease_lost', { because: taken?.failure ?? 'nothing_done' });
      const made = { work: taken.work, objects: taken.objects ?? [], found: taken.found ?? [] };
      const born = await bornFor(acting, state, made.found);
      return await judgeHandedOver(acting, running, { ...common, ...born, state, made });
    } finally {
      if (work !== undefined) await running.cells.discard(work).catch(() => undefined);
    }
  });
}

type Whose = Parameters<typeof identityOf>[0] & { readonly canaries: readonly string[] };

/** Undefined where nothing was taken out of the cell. Throws where it is not the commit that this attempt would have made. */
async function workIn(running: Running, file: StowedFile, { canaries, ...at }: Whose): Promise<Work | undefined> {
  const { work } = file.body;
  if (work === null) return undefined;
  const { name, email, message } = identityOf(at, work.taken_at_seconds);
  if (work.base !== at.state.course!.plan!.base_commit || work.message !== message)
    throw new Failure('handover_altered', { why: 'it is not of this plan', base: work.base });
  return laidOut(running, file, { canaries, name, email });
}

type Named = { readonly name: string; readonly email: string; readonly canaries: readonly string[] };

/** The repository that this makes is a stranger’s until its commit has the name that was signed. */
async function laidOut(running: Running, { body, pack }: StowedFile, { canaries, ...by }: Named): Promise<Work> {
  const { base, tree, commit, dropped, message, taken_at_seconds: atSeconds } = body.work!;
  await running.repositories.mirror(running.source, running.mirror, base);
  const work = await running.cells.takeUp({
    cellId: body.cell,
    base: { repository: running.mirror, commit: base },
    tree,
    pack: whole(pack),
    identity: { ...by, message, atSeconds },
    dropped,
    canaries,
  });
  if (work.commit === commit) return work;
  await running.cells.discard(work);
  throw new Failure('handover_altered', { why: 'it comes to another commit', commit: work.commit });
}

async function* whole(pack: Uint8Array): AsyncGenerator<Uint8Array> {
  yield pack;
}

/** False where there is nothing to keep. Throws where that cannot be told yet. */
async function keep(acting: Acting, running: Running, file: StowedFile): Promise<boolean> {
  const { mission, attempt, fence, until, work: laid } = file.body;
  if (laid === null || until === null) return false;
  const { principal: name, signer } = acting;
  const email = `${signer.fingerprint}@lazarus.invalid`;
  const work = await laidOut(running, file, { name, email, canaries: running.canaries });
  try {
    return await keepLate(acting, running, { mission, attempt, fence, work, until });
  } finally {
    await running.cells.discard(work).catch(() => undefined);
  }
}

/** The cells that stand in the ledger for the checks of this work: what they are is what was written down of them. */
async function bornFor(
  { world, ref }: Acting,
  state: MissionState,
  found: readonly FoundEnvironment[],
): Promise<BornChecks> {
  const { attempt, cells } = courseOf(state)!;
  const checks = attempt!.checks.map(({ cell, limits }) => ({ cell, limits }));
  const prepares: ToPrepare[] = [];
  if (Object.values(cells).some(({ purpose }) => purpose === 'prepare')) {
    const { place } = world.bench;
    await place.keep(ref, (await place.head(ref))!);
    await readEvents(world.bench, ref, (event) => {
      if (event.event_type !== 'cell.spawned' || cells[event.entity_id]?.purpose !== 'prepare') return;
      const { backend, level, limits, uid, environment, reach } = event.payload;
      const [key] = environment;
      const one = found.find((wanted) => wanted.key === key);
      if (key === undefined || one === undefined) throw new Failure('environment_missing', { key: key ?? '' });
      prepares.push({ found: one, born: { cell: event.entity_id, key, reach, backend, level, limits, uid } });
    });
  }
  return { checks, prepares };
}
