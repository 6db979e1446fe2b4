// What the commands show of a mission: its status, the plan behind it, and the one line to type next. Computed from the
// verified ledger; decides nothing.
import { courseOf } from '../../../kernel/course/steps.ts';
import { pathsOf } from '../../../kernel/course/plan.ts';
import type { StatusView } from '../../../forge-text/status-view.ts';
import { shortDigest, UNSTOP } from '../../../forge-text/status-words.ts';
import { documentsOf } from '../../../app/mission/documents.ts';
import { statusView } from '../../../app/mission/status-view.ts';
import { instant, projectState } from '../../../app/mission/world.ts';
import { nextStep, type NextStep } from '../../../kernel/decide/next.ts';
import type { Effect } from '../../../kernel/course/course.ts';
import type { PlanDocument } from '../../../kernel/mission/plan-document.ts';
import { overlappingClaim } from '../../../kernel/project/claims.ts';
import type { MissionState, ProjectState } from '../../../kernel/state.ts';
import { missionName } from '../../../kernel/values.ts';
import type { MissionSite, Seen } from './site.ts';

export type Next = { readonly says: string; readonly type: string | null };

export type View = {
  readonly status: StatusView;
  readonly state: MissionState;
  /** Undefined before there is a plan, or after it was erased. */
  readonly plan: PlanDocument | undefined;
  readonly step: NextStep;
  readonly next: Next;
  /** The mission that holds a path this one waits for. */
  readonly heldBy: string | undefined;
};

/** On a laptop there is no page to link to and no CI that keeps keys. */
const SHOWN = { home: '', custody: 'people', run: null } as const;

export async function viewOf({ world, ref }: Pick<MissionSite, 'world' | 'ref'>, at: Seen): Promise<View> {
  const { state } = at;
  const documents = await documentsOf(world.bench, ref, state, at.told);
  const { plan } = documents;
  const status = await statusView(world, { ref, ...at, documents }, SHOWN);
  const step = nextStep(state, { now: instant(world) });
  const heldBy = step.is === 'grant' ? holderOf(projectState(world), state) : undefined;
  return { status, state, plan, step, next: nextOf(status, step, { heldBy, plan, state }), heldBy };
}

type Beside = {
  readonly heldBy: string | undefined;
  readonly plan: PlanDocument | undefined;
  readonly state: MissionState;
};

function nextOf(status: StatusView, step: NextStep, { heldBy, plan, state }: Beside): Next {
  const { mission } = status;
  const branch = status.effects.find(({ state }) => state === 'applied')?.target;
  if (status.stopped !== null && STOPPED.has(step.is))
    return { says: `the project is stopped; ${status.stopped.who.join(' or ')} types`, type: UNSTOP };
  switch (step.is) {
    case 'over':
      if (status.state !== 'done') return { says: 'it is over; the story of it', type: `lazarus explain ${mission}` };
      return branch === undefined || plan === undefined
        ? { says: 'it is over; everything about it', type: `lazarus verify ${mission}` }
        : { says: 'look at the work', type: `git diff ${plan.proposal.base}...${branch}` };
    case 'plan':
      return { says: 'it has no plan yet', type: `lazarus plan ${mission}` };
    case 'people':
      return waiting(status);
    case 'grant':
      return {
        says: `${heldBy ?? 'another mission'} holds one of its paths; when that is over`,
        type: `lazarus reconcile ${mission}`,
      };
    case 'cell':
      return { says: 'it may run', type: `lazarus run ${mission}` };
    case 'expire':
      return {
        says: 'the time for approving it is over; plan it anew, or let it end',
        type: `lazarus plan ${mission}`,
      };
    case 'busy':
      if (status.cancelled !== null)
        return {
          says: `cancelled; ${step.holder} closes what it runs, until ${step.until} at most`,
          type: `lazarus watch ${mission}`,
        };
      return { says: `${step.holder} works on it until ${step.until} at most`, type: `lazarus watch ${mission}` };
    case 'observe':
      return observing(status, state);
    case 'recover':
      if (status.because !== null && status.cancelled === null)
        return { says: 'the attempt came to nothing; for another one', type: `lazarus run ${mission}` };
      return { says: 'something is owed that was begun', type: `lazarus reconcile ${mission}` };
    case 'end':
    case 'deliver':
      return { says: 'something is owed that was begun', type: `lazarus reconcile ${mission}` };
  }
}

/** Steps that begin something, or ask people to. */
const STOPPED: ReadonlySet<NextStep['is']> = new Set<NextStep['is']>([
  'plan',
  'people',
  'grant',
  'cell',
  'deliver',
  'recover',
]);

/** Looking again costs nothing; what only a person can find out, a person says. */
function observing({ mission }: StatusView, state: MissionState): Next {
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

function waiting({ mission, state, asked, votes }: StatusView): Next {
  if (state === 'invalid') return { says: 'policy does not allow it', type: `lazarus explain ${mission}` };
  if (asked === null) return { says: 'nothing is asked of anybody', type: null };
  const rejecting = votes.filter(({ choice }) => choice === 'reject').map(({ login }) => login);
  if (rejecting.length > 0)
    return {
      says: `rejected; to take that back, ${rejecting.join(' or ')} types`,
      type: `lazarus withdraw ${mission}`,
    };
  if (asked.from.length === 0)
    return { says: 'nobody on the roster may give what is missing', type: 'lazarus roster add --help' };
  return { says: `${asked.from.join(' or ')} types`, type: `lazarus approve ${mission} ${shortDigest(asked.digest)}` };
}

function holderOf({ missions }: ProjectState, { ledger_id, course }: MissionState): string | undefined {
  const plan = course?.plan ?? null;
  const wanted = plan === null ? [] : pathsOf(plan);
  const [holder] =
    Object.entries(missions).find(
      ([id, { claims }]) => id !== ledger_id && overlappingClaim(claims, wanted) !== undefined,
    ) ?? [];
  return holder === undefined ? undefined : missionName(holder);
}
