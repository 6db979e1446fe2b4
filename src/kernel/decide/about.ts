// What the drafts of one decision share: the names they draw, and the task, step and attempt they are about.
import type { EventDraft } from '../draft.ts';
import type { Course } from '../mission/course.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

/** A fresh id for a word; the same word gives the same id, so that a decision made again writes the same bytes. */
export type Names = (what: string) => string;

export type UnderWay = {
  readonly mission: string;
  readonly course: Course;
  readonly task: string;
  readonly step: string;
  readonly attempt: string;
};

/** The mission with an attempt at hand, over or not. */
export function underWay(state: MissionState | undefined): Verdict<UnderWay> {
  if (state === undefined) return refuse('ledger_not_opened');
  const { course, ledger_id: mission } = state;
  if (course === undefined || course.step === null || course.attempt === null)
    return refuse('nothing_proposed', { mission });
  if (course.end !== null) return refuse('mission_over', { mission, outcome: course.end.outcome });
  return accept({ mission, course, task: course.step.task, step: course.step.id, attempt: course.attempt.id });
}

export function ofAttempt(at: Pick<UnderWay, 'task' | 'step' | 'attempt'>): {
  readonly task_id: string;
  readonly step_id: string;
  readonly attempt_id: string;
} {
  return { task_id: at.task, step_id: at.step, attempt_id: at.attempt };
}

export type Drafts = readonly EventDraft[];
