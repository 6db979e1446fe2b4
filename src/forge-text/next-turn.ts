// Whose turn it is in a mission and the line they type, at a terminal or in an issue. The one place that decides it, from
// what the mission waits for; surfaces print it. After a refusal it is the reason that says what to do.
import type { Effect } from '../kernel/course/course.ts';
import { courseOf } from '../kernel/course/steps.ts';
import type { Due } from '../kernel/decide/due.ts';
import type { PlanDocument } from '../kernel/mission/plan-document.ts';
import type { MissionState } from '../kernel/state.ts';
import { REASONS, type ReasonCode } from '../reasons.ts';
import { mayTryAgain, mustAskAgain } from '../kernel/attempt/blame.ts';
import { nextLine, shortDigest, type Reader } from '../next-line.ts';
import { COMMANDS } from './commands.ts';
import type { StatusView } from './status-view.ts';
import { names, UNSTOP } from './status-words.ts';

export type NextTurn = { readonly says: string; readonly type: string | null };

/** What a comment can do for it now; undefined where it waits for nobody. `says` is Markdown. */
export function turnInIssue(view: StatusView): NextTurn | undefined {
  const { mission, state, asked, plan, stopped, held, because, review } = view;
  if (stopped !== null) return { says: `For it to go on, ${names(stopped.who)} types at a terminal`, type: UNSTOP };
  if (held !== null && held.who.length === 0)
    return { says: `Held, and ${NOBODY_LEFT}; a root types at a terminal`, type: ENROL };
  if (held !== null)
    return held.isSigned
      ? { says: `For it to go on, ${names(held.who)} types at a terminal`, type: `lazarus unhold ${mission}` }
      : { says: `For it to go on, ${names(held.who)} pastes as a new comment`, type: '/unhold' };
  if (state === 'rejected')
    return { says: 'Whoever rejected it takes that back with a new comment', type: '/withdraw' };
  if (isOutOfReach(asked)) return { says: `${TOO_FEW}; a root types at a terminal`, type: ENROL };
  if (asked !== null && asked.missing > 0)
    return {
      says: 'To approve, paste as a new comment (to refuse, `/reject` with the same digest)',
      type: `/approve ${shortDigest(asked.digest)}`,
    };
  if (state === 'queued' && because !== null && because.isLast !== true && mayTryAgain(because.code))
    return { says: 'Once that is put right, for another attempt at once, paste as a new comment', type: '/retry' };
  if (state === 'done' || state === 'failed')
    return {
      says:
        state === 'done'
          ? review !== null && review.changesBy.length > 0
            ? `For what ${names(review.changesBy)} asks for, paste as a new comment, with your own words`
            : 'For more, or for what a reviewer asks for, paste as a new comment, with your own words'
          : 'To try it in another way, paste as a new comment, with your own words',
      type: COMMANDS.followup.usage,
    };
  if (state === 'proposed' && plan === null && because === null)
    return { says: 'For a plan, paste as a new comment', type: '/plan' };
  return undefined;
}

/** A vote would change nothing: people are not sent to give one. */
function isOutOfReach(asked: StatusView['asked']): boolean {
  return asked !== null && asked.possible < asked.missing;
}

const NOBODY_LEFT = 'nobody is left who may let it go on';
const TOO_FEW = 'Fewer people may agree to it than have to';
const ENROL = 'lazarus roster add --help';

type Because = { readonly mission: string; readonly isOver: boolean; readonly reader: Reader };

/** What to do about the reason that a mission stands still for, or ended with. */
export function nextBecause(code: string, { mission, isOver, reader }: Because): string | undefined {
  if (!isOver && mustAskAgain(code)) return nextLine({ code: 'plan_missing', mission }, reader);
  if (!Object.hasOwn(REASONS, code)) return undefined;
  const line = nextLine({ code: code as ReasonCode, mission }, reader);
  // Whoever reads why it stands still has just read what these would show.
  return line === '/status' || line === '/why' ? undefined : line;
}

type Beside = {
  readonly plan: PlanDocument | undefined;
  readonly state: MissionState;
  /** Jobs of a forge do what is due, and no computer of a person. */
  readonly isOnForge: boolean;
  /** Whoever works on it was killed on this computer: its lease lasts, and nobody waits for that. */
  readonly isBrokenOff?: boolean;
};

/** `type`: null where nobody has anything to type. */
export function turnAtTerminal(status: StatusView, step: Due, beside: Beside): NextTurn {
  const { plan, state, isOnForge, isBrokenOff = false } = beside;
  const { mission } = status;
  const branch = status.effects.find(({ state }) => state === 'applied')?.target;
  if (status.stopped !== null && STOPPED.has(step.is))
    return { says: `the project is stopped; ${status.stopped.who.join(' or ')} types`, type: UNSTOP };
  if (isOnForge && FOR_JOBS.has(step.is))
    return { says: 'the jobs of the forge go on with it', type: `lazarus watch ${mission}` };
  switch (step.is) {
    case 'over':
      if (isOnForge && status.state === 'done')
        return { says: 'it is over; its work is in the pull request', type: `lazarus verify ${mission}` };
      if (status.state === 'failed')
        return {
          says: 'it is over; to try it in another way, with your own words',
          type: `lazarus followup ${mission} '<what is to be true then>'`,
        };
      if (status.state !== 'done') return { says: 'it is over; the story of it', type: `lazarus explain ${mission}` };
      return branch === undefined || plan === undefined
        ? { says: 'it is over; everything about it', type: `lazarus verify ${mission}` }
        : { says: 'look at the work', type: `git diff ${plan.proposal.base}...${branch}` };
    case 'plan':
      return {
        says: step.because === undefined ? 'it has no plan yet' : 'what was approved is no longer so; for a new plan',
        type: `lazarus plan ${mission}`,
      };
    case 'people':
      return waiting(status);
    case 'grant':
      return {
        says:
          status.waitsFor === null
            ? 'it is agreed to; to go on'
            : `${status.waitsFor} holds one of its paths; when that is over`,
        type: `lazarus reconcile ${mission}`,
      };
    case 'ask':
      return {
        says: 'too few of those who agreed are still there; to ask people again',
        type: `lazarus reconcile ${mission}`,
      };
    case 'cell':
      return isRewritten(status)
        ? { says: 'its base was rewritten: nothing runs before there is a new plan', type: `lazarus plan ${mission}` }
        : { says: 'it may run', type: `lazarus run ${mission}` };
    case 'held':
      return unholding(status);
    case 'expire':
      return {
        says: 'the time for approving it is over; plan it anew, or let it end',
        type: `lazarus plan ${mission}`,
      };
    case 'busy':
      if (isBrokenOff && !isOnForge) return takingOver(status);
      if (status.cancelled !== null)
        return {
          says: `cancelled; ${step.holder} closes what it runs, until ${step.until} at most`,
          type: `lazarus watch ${mission}`,
        };
      return {
        says: `${status.held === null ? '' : 'held, and nothing else begins; '}${step.holder} works on it until ${step.until} at most`,
        type: `lazarus watch ${mission}`,
      };
    case 'observe':
      return observing(status, state);
    case 'recover':
      if (isLastAttempt(state) && status.cancelled === null)
        return { says: 'the last attempt came to nothing; to end it', type: `lazarus reconcile ${mission}` };
      if (status.because !== null && status.cancelled === null)
        return { says: 'the attempt came to nothing; for another one', type: `lazarus run ${mission}` };
      return { says: 'something is owed that was begun', type: `lazarus reconcile ${mission}` };
    case 'end':
    case 'deliver':
      return { says: 'something is owed that was begun', type: `lazarus reconcile ${mission}` };
  }
}

/** Called off or held, what was begun is closed, and no cell begins. */
function takingOver({ mission, cancelled, held }: StatusView): NextTurn {
  return cancelled === null && held === null
    ? { says: 'its run was broken off here; to take over', type: `lazarus run ${mission}` }
    : { says: 'its run was broken off here; to close it', type: `lazarus reconcile ${mission}` };
}

function isRewritten({ drift }: StatusView): boolean {
  return drift.some((one) => one.is === 'base' && one.goesOn === false);
}

function isLastAttempt(state: MissionState): boolean {
  const { attempt = null, step = null } = courseOf(state) ?? {};
  return attempt !== null && step !== null && attempt.no >= step.max_attempts;
}

function unholding({ mission, held }: StatusView): NextTurn {
  if (held === null || held.who.length === 0) return { says: `held; ${NOBODY_LEFT}; a root types`, type: ENROL };
  return { says: `held; for it to go on, ${held.who.join(' or ')} types`, type: `lazarus unhold ${mission}` };
}

/** Steps that begin something, or ask people to. */
const STOPPED: ReadonlySet<Due['is']> = new Set<Due['is']>([
  'plan',
  'people',
  'grant',
  'ask',
  'cell',
  'deliver',
  'recover',
]);

const FOR_JOBS: ReadonlySet<Due['is']> = new Set<Due['is']>(['cell', 'grant', 'ask', 'recover', 'end', 'deliver']);

/** Looking again costs nothing; what only a person can find out, a person says. */
function observing({ mission }: StatusView, state: MissionState): NextTurn {
  const course = courseOf(state);
  const type = `lazarus reconcile ${mission}`;
  const [id, open] = Object.entries(course?.effects ?? {}).find(([, one]) => !isKnown(one)) ?? [];
  if (id === undefined || open === undefined || course?.lease !== null)
    return { says: 'something is owed that was begun', type };
  const settle = `${type} --settle ${id.slice(0, 8)} applied|not_applied --reason '…'`;
  return {
    says: `nobody knows what became of ${open.kind} ${open.target}; look again, or say what you saw (${settle})`,
    type,
  };
}

function isKnown({ outcome }: Effect): boolean {
  return outcome !== null && outcome !== 'unknown_outcome';
}

function waiting({ mission, state, asked }: StatusView): NextTurn {
  if (state === 'invalid') return { says: 'policy does not allow it', type: `lazarus explain ${mission}` };
  if (asked === null) return { says: 'nothing is asked of anybody', type: null };
  if (asked.rejecting.length > 0)
    return {
      says: `rejected; to take that back, ${asked.rejecting.join(' or ')} types`,
      type: `lazarus withdraw ${mission}`,
    };
  if (isOutOfReach(asked)) return { says: `${TOO_FEW.toLowerCase()}; a root types`, type: ENROL };
  return { says: `${asked.from.join(' or ')} types`, type: `lazarus approve ${mission} ${shortDigest(asked.digest)}` };
}

export type Standing = Pick<StatusView, 'state' | 'stopped' | 'held' | 'asked' | 'proposed' | 'because'> & {
  readonly step: Due;
  readonly isOnForge: boolean;
  /** Who may change the roster, and who has a say. */
  readonly roots: readonly string[];
  readonly people: readonly string[];
};

/** Whose turn it is, by name; nobody's while jobs, an agent or another mission have it. In the order of `turnAtTerminal`. */
export function whoseTurn({ step, isOnForge, roots, people, ...view }: Standing): readonly string[] {
  const { state, stopped, held, asked, proposed, because } = view;
  if (stopped !== null && STOPPED.has(step.is)) return stopped.who;
  // After what an attempt came to nothing for was put right, people have it tried again sooner than the jobs would.
  if (isOnForge && FOR_JOBS.has(step.is))
    return state === 'queued' && because !== null ? proposers(proposed, people) : [];
  switch (step.is) {
    case 'held':
      return held === null || held.who.length === 0 ? roots : held.who;
    case 'people': {
      if (state === 'invalid') return proposers(proposed, people);
      if (asked === null) return [];
      if (asked.rejecting.length > 0) return [...new Set([...asked.rejecting, ...proposers(proposed, people)])];
      return isOutOfReach(asked) ? roots : asked.from;
    }
    case 'plan':
      return because?.code === 'quorum_unreachable' ? roots : proposers(proposed, people);
    case 'expire':
    case 'ask':
    case 'cell':
    case 'recover':
    case 'end':
    case 'deliver':
    case 'observe':
      return proposers(proposed, people);
    case 'grant':
    case 'busy':
    case 'over':
      return [];
  }
}

/** Where they have all left, whoever is there may do what they would. */
function proposers(proposed: StatusView['proposed'], people: readonly string[]): readonly string[] {
  const there = (proposed?.by ?? []).filter((one) => people.includes(one));
  return there.length > 0 ? there : people;
}
