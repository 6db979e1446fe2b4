// One attempt in three transactions: lease and birth, before anything runs; what the agent's cell came to, and the births of
// the checks; what those came to. The agent's own word decides nothing, and what a birth says of a cell was probed.
import { courseOf } from '../../kernel/course/steps.ts';
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import { renderBrief } from '../../kernel/contract/brief-text.ts';
import { decideHandOver, decideResults, decideSpawn, readyToRun } from '../../kernel/decide/work.ts';
import { agentCellOf } from '../../kernel/course/course.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { agentReach } from '../../kernel/policy/reach.ts';
import { briefOf } from '../../kernel/proposal/brief-of.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { incomingRef } from '../../ledger/names.ts';
import type { Cell, Cells, OutputChunk, ProjectBase, Work } from '../../ports/cells.ts';
import type { Environments, FoundEnvironment } from '../../ports/environments.ts';
import type { Reach } from '../../ports/network.ts';
import type { SeedKeys } from '../../ports/keys.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Change } from '../../ports/repository.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { drawDocuments, type DrawnDocument, type NewDocument } from '../artifacts/documents.ts';
import { certifyBirth, genesisHash } from './birth.ts';
import { checkWork } from './check-work.ts';
import { collect } from './collect.ts';
import type { Collected } from './hand-over.ts';
import { planDocumentOf } from './documents.ts';
import { environmentsOf, mountedOf, prepareAll, programOf, toPrepare, type ToPrepare } from './prepare.ts';
import { assertFit, probed } from './probed.ts';
import { lookOut, type UntilNextLook } from './lookout.ts';
import { recomputePlan } from './recompute.ts';
import { rulesAt, type Rules } from './rules.ts';
import { assertBaseStands } from './target.ts';
import { instant, MINUTE_SECONDS, missionState, namesFrom, type Acting } from './world.ts';

export type Running = {
  readonly cells: Cells;
  readonly repositories: WorkRepositories;
  readonly seedKeys: SeedKeys;
  /** The repository that has the base, and the host's own copy of it that cells are given. */
  readonly source: string;
  readonly mirror: string;
  /** Secrets of this host, searched for in everything a cell says. */
  readonly canaries: readonly string[];
  /** What was prepared before, and what prepares it. */
  readonly environments: Environments;
  /** Where keys of routes are found, by reference. */
  readonly secrets: Secrets;
  /** The rhythm in which a supervisor looks whether its mission was called off. */
  readonly untilNextLook: UntilNextLook;
  readonly onOutput?: (chunk: OutputChunk) => void;
  /** Called between the steps; tests stop the process there. */
  readonly onPoint?: (point: string) => Promise<void> | void;
};

/** Beyond the cell's own time, for taking the work and checking it. */
const CHECKING_MINUTES = 15;
const PARTICIPANT = 'agent';

export async function runAttempt(acting: Acting, running: Running): Promise<Verdict<MissionState>> {
  const { world } = acting;
  const state = await missionState(acting);
  const ready = readyToRun(courseOf(state) ?? NOTHING);
  if (ready.is === 'refused') return ready;
  const plan = state.course!.plan!;
  const document = await planDocumentOf(acting, state);
  // Re-checked at use: the base and the rules that people approved it under.
  await assertBaseStands(world.bench, document.proposal.base, plan.base_commit);
  const rules = await rulesAt(world, plan.base_commit);
  const follows = await recomputePlan(acting, state);
  if (follows.is === 'refused') return follows;
  await assertFit(running.cells, plan);
  await running.repositories.mirror(running.source, running.mirror, plan.base_commit);
  const born = await spawn(acting, running, { state, document, profile: rules.policy.profile.profile });
  if (born.is === 'refused') return born;
  await running.onPoint?.('spawned');
  const lookout = lookOut(acting, running.untilNextLook);
  try {
    return await supervise(acting, running, { ...born.value, document, rules, cancelled: lookout.cancelled });
  } finally {
    await lookout.close();
  }
}

type Supervised = Born & {
  readonly document: PlanDocument;
  readonly rules: Rules;
  readonly cancelled: AbortSignal;
};

async function supervise(
  acting: Acting,
  running: Running,
  { state, start, prepares, canaries, document, rules, cancelled }: Supervised,
): Promise<Verdict<MissionState>> {
  const around = { environments: running.environments, plan: state.course!.plan!, document, canaries, cancelled };
  const prepared = await prepareAll(prepares, around);
  // Work that brought another lock file along is checked with what that one names.
  const forChecks = (work: Work) => environmentsForChecks(running, document, work, state);
  const collected = await collect(start, running, {
    state,
    document,
    rules,
    by: acting,
    cancelled,
    prepared,
    forChecks,
  });
  if (cancelled.aborted) await running.onPoint?.('cancelled');
  await running.onPoint?.('collected');
  try {
    return await judge(acting, running, { born: state, document, collected, cancelled, canaries });
  } finally {
    // What goes on is in memory by now; the repository around it is nobody's.
    if (collected.made !== undefined) await running.cells.discard(collected.made.work).catch(() => undefined);
  }
}

const NOTHING = { cancelled: null, lease: null, attempt: null, grants: {}, approvals: {} } as never;

type Born = {
  readonly state: MissionState;
  /** Born with the agent's cell, and run before it. */
  readonly prepares: readonly ToPrepare[];
  readonly start: () => Promise<Cell>;
  /** What no cell of this attempt may say: this host's secrets, and the keys of its routes. */
  readonly canaries: readonly string[];
};

type Spawning = { readonly state: MissionState; readonly document: PlanDocument; readonly profile: string };

async function spawn(acting: Acting, running: Running, { state, document, profile }: Spawning): Promise<Verdict<Born>> {
  const { world, desk, principal } = acting;
  const { bench, kit } = world;
  const { ids, clock } = bench.parts;
  const plan = state.course!.plan!;
  const { agent } = document;
  const names = namesFrom(ids);
  const project: ProjectBase = { repository: running.mirror, commit: plan.base_commit };
  // A key that is not there is found missing before anything is written, and so is a file that preparing needs.
  const reach = await reachOf(running.secrets, document);
  const canaries = [...running.canaries, ...(reach?.routes ?? []).map(({ secret }) => secret)];
  const found = await environmentsOf(running.environments, document, { project, origin: 'base' });
  const program = await programOf(running.environments, document, project);
  const prepares = await toPrepare(running.cells, [...found, ...program], names);
  const brief = briefOf(document.proposal, courseOf(state)!.attempt!.id);
  const newborn = {
    cell: names('cell'),
    seed: names('seed'),
    child: await running.seedKeys.newSeedKey(PARTICIPANT, clock.nowSeconds()),
    genesisHash: await genesisHash(acting),
    profile,
    document,
  };
  const certificate = await certifyBirth(acting, state, newborn);
  const [context, manifest] = await drawDocuments(bench, kit, [
    { content: utf8(jcs(brief)), mediaType: 'application/json' },
    { content: certificate.bytes, mediaType: 'application/json' },
  ]);
  const cell = await probed(running.cells, newborn.cell);
  const written = await desk.transact({
    documents: [context!, manifest!],
    decide: (now) =>
      decideSpawn(
        now,
        {
          cell: newborn.cell,
          holder: principal,
          leaseUntil: instant(world, (plan.ttl_minutes + CHECKING_MINUTES) * MINUTE_SECONDS),
          workspace: names('workspace'),
          context: context!.digest,
          ...cell,
          environment: [...found, ...program].map(({ key }) => key),
          epoch: 1,
          manifest: manifest!.digest,
          manifest_hash: `sha256:${certificate.verified.payloadHash}`,
          prepares: prepares.map(({ born }) => born),
          reach: [...agentReach(agent)],
          role: 'executor',
          seed_id: newborn.seed,
        },
        names,
      ),
  });
  if (written.is === 'refused') return written;
  const text = renderBrief(brief);
  const start = async (): Promise<Cell> =>
    running.cells.spawn({
      cellId: newborn.cell,
      participant: PARTICIPANT,
      role: 'executor',
      epoch: 1,
      manifest: certificate.verified,
      project,
      command: { argv: agent.brief === 'argument' ? [...agent.command, text] : agent.command },
      limits: { wallMs: plan.budget_minutes * MINUTE_SECONDS * 1000 },
      brief: { 'brief.json': utf8(jcs(brief)), 'brief.md': utf8(text) },
      requiredLevel: plan.level as Cell['level'],
      requiredLimits: cell.limits,
      canaries,
      env: agent.env,
      home: agent.home,
      effects: document.effects,
      masked: agent.trusts_base ? [] : agent.configured_by,
      ...(agent.brief === 'input' ? { input: utf8(text) } : {}),
      ...(reach === undefined ? {} : { reach }),
      ...(await mountedOf(running.environments, [...found, ...program])),
    });
  return accept({ state: written.value.state, prepares, start, canaries });
}

/** Undefined for an agent that reaches nothing: its cell has no listener then, and no network. */
async function reachOf(secrets: Secrets, { agent, routes, ca_file }: PlanDocument): Promise<Reach | undefined> {
  if (agent.routes.length === 0 && agent.hosts.length === 0) return undefined;
  const open = await Promise.all(
    agent.routes.map(async (name) => {
      const route = routes[name]!;
      return { ...route, name, secret: await secrets.resolve(route.key) };
    }),
  );
  return { hosts: agent.hosts, routes: open, ...(ca_file === null ? {} : { caFile: ca_file }) };
}

type Judging = Pick<Supervised, 'cancelled' | 'document' | 'canaries'> & {
  readonly born: MissionState;
  readonly collected: Collected;
};

/** Hands over what the agent's cell came to and, with work in it, what the plan's checks made of that. */
async function judge(
  acting: Acting,
  running: Running,
  { born, document, collected, cancelled, canaries }: Judging,
): Promise<Verdict<MissionState>> {
  const { world, desk } = acting;
  const names = namesFrom(world.bench.parts.ids);
  const plan = born.course!.plan!;
  const under = { cell: agentCellOf(courseOf(born)!)!, fence: born.course!.fence };
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
    decide: (now) => decideHandOver(now, under, out, names),
  });
  if (handed.is === 'refused') return handed;
  const { state } = handed.value;
  // Called off: no check was born, whatever was to be checked.
  if (made === undefined || out.failure !== undefined || state.course!.cancelled !== null) return accept(state);
  await running.onPoint?.('handed_over');
  const prepared = await prepareAll(prepares, {
    environments: running.environments,
    plan,
    document,
    canaries,
    cancelled,
  });
  const checked = await checkWork(running, {
    state,
    document,
    work: made.work,
    born: checks,
    cancelled,
    canaries,
    prepared,
    found,
  });
  await running.onPoint?.('checked');
  const outputs = await drawAll(acting, checked.documents);
  const results = checked.describe((name) => outputs.get(name)!.digest);
  const written = await desk.transact({
    documents: [...outputs.values()],
    decide: (now) => decideResults(now, under, results, names),
    ...(checked.failure === undefined ? { along: () => bringWork(acting, state, made) } : {}),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

/** Made from the work, an entry is this attempt's own: nobody else is given what an agent brought about. */
async function environmentsForChecks(
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
async function bringWork(
  { world }: Acting,
  state: MissionState,
  { work, objects }: NonNullable<Collected['made']>,
): Promise<Change> {
  const ref = incomingRef(courseOf(state)!.attempt!.id);
  const old = await world.bench.place.head(ref);
  return { objects, updates: [{ ref, old, next: work.commit }] };
}
