// Attacks on the steps of a mission: by a gate that plans more than can be carried out, or makes a step that nobody agreed
// to, and by a runner that works on none, in another role, or moves a task beside its own.
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import { planDigest } from '../../../../src/kernel/course/plan.ts';
import type { Event } from '../../../../src/kernel/event.ts';
import { by, onAttempt, oneStep, planned, stepCreated, terms } from '../../../support/course/asked.ts';
import { leased, spawned, started } from '../../../support/course/worked.ts';
import { uuid } from '../../../support/events.ts';
import type { Attack } from '../../../support/forge/attack.ts';
import { ABOUT, COURSE_ID } from '../../../support/forge/course.ts';
import { CAST, DIGEST, fact } from '../../../support/given.ts';
import { forgedCourses } from './course.ts';

const ANOTHER = uuid('another task');
const SECOND = uuid('second step');

const gate = (...events: Event[]) => by(CAST.gate, ...events);
const runner = (...events: Event[]) => by(CAST.runner, ...events);
/** With the digest that it has in the golden mission. */
function planOfTwo(): Event {
  const steps = [...oneStep(['src/**']), { ...oneStep(['docs/**'])[0]!, depends_on: [0] }];
  const about = terms({ ...ABOUT, plan: { ...ABOUT.plan, steps } });
  return { ...planned(ABOUT), payload: { ...about, plan_digest: planDigest(nodeCrypto, COURSE_ID, about) } };
}

function secondStep(): Event {
  const made = stepCreated();
  const about = { entity_id: SECOND, step_id: SECOND, task_id: ANOTHER };
  return Object.assign({}, made, about, { payload: { ...made.payload, place: 1 } });
}

const ANOTHER_TASK = [
  fact('task.created', { contract: DIGEST }, CAST.gate, { task: ANOTHER }),
  fact('task.readied', {}, CAST.gate, { task: ANOTHER }),
];
const { step_id: _, ...ofNoStep } = leased(1, CAST.runner, 'isolated');

export const STEPS: readonly Attack[] = forgedCourses({
  'plan-of-two-steps': {
    does: 'plans a second step behind the first, for which nobody can say on which base it begins',
    at: 'awaiting',
    says: gate(planOfTwo()),
    code: 'several_steps',
  },
  'step-not-in-the-plan': {
    does: 'makes a step that the plan which people see does not have',
    at: 'created',
    says: gate(...ANOTHER_TASK, secondStep()),
    code: 'step_unplanned',
  },
  'lease-on-no-step': {
    does: 'takes a lease on nothing in particular, to hold it against everybody',
    at: 'granted',
    says: runner(ofNoStep),
    code: 'step_unknown',
  },
  'cell-in-another-role': {
    does: 'starts the agent in another role than the plan names',
    at: 'granted',
    says: runner(
      leased(1, CAST.runner, 'isolated'),
      started(),
      onAttempt('context.compiled', { context_pack_ref: DIGEST }, CAST.runner),
      spawned({ role: 'director' }),
    ),
    code: 'role_unplanned',
  },
  'task-beside-the-lease': {
    does: 'starts a task that is not the one its lease is for',
    at: 'leased',
    says: [...gate(...ANOTHER_TASK), ...runner(fact('task.started', {}, CAST.runner, { task: ANOTHER }))],
    code: 'lease_lost',
  },
});
