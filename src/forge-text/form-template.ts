// The form as the forge reads it: a YAML file on the default branch, rendered from the list of fields. Strings are written
// as JSON, which is YAML: no value can end its own quotes.
import { FIELDS, type Field } from './form-fields.ts';

const HEAD = `# The form by which somebody asks lazarus for a mission: what comes back is read against exactly these labels, in this order.
name: "Mission proposal"
about: "Ask lazarus to do a bounded piece of work"
title: "mission: "
# Shown only, never evidence: whoever files an issue may choose any label.
labels: ["mission/proposed"]
body:
  - type: markdown
    attributes:
      value: "Nothing runs until people on the roster approve the exact digest that is posted below the proposal. Write no secret here: everybody who can read this repository reads it."
`;

export function formTemplate(): string {
  return HEAD + FIELDS.map(block).join('');
}

function block(field: Field): string {
  const lines = [
    `  - type: ${typeOf(field)}`,
    `    id: ${field.id}`,
    '    attributes:',
    ...attributes(field).map(([name, value]) => `      ${name}: ${value}`),
  ];
  if (field.is === 'marker') lines.push('    visible: [content]');
  else if (field.is === 'line')
    lines.push(
      '    validations:',
      '      required: true',
      field.id === 'budget' || field.id === 'ttl' ? '      is_number: true' : `      regex: ${json(field.pattern)}`,
    );
  else if (field.is === 'choice' || (field.is === 'text' && field.optional !== true))
    lines.push('    validations:', '      required: true');
  return `${lines.join('\n')}\n`;
}

function attributes(field: Field): [name: string, value: string][] {
  const found: [string, string][] = [['label', json(field.label)]];
  if (field.help !== undefined) found.push(['description', json(field.help)]);
  if (field.is === 'marker') found.push(['value', json(field.value)]);
  if ((field.is === 'line' || field.is === 'text') && field.placeholder !== undefined)
    found.push(['placeholder', json(field.placeholder)]);
  if (field.is === 'line' && field.preset !== undefined) found.push(['value', json(field.preset)]);
  if (field.is === 'text') found.push(['render', 'text']);
  if (field.is === 'choice') {
    found.push(['options', `[${field.options.map(json).join(', ')}]`]);
    if (field.preset !== undefined) found.push(['default', String(field.preset)]);
  }
  if (field.is === 'boxes')
    found.push(['options', `[${field.options.map((label) => `{ label: ${json(label)} }`).join(', ')}]`]);
  return found;
}

function typeOf(field: Field): string {
  return { marker: 'input', line: 'input', text: 'textarea', choice: 'dropdown', boxes: 'checkboxes' }[field.is];
}

function json(text: string): string {
  return JSON.stringify(text);
}
