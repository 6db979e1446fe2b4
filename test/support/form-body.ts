// What a Gitea makes of its issue form: the same bytes as its web page, for tests that have no server.
import { FIELDS, NO_RESPONSE, type FieldId } from '../../src/forge-text/form-fields.ts';

export type FormInput = Readonly<Record<Exclude<FieldId, 'schema' | 'capabilities'>, string>> & {
  readonly schema?: string;
  readonly capabilities: readonly string[];
};

export const FILLED: FormInput = {
  target: 'alice/m1',
  base: 'main',
  goal: 'Fix the rounding of totals',
  purpose: 'Invoices are off by a cent.',
  acceptance: 'npm test\r\nnode check.js --totals',
  verify: 'npm run check',
  paths: 'src/**\r\n!src/secrets/**',
  tier: '1 branch + PR',
  capabilities: ['repo:push-branch', 'pr:open'],
  agent: 'example',
  backend: 'process',
  budget: '30',
  ttl: '60',
};

export function formBody(input: Partial<FormInput> = {}): string {
  const given = { ...FILLED, ...input };
  return FIELDS.map((field) => {
    if (field.is === 'marker') return section(field.label, line(given.schema ?? field.value));
    if (field.is === 'boxes') return section(field.label, boxes(field.options, given.capabilities));
    const value = given[field.id] as string;
    return section(field.label, field.is === 'text' ? fenced(value, 'text') : line(value));
  }).join('');
}

export function section(label: string, value: string): string {
  return `### ${label}\n\n${value}\n`;
}

export function line(value: string): string {
  return `${value.trim() === '' ? NO_RESPONSE : value.trim()}\n`;
}

export function boxes(options: readonly string[], ticked: readonly string[]): string {
  return options.map((option) => `- [${ticked.includes(option) ? 'x' : ' '}] ${option}\n`).join('');
}

/** The fence is longer than any run of backticks that begins a line; indented runs are overlooked, as by the server. */
export function fenced(text: string, render: string): string {
  const value = text.trim();
  if (value === '') return `${NO_RESPONSE}\n`;
  const runs = value.split('\n').map((one) => /^`*/.exec(one)![0].length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run + 1)));
  return `${fence}${render}\n${value}\n${fence}\n`;
}
