// What a job asks before the rest of its program is read: who it is to the forge, and for the references that it will look
// at. Reading the program takes longer than the forge does to answer. Knows no ledger and judges no answer.
import { createGitea } from '../adapters/gitea/server.ts';
import { openHttpRemote, type HttpRemote } from '../adapters/git-remote/open-http-remote.ts';
import { publicHalfOf } from '../adapters/keys/memory-keys.ts';
import { createMemoryRepository } from '../adapters/memory/memory-repository.ts';
import { POLICY_FILE, withBaseParts, type BaseParts } from '../app/base-part.ts';
import { refsOfName } from '../app/gate/before.ts';
import { KEY_VARIABLES } from '../app/gate/job-key.ts';
import { patienceFor, withPatience, type Patience } from '../app/patience.ts';
import { recallProject, type Recalled } from '../app/recall-project.ts';
import { bringTogether, withRecentHeads, type Recent } from '../app/recent-heads.ts';
import { backOffUntil } from '../adapters/system/clock.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import type { Oid } from '../format/git/object.ts';
import { KNOWN_REFS, knownRef } from '../ledger/names.ts';
import type { Remote } from '../ports/remote.ts';
import type { Forge, ForgeUser } from '../ports/forge.ts';
import type { Repository } from '../ports/repository.ts';

/** Where a job runs, and for which project. */
export type JobOrigin = {
  readonly serverUrl: string;
  readonly owner: string;
  readonly repository: string;
  readonly genesis: string;
  readonly run: { readonly id: number; readonly attempt: number } | null;
  readonly temporary: string;
};

export type Asking = {
  /** What the job will look at besides the project, as far as it can tell; brought along in one go. */
  readonly refs: readonly string[];
  /** Looks at ledgers and two files, answers and ends: worth no clone on a disk. */
  readonly isBrief: boolean;
  /** For a forge that is away: an exchange with it waits this long before it fails. */
  readonly awayMsMax: number;
  readonly told: (line: string) => void;
  /** Aborted when the job is told to leave: it waits for nobody then. */
  readonly leaving?: AbortSignal;
};

/** On its way; what goes wrong is told to whoever waits for the answer. */
export type FirstQuestions = {
  readonly patience: Patience;
  /** The forge is away for good, as far as this job goes: whatever still waits for it ends. */
  readonly giveUp: () => void;
  readonly forge: Forge;
  readonly own: Promise<ForgeUser>;
  /** Undefined where a clone is needed, or only git knows the way to the forge. */
  readonly brief: BriefParts | undefined;
};

export type BriefParts = BaseParts & {
  readonly repository: Repository;
  /** What the job's key left here of the project. */
  readonly recalled: Promise<Recalled | undefined>;
  readonly brought: Promise<ReadonlyMap<string, Oid>>;
  readonly pushesMs: readonly number[];
};

export function askFirst(at: JobOrigin, env: NodeJS.ProcessEnv, asking: Asking): FirstQuestions {
  const { refs, isBrief } = asking;
  const gaveUp = new AbortController();
  const signals = asking.leaving === undefined ? [gaveUp.signal] : [gaveUp.signal, asking.leaving];
  const patience = patienceOf({ ...asking, leaving: AbortSignal.any(signals) });
  // Before the other one: git's answer is what everything waits for.
  const brief = isBrief ? briefParts(at, env, { refs, patience }) : undefined;
  const forge = createGitea({ url: at.serverUrl, token: env['LAZARUS_TOKEN'], patience });
  const own = forge.whoami();
  own.catch(() => undefined);
  return { patience, giveUp: () => gaveUp.abort(), forge, own, brief };
}

export function patienceOf({ awayMsMax, told, leaving }: Pick<Asking, 'awayMsMax' | 'told' | 'leaving'>): Patience {
  const backOff = backOffUntil(leaving);
  return patienceFor({
    awayMsMax,
    nowMs: () => performance.now(),
    // Cut short, it has waited long enough.
    backOff: (...howLong) => backOff(...howLong).catch(() => undefined),
    ...(leaving === undefined ? {} : { over: leaving }),
    onAway: ({ code }) => told(`${code}: asked again for up to ${Math.round(awayMsMax / 1000)} s`),
    onBack: (awayMs) => told(`it answers again, after ${Math.round(awayMs / 1000)} s`),
  });
}

/** A repository in memory, filled over HTTP: what it holds is thrown away when the job ends. */
function briefParts(
  at: JobOrigin,
  env: NodeJS.ProcessEnv,
  { refs, patience }: { readonly refs: readonly string[]; readonly patience: Patience },
): BriefParts | undefined {
  const repository = createMemoryRepository();
  const opened = openHttpRemote({ repository, url: cloneUrl(at), env: jobEnvironment(at, env) });
  if (opened === undefined) return undefined;
  // Before it has answered once, git may know a way to it that we do not, and is asked next: it does the waiting then.
  let hasAnswered = false;
  const patient = withPatience(opened, (ask) => (hasAnswered ? patience(ask) : ask()));
  const { recent, pushesMs } = timedPushes();
  const { remote: whole, bringFile, bringEntry } = withBaseParts(repository, patient, POLICY_FILE);
  const remote = withRecentHeads(whole, recent);
  const all = refsOfJob(refs);
  const recalled = remote
    .heads([...all, `${KNOWN_REFS}*`])
    .then((heads) => recalledFrom(heads, env, { opened, remote, repository, genesis: at.genesis }));
  const brought = recalled.then(() => bringTogether({ remote, repository }, all));
  brought.then(
    () => (hasAnswered = true),
    () => undefined,
  );
  return { repository, remote, bringFile, bringEntry, recalled, brought, pushesMs };
}

type Reading = {
  readonly opened: HttpRemote;
  readonly remote: Remote;
  readonly repository: Repository;
  readonly genesis: string;
};

/** Before anything else is brought, so that what it spares is not. */
async function recalledFrom(
  heads: ReadonlyMap<string, Oid>,
  env: NodeJS.ProcessEnv,
  { opened, remote, repository, genesis }: Reading,
): Promise<Recalled | undefined> {
  if (![...heads.keys()].some((ref) => ref.startsWith(KNOWN_REFS))) return undefined;
  const own = publicHalfOf(nodeCrypto, env[KEY_VARIABLES.gate[0]] ?? '');
  const commit = own && heads.get(knownRef(own.fingerprint));
  if (own === undefined || commit === undefined) return undefined;
  const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const found = await recallProject({ crypto: nodeCrypto, repository, remote, soon }, { commit, own, genesis });
  if (found !== undefined) opened.beginAt(found.from);
  return found;
}

export function refsOfJob(refs: readonly string[]): readonly string[] {
  return [...refsOfName('project'), ...refs];
}

export function timedPushes(): { readonly recent: Recent; readonly pushesMs: readonly number[] } {
  const pushesMs: number[] = [];
  return { pushesMs, recent: { nowMs: () => performance.now(), onPush: (tookMs) => pushesMs.push(tookMs) } };
}

export function cloneUrl({ serverUrl, owner, repository }: JobOrigin): string {
  return `${serverUrl}/${owner}/${repository}.git`;
}

/** The job's token goes to its own server and nowhere else. */
export function jobEnvironment({ serverUrl }: JobOrigin, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, LAZARUS_TOKEN_ORIGIN: serverUrl };
}
