// What can be said of an event before anything is fetched or opened: whether it is for us at all, and what answering it
// will need. Knows forms and commands, and no ledger: most events end here.
import { readForm } from '../../forge-text/form.ts';
import { readComment } from '../../forge-text/grammar.ts';
import type { Outcome } from '../../forge-text/outcome.ts';
import { missionName } from '../../kernel/values.ts';
import { artifactsRef, LEDGER_REFS } from '../../ledger/names.ts';
import type { Heard } from './heard.ts';

type Ignored = Pick<Outcome, 'decision' | 'reasonCode'>;

/** Undefined for what has to be looked into. */
export function ignored(heard: Heard): Ignored | undefined {
  if (heard.is === 'issue')
    return readForm(heard.body).is === 'no_proposal'
      ? { decision: 'stop', reasonCode: 'ignored_not_proposal' }
      : undefined;
  if (heard.senderId !== heard.authorId) return { decision: 'stop', reasonCode: 'ignored_edited' };
  if (!heard.isOpen) return { decision: 'stop', reasonCode: 'ignored_not_command' };
  return readComment(heard.body).is === 'no_command'
    ? { decision: 'stop', reasonCode: 'ignored_not_command' }
    : undefined;
}

/** What is said where no mission is concerned. */
export function nothingBegun({ decision, reasonCode }: Ignored): Outcome {
  return { decision, reasonCode, next: 'none', mission: null, digest: null, seq: null, receipts: [] };
}

/** `fresh`: the mission that an event may become, to know that nothing of that name is there. */
export function refsAbout(heard: Heard, fresh: string): readonly string[] {
  const index = indexRef(heard.issue);
  const form = readForm(heard.is === 'issue' ? heard.body : heard.issueBody);
  if (form.is !== 'accepted' || (heard.is === 'comment' && !asksForPlan(heard.body))) return [index];
  return [index, `refs/heads/${form.value.base}`, ...refsOfName(missionName(fresh))];
}

export function refsOfName(name: string): readonly string[] {
  return [LEDGER_REFS + name, artifactsRef(name)];
}

export const INDEX_REFS = 'refs/lazarus/issues/';

export function indexRef(issue: number): string {
  return `${INDEX_REFS}${issue}`;
}

function asksForPlan(comment: string): boolean {
  const commands = readComment(comment);
  return commands.is === 'accepted' && commands.value.some(({ verb }) => verb === 'plan');
}
