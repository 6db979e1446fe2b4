// What came in besides a proposal, recorded before it changes anything; and where the status is shown, once that is known.
import { courseOf } from '../course/steps.ts';
import type { EventOf } from '../event.ts';
import { hear } from '../ingress/heard.ts';
import type { MissionState } from '../state.ts';
import { accept, type Verdict } from '../verdict.ts';
import { within, type Drafts, type Names } from './about.ts';

type Ingress = EventOf<'ingress.recorded'>['payload'];

export type CameIn = {
  /** The words, an artifact. */
  readonly raw: string;
  /** Null: typed at a computer of one's own. */
  readonly forge: Ingress['forge'];
  readonly resolution: Ingress['resolution'];
  /** The comment that shows the status, where the ledger does not know it yet. */
  readonly anchor: number | null;
};

/** The record of it; refused where its source has counted already. */
export function recorded(state: MissionState, cameIn: CameIn, names: Names): Verdict<Drafts> {
  const { raw, forge, resolution, anchor } = cameIn;
  const counts = forge === null ? accept(undefined) : hear(state.heard, forge);
  if (counts.is === 'refused') return counts;
  const mission = state.ledger_id;
  const ingress: Drafts = [
    within('ingress.recorded', names('came in'), mission, {
      chosen_task_id: courseOf(state)?.step?.task ?? null,
      conversation_id: mission,
      forge,
      normalized_text: null,
      raw_text: raw,
      resolution,
      source_channel: forge === null ? 'cli' : 'issue_comment',
      status: 'bound',
    }),
  ];
  const anchored = state.course?.anchor ?? null;
  if (forge === null || anchor === null || anchored !== null || state.course === undefined) return accept(ingress);
  const at = { comment_id: anchor, issue: forge.issue, kind: 'status_comment' } as const;
  return accept([...ingress, within('projection.anchored', mission, mission, at)]);
}
