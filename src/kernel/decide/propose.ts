// Opening a mission with a proposal, or revising one.
import type { z } from 'zod';
import type { IngressRecorded } from '../ingress/events.ts';
import type { Proposer } from '../mission/course.ts';
import type { MissionState } from '../state.ts';
import type { TreeHead } from '../values.ts';
import { accept, type Verdict } from '../verdict.ts';
import { within, type Drafts, type Names } from './about.ts';

type Ingress = z.infer<typeof IngressRecorded>['payload'];

export type Proposing = {
  readonly mission: string;
  readonly project: string;
  readonly grewFrom: TreeHead;
  /** Digests of the artifacts: the words as they came in, and the proposal made of them. */
  readonly raw: string;
  readonly proposal: string;
  readonly proposers: readonly Proposer[];
  readonly forge: Ingress['forge'];
  readonly channel: Ingress['source_channel'];
};

export function decideProposal(state: MissionState | undefined, wish: Proposing, names: Names): Verdict<Drafts> {
  const { mission, proposal, forge } = wish;
  const ingress = names('ingress');
  const course = state?.course;
  const opened: Drafts =
    state === undefined
      ? [
          within('mission.opened', mission, mission, {
            grew_from: wish.grewFrom,
            mission_id: mission,
            project_id: wish.project,
            proposal,
          }),
        ]
      : [];
  return accept([
    ...opened,
    within('ingress.recorded', ingress, mission, {
      chosen_task_id: course?.step?.task ?? null,
      // One mission is one conversation: everything that is said about it belongs together.
      conversation_id: mission,
      forge,
      normalized_text: proposal,
      raw_text: wish.raw,
      resolution: course === undefined ? 'start_new_root' : 'append_note',
      source_channel: wish.channel,
      status: 'bound',
    }),
    within('mission.proposed', mission, mission, {
      ingress_id: ingress,
      proposal,
      proposers: [...joined(course?.proposers ?? [], wish.proposers)],
      revision: (course?.revision ?? 0) + 1,
    }),
  ]);
}

function joined(before: readonly Proposer[], more: readonly Proposer[]): readonly Proposer[] {
  const isKnown = (one: Proposer): boolean =>
    before.some((other) => other.principal_id === one.principal_id && other.forge_user_id === one.forge_user_id);
  return [...before, ...more.filter((one) => !isKnown(one))];
}
