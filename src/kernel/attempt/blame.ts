// Why an attempt may end before anybody could judge its work, and what may follow from that. Whatever is in neither list
// is a verdict, and ends the mission: another try then is another decision of people, not of a loop.
import type { ReasonCode } from '../../reasons.ts';
import type { Attempt } from '../course/course.ts';

/** The machine's fault: the same plan may do well on another one, or on this one once it is put right. */
const OF_THE_RUNNER: ReadonlySet<string> = new Set<ReasonCode>([
  'agent_missing',
  'backend_unmet',
  'cell_prepare_failed',
  'cell_start_failed',
  'disk_full',
  'environment_altered',
  'environment_failed',
  'environment_missing',
  'git_failed',
  'git_missing',
  'interrupted',
  'level_unmet',
  'login_not_a_key',
  'runner_exposed',
  'runner_lost',
  'runner_silent',
  'sandbox_missing',
  'sandbox_unfit',
  'secret_exposed',
  'secret_missing',
  'secret_unusable',
  'vault_unreadable',
]);

/** What people agreed to is no longer so: only they can say whether they agree to what it is now. */
const OF_THE_WORLD: ReadonlySet<string> = new Set<ReasonCode>([
  'approval_expired',
  'base_unknown',
  'grant_expired',
  'policy_drifted',
  'policy_unreadable',
  'quorum_missing',
  'ref_moved',
  'sacred_unreadable',
]);

export function mayTryAgain(because: string): boolean {
  return OF_THE_RUNNER.has(because);
}

export function mustAskAgain(because: string): boolean {
  return OF_THE_WORLD.has(because);
}

/** One who may vote ended it for good: nobody tries again. */
export const DENIED = 'approval_denied' satisfies ReasonCode;

/** Called off by whoever asked for it, or by a person. */
export const CANCELLED = 'mission_cancelled' satisfies ReasonCode;

/** Against the work, and not for want of a runner or of people's word. */
export function isVerdict(because: string): boolean {
  return !mayTryAgain(because) && !mustAskAgain(because);
}

/** Whether an attempt that is over so takes its mission along. */
export function isFinal({ status, because }: Pick<Attempt, 'status' | 'because'>): boolean {
  return status === 'failed' ? isVerdict(because ?? '') : status === 'cancelled' && because === DENIED;
}
