// What a mission that goes on from another one asks for: the same with another goal, from the same base or, while the other
// one's work waits to be merged, from that work. Names the other one's end. Opens nothing, and approves nothing.
import type { FarCause } from '../../kernel/envelope.ts';
import { readProposal, type Proposal } from '../../kernel/proposal/proposal.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { proposalOf } from './documents.ts';
import { missionState, type Looking, type MissionWorld } from './world.ts';

type FollowUp = { readonly proposal: Proposal; readonly follows: FarCause };

export type Delivered = { readonly branch: string; readonly base: string; readonly pullRequest: number | null };

type Wanted = {
  readonly goal: string;
  /** Why; the other mission's where nothing is said. */
  readonly purpose: string;
  /** Whether it is still to be merged. */
  readonly isToBeMerged: (work: Delivered) => Promise<boolean>;
};

export async function followUpOf(
  { bench }: Pick<MissionWorld, 'bench'>,
  other: Looking,
  { goal, purpose, isToBeMerged }: Wanted,
): Promise<Verdict<FollowUp>> {
  const { course, ledger_id: mission } = await missionState(other);
  const { end, effects, pull_request } = await other.desk.told();
  if (course === undefined || course.end === null || end === null) return refuse('mission_not_over', { mission });
  const before = await proposalOf(bench, other.ref, course.proposal);
  const pushed = effects.push_branch ?? effects.write_local_branch;
  const branch = pushed?.state === 'applied' ? pushed.target : undefined;
  const isOpen = branch !== undefined && (await isToBeMerged({ branch, base: before.base, pullRequest: pull_request }));
  const proposal = readProposal({
    ...before,
    goal,
    purpose: purpose === '' ? before.purpose : purpose,
    base: isOpen ? branch : before.base,
  });
  return proposal.is === 'refused' ? proposal : accept({ proposal: proposal.value, follows: end });
}
