// The one state of a mission that people see: derived from its course, and labels, tasks and colours from it.
import { askedOf, type Asked } from '../approval/asked.ts';
import { isVerdict } from '../attempt/blame.ts';
import type { MissionState } from '../state.ts';
import { theStep } from '../course/steps.ts';

export type MissionStatus =
  | 'opened'
  | 'proposed'
  | 'awaiting'
  | 'rejected'
  | 'approved'
  | 'queued'
  | 'running'
  | 'verifying'
  | 'blocked'
  | 'held'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'expired';

export function missionStatus({ course: whole, roster }: MissionState): MissionStatus {
  if (whole === undefined) return 'opened';
  const course = theStep(whole);
  if (course.end !== null) return course.end.outcome;
  // While its cell is still being closed as well: whoever asks sees that nothing will come of it.
  if (course.cancelled !== null) return 'cancelled';
  // Whatever else it is: an attempt that runs comes to its end, and that is all.
  if (course.held !== null) return 'held';
  const { attempt, plan } = course;
  if (plan === null || attempt === null) return 'proposed';
  switch (attempt.status) {
    case 'created':
    case 'awaiting_policy':
      return 'proposed';
    case 'awaiting_approval':
      return answerTo(askedOf({ course: whole, roster }));
    case 'authorized':
      // Approved by people, but not granted: another mission holds a path.
      return Object.keys(course.grants).length > 0 || attempt.work !== null ? 'queued' : 'approved';
    case 'observing':
    case 'receipt_pending':
      return 'verifying';
    case 'succeeded':
      return 'verifying';
    case 'failed':
      return isVerdict(attempt.because ?? '') ? 'failed' : 'queued';
    case 'cancelled':
    case 'superseded':
      return 'queued';
    default:
      return attempt.work === null ? 'running' : 'verifying';
  }
}

/** Nobody who has left rejects any more, and then the others may have agreed. */
function answerTo(asked: Asked | undefined): MissionStatus {
  if (asked === undefined) return 'awaiting';
  if (asked.rejecting.length > 0) return 'rejected';
  return asked.missing > 0 ? 'awaiting' : 'approved';
}
