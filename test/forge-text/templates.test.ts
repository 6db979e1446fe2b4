// What `init` writes into a repository is checked in as well: where people can read it, and where a forge reads it of this
// project's own repository. A stale copy fails here.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FIELDS, FORM_PATH } from '../../src/forge-text/form-fields.ts';
import { formTemplate } from '../../src/forge-text/form-template.ts';
import { marked } from '../../src/forge-text/mark.ts';
import { lintWorkflow } from '../../src/forge-text/workflow-lint.ts';
import {
  RUNNER_LABELS,
  WORKFLOW_PATHS,
  workflows,
  type ActionPin,
  type WorkflowRole,
} from '../../src/forge-text/workflows.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { VERSION } from '../../src/version.ts';

const RENEW = 'RENEW_TEMPLATES=1 npx vitest run --config test/vitest.config.ts test/forge-text/templates.test.ts';
/** An address and a commit that stand for those of a real installation. */
const PIN = {
  address: 'https://forge.example/owner/lazarus-action',
  commit: '0'.repeat(40),
  genesis: `sha256:${'0'.repeat(64)}`,
};

const ROOT = new URL('../../', import.meta.url);
const RENEWS = process.env['RENEW_TEMPLATES'] !== undefined;

function rendered(pin: ActionPin): [path: string, text: string][] {
  const files = workflows(pin);
  if (files.is === 'refused') throw new Error(files.code);
  const roles = Object.keys(files.value) as WorkflowRole[];
  const lines: [string, string][] = [
    [FORM_PATH, formTemplate()],
    ...roles.map((role): [string, string] => [WORKFLOW_PATHS[role], files.value[role]]),
  ];
  return lines.map(([path, text]) => [path, marked(nodeCrypto, VERSION, text)]);
}

/** As `lazarus init --forge` pinned this project's own workflows on a forge, or as they stand for that until it does. */
function ownPin(): ActionPin {
  const gate = new URL(WORKFLOW_PATHS.gate, ROOT);
  if (!existsSync(gate)) return PIN;
  const text = readFileSync(gate, 'utf8');
  const [, address = '', commit = ''] = /^ +uses: (\S+)@(\S+)$/m.exec(text) ?? [];
  const [, genesis = ''] = /^ +genesis: (\S+)$/m.exec(text) ?? [];
  return { address, commit, genesis };
}

function expectCopy(path: string, text: string): void {
  const copy = new URL(path, ROOT);
  if (RENEWS) {
    mkdirSync(dirname(copy.pathname), { recursive: true });
    writeFileSync(copy, text);
  }
  expect(readFileSync(copy, 'utf8') === text, `${path} is stale; to renew it:\n  ${RENEW}`).toBe(true);
}

describe.each(rendered(PIN))('the checked-in copy of %s', (path, text) => {
  it('is what this version writes', () => expectCopy(`templates/${path.replace(/^\.gitea/, 'gitea')}`, text));
});

describe.each(rendered(ownPin()))('this project’s own %s', (path, text) => {
  it('is what this version writes', () => expectCopy(path, text));
});

describe('this project’s own workflows', () => {
  it('pass the lint, all of them pinned to one action', () => {
    for (const role of Object.keys(WORKFLOW_PATHS) as WorkflowRole[])
      expect(lintWorkflow(role, readFileSync(new URL(WORKFLOW_PATHS[role], ROOT), 'utf8'))).toEqual([]);
  });

  it('are all that there are, beside the one that tests', () => {
    const known = [...Object.values(WORKFLOW_PATHS), CI];
    expect(
      readdirSync(new URL('.gitea/workflows', ROOT))
        .map((name) => `.gitea/workflows/${name}`)
        .toSorted(),
    ).toEqual(known.toSorted());
  });

  // Whoever opens a pull request decides what it runs: by the strictest rules there are, but for when and where it runs.
  it('test without a secret, a foreign action or a right to write, on a runner that does nothing else', () => {
    const text = readFileSync(new URL(CI, ROOT), 'utf8');
    const rules = lintWorkflow('cell', text).map(({ rule }) => rule);
    expect(new Set(rules)).toEqual(new Set(['trigger', 'runner']));
    const { on, permissions, jobs } = parse(text) as CiFile;
    expect(on).toEqual({ push: { branches: ['main'] }, pull_request: {} });
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(jobs)).toEqual(['everything']);
    const { 'runs-on': label, steps } = jobs.everything;
    expect(Object.values(RUNNER_LABELS)).not.toContain(label);
    expect(steps.filter((step) => 'uses' in step)).toEqual([]);
    // The token is for the step that fetches, and gone when strangers' code runs.
    expect(steps.map(({ run, env }) => [run!.trim().split('\n').at(-1), Object.keys(env ?? {})])).toEqual([
      [expect.stringContaining('checkout'), ['TOKEN']],
      ['.ci/run', []],
    ]);
  });
});

const CI = '.gitea/workflows/ci.yaml';
type CiFile = {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: {
    readonly everything: {
      readonly 'runs-on': string;
      readonly steps: readonly { readonly run?: string; readonly env?: object }[];
    };
  };
};

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
