// The grant that was held back because another mission had a path: issued once the paths are free, under the same approval.
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { underWay, type Drafts, type Names } from './about.ts';
import { runGrant } from './agreed.ts';

export function decideGrant(state: MissionState | undefined, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  const found = Object.entries(course.approvals).find(([, one]) => one.type === 'plan' && one.granted);
  if (found === undefined) return refuse('quorum_missing', { mission: at.value.mission });
  const [approval, of] = found;
  const asked = course.requests[of.request];
  const policy = asked?.policy ?? null;
  if (asked === undefined || policy === null) return refuse('action_unknown', { action_request: of.request });
  return accept([runGrant({ ...at.value, approval, of, run: { policy: policy.ref, targets: asked.targets } }, names)]);
}
