// The birth of an attempt: what its agent reaches and finds, its manifest, and the transaction that makes lease, fence and cells
// durable. Starts nothing: what starts the agent's cell is handed back.
import { courseOf } from '../../kernel/course/steps.ts';
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import { renderBrief } from '../../kernel/contract/brief-text.ts';
import { decideSpawn } from '../../kernel/decide/work.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { agentReach } from '../../kernel/policy/reach.ts';
import { briefOf } from '../../kernel/proposal/brief-of.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import type { Cell, ProjectBase } from '../../ports/cells.ts';
import type { Reach } from '../../ports/network.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { firstBeacon } from './beat.ts';
import { certifyBirth, genesisHash } from './birth.ts';
import { environmentsOf, mountedOf, programOf, toPrepare, type ToPrepare } from './prepare.ts';
import { probed } from './probed.ts';
import { instant, MINUTE_SECONDS, namesFrom, type Acting } from './world.ts';
import type { Running } from './run.ts';

/** Beyond the cell's own time, for taking the work and checking it. */
const CHECKING_MINUTES = 15;
const PARTICIPANT = 'agent';

export type Born = {
  readonly state: MissionState;
  /** Born with the agent's cell, and run before it. */
  readonly prepares: readonly ToPrepare[];
  readonly start: () => Promise<Cell>;
  /** What no cell of this attempt may say: this host's secrets, and the keys of its routes. */
  readonly canaries: readonly string[];
};

type Spawning = { readonly state: MissionState; readonly document: PlanDocument; readonly profile: string };

export async function spawn(
  acting: Acting,
  running: Running,
  { state, document, profile }: Spawning,
): Promise<Verdict<Born>> {
  const { world, desk, principal } = acting;
  const { bench, kit } = world;
  const { ids, clock } = bench.parts;
  const plan = state.course!.plan!;
  const { agent } = document;
  const names = namesFrom(ids);
  const project: ProjectBase = { repository: running.mirror, commit: plan.base_commit };
  // A key that is not there is found missing before anything is written, and so is a file that preparing needs.
  const reach = await reachOf(running.secrets, document);
  const canaries = canariesFor(running, reach);
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
  const attempt = courseOf(state)!.attempt!.id;
  const written = await desk.transact({
    documents: [context!, manifest!],
    ...(bench.place.isFar
      ? { along: firstBeacon(acting, { mission: state.ledger_id, attempt, fence: state.course!.fence + 1 }) }
      : {}),
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

/** This host's, and the keys of the agent's routes. */
export function canariesFor({ canaries }: Pick<Running, 'canaries'>, reach: Reach | undefined): readonly string[] {
  return [...canaries, ...(reach?.routes ?? []).map(({ secret }) => secret)];
}

/** Undefined for an agent that reaches nothing: its cell has no listener then, and no network. */
export async function reachOf(secrets: Secrets, { agent, routes, ca_file }: PlanDocument): Promise<Reach | undefined> {
  if (agent.routes.length === 0 && agent.hosts.length === 0) return undefined;
  const open = await Promise.all(
    agent.routes.map(async (name) => {
      const route = routes[name]!;
      return { ...route, name, secret: await secrets.resolve(route.key) };
    }),
  );
  return { hosts: agent.hosts, routes: open, ...(ca_file === null ? {} : { caFile: ca_file }) };
}
