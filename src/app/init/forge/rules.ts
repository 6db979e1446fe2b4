// The rules of the forge that everything else relies on: nobody rewrites a ledger, and no job changes what jobs may do.
// A rule that somebody made is never changed, only held against ours.
import { Failure } from '../../../failure.ts';
import type { BranchRule } from '../../../ports/forge.ts';
import type { Ensured, Item } from '../items.ts';
import type { ForgeWorld } from './world.ts';

const WORKFLOWS = '.gitea/**';

/** Nobody is named as a pusher, and no file is protected from writers: job tokens may append too, forwards and signed. */
export const LEDGER_RULE: BranchRule = {
  pattern: 'lazarus/**',
  pushers: [],
  requiresSignatures: true,
  protectedFiles: [WORKFLOWS],
  unprotectedFiles: ['**'],
};

/** People push as before. Job tokens cannot, and workflows, form and policy change by pull request. */
export function defaultBranchRule(branch: string): BranchRule {
  return {
    pattern: branch,
    pushers: 'writers',
    requiresSignatures: false,
    protectedFiles: [WORKFLOWS],
    unprotectedFiles: [],
  };
}

export function ruleItem(
  { repository }: ForgeWorld,
  name: string,
  rule: BranchRule,
  onLoose: (pattern: string) => void,
): Item {
  return {
    name,
    title: `rule for ${rule.pattern}`,
    would: wordsOf(rule),
    async ensure(): Promise<Ensured> {
      try {
        const is = await repository.ensureRule(rule);
        return { is: is === 'created' ? 'done' : 'already there', says: `${wordsOf(rule)}; read back` };
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'forge_rule_differs') throw error;
        onLoose(rule.pattern);
        const differs = Array.isArray(error.facts['differs']) ? error.facts['differs'].join('; ') : '';
        return {
          is: 'differs',
          says: `somebody else made this rule, and it was left alone: ${differs}`,
          next: `change the rule for ${rule.pattern} in the settings of the repository, or remove it; then the same command again`,
        };
      }
    },
  };
}

function wordsOf({ requiresSignatures, protectedFiles }: BranchRule): string {
  const words = ['no deletion', 'no force', ...(requiresSignatures ? ['signed commits'] : [])];
  return `${words.join(', ')}, ${protectedFiles.join(', ')} protected`;
}
