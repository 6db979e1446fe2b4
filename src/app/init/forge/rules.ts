// The rules of the forge that everything else relies on: nobody rewrites a ledger, and no job changes what jobs do.
// A rule that somebody made is never changed, only held against ours.
import { Failure } from '../../../failure.ts';
import type { BranchRule } from '../../../ports/forge.ts';
import type { Ensured, Item, Would } from '../items.ts';
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

export function ruleItem(
  { repository }: ForgeWorld,
  name: string,
  { pattern, rule: made }: { readonly pattern: string; readonly rule: () => Promise<BranchRule> },
  onLoose: (pattern: string) => void,
): Item {
  return {
    name,
    title: `rule for ${pattern}`,
    would: async (): Promise<Would> => ({ is: 'would', says: wordsOf(await made()) }),
    async ensure(): Promise<Ensured> {
      const rule = await made();
      try {
        if ((await repository.ensureRule(rule)) === 'created')
          return { is: 'done', says: `${wordsOf(rule)}; read back` };
        const kept = (await repository.rules()).find((one) => one.pattern === pattern);
        return { is: 'already there', says: `${wordsOf(kept ?? rule)}${missingFrom(rule, kept)}` };
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'forge_rule_differs') throw error;
        onLoose(pattern);
        const differs = Array.isArray(error.facts['differs']) ? error.facts['differs'].join('; ') : '';
        return {
          is: 'differs',
          says: `somebody else made this rule, and it was left alone: ${differs}`,
          next: `change the rule for ${pattern} in the settings of the repository, or remove it; then the same command again`,
        };
      }
    },
  };
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
