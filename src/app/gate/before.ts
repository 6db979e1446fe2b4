// What can be said of an event before anything is fetched or opened: whether it is for us at all, and what answering it
// will need. Reads its form and its commands, once for the whole turn. Knows no ledger: most events end here.
import { readForm, type FormReading } from '../../forge-text/form.ts';
import { MANNERS, type Verb } from '../../forge-text/commands.ts';
import { readComment, type CommentReading } from '../../forge-text/grammar.ts';
import type { Outcome } from '../../forge-text/outcome.ts';
import { missionName } from '../../kernel/values.ts';
import { artifactsRef, ISSUE_REFS, LEDGER_REFS, RULES_REF } from '../../ledger/names.ts';
import type { Heard, HeardComment, HeardIssue } from './heard.ts';

export type Ignored = Pick<Outcome, 'decision' | 'reasonCode'> & { readonly is: 'ignored' };

/** What an event says, read. */
export type IssueRead = HeardIssue & { readonly form: Exclude<FormReading, { readonly is: 'no_proposal' }> };
export type CommentRead = HeardComment & {
  readonly reading: Exclude<CommentReading, { readonly is: 'no_command' }>;
  /** Of the issue that it stands below. */
  readonly form: FormReading;
};

export function readHeard(heard: Heard): IssueRead | CommentRead | Ignored {
  if (heard.is === 'issue') {
    const form = readForm(heard.body);
    return form.is === 'no_proposal' ? ignored('ignored_not_proposal') : { ...heard, form };
  }
  if (heard.senderId !== heard.authorId) return ignored('ignored_edited');
  const reading = readComment(heard.body);
  return reading.is === 'no_command'
    ? ignored('ignored_not_command')
    : { ...heard, reading, form: readForm(heard.issueBody) };
}

function ignored(reasonCode: Ignored['reasonCode']): Ignored {
  return { is: 'ignored', decision: 'stop', reasonCode };
}

/** What is said where no mission is concerned. */
export function nothingBegun({ decision, reasonCode }: Omit<Ignored, 'is'>): Outcome {
  return { decision, reasonCode, next: 'none', mission: null, digest: null, seq: null, receipts: [], wake: [] };
}

/** `fresh`: the mission that an event may become, to know that nothing of that name is there. */
export function refsAbout(read: IssueRead | CommentRead, fresh: string): readonly string[] {
  const index = indexRef(read.issue);
  const { form } = read;
  if (form.is !== 'accepted' || (read.is === 'comment' && !asks(read.reading, (verb) => verb === 'plan')))
    return [index];
  return [index, `refs/heads/${form.value.base}`, RULES_REF, ...refsOfName(missionName(fresh))];
}

/** Of the mission that a job before this one named, in whatever form; whoever goes on with it looks at the rules in force. */
export function refsAsked(mission: string): readonly string[] {
  return /^m-[0-9a-f]{12}$/.test(mission) ? [RULES_REF, ...refsOfName(mission)] : [];
}

/** Whether commits of work are looked at, or gone on from, which takes git and a disk. */
export function asksForWork(read: IssueRead | CommentRead): boolean {
  return read.is === 'comment' && asks(read.reading, (verb) => MANNERS[verb].needsWork);
}

/** Whether something of ours may stand on the page by now. */
export function isShown(read: IssueRead | CommentRead): boolean {
  return read.is === 'issue' ? read.action !== 'opened' : read.form.is !== 'no_proposal';
}

export function refsOfName(name: string): readonly string[] {
  return [LEDGER_REFS + name, artifactsRef(name)];
}

export function indexRef(issue: number): string {
  return `${ISSUE_REFS}${issue}`;
}

function asks(reading: CommentReading, isMeant: (verb: Verb) => boolean): boolean {
  return reading.is === 'accepted' && reading.value.some(({ verb }) => isMeant(verb));
}
