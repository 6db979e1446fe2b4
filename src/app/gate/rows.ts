// What the schedule saw of each mission, as a row for the board and for messages. Made of what was looked at anyway.
import { brokenWords } from '../../forge-text/broken-ledger.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import { waitingInIssue, type WaitingInIssue } from '../../forge-text/waiting.ts';
import type { ReasonCode } from '../../reasons.ts';
import { peopleOf, rootsOf } from '../mission/status-view.ts';
import { dueNow, instant, projectState } from '../mission/world.ts';
import type { Broken } from './broken-ledgers.ts';
import type { GateDesk } from './desk.ts';
import { viewOf, type ToShow } from './show.ts';

type Looked = Omit<ToShow, 'issue'> & { readonly issue: number | null; readonly view: StatusView | null };

/** Of one that leads to no issue yet, nothing was shown. */
export async function rowOf(desk: GateDesk, { acting, state, issue, view }: Looked): Promise<WaitingInIssue> {
  const { world } = desk;
  const now = instant(world);
  const shown = view ?? (await viewOf(desk, { acting, state }));
  const { roster } = projectState(world);
  return waitingInIssue(shown, {
    step: dueNow(world, state),
    roots: rootsOf(roster),
    people: peopleOf(roster),
    issue,
    now,
  });
}

/** What could not be looked at now stands among the rest by its reason. */
export function unread(mission: string, code: ReasonCode): WaitingInIssue {
  const nothing = { goal: '', tier: null, waitsFor: null, since: null, until: null, type: null };
  return { ...nothing, mission, kind: 'still', state: 'not looked at', because: code, issue: null, topic: code };
}

export function brokenRow({ mission, is, because, issue }: Broken): WaitingInIssue {
  const { says, line } = brokenWords({ mission, is });
  return { ...unread(mission, because), kind: 'broken', state: says, issue: issue ?? null, type: line };
}
