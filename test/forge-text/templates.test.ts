// What `init` writes into a repository is checked in as well, where people can read it. A stale copy fails here.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FIELDS, FORM_PATH } from '../../src/forge-text/form-fields.ts';
import { formTemplate } from '../../src/forge-text/form-template.ts';
import { WORKFLOW_PATHS, workflows, type WorkflowRole } from '../../src/forge-text/workflows.ts';

const RENEW = 'RENEW_TEMPLATES=1 npx vitest run --config test/vitest.config.ts test/forge-text/templates.test.ts';
/** An address and a commit that stand for those of a real installation. */
const PIN = {
  address: 'https://forge.example/owner/lazarus-action',
  commit: '0'.repeat(40),
  genesis: `sha256:${'0'.repeat(64)}`,
};

function rendered(): [path: string, text: string][] {
  const files = workflows(PIN);
  if (files.is === 'refused') throw new Error(files.code);
  const roles = Object.keys(files.value) as WorkflowRole[];
  return [
    [FORM_PATH, formTemplate()],
    ...roles.map((role): [string, string] => [WORKFLOW_PATHS[role], files.value[role]]),
  ];
}

describe.each(rendered())('the checked-in copy of %s', (path, text) => {
  it('is what this version writes', () => {
    const copy = new URL(`../../templates/${path.replace(/^\.gitea/, 'gitea')}`, import.meta.url);
    if (process.env['RENEW_TEMPLATES'] !== undefined) {
      mkdirSync(dirname(copy.pathname), { recursive: true });
      writeFileSync(copy, text);
    }
    expect(readFileSync(copy, 'utf8') === text, `${copy.pathname} is stale; to renew it:\n  ${RENEW}`).toBe(true);
  });
});

describe('the form’s template', () => {
  const template = parse(formTemplate()) as {
    body: {
      type: string;
      id?: string;
      attributes: Record<string, unknown>;
      validations?: { regex?: string };
      visible?: string[];
    }[];
  };
  const fields = template.body.filter(({ type }) => type !== 'markdown');

  it('shows the fields that the parser expects, in its order', () => {
    expect(fields.map(({ id, attributes }) => [id, attributes['label']])).toEqual(
      FIELDS.map(({ id, label }) => [id, label]),
    );
  });

  it('has only what a Gitea knows, for it drops a file with anything else without a word', () => {
    for (const { type, id } of template.body)
      expect(`${type} ${id ?? ''}`).toMatch(/^(?:markdown |(?:input|textarea|dropdown|checkboxes) [a-z-]+)$/);
    expect(Object.keys(template).toSorted()).toEqual(['about', 'body', 'labels', 'name', 'title']);
  });

  it('puts every free text into a block, and hides the field by which a proposal is recognised', () => {
    for (const { type, attributes } of fields) if (type === 'textarea') expect(attributes['render']).toBe('text');
    expect(fields[0]).toEqual({
      type: 'input',
      id: 'schema',
      attributes: { label: 'lazarus-schema', value: '1' },
      visible: ['content'],
    });
  });

  it('has patterns that a browser can compile: one that it cannot is ignored without a word', () => {
    const patterns = fields.flatMap(({ validations }) => validations?.regex ?? []);
    expect(patterns).toHaveLength(3);
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'v')).not.toThrow();
  });

  it('has no comma in an option and no tier that is chosen for people', () => {
    const dropdowns = fields.filter(({ type }) => type === 'dropdown');
    for (const { attributes } of dropdowns) expect((attributes['options'] as string[]).join('')).not.toContain(',');
    expect(dropdowns[0]!.attributes).toMatchObject({ label: 'Risk tier', options: expect.any(Array) });
    expect(dropdowns[0]!.attributes).not.toHaveProperty('default');
  });
});
