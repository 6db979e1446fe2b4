// Another attempt because somebody asks for it: at once, where a schedule would leave time to put things right, and within the
// count that the plan has. What is owed otherwise is left to whoever is due; what stands in the way is said.
import { askedOf } from '../../kernel/approval/asked.ts';
import { courseOf } from '../../kernel/course/steps.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Refused, type Verdict } from '../../kernel/verdict.ts';
import { planMission } from './plan.ts';
import type { Setting } from './planning.ts';
import { recover } from './recover.ts';
import type { SaidIn } from './said-in.ts';
import { dueNow, missionState, type Acting } from './world.ts';

export type Retry = {
  readonly setting: Setting;
  /** Leases of this principal are known to be abandoned: no process of it lives. */
  readonly isAlone: boolean;
  /** The comment it was asked for in; left out where somebody asks at a computer of their own. */
  readonly saidIn?: SaidIn | undefined;
};

/** The state as it is where nothing has to be tried again: something else is due, and no word is needed for it. */
export async function retry(acting: Acting, { setting, isAlone, saidIn }: Retry): Promise<Verdict<MissionState>> {
  const state = await missionState(acting);
  const due = dueNow(acting.world, state, isAlone ? { own: acting.principal } : {});
  const mission = state.ledger_id;
  switch (due.is) {
    case 'over':
      return refuse('mission_over', { mission, outcome: state.course!.end!.outcome });
    case 'held':
      return refuse('mission_held', { mission, by: due.by });
    case 'busy':
      return refuse('attempt_runs', { attempt: attemptNo(state), holder: due.holder, until: due.until });
    case 'expire':
      return refuse('approval_expired', { mission });
    case 'people':
      return waiting(state);
    case 'plan':
      return planMission(acting, setting, saidIn);
    case 'recover':
      return exhausted(state) ?? recover(acting, setting, state, { saidIn });
    default:
      return accept(state);
  }
}

/** No attempt has failed: people are asked, and nobody has to try anything. */
function waiting({ course, roster, ledger_id: mission }: MissionState): Refused {
  const asked = askedOf({ course, roster });
  if (asked === undefined) return refuse('policy_refused', { mission });
  const { missing, rejecting, approval } = asked;
  return rejecting.length > 0
    ? refuse('rejected', { by: [...rejecting] })
    : refuse('quorum_missing', { mission, missing, digest: approval.digest });
}

/** As many as policy lets a step have; what was called off is not tried again either, and whoever comes by says that it is over. */
function exhausted(state: MissionState): Refused | undefined {
  const { attempt, step, cancelled } = courseOf(state)!;
  if (cancelled !== null) return refuse('mission_cancelled', { mission: state.ledger_id, by: cancelled.by });
  if (attempt!.no < step!.max_attempts) return undefined;
  return refuse('attempts_exhausted', { attempts_max: step!.max_attempts });
}

function attemptNo(state: MissionState): number {
  return courseOf(state)?.attempt?.no ?? 0;
}
