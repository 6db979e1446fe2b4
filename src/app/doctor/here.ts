// What everything that is examined shares: the ports, and what several look at, each looked at once. Judges nothing.
import { fromUtf8 } from '../../format/bytes.ts';
import { readPolicyFile } from '../../documents/policy-file.ts';
import type { Oid } from '../../format/git/object.ts';
import type { PolicyProfile } from '../../kernel/policy/profile.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { refuse, type Verdict } from '../../kernel/verdict.ts';
import type { Cells } from '../../ports/cells.ts';
import type { EnvironmentCache, Environments } from '../../ports/environments.ts';
import type { Forge } from '../../ports/forge.ts';
import type { Host } from '../../ports/host.ts';
import type { KeyStore, StoredKey } from '../../ports/keys.ts';
import type { OpenRoute } from '../../ports/network.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { BuiltAction } from '../init/forge/action.ts';
import { POLICY_PATH } from '../init/policy-files.ts';
import { projectIn } from '../init/project.ts';
import { fileAt } from '../mission/target.ts';
import type { Workbench } from '../workbench.ts';

export type DoctorWorld = {
  readonly node: string;
  /** Undefined where there is no git. */
  readonly git: () => Promise<string | undefined>;
  /** Throws where there is no repository that a ledger can live in. */
  readonly bench: () => Promise<Workbench>;
  readonly cells: Cells;
  readonly environments: Environments & EnvironmentCache;
  readonly keys: () => Promise<KeyStore>;
  readonly secrets: Secrets;
  readonly host: Host;
  /** Where git says that others have this repository, without credentials. */
  readonly remotes: () => Promise<readonly Remote[]>;
  readonly forge: (url: string) => Forge;
  /** As this program would bring it to a forge. */
  readonly builtAction: () => Promise<BuiltAction>;
  /** The ledgers of one of them, with this repository as its copy. */
  readonly far: (remote: string) => Promise<Workbench>;
  readonly call: CallRoute;
  /** Who keeps keys from jobs on this machine. */
  readonly supervisor: () => Promise<SupervisorSeen>;
  readonly folders: { readonly cells: string; readonly repository: (bench: Workbench) => string };
  readonly told: Told;
};

/** At its socket: nobody, or whoever made that, and whether it answers. */
export type SupervisorSeen = {
  readonly path: string;
  readonly uid: number | undefined;
  readonly is: 'none' | 'answers' | 'silent';
};

/** One call that costs nothing, through the route. */
export type CallRoute = (route: OpenRoute, caFile: string | undefined) => Promise<CallMade>;
/** `denied`: the route itself answered, with this word. */
export type CallMade = { readonly call: string; readonly status: number; readonly denied: string | undefined };

export type Remote = { readonly name: string; readonly is: 'http' | 'ssh' | 'file'; readonly url: string };

/** What this process was told by its surroundings: names of variables, and no value that could be a secret. */
export type Told = {
  /** A job of a forge's CI, whose user is the runner's. */
  readonly isJob: boolean;
  /** Whether somebody can be asked for a passphrase. */
  readonly isInteractive: boolean;
  /** From the environment; opened with, and shown nowhere. */
  readonly passphrase: string | undefined;
  readonly isRoot: boolean;
  readonly variables: ReadonlySet<string>;
  /** The one server that the token is for. */
  readonly tokenOrigin: string | undefined;
};

export type Here = DoctorWorld & {
  readonly opened: () => Promise<Workbench | undefined>;
  readonly head: () => Promise<Oid | undefined>;
  /** Verified; undefined where there is no project ledger, or none that can be believed. */
  readonly project: () => Promise<ProjectState | undefined>;
  /** As it stands at HEAD, in force or not. */
  readonly policy: () => Promise<Verdict<PolicyProfile>>;
  readonly profile: () => Promise<PolicyProfile | undefined>;
  readonly stored: () => Promise<readonly StoredKey[]>;
};

export function hereOf(world: DoctorWorld): Here {
  const bench = once(world.bench);
  const opened = once(() => bench().catch(() => undefined));
  const head = once(async () => (await opened())?.parts.repository.resolve('HEAD'));
  const project = once(async () => projectIn(await bench()).state());
  const policy = once(async (): Promise<Verdict<PolicyProfile>> => {
    const [at, commit] = await Promise.all([opened(), head()]);
    const bytes = at === undefined || commit === undefined ? undefined : await fileAt(at, commit, POLICY_PATH);
    return readPolicyFile(bytes && textOf(bytes), POLICY_PATH);
  });
  return {
    ...world,
    bench,
    opened,
    head,
    project,
    policy,
    async profile() {
      const read = await policy().catch(() => refuse('policy_unreadable'));
      return read.is === 'accepted' ? read.value : undefined;
    },
    stored: once(async () => (await world.keys()).list()),
    supervisor: once(world.supervisor),
  };
}

function once<T>(look: () => Promise<T>): () => Promise<T> {
  let looked: Promise<T> | undefined;
  return () => (looked ??= look());
}

/** What is no UTF-8 is no text that could be read: as good as not there. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return fromUtf8(bytes);
  } catch {
    return undefined;
  }
}

/** A job whose missions another user runs: what those need is that user's to have. */
export async function isSupervised({ told, supervisor }: Here): Promise<boolean> {
  return told.isJob && (await supervisor()).is === 'answers';
}
