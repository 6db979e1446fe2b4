// From the raw text of the form's fields to the proposal that they make. The form asks for no brief: what its sections say
// follows from the other fields. All problems are collected: people correct a form once, not once per mistake. What is quoted
// back is our own words and labels, never what somebody typed.
import { isRefName } from '../format/git/ref-name.ts';
import { CLAIMS_PER_MISSION_MAX, GOAL_CHARACTERS_MAX } from '../kernel/limits.ts';
import { Capability, MINUTES_MAX, sortedSet, timeFault, type Proposal } from '../kernel/proposal/proposal.ts';
import { checkGlob, spelledOut } from '../kernel/scope/globs.ts';
import { BACKENDS, FIELDS, FORM_SCHEMA, TIERS, type FieldId } from './form-fields.ts';
import type { RawForm } from './form-split.ts';
import { hiddenCharacter, isComposed, oddSpace } from './hidden.ts';

/** Never of a repository at hand: a form is filed on a forge. */
export type FormProposal = Proposal & { readonly target: NonNullable<Proposal['target']> };

const PURPOSE_CHARACTERS_MAX = 2_000;
const COMMANDS_MAX = 20;
const COMMAND_CHARACTERS_MAX = 500;
const COMMIT = /^[0-9a-f]{40}$/;

type Reading = { readonly raw: RawForm; readonly problem: (id: FieldId, because: string) => void };

export function readValues(raw: RawForm): { readonly proposal: FormProposal; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const problem = (id: FieldId, because: string) => {
    problems.push(`${FIELDS.find((field) => field.id === id)?.label}: ${because}`);
  };
  const form = { raw, problem };
  if (raw.get('schema') !== FORM_SCHEMA) problem('schema', 'another version of the form; open the form again');
  const proposal: FormProposal = {
    schema: 'lazarus.proposal.v1',
    target: target(form),
    base: base(form),
    goal: goal(form),
    purpose: prose(form, 'purpose', PURPOSE_CHARACTERS_MAX),
    brief: {
      context: {},
      whatsDone: [],
      currentTask: '',
      doneCriteria: 'Every acceptance check and the verify command exit with 0, each in a fresh cell.',
      keyDecisions: [],
      relevantMemories: [],
    },
    acceptance: commands(form, 'acceptance', COMMANDS_MAX),
    verifyCommand: commands(form, 'verify', 1)[0] ?? '',
    paths: sortedSet(paths(form).map(spelledOut)),
    allowances: [],
    auditGates: [],
    tier: Math.max(0, TIERS.indexOf(choice(form, 'tier', TIERS))),
    capabilities: sortedSet(boxes(form, 'capabilities', Capability.options)),
    agent: { name: line(form, 'agent') },
    backend: choice(form, 'backend', BACKENDS),
    budgetMinutes: minutes(form, 'budget'),
    ttlMinutes: minutes(form, 'ttl'),
  };
  const { budgetMinutes, ttlMinutes } = proposal;
  const fault = timeFault(budgetMinutes, ttlMinutes);
  // Of a field that could not be read its own problem says more.
  if (fault !== undefined && budgetMinutes > 0 && ttlMinutes > 0) problem('ttl', fault);
  return { proposal, problems };
}

function target(form: Reading): FormProposal['target'] {
  const [owner = '', repo = ''] = line(form, 'target').split('/');
  if ([owner, repo].some((name) => /^\.{1,2}$/.test(name))) form.problem('target', 'no owner/repository');
  return { owner, repo };
}

function base(form: Reading): string {
  const name = line(form, 'base');
  if (name !== '' && (name.startsWith('-') || !isRefName(`refs/heads/${name}`)))
    form.problem('base', 'no name that git allows for a branch');
  else if (COMMIT.test(name)) form.problem('base', 'a commit; name a branch, which the work can be merged into');
  return name;
}

/** One line that matches the pattern the page already asks for; empty when there was a problem. */
function line(form: Reading, id: FieldId): string {
  const value = form.raw.get(id) ?? '';
  const field = FIELDS.find((one) => one.id === id);
  if (value === '') form.problem(id, 'not filled in');
  else if (field?.is === 'line' && new RegExp(`^(?:${field.pattern})$`).test(value)) return value;
  else form.problem(id, 'not of the form that the field asks for');
  return '';
}

function minutes(form: Reading, id: FieldId): number {
  const value = Number(line(form, id));
  if (value > MINUTES_MAX) form.problem(id, `more than ${MINUTES_MAX} minutes`);
  return value;
}

function prose(form: Reading, id: FieldId, max: number): string {
  const value = seen(form, id);
  const optional = FIELDS.some((field) => field.id === id && field.is === 'text' && field.optional === true);
  if (value === '' && !optional) form.problem(id, 'not filled in');
  if (Array.from(value).length > max) form.problem(id, `longer than ${max} characters`);
  return value;
}

function goal(form: Reading): string {
  const text = prose(form, 'goal', GOAL_CHARACTERS_MAX);
  if (/[\n\t]/.test(text)) form.problem('goal', 'more than one line, or a tab');
  return text;
}

function commands(form: Reading, id: FieldId, max: number): string[] {
  const found = filledLines(form, id, max);
  if (found.some((command) => Array.from(command).length > COMMAND_CHARACTERS_MAX))
    form.problem(id, `a command is longer than ${COMMAND_CHARACTERS_MAX} characters`);
  return found;
}

function paths(form: Reading): readonly string[] {
  const found = filledLines(form, 'paths', CLAIMS_PER_MISSION_MAX);
  found.forEach((path, i) => {
    const nth = `path ${i + 1}`;
    const glob = checkGlob(path);
    if (glob.is === 'refused') form.problem('paths', `${nth} ${String(glob.facts['why'])}`);
  });
  if (found.length > 0 && found.every((path) => path.startsWith('!')))
    form.problem('paths', 'every line takes paths away; none says what may change');
  return found;
}

function choice<Option extends string>(form: Reading, id: FieldId, options: readonly Option[]): Option {
  const value = form.raw.get(id);
  const found = options.find((option) => option === value);
  if (found === undefined) form.problem(id, value === '' ? 'not chosen' : 'not one of the form’s options');
  return found ?? options[0]!;
}

/** Every option stands in the issue, in the form's order, ticked or not. */
function boxes<Option extends string>(form: Reading, id: FieldId, options: readonly Option[]): readonly Option[] {
  const lines = (form.raw.get(id) ?? '').split('\n');
  const ticked = options.filter((option, i) => lines[i] === `- [x] ${option}`);
  const whole =
    lines.length === options.length &&
    options.every((option, i) => /^- \[[ x]\] /.test(lines[i]!) && lines[i]!.slice(6) === option);
  if (!whole) form.problem(id, 'not the form’s list of boxes');
  return ticked;
}

function filledLines(form: Reading, id: FieldId, max: number): string[] {
  const text = seen(form, id);
  const found = text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (found.length === 0) form.problem(id, 'not filled in');
  if (found.length > max) form.problem(id, max === 1 ? 'more than one line' : `more than ${max} lines`);
  const odd = text.includes('\t') ? 'U+0009' : oddSpace(text);
  if (odd !== undefined) form.problem(id, `a blank that is no space (${odd})`);
  return found;
}

/** Text as a reader sees it: nothing hidden, one spelling. */
function seen(form: Reading, id: FieldId): string {
  const text = form.raw.get(id) ?? '';
  const hidden = hiddenCharacter(text);
  if (hidden !== undefined) form.problem(id, `a character that is not shown (${hidden})`);
  else if (!isComposed(text)) form.problem(id, 'letters and their accents are separate characters (not Unicode NFC)');
  return text;
}
