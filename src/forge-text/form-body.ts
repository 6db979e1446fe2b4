// A proposal as the body of an issue that the form would have made of it: read back, it is the same proposal. What no form can
// ask for makes no body.
import { equalBytes } from '../format/bytes.ts';
import { proposalBytes, readProposal, type Proposal } from '../kernel/proposal/proposal.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { FIELDS, FORM_SCHEMA, NO_RESPONSE, TIERS, type Field, type FieldId } from './form-fields.ts';
import { readForm } from './form.ts';

export function formBody(proposal: Proposal): Verdict<string> {
  const values = valuesOf(proposal);
  const body = FIELDS.map((field) => `### ${field.label}\n\n${written(field, values, proposal)}\n`).join('\n');
  const form = readForm(body);
  if (form.is === 'refused') return form;
  const again = form.is === 'accepted' ? readProposal(form.value) : undefined;
  return again?.is === 'accepted' && equalBytes(proposalBytes(again.value), proposalBytes(proposal))
    ? accept(body)
    : refuse('proposal_malformed', { why: 'it asks for what the form cannot ask for' });
}

type Values = Readonly<Record<Exclude<FieldId, 'schema' | 'capabilities'>, string>>;

function valuesOf(proposal: Proposal): Values {
  const { target, agent } = proposal;
  return {
    target: target === null ? '' : `${target.owner}/${target.repo}`,
    base: proposal.base,
    goal: proposal.goal,
    purpose: proposal.purpose,
    acceptance: proposal.acceptance.join('\n'),
    verify: proposal.verifyCommand,
    paths: proposal.paths.join('\n'),
    tier: TIERS[proposal.tier] ?? '',
    agent: 'name' in agent ? agent.name : '',
    backend: proposal.backend,
    budget: String(proposal.budgetMinutes),
    ttl: String(proposal.ttlMinutes),
  };
}

function written(field: Field, values: Values, { capabilities }: Proposal): string {
  if (field.is === 'marker') return FORM_SCHEMA;
  if (field.is === 'boxes')
    return field.options.map((one) => `- [${capabilities.some((has) => has === one) ? 'x' : ' '}] ${one}`).join('\n');
  const value = values[field.id as keyof Values];
  if (value === '') return NO_RESPONSE;
  return field.is === 'text' ? fenced(value) : value;
}

/** Longer than any run of its sign that a line begins with. */
function fenced(text: string): string {
  const runs = text.split('\n').map((line) => /^ *(`*)/.exec(line)![1]!.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run + 1)));
  return `${fence}text\n${text}\n${fence}`;
}
