// One attempt: the lease and the birth are durable before anything runs, the agent works in its cell, what it made is
// checked and run again elsewhere, and all of it is handed over in one transaction. The agent's own word decides nothing.
import { Failure } from '../../failure.ts';
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import { renderBrief } from '../../kernel/contract/brief-text.ts';
import { decideHandOver, decideSpawn, readyToRun, type HandOver } from '../../kernel/decide/work.ts';
import { parsePlanDocument, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import { briefOf } from '../../kernel/proposal/brief-of.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { incomingRef } from '../../ledger/names.ts';
import type { Cell, Cells, OutputChunk } from '../../ports/cells.ts';
import type { SeedKeys } from '../../ports/seeds.ts';
import type { Change } from '../../ports/repository.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { drawDocuments, type DrawnDocument, type NewDocument } from '../artifacts/documents.ts';
import { certifyBirth } from './birth.ts';
import { collect } from './collect.ts';
import type { Collected } from './hand-over.ts';
import { readDocument } from './documents.ts';
import { genesisHash } from './genesis.ts';
import { rulesAt } from './rules.ts';
import { assertBaseStands } from './target.ts';
import { expectAccepted, instant, MINUTE_SECONDS, missionState, namesFrom, type Acting } from './world.ts';

export type Running = {
  readonly cells: Cells;
  readonly repositories: WorkRepositories;
  readonly seedKeys: SeedKeys;
  /** The repository that has the base, and the host's own copy of it that cells are given. */
  readonly source: string;
  readonly mirror: string;
  /** Secrets of this host, searched for in everything a cell says. */
  readonly canaries: readonly string[];
  /** Folders with toolchains that a cell may read. */
  readonly tools: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly onOutput?: (chunk: OutputChunk) => void;
  /** Called between the steps; tests stop the process there. */
  readonly onStep?: (step: string) => Promise<void> | void;
};

/** Beyond the cell's own time, for taking the work and checking it. */
const CHECKING_MINUTES = 15;
const PARTICIPANT = 'agent';

export async function runAttempt(acting: Acting, running: Running): Promise<Verdict<MissionState>> {
  const { world, ref } = acting;
  const state = await missionState(acting);
  const ready = readyToRun(state.course ?? NOTHING);
  if (ready.is === 'refused') return ready;
  const plan = state.course!.plan!;
  const document = expectAccepted(parsePlanDocument(await readDocument(world.bench, ref, plan.plan)));
  // Re-checked at use: the base and the rules that people approved it under.
  await assertBaseStands(world.bench, document.proposal.base, plan.base_commit);
  const rules = await rulesAt(world, plan.base_commit);
  await assertFit(running.cells, plan.level);
  await running.repositories.mirror(running.source, running.mirror, plan.base_commit);
  const born = await spawn(acting, running, { state, document, profile: rules.policy.profile.profile });
  if (born.is === 'refused') return born;
  await running.onStep?.('spawned');
  const collected = await collect(born.value.start, running, { state: born.value.state, document, rules, by: acting });
  await running.onStep?.('collected');
  return handOver(acting, born.value.state, collected);
}

const NOTHING = { lease: null, attempt: null, grants: {}, approvals: {} } as never;

async function assertFit(cells: Cells, level: number): Promise<void> {
  const probe = await cells.probe();
  if (probe.is === 'unfit') throw new Failure(probe.code, { backend: probe.backend, why: probe.why });
  if (probe.level < level)
    throw new Failure('level_unmet', { level: probe.level, asked: level, backend: probe.backend });
}

type Born = { readonly state: MissionState; readonly start: () => Promise<Cell> };

async function spawn(
  acting: Acting,
  running: Running,
  {
    state,
    document,
    profile,
  }: { readonly state: MissionState; readonly document: PlanDocument; readonly profile: string },
): Promise<Verdict<Born>> {
  const { world, ref, desk, principal } = acting;
  const { bench, kit } = world;
  const { ids, clock } = bench.parts;
  const plan = state.course!.plan!;
  const names = namesFrom(ids);
  const brief = briefOf(document.proposal, state.course!.attempt!.id);
  const newborn = {
    cell: names('cell'),
    seed: names('seed'),
    child: await running.seedKeys.newSeedKey(PARTICIPANT, clock.nowSeconds()),
    genesisHash: await genesisHash(bench, ref, state),
    profile,
  };
  const certificate = await certifyBirth(acting, state, newborn);
  const [context, manifest] = await drawDocuments(bench, kit, [
    { content: utf8(jcs(brief)), mediaType: 'application/json' },
    { content: certificate.bytes, mediaType: 'application/json' },
  ]);
  const probe = await running.cells.probe();
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
          backend: plan.backend,
          epoch: 1,
          level: probe.is === 'fit' ? probe.level : 0,
          manifest: manifest!.digest,
          manifest_hash: `sha256:${certificate.verified.payloadHash}`,
          role: 'executor',
          seed_id: newborn.seed,
        },
        names,
      ),
  });
  if (written.is === 'refused') return written;
  const start = (): Promise<Cell> =>
    running.cells.spawn({
      cellId: newborn.cell,
      participant: PARTICIPANT,
      role: 'executor',
      epoch: 1,
      manifest: certificate.verified,
      project: { repository: running.mirror, commit: plan.base_commit },
      command: { argv: document.agent },
      limits: { wallMs: plan.budget_minutes * MINUTE_SECONDS * 1000 },
      brief: { 'brief.json': utf8(jcs(brief)), 'brief.md': utf8(renderBrief(brief)) },
      requiredLevel: plan.level as Cell['level'],
      canaries: running.canaries,
      tools: running.tools,
      env: running.environment,
    });
  return accept({ state: written.value.state, start });
}

async function handOver(acting: Acting, state: MissionState, collected: Collected): Promise<Verdict<MissionState>> {
  const { world, desk } = acting;
  const { bench } = world;
  const documents = await drawAll(acting, collected.documents);
  const digestOf = (name: string): string => documents.get(name)!.digest;
  const names = namesFrom(bench.parts.ids);
  const out: HandOver = collected.describe(digestOf);
  const incoming = collected.work;
  const { cell, fence } = state.course!;
  const born = { cell: cell!.id, fence };
  const written = await desk.transact({
    documents: [...documents.values()],
    decide: (now) => decideHandOver(now, born, out, names),
    ...(incoming === undefined || out.failure !== undefined ? {} : { along: () => bringWork(acting, state, incoming) }),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

async function drawAll(
  { world }: Acting,
  wanted: ReadonlyMap<string, NewDocument>,
): Promise<ReadonlyMap<string, DrawnDocument>> {
  const drawn = await drawDocuments(world.bench, world.kit, [...wanted.values()]);
  return new Map([...wanted.keys()].map((name, i) => [name, drawn[i]!]));
}

/** The work's objects and the reference that hands them over, in the same change as the event that names them. */
async function bringWork(
  { world }: Acting,
  state: MissionState,
  work: NonNullable<Collected['work']>,
): Promise<Change> {
  const ref = incomingRef(state.course!.attempt!.id);
  const old = await world.bench.place.head(ref);
  return { objects: work.objects, updates: [{ ref, old, next: work.commit }] };
}
