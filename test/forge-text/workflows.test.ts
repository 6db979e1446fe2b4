// The workflow files: what each job gets, what stands in none of them, and that every rule of the lint fires.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { lintWorkflow, workflowDrift } from '../../src/forge-text/workflow-lint.ts';
import { RULES, type Rule } from '../../src/forge-text/workflow-rules.ts';
import {
  CALLED,
  GATE_FILTER,
  WORKFLOW_PATHS,
  workflows,
  type Called,
  type WorkflowRole,
} from '../../src/forge-text/workflows.ts';

const PIN = {
  address: 'http://127.0.0.1:3000/alice/lazarus-action',
  commit: 'c'.repeat(40),
  genesis: `sha256:${'e'.repeat(64)}`,
};

function files(): Readonly<Record<WorkflowRole, string>> {
  const rendered = workflows(PIN);
  if (rendered.is === 'refused') throw new Error(rendered.code);
  return rendered.value;
}

type Workflow = {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Record<string, unknown> & { steps?: Record<string, unknown>[] }>;
};
const parsed = Object.fromEntries(Object.entries(files()).map(([role, text]) => [role, parse(text) as Workflow]));
const caller = parsed['caller']!;

describe('the caller', () => {
  it('is started by new comments, changed issues, a schedule and by hand; never by an edited comment', () => {
    expect(caller.on).toEqual({
      issue_comment: { types: ['created'] },
      issues: { types: ['opened', 'edited', 'reopened'] },
      schedule: [{ cron: '*/5 * * * *' }],
      workflow_dispatch: { inputs: { mission: { type: 'string', required: false } } },
    });
  });

  it('only calls: no job of its own, no permission, and to each job its own key alone', () => {
    expect(caller.permissions).toEqual({});
    expect(Object.keys(caller.jobs)).toEqual(['gate', 'reconcile', 'cell', 'writer', 'wake']);
    for (const job of CALLED) {
      expect(caller.jobs[job]!['uses']).toBe(`./${WORKFLOW_PATHS[job]}`);
      expect(caller.jobs[job]).not.toHaveProperty('steps');
    }
    const secrets = Object.fromEntries(CALLED.map((job) => [job, Object.keys(caller.jobs[job]!['secrets'] ?? {})]));
    expect(secrets).toEqual({
      gate: ['LAZARUS_GATE_KEY', 'LAZARUS_GATE_PASSPHRASE'],
      cell: [],
      writer: ['LAZARUS_WRITER_KEY', 'LAZARUS_WRITER_PASSPHRASE'],
      // Where messages go is nothing for the job that reads what strangers just wrote.
      reconcile: ['LAZARUS_GATE_KEY', 'LAZARUS_GATE_PASSPHRASE', 'LAZARUS_WEBHOOK'],
      wake: [],
    });
  });

  it('lets the server filter what is none of ours, and hands the real event name on', () => {
    expect(caller.jobs['gate']).toMatchObject({ if: GATE_FILTER, with: { 'event-name': '${{ github.event_name }}' } });
    expect(caller.jobs['reconcile']).toMatchObject({ with: { 'event-name': '${{ github.event_name }}' } });
  });

  it('starts cell and writer by what gate or reconcile said, the writer also when the cell’s runner died', () => {
    expect(caller.jobs['cell']).toMatchObject({
      needs: ['gate', 'reconcile'],
      if: expect.stringMatching(/^always\(\) && /),
    });
    expect(caller.jobs['writer']).toMatchObject({
      needs: ['gate', 'reconcile', 'cell'],
      if: expect.stringMatching(/^always\(\) && /),
    });
    expect(caller.jobs['writer']!['if']).toContain("needs.reconcile.outputs.next == 'writer'");
  });

  it('wakes other missions only where a job named some', () => {
    expect(caller.jobs['wake']).toMatchObject({ needs: ['gate', 'reconcile', 'writer'] });
    for (const job of ['gate', 'reconcile', 'writer']) {
      expect(caller.jobs['wake']!['if']).toContain(`needs.${job}.outputs.wake != ''`);
      expect(caller.jobs['wake']!['with']).toEqual({ missions: expect.stringContaining(`needs.${job}.outputs.wake`) });
    }
  });

  it('gives no job that may start workflows the right to write branches: together they read every secret', () => {
    for (const job of CALLED) {
      const { actions, contents } = parsed[job]!.permissions;
      expect([job, actions === 'write' && contents !== undefined]).toEqual([job, false]);
    }
  });
});

describe.each(CALLED)('the called file of the %s', (role) => {
  const file = parsed[role]!;
  const job = file.jobs[role]!;

  it('has a permission block of its own, its runner, and one pinned step', () => {
    expect(file.permissions).toEqual(
      {
        gate: { contents: 'write', issues: 'write', 'pull-requests': 'read' },
        cell: { contents: 'write' },
        writer: { contents: 'write', issues: 'write', 'pull-requests': 'write' },
        reconcile: { contents: 'write', issues: 'write', 'pull-requests': 'read' },
        wake: { actions: 'write' },
      }[role],
    );
    expect(Object.keys(file.jobs)).toEqual([role]);
    expect(job['runs-on']).toBe(role === 'cell' ? 'lazarus-cell' : 'lazarus-gate');
    expect(job.steps).toHaveLength(1);
    expect(job.steps![0]).toMatchObject({ uses: `${PIN.address}@${PIN.commit}`, with: { job: role } });
  });

  it('gives its step the job’s token and its own key', () => {
    const own = { gate: 'GATE', reconcile: 'GATE', writer: 'WRITER', cell: '', wake: '' }[role];
    expect(job.steps![0]!['env']).toEqual({
      LAZARUS_TOKEN: '${{ github.token }}',
      ...(own === ''
        ? {}
        : {
            [`LAZARUS_${own}_KEY`]: `\${{ secrets.LAZARUS_${own}_KEY }}`,
            [`LAZARUS_${own}_PASSPHRASE`]: `\${{ secrets.LAZARUS_${own}_PASSPHRASE }}`,
          }),
      ...(role === 'reconcile' ? { LAZARUS_WEBHOOK: '${{ secrets.LAZARUS_WEBHOOK }}' } : {}),
    });
  });

  it('declares exactly the inputs and outputs that the caller uses', () => {
    const call = file.on['workflow_call'] as { inputs: object; outputs?: object; secrets?: object };
    expect(Object.keys(call.inputs)).toEqual(Object.keys(caller.jobs[role]!['with'] as object));
    expect(Object.keys(call.secrets ?? {})).toEqual(Object.keys(caller.jobs[role]!['secrets'] ?? {}));
    const owes = { gate: ['next', 'mission', 'wake'], reconcile: ['next', 'mission', 'wake'], writer: ['wake'] };
    const outputs = (owes as Partial<Record<Called, string[]>>)[role] ?? [];
    expect(Object.keys(call.outputs ?? {})).toEqual(outputs);
    expect(Object.keys(job['outputs'] ?? {})).toEqual(outputs);
  });
});

describe('the lint', () => {
  it('finds nothing in what this version writes, and no drift', () => {
    for (const [role, text] of Object.entries(files())) {
      expect(lintWorkflow(role as WorkflowRole, text)).toEqual([]);
      expect(workflowDrift(text, text)).toBeNull();
    }
  });

  /** A change to a file, and the rule that must object. */
  const step = '    steps:\n';
  const GATE_RIGHTS = 'permissions:\n  contents: write\n  issues: write\n  pull-requests: read\n';
  const ATTACKS: readonly [Rule, WorkflowRole, find: string, put: string][] = [
    ['expression_in_script', 'gate', step, `${step}      - run: echo \${{ inputs.event-name }}\n`],
    ['event_in_expression', 'gate', 'job: gate', 'job: ${{ github.event.comment.body }}'],
    ['event_in_expression', 'writer', 'job: writer', 'job: "${{ toJSON( github ) }}"'],
    ['event_in_expression', 'writer', 'job: writer', "job: ${{ github['event'].issue.title }}"],
    ['event_in_expression', 'cell', 'job: cell', 'job: ${{ github.head_ref }}'],
    ['event_in_expression', 'caller', GATE_FILTER, "startsWith(github.event.comment.body, '/approve')"],
    [
      'event_in_expression',
      'caller',
      'if: always() && (needs',
      "if: contains(github.event.comment.body, '/') && (needs",
    ],
    ['concurrency', 'caller', 'jobs:\n', 'concurrency: lazarus\njobs:\n'],
    ['concurrency', 'gate', step, `    concurrency: { group: a, cancel-in-progress: false }\n${step}`],
    ['permissions', 'gate', GATE_RIGHTS, ''],
    ['permissions', 'gate', GATE_RIGHTS, 'permissions: write-all\n'],
    ['permissions', 'gate', GATE_RIGHTS, 'permissions:\n'],
    ['permissions', 'gate', '  pull-requests: read\n', '  pull-requests: write\n'],
    ['permissions', 'cell', '  contents: write\n', '  contents: write\n  issues: write\n'],
    ['permissions', 'wake', '  actions: write\n', '  actions: write\n  contents: write\n'],
    ['permissions', 'gate', '  contents: write\n', '  contents: write\n  actions: write\n'],
    ['permissions', 'cell', step, `    permissions: { packages: write }\n${step}`],
    ['permissions', 'caller', 'permissions: {}', 'permissions: { contents: write }'],
    ['unpinned', 'gate', `@${PIN.commit}`, '@main'],
    ['unpinned', 'gate', `@${PIN.commit}`, '@ccccccc'],
    ['unpinned', 'gate', PIN.address, 'alice/lazarus-action'],
    ['unpinned', 'gate', `uses: ${PIN.address}@${PIN.commit}`, 'uses: docker://alpine:latest'],
    ['unpinned', 'caller', `./${WORKFLOW_PATHS.gate}`, './.gitea/workflows/other.yaml'],
    ['secret', 'cell', 'job: cell', 'job: ${{ secrets.LAZARUS_GATE_KEY }}'],
    ['secret', 'gate', 'job: gate', 'job: ${{ secrets.LAZARUS_WRITER_KEY }}'],
    ['secret', 'gate', 'job: gate', "job: ${{ secrets['LAZARUS_WRITER_KEY'] }}"],
    ['secret', 'gate', 'job: gate', 'job: ${{ toJSON(Secrets) }}'],
    [
      'secret',
      'caller',
      '    secrets:\n      LAZARUS_GATE_KEY: ${{ secrets.LAZARUS_GATE_KEY }}\n      LAZARUS_GATE_PASSPHRASE: ${{ secrets.LAZARUS_GATE_PASSPHRASE }}\n',
      '    secrets: inherit\n',
    ],
    ['secret', 'gate', 'job: gate', 'job: ${{ secrets.LAZARUS_WEBHOOK }}'],
    ['secret', 'caller', 'mission: ${{ needs', 'mission: ${{ secrets.LAZARUS_WRITER_KEY }}${{ needs'],
    ['artifact', 'cell', step, `${step}      - uses: https://github.com/actions/upload-artifact@${PIN.commit}\n`],
    ['artifact', 'cell', step, `${step}      - uses: https://github.com/actions/cache@${PIN.commit}\n`],
    ['not_called', 'caller', 'jobs:\n', 'jobs:\n  own:\n    runs-on: lazarus-gate\n    steps: [{ run: env }]\n'],
    ['not_called', 'caller', 'jobs:\n', 'jobs:\n  own: { needs: gate }\n'],
    ['trigger', 'caller', 'types: [created]', 'types: [created, edited]'],
    ['trigger', 'caller', 'issue_comment: { types: [created] }', 'issue_comment: {}'],
    ['trigger', 'caller', 'issue_comment: { types: [created] }', 'issue_comment:'],
    ['trigger', 'caller', 'workflow_dispatch: {', 'pull_request_target: {'],
    ['trigger', 'gate', 'on:\n', 'on:\n  push: {}\n'],
    ['trigger', 'gate', /on:\n(?: .*\n)+/.exec(files().gate)![0], 'on: [push]\n'],
    ['runner', 'cell', 'runs-on: lazarus-cell', 'runs-on: lazarus-gate'],
    ['runner', 'gate', 'runs-on: lazarus-gate', 'runs-on: [lazarus-gate, other]'],
    ['container', 'cell', step, `    container: { image: alpine, options: --privileged }\n${step}`],
  ];

  it.each(ATTACKS)('fires %s in the %s file: %j → %j', (rule, role, find, put) => {
    const text = files()[role];
    const changed = text.replace(find, () => put);
    expect(changed).not.toBe(text);
    const findings = lintWorkflow(role, changed);
    expect(findings.map((one) => one.rule)).toContain(rule);
    for (const { line, says } of findings) {
      expect(line).toBeGreaterThan(0);
      expect(says).not.toBe('');
    }
    expect(workflowDrift(text, changed)).toMatchObject({ rule: 'drift' });
  });

  it('has an attack for each of its rules', () => {
    expect(new Set(ATTACKS.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
  });

  it('names the line', () => {
    const text = files().gate.replace(`@${PIN.commit}`, '@main');
    const line = text.split('\n').findIndex((one) => one.includes('@main')) + 1;
    expect(lintWorkflow('gate', text)).toEqual([
      { rule: 'unpinned', line, says: expect.stringContaining('whole commit id') },
    ]);
    expect(workflowDrift(files().gate, text)).toMatchObject({ line });
    expect(workflowDrift(files().gate, files().gate.split('\n').slice(0, 5).join('\n'))).toMatchObject({
      rule: 'drift',
    });
    expect(workflowDrift(files().gate, `${files().gate}# more\n`)).toMatchObject({ rule: 'drift' });
  });

  it('refuses what two readers of YAML could take in two ways', () => {
    const { gate } = files();
    for (const text of [
      gate.replace('name: lazarus-gate', 'name: &a lazarus-gate'),
      gate.replace('job: gate', 'job: !!binary Z2F0ZQ=='),
      gate.replace('      - id: gate', '      - <<: *a'),
      `${gate}permissions: write-all\n`,
      `${gate}---\n${gate}`,
      'on: [',
      '',
      'x'.repeat(200_000),
    ])
      expect(lintWorkflow('gate', text)).toEqual([{ rule: 'unreadable', line: 1, says: expect.any(String) }]);
  });
});

describe('an action that is not pinned', () => {
  it.each([
    { ...PIN, address: 'alice/lazarus-action' },
    { ...PIN, address: 'https://user:pass@forge.example/alice/lazarus-action' },
    { ...PIN, address: 'https://forge.example/alice/lazarus-action\n        with:' },
    { ...PIN, commit: 'main' },
    { ...PIN, commit: 'C'.repeat(40) },
    { ...PIN, genesis: 'sha256:e' },
  ])('%j makes no file', (pin) => {
    expect(workflows(pin)).toMatchObject({ is: 'refused', code: 'workflow_unsafe' });
  });
});
