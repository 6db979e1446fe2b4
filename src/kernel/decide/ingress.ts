// What came in besides a proposal, recorded before it changes anything; and where the status is shown, once that is known.
import type { z } from 'zod';
import type { IngressRecorded } from '../ingress/events.ts';
import type { MissionState } from '../state.ts';
import { within, type Drafts, type Names } from './about.ts';

type Ingress = z.infer<typeof IngressRecorded>['payload'];

export type Heard = {
  /** The words, an artifact. */
  readonly raw: string;
  readonly forge: NonNullable<Ingress['forge']>;
  readonly resolution: Ingress['resolution'];
  /** The comment that shows the status, where the ledger does not know it yet. */
  readonly anchor: number | null;
};

export function heard(state: MissionState, { raw, forge, resolution, anchor }: Heard, names: Names): Drafts {
  const mission = state.ledger_id;
  const ingress: Drafts = [
    within('ingress.recorded', names('ingress'), mission, {
      chosen_task_id: state.course?.step?.task ?? null,
      conversation_id: mission,
      forge,
      normalized_text: null,
      raw_text: raw,
      resolution,
      source_channel: 'issue_comment',
      status: 'bound',
    }),
  ];
  const anchored = state.course?.anchor ?? null;
  if (anchor === null || anchored !== null || state.course === undefined) return ingress;
  return [
    ...ingress,
    within('projection.anchored', mission, mission, { comment_id: anchor, issue: forge.issue, kind: 'status_comment' }),
  ];
}
