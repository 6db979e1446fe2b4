// What stands open in a project, as rows: what waits, for whom, since when and until when, and what goes on by itself. The one
// place that says what is due soon and in which order people read it; the list at a terminal, the board and messages show it.
import type { Due } from '../kernel/decide/due.ts';
import { DAY_SECONDS, secondsBetween } from '../kernel/time.ts';
import { turnInIssue, whoseTurn } from './next-turn.ts';
import { stateWords } from './states.ts';
import type { StatusView } from './status-view.ts';

export type Kind =
  /** People are asked, and what they are asked ends within a day. */
  | 'due'
  | 'asked'
  /** Somebody has a line to type: to let it go on, to take a no back, to plan it. */
  | 'people'
  /** It was delivered, and a reviewer asks for something else. */
  | 'review'
  /** Something came to nothing, or may not go on; `because` says why. */
  | 'still'
  /** Its ledger is not what it was. */
  | 'broken'
  | 'path'
  | 'running';

export type Waiting = {
  readonly mission: string;
  readonly kind: Kind;
  readonly state: string;
  readonly because: string | null;
  readonly goal: string;
  readonly tier: number | null;
  /** Null where the ledger could not be read: everybody may know, and find somebody who can put it right. */
  readonly waitsFor: readonly string[] | null;
  readonly issue: number | null;
  /** Nothing has happened in it since. */
  readonly since: string | null;
  /** When what is asked stops being asked. */
  readonly until: string | null;
  /** What it is about, in a word that changes when it is about something else: nobody is told of the same thing twice. */
  readonly topic: string;
};

/** With the line for a new comment. */
export type WaitingInIssue = Waiting & { readonly type: string | null };

type Standing = {
  readonly step: Due;
  readonly roots: readonly string[];
  readonly people: readonly string[];
  readonly issue: number | null;
};
type Beside = Standing & { readonly isOnForge: boolean; readonly now: string };

export function waitingOf(view: StatusView, { step, roots, people, issue, isOnForge, now }: Beside): Waiting {
  const { mission, state, goal, tier, asked, because, held, history } = view;
  const waitsFor = whoseTurn({ ...view, step, isOnForge, roots, people });
  const kind = kindOf(view, waitsFor, now);
  const since = held?.at ?? history.at(-1)?.at ?? null;
  return {
    mission,
    kind,
    state: stateWords(state),
    because: because?.code ?? null,
    goal,
    tier,
    waitsFor,
    issue,
    since,
    until: asked?.expiresAt ?? null,
    topic: kind === 'asked' || kind === 'due' ? asked!.digest : `${state} ${because?.code ?? ''} ${since ?? ''}`,
  };
}

export function waitingInIssue(view: StatusView, beside: Omit<Beside, 'isOnForge'>): WaitingInIssue {
  return { ...waitingOf(view, { ...beside, isOnForge: true }), type: turnInIssue(view)?.type ?? null };
}

function kindOf(view: StatusView, waitsFor: readonly string[], now: string): Kind {
  const { state, asked, because, held, stopped, waitsFor: holder } = view;
  if (state === 'blocked' || state === 'invalid') return 'still';
  const isOpen = stopped === null && held === null && state !== 'rejected';
  if (isOpen && asked !== null && asked.missing > 0 && asked.possible >= asked.missing)
    return isSoon(asked.expiresAt, now) ? 'due' : 'asked';
  if (because !== null) return 'still';
  if (waitsFor.length > 0) return 'people';
  return holder === null ? 'running' : 'path';
}

function isSoon(until: string | null, now: string): boolean {
  return until !== null && secondsBetween(now, until) <= DAY_SECONDS;
}

type Ordered = Pick<Waiting, 'until' | 'since' | 'mission'>;

/** What ends soonest first; what has no end after that, the longest quiet in front. */
export function byUrgency(a: Ordered, b: Ordered): number {
  const [first, second] = [a, b].map(({ until, since, mission }) => `${until ?? '~'} ${since ?? '~'} ${mission}`);
  return first! < second! ? -1 : 1;
}
