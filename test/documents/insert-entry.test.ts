import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { insertEntry } from '../../src/documents/insert-entry.ts';
import { taken } from '../support/taken.ts';

const POLICY = readFileSync(new URL('../../templates/policy.yml', import.meta.url), 'utf8');
const CODEX = '# For review.\ncodex:\n  command: [codex]\n  home:\n    a.toml: |\n      x = 1\n\n      y = 2\n';

const into = (text: string, under = 'agents', entry = CODEX) => insertEntry(text, { under, text: entry }, 'policy.yml');

/** What was added: the text is otherwise the same, byte for byte. */
function added(text: string, under?: string, entry?: string): string {
  const after = taken(into(text, under, entry));
  let from = 0;
  while (from < text.length && text[from] === after[from]) from++;
  for (; from >= 0; from--) {
    const length = after.length - text.length;
    if (after.slice(0, from) + after.slice(from + length) === text && after[from - 1] !== ' ')
      return after.slice(from, from + length);
  }
  throw new Error('something else changed');
}

it('puts an entry behind the last one, with its comments, and changes nothing else', () => {
  const after = taken(into(POLICY));
  expect(after).toContain(
    [
      '  example: [/bin/sh, tools/example-agent.sh]',
      '  # For review.',
      '  codex:',
      '    command: [codex]',
      '    home:',
      '      a.toml: |',
      '        x = 1',
      '',
      '        y = 2',
      '',
      '# Whether a mission file',
    ].join('\n'),
  );
  expect(added(POLICY)).toMatch(/^ {2}# For review\.\n {2}codex:\n[^]*y = 2\n$/);
});

it('makes the key where the file does not have it', () => {
  expect(taken(into('version: 1', 'routes', 'openai: {}'))).toBe('version: 1\n\nroutes:\n  openai: {}\n');
  expect(taken(into('version: 1\n', 'routes', 'openai: {}'))).toBe('version: 1\n\nroutes:\n  openai: {}\n');
  expect(taken(into('', 'routes', 'openai: {}'))).toBe('routes:\n  openai: {}\n');
});

it.each([
  ['a key without a value', 'agents:\nrules: x\n', '  codex: 1\n'],
  ['a comment where entries go', 'agents: # none\n  # yet\nrules: x\n', '  codex: 1\n'],
  ['another indentation', 'agents:\n    a: 1\n\n\nrules: x\n', '    codex: 1\n'],
  ['comments of the last entry', 'agents:\n  a: 1 # one\n  # of a\n\n# of rules\nrules: x\n', '  codex: 1\n'],
  ['a text in many lines', 'agents:\n  a: |\n    one\n\n    two\n\nrules: x\n', '  codex: 1\n'],
  ['a text that keeps its last blank lines', 'agents:\n  a: |+\n    one\n\n\nrules: x\n', '  codex: 1\n'],
  ['brackets inside of entries', 'agents:\n  a: [\n    1,\n  ]\nrules: x\n', '  codex: 1\n'],
  ['line ends of Windows', 'agents:\r\n  a: 1\r\nrules: x\r\n', '  codex: 1\r\n'],
  ['no line end at all', 'agents:\n  a: 1', '\n  codex: 1\n'],
  ['an entry without a value', 'agents:\n  a:\n\nrules: x\n', '  codex: 1\n'],
])('knows %s', (_, text, says) => {
  expect(added(text, 'agents', 'codex: 1')).toBe(says);
});

it('adds to lists as well, wherever their dashes stand', () => {
  const rule = '- name: b\n  answer: allow\n';
  expect(taken(into('rules:\n  - name: a\n', 'rules', rule))).toBe(
    'rules:\n  - name: a\n  - name: b\n    answer: allow\n',
  );
  expect(taken(into('rules:\n- name: a\n# of x\nx: 1\n', 'rules', rule))).toBe(
    'rules:\n- name: a\n- name: b\n  answer: allow\n# of x\nx: 1\n',
  );
});

it.each([
  ['a name that is taken', 'agents:\n  codex: 1\n', 2],
  ['a name in quotes that is taken', 'version: 1\nagents:\n  "codex": 1\n', 3],
  ['entries in braces', 'agents: {a: 1}\n', 1],
  ['an empty pair of braces', 'agents: {}\n', 1],
  ['a list where names go', 'agents:\n  - a\n', 2],
  ['a text where names go', 'agents: a\n', 1],
  ['a file in braces', '{agents: 1}\n', 1],
  ['a file that is a list', '- a\n', 1],
  ['a text that is no YAML', 'agents: [\n', 2],
  ['a key that stands there twice', 'agents:\n  a: 1\nagents:\n  b: 1\n', 3],
  ['a second document', 'version: 1\n---\nversion: 2\n', 2],
  ['an end that is written down', 'version: 1\n...\n', 1],
])('leaves %s alone, and says where', (_, text, line) => {
  expect(into(text)).toMatchObject({ is: 'refused', code: 'entry_not_inserted', facts: { file: 'policy.yml', line } });
});
