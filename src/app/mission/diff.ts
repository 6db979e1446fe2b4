// What the agent of an attempt changed, delivered or not, against its base. The commit is the one that the ledger, or a document
// that it names by digest, has; of work that came too late, the one that its runner signed. Nothing else is ever shown. Knows no terminal and no forge.
import { Failure } from '../../failure.ts';
import { parentsOf } from '../../format/git/any-object.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Workbench } from '../workbench.ts';
import { bringWork } from './kept.ts';
import { lateWorkOf, type FoundLate } from './late-work.ts';
import { workBranch } from './planning.ts';
import { workOf } from './status-attempt.ts';
import type { Told } from './told.ts';
import type { ToldAttempt } from './told-attempts.ts';
import type { MissionWorld } from './world.ts';

export type Changed = {
  readonly attempt: number;
  readonly base: string;
  readonly commit: string;
  /** Whose word alone it is that this was the work; null where the ledger has it. */
  readonly by: string | null;
  readonly bytes: Uint8Array;
};

type Seen = {
  readonly world: MissionWorld;
  readonly ref: string;
  readonly state: MissionState;
  readonly told: Pick<Told, 'attempts'>;
};

/** `no`: the latest that had any work where it is left out. */
export async function diffOf(
  { world, ref, state, told }: Seen,
  { no, how }: { readonly no: number | undefined; readonly how: 'patch' | 'stat' },
): Promise<Changed> {
  const { bench } = world;
  const late = await lateWorkOf(world, state.ledger_id, told.attempts);
  const attempt = attemptOf(told.attempts, no, late);
  const named = await workOf(attempt, { bench, ref });
  const said = named === null ? late.find((one) => one.no === attempt.no) : undefined;
  const commit = named ?? said?.commit ?? null;
  const branch = workBranch(state.ledger_id, attempt.no);
  if (commit === null || !(await bringWork(bench, { attempt: attempt.id, branch, commit }))) throw notKept(attempt);
  const base = await baseOf(bench, commit);
  // Signed for the base of the plan, and shown against no other.
  if (said !== undefined && base !== attempt.base) throw notKept(attempt);
  const { repositories, source } = world.work;
  return {
    attempt: attempt.no,
    base,
    commit,
    by: said?.by ?? null,
    bytes: await repositories.show(source, base, commit, how),
  };
}

function attemptOf(attempts: readonly ToldAttempt[], no: number | undefined, late: readonly FoundLate[]): ToldAttempt {
  const hasWork = ({ no: own, work, audit }: ToldAttempt): boolean =>
    work !== null || audit !== null || late.some((one) => one.no === own);
  const found =
    no === undefined ? (attempts.findLast(hasWork) ?? attempts.at(-1)) : attempts.find((one) => one.no === no);
  if (found === undefined) throw new Failure('work_not_kept', no === undefined ? {} : { attempt: no });
  return found;
}

function notKept({ no, because }: ToldAttempt): Failure {
  return new Failure('work_not_kept', { attempt: no, ...(because === null ? {} : { because }) });
}

/** The host made it, with the approved base as its one parent. */
async function baseOf({ parts }: Workbench, commit: string): Promise<string> {
  for await (const object of parts.repository.read([commit])) {
    const [base] = parentsOf(object);
    if (base !== undefined) return base;
  }
  throw new Failure('object_missing', { oid: commit });
}
