// A push through git itself: for ssh, for local paths, and for HTTP behind settings that only git understands.
// Reads the porcelain lines for the verdict on each reference; what git says beside them only explains.
import type { PushOutcome } from '../../ports/remote.ts';
import type { RefUpdate } from '../../ports/repository.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { Endpoint } from './endpoint.ts';
import { detailFrom, failedBeforePush, failureFromGit } from './git-errors.ts';
import type { GitRun } from './git-run.ts';
import type { NetworkGit, Settings } from './network-git.ts';
import { outcomeOf, type RefVerdict } from './outcome.ts';

/** The objects are in the local repository already. */
export async function pushThroughGit(
  git: NetworkGit,
  settings: Settings,
  at: Endpoint,
  updates: readonly RefUpdate[],
): Promise<PushOutcome> {
  // A lease with the old value spelled out is git's compare-and-swap; an empty one means: must not exist.
  const leases = updates.map(({ ref, old }) => `--force-with-lease=${ref}:${old ?? ''}`);
  const refspecs = updates.map(({ ref, next }) => `${next ?? ''}:${ref}`);
  const how = [...PUSH_FLAGS, ...at.receivePack, ...leases];
  const result = await git.run(['push', ...how, '--end-of-options', at.name, ...refspecs], { settings, kind: 'push' });
  return outcomeOfRun(result, updates, at.url);
}

const PUSH_FLAGS = [
  '--porcelain',
  '--atomic',
  '--quiet',
  '--no-verify',
  '--no-signed',
  '--no-follow-tags',
  '--recurse-submodules=no',
] as const;

function outcomeOfRun(result: GitRun, updates: readonly RefUpdate[], url: string): PushOutcome {
  if (result.isTimeout) return { is: 'unknown', why: 'no answer in time' };
  // git exits clean only when every reference is where it was asked to be.
  if (result.status === 0) return { is: 'landed' };

  const verdicts = readPorcelain(result.stdout);
  const ours = updates.map(({ ref }) => ({ ref, line: verdicts.get(ref) }));
  const answered = ours.flatMap(({ ref, line }): RefVerdict[] => (line === undefined ? [] : [{ ref, why: line.why }]));
  const hasLostAnswer = answered.some(({ why }) => why !== undefined && LOST_ANSWER.test(why));
  if (answered.length === 0 && failedBeforePush(result.stderr)) throw failureFromGit(result.stderr, url);
  if (answered.length === 0) throwIfNamed(result.stderr, url);
  if (hasLostAnswer || answered.length < updates.length) return { is: 'unknown', why: detailFrom(result.stderr) };
  return outcomeOf(answered, remoteWords(result.stderr));
}

// send-pack's words for a report that never came.
const LOST_ANSWER = /^(remote failed to report status|expecting report)$/;

/** git's own no, before a whole push was sent: nothing of it can have landed. */
function throwIfNamed(stderr: string, url: string): void {
  const failure = failureFromGit(stderr, url);
  if (LOCAL_NO.has(failure.code)) throw failure;
}

const LOCAL_NO: ReadonlySet<ReasonCode> = new Set([
  'remote_not_atomic',
  'remote_url_refused',
  'authentication_needed',
  'remote_redirected',
  'object_missing',
]);

/** `<flag> TAB <from>:<to> TAB <summary> (<reason>)`; the reason is there only when the reference did not move. */
function readPorcelain(stdout: string): Map<string, { readonly why: string | undefined }> {
  const verdicts = new Map<string, { why: string | undefined }>();
  for (const line of stdout.split('\n')) {
    const [, flag, to, summary] = /^([ +\-*!=])\t[^:\t]*:([^\t]+)\t(.*)$/.exec(line) ?? [];
    if (to === undefined || summary === undefined) continue;
    const why = flag === '!' ? (/\(([^)]*)\)$/.exec(summary)?.[1] ?? summary) : undefined;
    verdicts.set(to, { why });
  }
  return verdicts;
}

/** What hooks and the server said: `remote: …` and receive-pack's own errors, nothing of the local git. */
function remoteWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.startsWith('remote: '));
  return lines.map((line) => line.slice('remote: '.length).trim()).join(' ');
}
