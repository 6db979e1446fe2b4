// The workflow files of a repository: one small caller, and five it calls, one per level of trust. What stands in none of
// them matters most: no script, no event text in an expression, no `concurrency` (it loses commands), no secret beyond one
// job's own key. Knows neither forge nor file system.
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';

/** The built action: an absolute address, because a bare `owner/repo` is looked up elsewhere by default, and a commit. */
export type ActionPin = {
  readonly address: string;
  readonly commit: string;
  /** Fingerprint of the project's first event: a job believes no other project ledger. */
  readonly genesis: string;
};

export const CALLED = ['gate', 'cell', 'writer', 'reconcile', 'wake'] as const;
export type Called = (typeof CALLED)[number];
/** What a file is for decides what may stand in it. */
export type WorkflowRole = 'caller' | Called;

export const WORKFLOW_PATHS: Readonly<Record<WorkflowRole, string>> = {
  caller: '.gitea/workflows/lazarus.yaml',
  gate: '.gitea/workflows/lazarus-gate.yaml',
  cell: '.gitea/workflows/lazarus-cell.yaml',
  writer: '.gitea/workflows/lazarus-writer.yaml',
  reconcile: '.gitea/workflows/lazarus-reconcile.yaml',
  wake: '.gitea/workflows/lazarus-wake.yaml',
};

/** How often *reconcile* looks by itself. */
export const SCHEDULE_MINUTES = 5;

/** Runner labels: a runner that is busy with a cell must not keep commands waiting. */
export const RUNNER_LABELS: Readonly<Record<Called, string>> = {
  gate: 'lazarus-gate',
  cell: 'lazarus-cell',
  writer: 'lazarus-gate',
  reconcile: 'lazarus-gate',
  wake: 'lazarus-gate',
};

/** What the job's token may do; the block counts in the called file alone. */
export const PERMISSIONS: Readonly<Record<Called, Readonly<Record<string, 'read' | 'write'>>>> = {
  // What became of a mission's pull request is shown on its issue; of a private repository nobody reads that unasked.
  gate: { contents: 'write', issues: 'write', 'pull-requests': 'read' },
  // The supervisor hands work over and appends under its lease; the agent gets no token at all.
  cell: { contents: 'write' },
  writer: { contents: 'write', issues: 'write', 'pull-requests': 'write' },
  reconcile: { contents: 'write', issues: 'write', 'pull-requests': 'read' },
  // Whoever may start workflows and write branches has every secret of the repository: no job may do both.
  wake: { actions: 'write' },
};

/** Keys by job. The cell job has none: its runner's own key is a file of the runner's user. */
export const SECRETS: Readonly<Record<Called, readonly string[]>> = {
  gate: ['LAZARUS_GATE_KEY', 'LAZARUS_GATE_PASSPHRASE'],
  cell: [],
  writer: ['LAZARUS_WRITER_KEY', 'LAZARUS_WRITER_PASSPHRASE'],
  // The address for messages: not for the job that reads what strangers just wrote.
  reconcile: ['LAZARUS_GATE_KEY', 'LAZARUS_GATE_PASSPHRASE', 'LAZARUS_WEBHOOK'],
  wake: [],
};

const INPUTS: Readonly<Record<Called, Readonly<Record<string, string>>>> = {
  gate: { 'event-name': '${{ github.event_name }}' },
  cell: { mission: '${{ needs.gate.outputs.mission || needs.reconcile.outputs.mission }}' },
  writer: { mission: '${{ needs.gate.outputs.mission || needs.reconcile.outputs.mission }}' },
  reconcile: { 'event-name': '${{ github.event_name }}', mission: '${{ inputs.mission }}' },
  wake: {
    missions: '${{ needs.gate.outputs.wake }} ${{ needs.reconcile.outputs.wake }} ${{ needs.writer.outputs.wake }}',
  },
};

const OUTPUTS: Readonly<Record<Called, readonly string[]>> = {
  gate: ['next', 'mission', 'wake'],
  cell: [],
  writer: ['wake'],
  reconcile: ['next', 'mission', 'wake'],
  wake: [],
};

/** Evaluated by the server, before a runner is asked: an issue or comment that is none of ours costs nothing. */
export const GATE_FILTER =
  "(github.event_name == 'issues' && (github.event.action == 'edited' || contains(github.event.issue.body, 'lazarus-schema'))) || (github.event_name == 'issue_comment' && contains(github.event.comment.body, '/'))";

const ADDRESS = /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._-]+){2,}$/;

export function workflows(pin: ActionPin): Verdict<Readonly<Record<WorkflowRole, string>>> {
  if (!ADDRESS.test(pin.address))
    return refuse('workflow_unsafe', { problems: ['the action has no absolute address'] });
  if (!/^[0-9a-f]{40}$/.test(pin.commit))
    return refuse('workflow_unsafe', { problems: ['the action is not pinned to a whole commit id'] });
  if (!/^sha256:[0-9a-f]{64}$/.test(pin.genesis))
    return refuse('workflow_unsafe', { problems: ['the project is not named by its first event'] });
  const [gate, cell, writer, reconcile, wake] = CALLED.map((role) => called(role, pin));
  return accept({ caller: caller(), gate: gate!, cell: cell!, writer: writer!, reconcile: reconcile!, wake: wake! });
}

function caller(): string {
  return `name: lazarus
on:
  # An edited comment starts nothing; an edited issue revises a proposal and authorises nothing.
  issue_comment: { types: [created] }
  issues: { types: [opened, edited, reopened] }
  # Finds what a lost event left undone.
  schedule: [{ cron: "*/${SCHEDULE_MINUTES} * * * *" }]
  # With a mission only that one is looked at.
  workflow_dispatch: { inputs: { mission: { type: string, required: false } } }
permissions: {}
jobs:
${callerJob('gate', `if: ${GATE_FILTER}`)}
${callerJob('reconcile', "if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch'")}
${callerJob('cell', `needs: [gate, reconcile]\n    if: always() && ${comes('cell')}`)}
${callerJob('writer', `needs: [gate, reconcile, cell]\n    if: always() && (${comes('cell')} || ${comes('writer')})`)}
${callerJob('wake', `needs: [gate, reconcile, writer]\n    if: always() && (${names('gate')} || ${names('reconcile')} || ${names('writer')})`)}`;
}

function comes(job: 'cell' | 'writer'): string {
  return `(needs.gate.outputs.next == '${job}' || needs.reconcile.outputs.next == '${job}')`;
}

function names(job: 'gate' | 'reconcile' | 'writer'): string {
  return `needs.${job}.outputs.wake != ''`;
}

function callerJob(role: Called, conditions: string): string {
  const inputs = Object.entries(INPUTS[role]).map(([name, value]) => `      ${name}: ${value}\n`);
  const secrets = SECRETS[role].map((name) => `      ${name}: \${{ secrets.${name} }}\n`).join('');
  return `  ${role}:
    ${conditions}
    uses: ./${WORKFLOW_PATHS[role]}
    with:
${inputs.join('')}${secrets === '' ? '' : `    secrets:\n${secrets}`}`;
}

/** Most runs of *reconcile* are about no mission in particular. */
function isOptional(role: Called, input: string): boolean {
  return role === 'reconcile' && input === 'mission';
}

function called(role: Called, { address, commit, genesis }: ActionPin): string {
  const inputs = Object.keys(INPUTS[role]);
  const hasOutputs = OUTPUTS[role].length > 0;
  const outputs = (from: string, indent: string, suffix: (text: string) => string) =>
    OUTPUTS[role].map((name) => `${indent}${name}: ${suffix(`\${{ ${from}.outputs.${name} }}`)}\n`).join('');
  const secrets = SECRETS[role].map((name, i) => `      ${name}: { required: ${i === 0} }\n`).join('');
  return `name: lazarus-${role}
on:
  workflow_call:
    inputs:
${inputs.map((name) => `      ${name}: { type: string, required: ${!isOptional(role, name)} }\n`).join('')}${secrets === '' ? '' : `    secrets:\n${secrets}`}${hasOutputs ? `    outputs:\n${outputs(`jobs.${role}`, '      ', (text) => `{ value: "${text}" }`)}` : ''}# A caller's block does not reach a called file: this one counts.
permissions:
${Object.entries(PERMISSIONS[role])
  .map(([scope, right]) => `  ${scope}: ${right}\n`)
  .join('')}jobs:
  ${role}:
    runs-on: ${RUNNER_LABELS[role]}
${hasOutputs ? `    outputs:\n${outputs(`steps.${role}`, '      ', (text) => text)}` : ''}    steps:
      - id: ${role}
        uses: ${address}@${commit}
        with:
          job: ${role}
          genesis: ${genesis}
${inputs.map((name) => `          ${name}: \${{ inputs.${name} }}\n`).join('')}        env:
          LAZARUS_TOKEN: \${{ github.token }}
${SECRETS[role].map((name) => `          ${name}: \${{ secrets.${name} }}\n`).join('')}`;
}
