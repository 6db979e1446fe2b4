// One person's say on a digest: approve, reject, or take it back. Finds what the typed digest means; whether the person
// may is for the rule to say.
import { DENIED } from '../attempt/blame.ts';
import { currentApprovals } from '../approval/standing.ts';
import type { z } from 'zod';
import type { ForgeOrigin } from '../ingress/events.ts';
import { personOf } from '../roster/roster.ts';
import type { Approval, Vote } from '../course/course.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, type Drafts, type Names, type UnderWay } from './about.ts';
import { approvalReceipt } from './receipts.ts';
import { agreedOn, type Settling } from './agreed.ts';

export type Voting = {
  readonly choice: 'approve' | 'reject';
  /** As typed: at least twelve hex digits of it. */
  readonly digest: string;
  readonly voter: string;
  readonly forge: z.infer<typeof ForgeOrigin> | null;
  /** What was written behind the command, an artifact. */
  readonly reason: string | null;
};

const TYPED_DIGITS_MIN = 12;

export function decideVote(
  state: MissionState | undefined,
  voting: Voting,
  { names, mayGrant }: Settling,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const open = openApproval(at.value, voting.digest);
  if (open.is === 'refused') return open;
  const [approval, of] = open.value;
  const member = state!.roster.members.find(({ principal_id }) => principal_id === voting.voter);
  if (member === undefined) return refuse('not_authorised', { principal: voting.voter });
  const { choice, voter, forge, reason } = voting;
  const id = names('vote');
  const cast: Drafts = [
    {
      ...inAttempt('vote.cast', id, at.value, { approval_id: approval, choice, digest: of.digest, forge, reason }),
      actor: forge === null ? undefined : member,
    },
  ];
  const vote: Vote = { id, person: personOf(member), principal: voter, choice, signed: forge === null };
  const votes = [...of.votes.filter(({ person }) => person !== vote.person), vote];
  return accept([...cast, ...agreedOn(at.value, state!, { approval, of: { ...of, votes } }, { names, mayGrant })]);
}

/** One voter's no for good: the question is gone, and with it the attempt that it was about. A gate or a writer ends the rest. */
export function decideDenial(
  state: MissionState | undefined,
  { digest, voter, forge }: Pick<Voting, 'digest' | 'voter' | 'forge'>,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const open = openApproval(at.value, digest);
  if (open.is === 'refused') return open;
  const [approval, { request }] = open.value;
  const member = state!.roster.members.find(({ principal_id }) => principal_id === voter);
  if (member === undefined) return refuse('not_authorised', { principal: voter });
  return accept([
    {
      ...inAttempt('approval.denied', approval, at.value, { because: DENIED, forge }),
      actor: forge === null ? undefined : member,
    },
    approvalReceipt(at.value, names('receipt denied'), {
      approval,
      request,
      policy: at.value.course.requests[request]?.policy?.ref ?? null,
      result_code: 'denied',
      result_summary: DENIED,
    }),
  ]);
}

/** What the others said may be enough without it: nobody would be asked for anything any more. */
export function decideWithdrawal(
  state: MissionState | undefined,
  { voter, forge }: Pick<Voting, 'voter' | 'forge'>,
  { names, mayGrant }: Settling,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const spoken = currentApprovals(at.value.course).filter(([, { votes }]) =>
    votes.some(({ principal }) => principal === voter),
  );
  // Of the plan and of what came of it: what waits for people, before what was begun under their word.
  const mine = spoken.find(([, { granted }]) => !granted) ?? spoken[0];
  if (mine === undefined) return refuse('vote_missing', { principal: voter });
  const [approval, of] = mine;
  const votes = of.votes.filter(({ principal }) => principal !== voter);
  const member = state!.roster.members.find(({ principal_id }) => principal_id === voter);
  return accept([
    {
      ...inAttempt('vote.withdrawn', names('withdrawal'), at.value, { approval_id: approval, forge }),
      actor: forge === null ? undefined : member,
    },
    ...agreedOn(at.value, state!, { approval, of: { ...of, votes } }, { names, mayGrant }),
  ]);
}

/** What a typed beginning of a digest names among what waits for approval. */
function openApproval({ course }: UnderWay, typed: string): Verdict<readonly [string, Approval]> {
  const open = currentApprovals(course);
  const current = open.filter(([, one]) => !one.granted).map(([, one]) => one.digest);
  if (!/^[0-9a-f]+$/.test(typed) || typed.length < TYPED_DIGITS_MIN)
    return refuse('digest_required', { typed, digits_min: TYPED_DIGITS_MIN, current });
  const found = open.find(([, one]) => one.digest.startsWith(typed));
  if (found !== undefined) return accept(found);
  // A digest of an earlier revision is the usual case; saying which one is current is what helps.
  return open.length === 0
    ? refuse('digest_unknown', { digest: typed })
    : refuse('approval_stale', { digest: typed, current });
}
