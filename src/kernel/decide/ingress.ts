// What came in besides a proposal, recorded before it changes anything; and where the status is shown, once that is known.
import type { z } from 'zod';
import type { IngressRecorded } from '../ingress/events.ts';
import type { MissionState } from '../state.ts';
import type { Drafts, Names } from './about.ts';

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
    {
      event_type: 'ingress.recorded',
      entity_type: 'ingress',
      entity_id: names('ingress'),
      task_id: mission,
      payload: {
        chosen_task_id: state.course?.step?.task ?? null,
        conversation_id: mission,
        forge,
        normalized_text: null,
        raw_text: raw,
        resolution,
        source_channel: 'issue_comment',
        status: 'bound',
      },
    },
  ];
  const anchored = state.course?.anchor ?? null;
  if (anchor === null || anchored !== null || state.course === undefined) return ingress;
  return [
    ...ingress,
    {
      event_type: 'projection.anchored',
      entity_type: 'mission',
      entity_id: mission,
      task_id: mission,
      payload: { comment_id: anchor, issue: forge.issue, kind: 'status_comment' },
    },
  ];
}
