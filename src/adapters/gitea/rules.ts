// Branch rules of one Gitea repository: written only where none stands, and read back, because Gitea drops what it does
// not like without a word.
import type { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { BranchRule, ForgeRepository } from '../../ports/forge.ts';
import type { AtRepository } from './pages.ts';
import { ignoredSchema, ruleSchema, userSchema } from './schemas.ts';

type Stored = z.infer<typeof ruleSchema>;

/** As the server tells it: with fields that only Gitea knows. */
const wholeRuleSchema = ruleSchema.loose();

type Found = { readonly stored: Stored; readonly shadowedBy: readonly string[] };

const RULES = '/repos/{owner}/{repo}/branch_protections';
/** Where a rule stands and since when: nothing that it asks of anybody. */
const NO_DEMAND: ReadonlySet<string> = new Set(['branch_name', 'priority', 'created_at', 'updated_at']);
/** Before every rule that people made: of equals, the older one counts. */
const FIRST = -1;

type Part = Pick<ForgeRepository, 'writers' | 'rules' | 'ensureRule' | 'faultsOfRule' | 'changesOfRule' | 'removeRule'>;

export function rulesOf({ ask, at }: AtRepository): Part {
  const stored = async (): Promise<Stored[]> => (await ask(`GET ${RULES}`, at, ruleSchema.array().nullable())) ?? [];

  const changesOfRule: Part['changesOfRule'] = async (rule) => {
    const whole = (await ask(`GET ${RULES}`, at, wholeRuleSchema.array().nullable())) ?? [];
    const found = whole.find(({ rule_name: name }) => name === rule.pattern);
    if (found === undefined) return undefined;
    const wanted = storedFrom(rule);
    return [...differences(wanted, found, () => true), ...demandsBeside(wanted, found)];
  };
  const faultsOfRule: Part['faultsOfRule'] = async (rule) => {
    const wanted = storedFrom(rule);
    const found = find(rule.pattern, await stored());
    return found && faultsOf(wanted, found, (field) => !isForPeople(field, wanted));
  };
  const readBack = async (wanted: Stored): Promise<void> => {
    const found = find(wanted.rule_name, await stored());
    const differs = found === undefined ? ['the whole rule is missing'] : faultsOf(wanted, found, () => true);
    if (differs.length > 0) throw new Failure('forge_rule_dropped', { rule: wanted.rule_name, differs });
  };

  return {
    // Whom an issue can be given to: those who may write, the owner and members of teams included.
    writers: async () => {
      const assignees = await ask((rest) => rest.issues.listAssignees, at, userSchema.array());
      return assignees.map(({ login }) => login).toSorted();
    },
    rules: async () => (await stored()).map(ruleFrom),
    ensureRule: async (rule, earlier = []) => {
      const wanted = storedFrom(rule);
      const differs = await faultsOfRule(rule);
      if (differs?.length === 0) return 'present';
      if (differs === undefined) {
        await ask(
          `POST ${RULES}`,
          { ...at, ...wanted, priority: FIRST, block_admin_merge_override: false },
          ignoredSchema,
        );
        await readBack(wanted);
        return 'created';
      }
      for (const one of earlier)
        if ((await changesOfRule(one))?.length === 0) {
          await ask(`PATCH ${RULES}/{name}`, { ...at, name: rule.pattern, ...wanted }, ignoredSchema);
          await readBack(wanted);
          return 'changed';
        }
      throw new Failure('forge_rule_differs', { rule: rule.pattern, differs });
    },
    faultsOfRule,
    changesOfRule,
    removeRule: async (pattern) => {
      await ask(`DELETE ${RULES}/{name}`, { ...at, name: pattern }, ignoredSchema);
    },
  };
}

/** Rules come in the order in which Gitea obeys them: of several that match a branch, the first one only. */
function find(pattern: string, rules: readonly Stored[]): Found | undefined {
  const at = rules.findIndex(({ rule_name: name }) => name === pattern);
  const stored = rules[at];
  if (stored === undefined) return undefined;
  const shadowedBy = rules.slice(0, at).filter(({ rule_name: name }) => canMeet(name, pattern));
  return { stored, shadowedBy: shadowedBy.map(({ rule_name: name }) => name) };
}

/** Whether one branch can be meant by both: coarse, so that no case is missed. */
function canMeet(one: string, other: string): boolean {
  const [a, b] = [literalStart(one), literalStart(other)];
  return a.startsWith(b) || b.startsWith(a);
}

function literalStart(glob: string): string {
  return glob.split(/[*?[{\\]/, 1)[0] ?? '';
}

function faultsOf(wanted: Stored, { stored, shadowedBy }: Found, counts: (field: keyof Stored) => boolean): string[] {
  return [...differences(wanted, stored, counts), ...shadowedBy.map((name) => `the rule ${name} comes first`)];
}

function storedFrom(rule: BranchRule): Stored {
  const { pushers, mergers } = rule;
  return {
    rule_name: rule.pattern,
    // Left out, it means that nobody may push.
    enable_push: true,
    enable_push_whitelist: pushers !== 'writers',
    push_whitelist_usernames: pushers === 'writers' ? [] : [...pushers],
    push_whitelist_teams: [],
    push_whitelist_deploy_keys: false,
    enable_merge_whitelist: mergers !== 'writers',
    merge_whitelist_usernames: mergers === 'writers' ? [] : [...mergers],
    merge_whitelist_teams: [],
    enable_force_push: false,
    enable_bypass_allowlist: false,
    require_signed_commits: rule.requiresSignatures,
    protected_file_patterns: rule.protectedFiles.join(';'),
    unprotected_file_patterns: rule.unprotectedFiles.join(';'),
  };
}

function ruleFrom(rule: Stored): BranchRule {
  const globs = (text: string): string[] => text.split(';').filter((glob) => glob !== '');
  return {
    pattern: rule.rule_name,
    pushers: rule.enable_push && !rule.enable_push_whitelist ? 'writers' : (rule.push_whitelist_usernames ?? []),
    mergers: rule.enable_merge_whitelist ? (rule.merge_whitelist_usernames ?? []) : 'writers',
    requiresSignatures: rule.require_signed_commits,
    protectedFiles: globs(rule.protected_file_patterns),
    unprotectedFiles: globs(rule.unprotected_file_patterns),
  };
}

/** Gitea's own names of the fields, as its settings page and API show them. */
function differences(wanted: Stored, found: Stored, counts: (field: keyof Stored) => boolean): string[] {
  return (Object.keys(wanted) as (keyof Stored)[])
    .filter(counts)
    .filter((field) => comparable(wanted[field]) !== comparable(found[field]))
    .map((field) => `${field} is ${comparable(found[field])}, expected ${comparable(wanted[field])}`);
}

/** What people asked for in the settings that no rule of ours does: off, none and nobody are how Gitea makes a rule. */
function demandsBeside(wanted: Stored, found: Readonly<Record<string, unknown>>): string[] {
  const isOff = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);
  return Object.entries(found)
    .filter(([field, value]) => !(field in wanted) && !NO_DEMAND.has(field) && !isOff(value))
    .map(([field, value]) => `${field} is ${JSON.stringify(value)}`);
}

/** A list that is to name nobody names nobody; who is on another one is for whoever keeps the repository. */
function isForPeople(field: keyof Stored, wanted: Stored): boolean {
  const named = (logins: readonly string[] | null): boolean => (logins ?? []).length > 0;
  if (field.startsWith('push_whitelist_')) return named(wanted.push_whitelist_usernames);
  return field.startsWith('merge_whitelist_') && named(wanted.merge_whitelist_usernames);
}

function comparable(value: Stored[keyof Stored]): string {
  if (value === null) return '[]';
  return Array.isArray(value)
    ? `[${value
        .map((name) => name.toLowerCase())
        .toSorted()
        .join(' ')}]`
    : JSON.stringify(value);
}
