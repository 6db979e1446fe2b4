// What a mission has heard through its forge, so that a source counts once however often its event is delivered: a job that is
// run again, a delivery that is repeated, a gate that says one comment twice. Keeps numbers and hashes, no words.
import type { z } from 'zod';
import { enforced } from '../enforced.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { ForgeOrigin } from './events.ts';

export type Origin = z.infer<typeof ForgeOrigin>;

export type Heard = {
  /** A mission hears one issue of one repository; both are the forge's own numbers. */
  readonly repository: number;
  readonly issue: number;
  /** Of the comments heard the highest numbers, ascending. */
  readonly comments: readonly number[];
  /** The highest number that fell out of them: nobody knows any more which below it were heard. */
  readonly floor: number;
  /** The latest text of the issue, and the others that it had within the same second. */
  readonly text: { readonly bodies: readonly string[]; readonly updated_at: string } | null;
};

const COMMENTS_KEPT = 256;
/** The forge's clock counts in seconds; nobody edits an issue more often within one. */
const TEXTS_PER_SECOND_MAX = 16;

/** What has been heard with this source in it, or why it does not count. */
export function hear(before: Heard | undefined, origin: Origin): Verdict<Heard> {
  const { repository, issue } = origin;
  const heard = before ?? { repository, issue, comments: [], floor: 0, text: null };
  if (enforced('source_heard_once') && (heard.repository !== repository || heard.issue !== issue))
    return refuse('source_elsewhere', { issue, expected: heard.issue });
  return origin.comment_id === null ? hearText(heard, origin) : hearComment(heard, origin.comment_id);
}

function hearComment(heard: Heard, comment: number): Verdict<Heard> {
  const { comments, floor } = heard;
  if (enforced('source_heard_once') && comments.includes(comment)) return refuse('already_heard', { comment });
  if (enforced('source_heard_once') && comment <= floor) return refuse('heard_too_old', { comment, floor });
  const all = [...new Set([...comments, comment])].sort((a, b) => a - b);
  if (all.length <= COMMENTS_KEPT) return accept({ ...heard, comments: all });
  return accept({ ...heard, comments: all.slice(1), floor: all[0]! });
}

/** A form that was edited and edited back is a newer text; an older text that comes again is not. */
function hearText(heard: Heard, { body_sha256: body, issue, updated_at }: Origin): Verdict<Heard> {
  const { text } = heard;
  // Where the schema holds, a text has its time.
  const at = updated_at ?? '';
  if (text === null || at > text.updated_at) return accept({ ...heard, text: { bodies: [body], updated_at: at } });
  if (enforced('source_heard_once') && text.bodies.includes(body)) return refuse('already_heard', { issue });
  if (enforced('source_heard_once') && (at < text.updated_at || text.bodies.length >= TEXTS_PER_SECOND_MAX))
    return refuse('heard_too_old', { issue, updated_at: at, latest: text.updated_at });
  return accept({ ...heard, text: { ...text, bodies: [...text.bodies, body] } });
}
