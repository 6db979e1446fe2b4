// The branch rules that everything else relies on, as the forge has them: nobody rewrites a ledger, no job changes what jobs
// do, and no workflow comes with an agent's work. Only looked at; who made a rule may know better.
import type { BranchRule } from '../../ports/forge.ts';
import { defaultBranchRule, LEDGER_RULE, WORK_RULE } from '../init/forge/rules.ts';
import { setUpLine } from '../init/forge/world.ts';
import { missing, ok, type Finding } from './finding.ts';
import { ofForges } from './forge.ts';
import type { Here } from './here.ts';

export function lookAtRules(here: Here): Promise<readonly Finding[]> {
  return ofForges(here, { item: 'rule', title: 'branch rules' }, async (asked, about) => {
    const there = asked.forge.repository(asked.name);
    const facts = await there.facts();
    if (facts === undefined) return [];
    const wanted = [LEDGER_RULE, defaultBranchRule(facts.defaultBranch, []), WORK_RULE];
    const rules = await there.rules();
    const lacking = wanted.flatMap((rule) => {
      const why = lackingIn(
        rule,
        rules.find(({ pattern }) => pattern === rule.pattern),
      );
      return why === undefined ? [] : [missing(about, `${rule.pattern}: ${why}`, setUpLine(asked))];
    });
    const patterns = wanted.map(({ pattern }) => pattern).join(', ');
    const prevented = lacking.length > 0 ? lacking : [ok(about, `${patterns}: ${prevents(facts.defaultBranch)}`)];
    return [
      ...prevented,
      ok({ ...about, item: 'beyond_rules', title: `${about.title}, what they leave open` }, LEFT_OPEN),
    ];
  });
}

function prevents(branch: string): string {
  return `jobs neither push to nor merge into ${branch}, nor rewrite ledgers or work, nor bring a workflow with it`;
}

/** Measured on a server (test/e2e/rules.gitea.test.ts). */
const LEFT_OPEN = [
  'a token that may write contents can report any status of a commit, that of a required check too: believe receipts',
  'whoever may write here can read every secret of its jobs, by a workflow on a branch of their own',
  'who reopens, reviews or labels a pull request runs the text of its branch',
].join('; ');

/** What a rule of ours keeps from happening and this one does not. */
export function lackingIn(ours: BranchRule, theirs: BranchRule | undefined): string | undefined {
  if (theirs === undefined) return 'no such rule: whoever may write there can rewrite it or take it away';
  if (ours.requiresSignatures && !theirs.requiresSignatures) return 'commits without a signature are let in';
  const open = ours.protectedFiles.filter((one) => !theirs.protectedFiles.includes(one));
  if (open.length > 0) return `workflows can be brought along: ${open.join(', ')} is not protected`;
  const isOpen = ours.protectedFiles.length === 0 && (theirs.pushers === 'writers' || theirs.mergers === 'writers');
  return isOpen ? 'the token of a job may push or merge there: every writer may' : undefined;
}
