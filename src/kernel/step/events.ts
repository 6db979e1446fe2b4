// A step: the smallest recoverable unit of a task. What has to be done is its contract, an artifact.
import { z } from 'zod';
import type { MissionCourse } from '../course/course.ts';
import { currentPlan, type InMission } from '../course/in-course.ts';
import { newStep } from '../course/steps.ts';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import type { EventOf, EventType } from '../event.ts';
import { ATTEMPTS_PER_STEP_MAX } from '../limits.ts';
import { overAllSteps, type Rules } from '../rule.ts';
import { Count, Digest, ReasonWord } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

const StepCreated = defineEvent(
  'step.created',
  'step',
  () =>
    z.strictObject({
      contract_ref: Digest,
      kind: ReasonWord,
      max_attempts: z.int().min(1).max(ATTEMPTS_PER_STEP_MAX),
      /** Where it stands in the plan, which says what it may change and in which role. */
      place: Count,
    }),
  { in: MISSION, about: 'task', by: ['gate'], because: () => ({ of: ['plan.computed'] }) },
);

export const stepEvents = [StepCreated] as const;

export const stepRules = { 'step.created': overAllSteps(createStep) } satisfies Partial<Rules<EventType>>;

/** In the order of the plan, and no more than it has. */
function createStep({ course }: InMission, event: EventOf<'step.created'>): Verdict<MissionCourse> {
  const { entity_id: id, task_id: task } = event;
  const { max_attempts, place } = event.payload;
  const plan = currentPlan(course);
  if (plan.is === 'refused') return plan;
  const made = Object.values(course.steps);
  if (event.step_id !== id) return refuse('event_malformed', { event_type: event.event_type, at: 'step_id' });
  if (made.some((one) => one.id === id || one.task === task)) return refuse('step_exists', { step: id, task });
  if (place !== made.length || place >= plan.value.steps.length)
    return refuse('step_unplanned', { place, expected: made.length, planned: plan.value.steps.length });
  return accept({ ...course, steps: { ...course.steps, [id]: newStep({ id, task, place, max_attempts }) } });
}
