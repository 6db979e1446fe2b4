// One person's say, with everything that follows from it in the same change: the words it came in, the approval, the
// grant to run, and the mission's claims in the project ledger. Two missions that want one path: exactly one gets it.
import { decideDenial, decideVote, decideWithdrawal, type Voting } from '../../kernel/decide/vote.ts';
import { isToBeGranted, isToRun } from '../../kernel/mission/claims.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { claimPaths, releaseClaims, waitForPaths } from './claims.ts';
import { asSaid, typedHere, wordsOf, type SaidIn } from './said-in.ts';
import { namesFrom, type Acting } from './world.ts';

export type Say = Omit<Voting, 'reason' | 'forge'> & {
  readonly reason?: Uint8Array | undefined;
  /** Of a rejection: for good, so that the mission ends. */
  readonly isFinal?: boolean;
  /** The comment it was said in; left out where somebody says it under their own key. */
  readonly saidIn?: SaidIn | undefined;
};

export async function vote(acting: Acting, say: Say): Promise<Verdict<MissionState>> {
  const voted = await write(acting, say, true);
  // Approved all the same: it is queued when the other mission is over.
  return voted.is === 'refused' && voted.code === 'path_claimed' ? write(acting, say, false) : voted;
}

async function write(acting: Acting, say: Say, mayGrant: boolean): Promise<Verdict<MissionState>> {
  const { world, desk } = acting;
  const { bench, kit } = world;
  const { reason, saidIn = typedHere(say.choice, say.digest) } = say;
  const why = reason === undefined ? [] : [{ content: reason, mediaType: 'text/plain' }];
  const documents = await drawDocuments(bench, kit, [wordsOf(saidIn), ...why]);
  const voting = { ...say, forge: saidIn.forge, reason: documents[1]?.digest ?? null };
  const names = namesFrom(bench.parts.ids);
  const written = await desk.transact({
    documents,
    decide: (state) =>
      asSaid(state, { saidIn, words: documents[0]!, resolution: 'approval' }, names, (now) =>
        say.isFinal === true ? decideDenial(now, voting, names) : decideVote(now, voting, { names, mayGrant }),
      ),
    inProject: (project, after) => (mayGrant ? claimPaths : waitForPaths)(after)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

export async function withdraw(acting: Acting, say: Pick<Say, 'voter' | 'saidIn'>): Promise<Verdict<MissionState>> {
  const back = await takeBack(acting, say, true);
  return back.is === 'refused' && back.code === 'path_claimed' ? takeBack(acting, say, false) : back;
}

async function takeBack(
  { world, desk }: Acting,
  { voter, saidIn = typedHere('withdraw') }: Pick<Say, 'voter' | 'saidIn'>,
  mayGrant: boolean,
): Promise<Verdict<MissionState>> {
  const { bench, kit } = world;
  const documents = await drawDocuments(bench, kit, [wordsOf(saidIn)]);
  const names = namesFrom(bench.parts.ids);
  const written = await desk.transact({
    documents,
    decide: (state) =>
      asSaid(state, { saidIn, words: documents[0]!, resolution: 'approval' }, names, (now) =>
        decideWithdrawal(now, { voter, forge: saidIn.forge }, { names, mayGrant }),
      ),
    inProject: (project, after) => {
      const course = after.mission.course!;
      if (!isToRun(course) && !isToBeGranted(course)) return releaseClaims(after)(project);
      return (mayGrant ? claimPaths : waitForPaths)(after)(project);
    },
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}
