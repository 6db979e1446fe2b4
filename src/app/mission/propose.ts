// Opens a mission with a proposal, or revises one, under the proposer's own key or the gate's. Plans and runs nothing.
import { decideProposal, type Proposing } from '../../kernel/decide/propose.ts';
import { proposalBytes, type Proposal } from '../../kernel/proposal/proposal.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { missionRef } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import type { SaidIn } from './said-in.ts';
import { actOn, namesFrom, type Acting, type MissionWorld } from './world.ts';

export type NewProposal = Pick<Proposing, 'proposers' | 'forge' | 'channel' | 'follows'> & {
  readonly proposal: Proposal;
  /** The words as they came in. */
  readonly raw: Uint8Array;
  readonly rawMediaType: string;
  /** The comment by which a member adopted it. */
  readonly adoption?: SaidIn | undefined;
  /** The mission that this is a revision of; a new one when left out. */
  readonly mission?: string;
};

export type Proposed = {
  readonly mission: string;
  readonly name: string;
  readonly acting: Acting;
  readonly state: MissionState;
};

export async function proposeMission(
  world: MissionWorld,
  signer: Signer,
  wanted: NewProposal,
): Promise<Verdict<Proposed>> {
  const { bench, kit } = world;
  const { ids } = bench.parts;
  const mission = wanted.mission ?? ids.next();
  const acting = actOn(world, missionRef(mission), signer);
  const documents = await drawDocuments(bench, kit, [
    { content: wanted.raw, mediaType: wanted.rawMediaType },
    { content: proposalBytes(wanted.proposal), mediaType: 'application/json' },
  ]);
  const names = namesFrom(ids);
  const { proposers, forge, channel, follows } = wanted;
  const written = await acting.desk.transact({
    documents,
    decide: (state, { project, projectHead }) =>
      decideProposal(
        state,
        {
          mission,
          project: project.project_id,
          grewFrom: projectHead,
          raw: documents[0]!.digest,
          proposal: documents[1]!.digest,
          proposers,
          forge,
          channel,
          follows,
        },
        names,
      ),
  });
  if (written.is === 'refused') return written;
  return accept({ mission, name: missionName(mission), acting, state: written.value.state });
}
