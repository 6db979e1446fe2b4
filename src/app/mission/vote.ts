// One person's say, with everything that follows from it in the same change: the approval, the grant to run, and the
// mission's claims in the project ledger. Two missions that want one path: exactly one gets it, the other waits.
import { decideVote, decideWithdrawal, type Voting } from '../../kernel/decide/vote.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { register, releaseClaims } from './claims.ts';
import { genesisOf } from './genesis.ts';
import { missionState, namesFrom, type Acting } from './world.ts';

export type Say = Omit<Voting, 'reason'> & { readonly reason?: Uint8Array | undefined };

export async function vote(acting: Acting, say: Say): Promise<Verdict<MissionState>> {
  const voted = await write(acting, say, true);
  // Approved all the same: it is queued when the other mission is over.
  return voted.is === 'refused' && voted.code === 'path_claimed' ? write(acting, say, false) : voted;
}

async function write(
  { world, ref, desk, ...acting }: Acting,
  say: Say,
  mayGrant: boolean,
): Promise<Verdict<MissionState>> {
  const { bench, kit } = world;
  const documents =
    say.reason === undefined ? [] : await drawDocuments(bench, kit, [{ content: say.reason, mediaType: 'text/plain' }]);
  const voting = { ...say, reason: documents[0]?.digest ?? null };
  const names = namesFrom(bench.parts.ids);
  const genesis = (await genesisOf(bench, ref, await missionState({ world, ref, desk, ...acting }))).oid;
  const written = await desk.transact({
    documents,
    decide: (state) => decideVote(state, voting, { names, mayGrant }),
    inProject: (project, { mission }) => {
      const plan = mission.course?.plan ?? null;
      if (plan === null || !isToRun(mission)) return accept([]);
      return register(mission.ledger_id, mission.project_id, { genesis, paths: plan.paths })(project);
    },
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

export async function withdraw(
  { world, desk }: Acting,
  who: Pick<Voting, 'voter' | 'forge'>,
): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  const written = await desk.transact({
    decide: (state) => decideWithdrawal(state, who, names),
    inProject: (state, { mission }) =>
      isToRun(mission) ? accept([]) : releaseClaims(mission.ledger_id, mission.project_id)(state),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

/** Granted and about to run: its paths are its own from here on. */
export function isToRun({ course }: MissionState): boolean {
  return Object.values(course?.grants ?? {}).some(({ action_class }) => action_class === 'execute_command');
}
