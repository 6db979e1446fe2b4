// One person's say, with everything that follows from it in the same change: the words it came in, the approval, the
// grant to run, and the mission's claims in the project ledger. Two missions that want one path: exactly one gets it.
import { heard, type Heard } from '../../kernel/decide/ingress.ts';
import { decideVote, decideWithdrawal, type Voting } from '../../kernel/decide/vote.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { claimPaths, isToRun, releaseClaims } from './claims.ts';
import { genesisOf } from './genesis.ts';
import { missionState, namesFrom, type Acting } from './world.ts';

/** The comment it was said in, for words that came through a forge. */
type SaidIn = Omit<Heard, 'raw' | 'resolution' | 'forge'> & { readonly body: Uint8Array };

export type Say = Omit<Voting, 'reason'> & {
  readonly reason?: Uint8Array | undefined;
  readonly saidIn?: SaidIn | undefined;
};

export async function vote(acting: Acting, say: Say): Promise<Verdict<MissionState>> {
  const voted = await write(acting, say, true);
  // Approved all the same: it is queued when the other mission is over.
  return voted.is === 'refused' && voted.code === 'path_claimed' ? write(acting, say, false) : voted;
}

async function write(acting: Acting, say: Say, mayGrant: boolean): Promise<Verdict<MissionState>> {
  const { world, ref, desk } = acting;
  const { bench, kit } = world;
  const { reason, saidIn, forge } = say;
  const words = [reason, saidIn?.body].flatMap((content) =>
    content === undefined ? [] : [{ content, mediaType: 'text/plain' }],
  );
  const documents = await drawDocuments(bench, kit, words);
  const voting = { ...say, reason: reason === undefined ? null : documents[0]!.digest };
  const names = namesFrom(bench.parts.ids);
  const genesis = (await genesisOf(bench, ref, await missionState(acting))).oid;
  const written = await desk.transact({
    documents,
    decide: (state) => {
      const voted = decideVote(state, voting, { names, mayGrant });
      if (voted.is === 'refused' || saidIn === undefined || forge === null) return voted;
      const raw = documents.at(-1)!.digest;
      return accept([...heard(state!, { ...saidIn, raw, forge, resolution: 'approval' }, names), ...voted.value]);
    },
    inProject: (project, { mission }) => claimPaths(genesis, mission)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

export async function withdraw(
  { world, desk }: Acting,
  who: Pick<Say, 'voter' | 'forge' | 'saidIn'>,
): Promise<Verdict<MissionState>> {
  const { bench, kit } = world;
  const { saidIn, forge } = who;
  const words = saidIn === undefined ? [] : [{ content: saidIn.body, mediaType: 'text/plain' }];
  const documents = await drawDocuments(bench, kit, words);
  const names = namesFrom(bench.parts.ids);
  const written = await desk.transact({
    documents,
    decide: (state) => {
      const taken = decideWithdrawal(state, who, names);
      if (taken.is === 'refused' || saidIn === undefined || forge === null) return taken;
      const raw = documents[0]!.digest;
      return accept([...heard(state!, { ...saidIn, raw, forge, resolution: 'approval' }, names), ...taken.value]);
    },
    inProject: (state, { mission }) =>
      isToRun(mission) ? accept([]) : releaseClaims(mission.ledger_id, mission.project_id)(state),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}
