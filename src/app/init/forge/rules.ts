// The rules of the forge that everything else relies on: nobody rewrites a ledger, and no job changes what jobs do.
// A rule that somebody made or changed is never touched, only held against ours.
import type { BranchRule } from '../../../ports/forge.ts';
import type { Found, Item } from '../items.ts';
import type { ForgeWorld } from './world.ts';

/** What says which jobs run, and with which rights: Gitea reads both folders. */
const WORKFLOWS = ['.gitea/**', '.github/**'];

/** Nobody is named as a pusher, and no file is protected from writers: job tokens may append too, forwards and signed. */
export const LEDGER_RULE: BranchRule = {
  pattern: 'lazarus/**',
  pushers: [],
  mergers: 'writers',
  requiresSignatures: true,
  protectedFiles: WORKFLOWS,
  unprotectedFiles: ['**'],
};

/**
 * Work is pushed by a job, forwards only. A person who reopens its pull request, labels or reviews it lets the workflows of
 * that very branch run with every secret: so none of them comes with the work, whoever pushes it.
 */
export const WORK_RULE: BranchRule = { ...LEDGER_RULE, pattern: 'lazarus-work/**', requiresSignatures: false };

/**
 * People push and merge as before, their own workflows, agents and policy like anything else. The token of a job is on no
 * list, so that it can do neither: Gitea lets it push wherever a rule says that every writer may.
 */
export function defaultBranchRule(branch: string, people: readonly string[]): BranchRule {
  return {
    pattern: branch,
    pushers: people,
    mergers: people,
    requiresSignatures: false,
    protectedFiles: [],
    unprotectedFiles: [],
  };
}

/**
 * What earlier versions made, which is changed to what this one makes where nobody else has: every writer pushed, and
 * `.gitea/**` alone was locked.
 */
function earlierRules(rule: BranchRule): readonly BranchRule[] {
  const locked = { ...rule, protectedFiles: ['.gitea/**'] };
  if (rule.pattern === LEDGER_RULE.pattern) return [locked];
  return rule.pattern === WORK_RULE.pattern ? [] : [{ ...locked, pushers: 'writers', mergers: 'writers' }];
}

export function ruleItem(
  { repository }: Pick<ForgeWorld, 'repository'>,
  name: string,
  { pattern, rule: made }: { readonly pattern: string; readonly rule: () => Promise<BranchRule> },
  onLoose: (why: string) => void,
): Item {
  return {
    name,
    title: `rule for ${pattern}`,
    async look(): Promise<Found> {
      const rule = await made();
      const faults = await repository.faultsOfRule(rule);
      if (faults === undefined) return { is: 'absent', says: wordsOf(rule) };
      if (faults.length === 0) {
        const kept = (await repository.rules()).find((one) => one.pattern === pattern);
        return { is: 'there', says: `${wordsOf(kept ?? rule)}${missingFrom(rule, kept)}` };
      }
      if (await isEarlier(repository, rule))
        return { is: 'absent', says: `${wordsOf(rule)}; in the place of what an earlier version made` };
      onLoose(`the rule for ${pattern} is another`);
      return {
        is: 'differs',
        says: `somebody else made this rule, and it was left alone: ${faults.join('; ')}`,
        next: `change the rule for ${pattern} in the settings of the repository, or remove it; then the same command again`,
      };
    },
    async act() {
      const rule = await made();
      const is = await repository.ensureRule(rule, earlierRules(rule));
      const before = is === 'changed' ? '; in the place of what an earlier version made' : '';
      return `${wordsOf(rule)}; read back${before}`;
    },
  };
}

/** As an earlier version made it, with everybody it names and every demand that only the forge knows. */
export async function isEarlier(repository: ForgeWorld['repository'], rule: BranchRule): Promise<boolean> {
  for (const one of earlierRules(rule)) if ((await repository.changesOfRule(one))?.length === 0) return true;
  return false;
}

function wordsOf({ pushers, mergers, requiresSignatures, protectedFiles }: BranchRule): string {
  return [
    'no deletion',
    'no force',
    ...(requiresSignatures ? ['signed commits'] : []),
    ...(pushers === 'writers' || pushers.length === 0 ? [] : [`pushed to by ${pushers.join(', ')}`]),
    ...(mergers === 'writers' ? [] : [`merged by ${mergers.join(', ')}`]),
    ...(protectedFiles.length === 0 ? [] : [`nothing in ${protectedFiles.join(', ')}`]),
  ].join(', ');
}

/** A list is made once and kept by people: who came later is told of here. */
function missingFrom(wanted: BranchRule, kept: BranchRule | undefined): string {
  const of = (people: BranchRule['pushers']): readonly string[] => (people === 'writers' ? [] : people);
  const named = kept === undefined ? [] : [...of(kept.pushers), ...of(kept.mergers)];
  const missing = of(wanted.pushers).filter((login) => !named.includes(login));
  return missing.length === 0 ? '' : `; on no list of it: ${missing.join(', ')}`;
}
