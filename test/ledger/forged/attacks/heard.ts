// Attacks of a gate that hears one comment twice, and of members who leave out, borrow or invent where a word came in.
import type { Origin } from '../../../../src/kernel/ingress/heard.ts';
import { ingress, proposal, relayOf, VIC, vote, type Said } from '../../../support/course/asked.ts';
import { CAST, fact } from '../../../support/given.ts';
import { uuid } from '../../../support/events.ts';
import type { Attack } from '../../../support/forge/attack.ts';
import { ABOUT } from '../../../support/forge/course.ts';
import { forgedCourses } from './course.ts';

const COMMENT = relayOf(VIC);
const VOTE = vote(ABOUT, VIC, CAST.gate);

function came(forge: Origin, by = CAST.gate): Said {
  const payload = { ...ingress().payload, forge, resolution: 'approval', source_channel: 'issue_comment' } as const;
  const entity = uuid(`came in ${JSON.stringify(forge)}`);
  return { by, event: fact('ingress.recorded', payload, by, { entity }) };
}

function text(second: number, letter: string): Origin {
  const updated_at = new Date(second * 1000).toISOString();
  return { ...COMMENT, comment_id: null, updated_at, body_sha256: `sha256:${letter.repeat(64)}` };
}

export const HEARD: readonly Attack[] = forgedCourses({
  'comment-heard-twice': {
    does: 'hears a comment once more, so that what it says would count again',
    at: 'awaiting',
    says: [came(COMMENT), came({ ...COMMENT, comment_id: 8 }), came(COMMENT)],
    code: 'already_heard',
  },
  'comment-of-another-issue': {
    does: 'takes a comment on another issue for one on the mission’s',
    at: 'awaiting',
    says: [came(COMMENT), came({ ...COMMENT, comment_id: 8, issue: 4 })],
    code: 'source_elsewhere',
  },
  'comment-heard-by-a-person': {
    does: 'says, as a person, that the comment of another was heard, so that it never counts',
    at: 'awaiting',
    says: [came(COMMENT, VIC)],
    code: 'role_not_allowed',
  },
  'old-text-heard-late': {
    does: 'restores what the issue said before it was edited',
    at: 'awaiting',
    says: [came(text(10, 'a')), came(text(20, 'b')), came(text(10, 'a'))],
    code: 'heard_too_old',
  },
  'vote-without-a-source': {
    does: 'relays a vote and does not record where it came in',
    at: 'awaiting',
    says: [VOTE],
    code: 'source_missing',
  },
  'vote-of-another-source': {
    does: 'relays a vote beside the record of another comment',
    at: 'awaiting',
    says: [came({ ...COMMENT, comment_id: 8 }), VOTE],
    code: 'source_missing',
  },
  'two-words-of-one-source': {
    does: 'makes two revisions of what came in once',
    at: 'awaiting',
    says: [ingress(), proposal(2), proposal(3)].map((event) => ({ by: CAST.gate, event })),
    code: 'source_missing',
  },
  'proposal-without-a-source': {
    does: 'revises the proposal and does not record where that came in',
    at: 'awaiting',
    says: [{ by: CAST.gate, event: proposal(2) }],
    code: 'source_missing',
  },
});
