// Builds what one job of a forge's CI works with: a bare repository of its own in the job's folder, removed when it ends, the forge as remote, the
// job's key, and the project verified from its first event.
import { createGitea } from '../adapters/gitea/server.ts';
import { signerFromText } from '../adapters/keys/key-text.ts';
import { bareRepository } from '../adapters/git/bare-repository.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { missionOfIssue } from '../app/gate/issue-index.ts';
import type { Site } from '../app/gate/site.ts';
import { branchExecutors } from '../app/mission/executors.ts';
import { forgeExecutors } from '../app/mission/forge-executors.ts';
import { actOn, projectState, type MissionWorld } from '../app/mission/world.ts';
import { PROJECT_SHELF } from '../app/artifacts/documents.ts';
import { bringTogether, type Recent } from '../app/recent-heads.ts';
import type { Workbench } from '../app/workbench.ts';
import { briefWorkbench } from './brief.ts';
import { compose, type App, type Circumstances } from './app.ts';
import { missionWorld, runningOf } from './missions.ts';
import { Failure } from '../failure.ts';
import type { Role } from '../kernel/principal.ts';
import type { ProjectState } from '../kernel/state.ts';
import { missionName } from '../kernel/values.ts';
import { ledgerName, LEDGER_REFS, PROJECT_REF } from '../ledger/names.ts';
import type { Forge, ForgeUser } from '../ports/forge.ts';
import type { Signer } from '../ports/keys.ts';
import type { ReasonCode } from '../reasons.ts';
import type { JobCircumstances } from '../surfaces/action/circumstances.ts';

type JobRole = 'gate' | 'cell' | 'writer';

export type JobSite = Site & {
  /** How long each push took so far: the forge’s time, told apart from ours. */
  readonly pushesMs: readonly number[];
  readonly close: () => Promise<void>;
};

type JobOptions = {
  readonly role: JobRole;
  /** What the job will look at besides the project, as far as it can tell; brought along in one go. */
  readonly refs: readonly string[];
  /** An id for the mission that an event may become. */
  readonly fresh?: string;
  /** The issue that it is about: its mission, if there is one, is brought while the project is verified. */
  readonly issue?: number;
  /** Looks at ledgers and two files, answers and ends: worth no clone on a disk. */
  readonly isBrief: boolean;
};

export async function openJobSite(at: JobCircumstances, env: NodeJS.ProcessEnv, options: JobOptions): Promise<JobSite> {
  const forge = createGitea({ url: at.serverUrl, token: env['LAZARUS_TOKEN'] });
  const own = forge.whoami();
  // Told when it is needed; a job that ends before that has no use for the answer.
  own.catch(() => undefined);
  const opening = { ...options, env, forge, own };
  const brief = options.isBrief ? openBrief(at, env) : undefined;
  if (brief !== undefined) {
    try {
      return await openSite(at, { ...opening, ...brief });
    } catch (error) {
      await brief.close();
      if (!(error instanceof Failure && FOR_GIT.has(error.code))) throw error;
    }
  }
  const clone = await openClone(at, env);
  try {
    return await openSite(at, { ...opening, ...clone });
  } catch (error) {
    await clone.close().catch(() => undefined);
    throw error;
  }
}

/** Too much for memory, or reached by means that git alone has: credential helpers, certificates, older protocols. */
const FOR_GIT: ReadonlySet<ReasonCode> = new Set([
  'object_too_large',
  'remote_protocol',
  'remote_unreachable',
  'certificate_refused',
  'authentication_needed',
]);

type Opened = {
  readonly app: App;
  readonly bench: Workbench;
  readonly pushesMs: readonly number[];
  readonly close: () => Promise<void>;
};

function openBrief(at: JobCircumstances, env: NodeJS.ProcessEnv): Opened | undefined {
  const { recent, pushesMs } = timedPushes();
  const base = baseOf(at, env);
  const bench = briefWorkbench(cloneUrl(at), { env: base.env, recent });
  return bench === undefined ? undefined : { app: compose(base), bench, pushesMs, close: () => bench.close() };
}

async function openClone(at: JobCircumstances, env: NodeJS.ProcessEnv): Promise<Opened> {
  const { recent, pushesMs } = timedPushes();
  const base = baseOf(at, env);
  const { path, remove } = await bareRepository({ folder: at.temporary });
  try {
    const app = compose({ ...base, cwd: path });
    const bench = await app.workbench({ url: cloneUrl(at) }, { recent, isOwn: true });
    const close = async (): Promise<void> => {
      try {
        await bench.close();
      } finally {
        await remove();
      }
    };
    return { app, bench, pushesMs, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

function timedPushes(): { readonly recent: Recent; readonly pushesMs: readonly number[] } {
  const pushesMs: number[] = [];
  return { pushesMs, recent: { nowMs: () => performance.now(), onPush: (tookMs) => pushesMs.push(tookMs) } };
}

function cloneUrl({ serverUrl, owner, repository }: JobCircumstances): string {
  return `${serverUrl}/${owner}/${repository}.git`;
}

function baseOf(at: JobCircumstances, env: NodeJS.ProcessEnv): Circumstances {
  return {
    cwd: at.temporary,
    env: jobEnvironment(at, env),
    signal: new AbortController().signal,
    input: { interactive: false },
  };
}

/** The job's token goes to its own server and nowhere else. */
function jobEnvironment({ serverUrl }: JobCircumstances, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, LAZARUS_TOKEN_ORIGIN: serverUrl };
}

type Opening = Opened &
  JobOptions & {
    readonly env: NodeJS.ProcessEnv;
    readonly forge: Forge;
    readonly own: Promise<ForgeUser>;
  };

async function openSite(at: JobCircumstances, opening: Opening): Promise<JobSite> {
  const { env, role, fresh, forge, own, app, bench, close, pushesMs } = opening;
  const world = await openWorld(app, bench, { ...opening, genesis: at.genesis });
  const state = projectState(world);
  const signer = await signerFor(role, { env, app, state });
  const repository = forge.repository({ owner: at.owner, name: at.repository });
  const ownId = async (): Promise<number> => (await own).id;
  return {
    close,
    pushesMs,
    desk: async () => ({
      world,
      signer,
      forge: repository,
      ownId: await ownId(),
      owner: at.owner,
      repository: at.repository,
      ...(fresh === undefined ? {} : { fresh }),
      shown: { home: `${at.serverUrl}/${at.owner}/${at.repository}`, custody: 'actions', run: at.run },
    }),
    actOn: async (mission) => actOn(world, await bench.findAnywhere(mission), signer),
    executors: async () => ({ ...branchExecutors(bench), ...forgeExecutors(repository, await ownId()) }),
    running: () => runningOf(bench, { env, canaries: canariesIn(env) }),
    openMissions: () => openMissions(world),
  };
}

/** From the first event on, and from no other first event than the one the workflow names. */
async function openWorld(
  app: App,
  bench: Workbench,
  { genesis, refs, issue }: Pick<JobOptions, 'refs' | 'issue'> & { readonly genesis: string },
): Promise<MissionWorld> {
  const head = (await bringTogether(bench, [PROJECT_REF, PROJECT_SHELF, ...refs])).get(PROJECT_REF);
  if (head === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(PROJECT_REF) });
  await bench.place.keep(PROJECT_REF, head);
  // What goes wrong with it is told to whoever asks for it again.
  const ahead = issue === undefined ? undefined : missionOfIssue(bench, issue).catch(() => undefined);
  const world = await missionWorld(app, bench, { genesis });
  await ahead;
  const found = projectState(world).project_genesis;
  if (found !== genesis) throw new Failure('genesis_mismatch', { expected: genesis, found });
  return world;
}

/** A mission whose claims were let go is over; a proposal has none yet. */
async function openMissions(world: MissionWorld): Promise<readonly string[]> {
  const { remote } = world.bench.parts;
  if (remote === undefined) return [];
  const over = new Set(
    Object.entries(projectState(world).missions).flatMap(([id, { claims }]) =>
      claims.length === 0 ? [missionName(id)] : [],
    ),
  );
  const heads = await remote.heads([`${LEDGER_REFS}m-*`]);
  return [...heads.keys()].map(ledgerName).filter((name) => !over.has(name));
}

const KEY_VARIABLES = {
  gate: ['LAZARUS_GATE_KEY', 'LAZARUS_GATE_PASSPHRASE'],
  writer: ['LAZARUS_WRITER_KEY', 'LAZARUS_WRITER_PASSPHRASE'],
} as const;
const ROLES: Readonly<Record<JobRole, Role>> = { gate: 'gate', cell: 'runner', writer: 'writer' };

async function signerFor(
  role: JobRole,
  { env, app, state }: { readonly env: NodeJS.ProcessEnv; readonly app: App; readonly state: ProjectState },
): Promise<Signer> {
  const wanted = ROLES[role];
  const members = state.roster.members.filter(({ roles }) => roles.includes(wanted));
  const nameOf = (fingerprint: string): string => {
    const member = members.find(({ keys }) => keys.some((key) => key.fingerprint === fingerprint));
    if (member === undefined) throw new Failure('signer_unknown', { fingerprint, role: wanted });
    return member.principal_id;
  };
  if (role !== 'cell') {
    const [key, passphrase] = KEY_VARIABLES[role];
    const armored = env[key];
    if (armored === undefined || armored === '') throw new Failure('key_not_found', { variable: key });
    return signerFromText(nodeCrypto, armored, { nameOf, passphrase: () => Promise.resolve(env[passphrase] ?? '') });
  }
  // The runner's own: a file of its user, made there and enrolled by the roots.
  const { store } = await app.keys();
  const own = (await store.list()).find(({ fingerprint }) =>
    members.some(({ keys }) => keys.some((one) => one.fingerprint === fingerprint)),
  );
  if (own === undefined) throw new Failure('key_not_found', { role: wanted });
  return store.open(own.fingerprint, () => Promise.reject(new Failure('passphrase_needed', {})));
}

/** What this process knows and no cell may ever say. */
function canariesIn(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && (value?.length ?? 0) >= CANARY_CHARACTERS_MIN)
    .map(([, value]) => value!);
}

const SECRET_NAME = /TOKEN|KEY|SECRET|PASSW|PASSPHRASE/i;
const CANARY_CHARACTERS_MIN = 8;
