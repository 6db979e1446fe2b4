// Opens a mission with a proposal, or revises one, under the proposer's own key. Plans and runs nothing.
import { decideProposal, type Proposing } from '../../kernel/decide/propose.ts';
import { proposalBytes, type Proposal } from '../../kernel/proposal/proposal.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { missionRef } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Act } from '../act.ts';
import { drawDocuments, type DrawnDocument, type NewDocument } from '../artifacts/documents.ts';
import { actOn, namesFrom, type Acting, type MissionWorld } from './world.ts';

export type NewProposal = Pick<Proposing, 'follows'> & {
  readonly proposal: Proposal;
  /** The words as they came in. */
  readonly raw: Uint8Array;
  readonly rawMediaType: string;
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
  const documents = await drawDocuments(bench, kit, proposalDocuments(wanted));
  const names = namesFrom(ids);
  const proposers = [{ forge_user_id: null, principal_id: acting.principal }];
  const said = { mission, proposers, forge: null, channel: 'cli', follows: wanted.follows } as const;
  const written = await acting.desk.transact({
    documents,
    decide: (state, at) => decideProposal(state, proposingOf(said, documents, at), names),
  });
  if (written.is === 'refused') return written;
  return accept({ mission, name: missionName(mission), acting, state: written.value.state });
}

export function proposalDocuments({ raw, rawMediaType, proposal }: NewProposal): readonly [NewDocument, NewDocument] {
  return [
    { content: raw, mediaType: rawMediaType },
    { content: proposalBytes(proposal), mediaType: 'application/json' },
  ];
}

/** `documents`: the words and the proposal, in this order, drawn. */
export function proposingOf(
  said: Omit<Proposing, 'project' | 'grewFrom' | 'raw' | 'proposal'>,
  documents: readonly DrawnDocument[],
  { project, projectHead }: Parameters<Act['decide']>[1],
): Proposing {
  return {
    ...said,
    project: project.project_id,
    grewFrom: projectHead,
    raw: documents[0]!.digest,
    proposal: documents[1]!.digest,
  };
}
