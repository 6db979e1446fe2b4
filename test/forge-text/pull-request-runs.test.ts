// What a reopened pull request of an agent's work would be handed: by the text of a team's workflows, whoever wrote them.
import { expect, it } from 'vitest';
import { pullRequestRuns } from '../../src/forge-text/pull-request-runs.ts';
import { workflows, type WorkflowRole } from '../../src/forge-text/workflows.ts';
import { taken } from '../support/taken.ts';

const job = (more: string): string => `jobs:\n  test:\n    runs-on: ubuntu\n    steps:\n${more}`;

it.each([
  ['a word', 'on: pull_request\n'],
  ['a list', 'on: [push, pull_request]\n'],
  ['a map', 'on:\n  push:\n  pull_request:\n    types: [labeled]\n'],
  ['a review', 'on: [pull_request_review]\n'],
  ['the one that starts from the base', 'on:\n  pull_request_target:\n'],
])('is seen as started by a pull request: %s', (_, on) => {
  expect(pullRequestRuns(`${on}${job('      - run: make\n')}`)).toEqual({ runners: ['ubuntu'], secrets: [] });
});

it.each([
  ['a push', 'on: push\n'],
  ['a schedule', 'on: { schedule: [{ cron: "0 1 * * *" }] }\n'],
  ['a branch that is called so', 'on: { push: { branches: [pull_request] } }\n'],
])('is not started by one: %s', (_, on) => {
  expect(pullRequestRuns(`${on}${job('      - run: make\n')}`)).toBeUndefined();
});

it.each<[string, string, readonly string[] | 'all']>([
  ['none', '- run: echo secrets.KEY', []],
  ['by name, once', '- run: echo "${{ secrets.KEY }} ${{ secrets.key }} ${{ secrets . OTHER }}"', ['KEY', 'OTHER']],
  ['in a condition', "- if: secrets.KEY != ''", ['KEY']],
  ['the token of the job, which is none', '- run: echo ${{ secrets.GITHUB_TOKEN }}', []],
  ['all of them', '- run: echo ${{ toJSON(secrets) }}', 'all'],
  ['one that is chosen while it runs', '- run: echo ${{ secrets[github.event.label.name] }}', 'all'],
])('mentions secrets: %s', (_, step, secrets) => {
  expect(pullRequestRuns(`on: pull_request\n${job(`      ${step}\n`)}`)?.secrets).toEqual(secrets);
});

it('hands all secrets to a workflow that it calls with them', () => {
  const text = 'on: pull_request\njobs:\n  x:\n    uses: ./.gitea/workflows/y.yaml\n    secrets: inherit\n';
  expect(pullRequestRuns(text)).toEqual({ runners: [], secrets: 'all' });
});

it.each(['on: pull_request\njobs: &a\n  x: *a\n', 'on: [\n', `# ${'x'.repeat(200_000)}`])(
  'says the most there is of what it cannot read',
  (text) => {
    expect(pullRequestRuns(text)).toEqual({ runners: ['any'], secrets: 'all' });
  },
);

it('finds none of lazarus’s own among them', () => {
  const pin = { address: 'https://forge.example/o/a', commit: '0'.repeat(40), genesis: `sha256:${'0'.repeat(64)}` };
  const texts = taken(workflows(pin));
  for (const role of Object.keys(texts) as WorkflowRole[]) expect(pullRequestRuns(texts[role])).toBeUndefined();
});
