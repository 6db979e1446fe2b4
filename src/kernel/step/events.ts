// A step: the smallest recoverable unit of a task. What has to be done is its contract, an artifact.
import { z } from 'zod';
import type { Course } from '../course/course.ts';
import type { InCourse } from '../course/in-course.ts';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../place.ts';
import type { EventOf, EventType } from '../event.ts';
import { ATTEMPTS_PER_STEP_MAX } from '../limits.ts';
import { overCourse, type Rules } from '../rule.ts';
import { Digest, ReasonWord } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

const StepCreated = defineEvent(
  'step.created',
  'step',
  z.strictObject({
    contract_ref: Digest,
    kind: ReasonWord,
    max_attempts: z.int().min(1).max(ATTEMPTS_PER_STEP_MAX),
  }),
  { in: MISSION, about: 'task', by: ['gate'] },
);

export const stepEvents = [StepCreated] as const;

export const stepRules = { 'step.created': overCourse(createStep) } satisfies Partial<Rules<EventType>>;

function createStep({ course }: InCourse, event: EventOf<'step.created'>): Verdict<Course> {
  if (course.step !== null) return refuse('step_exists', { step: course.step.id });
  const { max_attempts } = event.payload;
  return accept({ ...course, step: { id: event.entity_id, task: event.task_id, max_attempts } });
}
