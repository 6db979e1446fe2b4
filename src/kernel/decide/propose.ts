// Opening a mission with a proposal, or revising one.
import { courseOf } from '../course/steps.ts';
import type { EventOf } from '../event.ts';
import { hear, type Origin } from '../ingress/heard.ts';
import type { NamedProposer } from '../course/course.ts';
import type { MissionState } from '../state.ts';
import type { FarCause } from '../envelope.ts';
import type { TreeHead } from '../values.ts';
import { accept, type Verdict } from '../verdict.ts';
import { checkUnbegun, within, type Drafts, type Names } from './about.ts';

type Ingress = EventOf<'ingress.recorded'>['payload'];

export type Proposing = {
  readonly mission: string;
  readonly project: string;
  readonly grewFrom: TreeHead;
  /** Digests of the artifacts: the words as they came in, and the proposal made of them. */
  readonly raw: string;
  readonly proposal: string;
  readonly proposers: readonly NamedProposer[];
  readonly forge: Ingress['forge'];
  readonly channel: Ingress['source_channel'];
  /** The end of the mission that it goes on from. */
  readonly follows?: FarCause | undefined;
  /** The comment by which somebody adopted it, and its words. */
  readonly adoption?: { readonly forge: Origin; readonly raw: string } | undefined;
};

export function decideProposal(state: MissionState | undefined, wish: Proposing, names: Names): Verdict<Drafts> {
  const { mission, proposal, forge } = wish;
  const ingress = names('ingress');
  const course = state?.course;
  const unbegun = checkUnbegun(course, mission);
  if (unbegun.is === 'refused') return unbegun;
  const opened: Drafts =
    state === undefined
      ? [
          {
            ...within('mission.opened', mission, mission, {
              grew_from: wish.grewFrom,
              mission_id: mission,
              project_id: wish.project,
              proposal,
            }),
            ...(wish.follows === undefined ? {} : { cause: wish.follows }),
          },
        ]
      : [];
  const counts = forge === null ? accept(undefined) : hear(state?.heard, forge);
  if (counts.is === 'refused') return counts;
  // One mission is one conversation: everything that is said about it belongs together.
  const conversation = { chosen_task_id: courseOf(state ?? {})?.step?.task ?? null, conversation_id: mission } as const;
  const adopted: Drafts =
    wish.adoption === undefined
      ? []
      : [
          within('ingress.recorded', names('adoption'), mission, {
            ...conversation,
            forge: wish.adoption.forge,
            normalized_text: null,
            raw_text: wish.adoption.raw,
            resolution: 'control',
            source_channel: 'issue_comment',
            status: 'bound',
          }),
        ];
  return accept([
    ...opened,
    ...adopted,
    within('ingress.recorded', ingress, mission, {
      ...conversation,
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

function joined(before: readonly NamedProposer[], more: readonly NamedProposer[]): readonly NamedProposer[] {
  const isKnown = (one: NamedProposer): boolean =>
    before.some((other) => other.principal_id === one.principal_id && other.forge_user_id === one.forge_user_id);
  const named = [...before, ...more.filter((one) => !isKnown(one))];
  return named.map(({ forge_user_id, principal_id }) => ({ forge_user_id, principal_id }));
}
