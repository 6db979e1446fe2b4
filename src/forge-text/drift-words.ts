// What has moved since a plan was made, and what somebody edited since it was proposed, as sentences. `quote` makes harmless
// whatever somebody else wrote, in the way of the place where the sentence stands.
import type { Drift, Edit } from './status-view.ts';

type Quote = (text: string) => string;

const OID_CHARACTERS = 12;

export function driftSentence(drift: Drift, quote: Quote): string {
  switch (drift.is) {
    case 'base': {
      const [planned, now] = [drift.planned, drift.now].map((oid) => quote(oid.slice(0, OID_CHARACTERS)));
      return `The base ${quote(drift.base)} moved from ${planned} to ${now}. ${GOES_ON[String(drift.goesOn) as keyof typeof GOES_ON]}`;
    }
    case 'policy':
      return `The policy was revised from ${drift.planned} to ${drift.now} since the plan: nothing runs before there is a new one.`;
    case 'roster': {
      const lost = drift.lost.map((one) => `The vote of ${quote(one)} no longer counts.`);
      return [`The roster changed from ${drift.planned} to ${drift.now} since the plan.`, ...lost].join(' ');
    }
  }
}

const GOES_ON = {
  true: 'The work still begins at the planned commit.',
  false: 'The planned commit is no longer part of it: nothing runs before there is a new plan.',
  null: 'The work begins at the planned commit, if that is still part of it.',
} as const;

export function editSentence(edit: Edit, quote: Quote): string {
  switch (edit.is) {
    case 'comment':
      return `Comment ${edit.comment} with the vote of ${quote(edit.of)} was ${edit.what} afterwards. The vote counts as it was typed first; ${quote('/withdraw')} takes it back.`;
    case 'form':
      return `The form was edited after revision ${edit.revision} was read from it, and nothing followed. What counts is what the plan shows; once somebody on the roster edits the form, it is read as a new revision.`;
  }
}
