// What the commands show of a mission: its status, the plan behind it, and the one line to type next. Computed from the
// verified ledger; decides nothing.
import type { StatusView } from '../../../forge-text/status-view.ts';
import { turnAtTerminal, type NextTurn } from '../../../forge-text/next-turn.ts';
import { documentsOf } from '../../../app/mission/documents.ts';
import { statusView } from '../../../app/mission/status-view.ts';
import { instant } from '../../../app/mission/world.ts';
import { whatIsDue, type Due } from '../../../kernel/decide/due.ts';
import type { PlanDocument } from '../../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../../kernel/state.ts';
import { isOnForge } from './forge-home.ts';
import type { MissionSite, Seen } from './site.ts';

export type View = {
  readonly status: StatusView;
  readonly state: MissionState;
  /** Undefined before there is a plan, or after it was erased. */
  readonly plan: PlanDocument | undefined;
  readonly step: Due;
  readonly next: NextTurn;
};

/** On a laptop there is no page to link to and no CI that keeps keys. */
const SHOWN = { home: '', custody: 'people', run: null } as const;

type Shown = Pick<MissionSite, 'world' | 'ref'> & Partial<Pick<MissionSite, 'home'>>;

export async function viewOf({ world, ref, home }: Shown, at: Seen): Promise<View> {
  const { state } = at;
  const documents = await documentsOf(world.bench, ref, state, at.told);
  const { plan } = documents;
  const status = await statusView(world, { ref, ...at, documents }, SHOWN);
  const step = whatIsDue(state, { now: instant(world) });
  const beside = { plan, state, isOnForge: await isOnForge({ bench: world.bench, home }) };
  return { status, state, plan, step, next: turnAtTerminal(status, step, beside) };
}
