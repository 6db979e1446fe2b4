// Checks of a mission find the work as it was handed over, and may fill what the plan and the base's ignore rules name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readOnlyWords } from '../../../src/forge-text/status-words.ts';
import { missionText } from '../../support/templates.ts';
import { scratch } from '../../support/repos.ts';
import { eventsOf, run } from './running.ts';
import { approved, site, viewOf, type Site } from './setting.ts';

const CHECKS = 'verify_command: sh test/greet.test.sh';
const ACCEPTANCE = '  - grep -q greet.sh docs/usage.md\n  - test "$(sh src/greet.sh Ada)" = "Hello, Ada!"';

/** `ignored`: of the base. */
async function checkedBy(verify: string, acceptance: string, { ignored = '', words = '', agent = '' } = {}) {
  const folder = scratch();
  if (ignored !== '') writeFileSync(join(folder, '.gitignore'), ignored);
  const at = await site({ folder, policy: (text) => text.replace(/^rules:$/m, `${words}rules:`) });
  const { mission } = await approved(
    at,
    missionText({
      '  - docs/**': '  - docs/**\n  - .gitignore',
      [CHECKS]: `verify_command: ${JSON.stringify(verify)}`,
      [ACCEPTANCE]: `  - ${JSON.stringify(acceptance)}`,
      ...(agent === '' ? {} : { 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(agent)}]` }),
    }),
  );
  const { state } = await run(at, mission);
  return { at, mission, end: state.course!.end };
}

async function codesOf(at: Site, mission: string) {
  const [verdict] = await eventsOf(at, mission, 'verification.recorded');
  return verdict!.payload.checks.map(({ exit_code }) => exit_code);
}

it('a check that rewrites a test, for the next or for itself, changes nothing', async () => {
  const rewrites = 'echo exit 0 > test/greet.test.sh; sh test/greet.test.sh';
  const agent = 'echo exit 1 > src/greet.sh';
  const { at, mission, end } = await checkedBy(rewrites, 'sh test/greet.test.sh', { agent });
  expect(end).toEqual({ outcome: 'failed', because: 'verify_failed' });
  expect(await codesOf(at, mission)).toEqual([1, 1]);
});

it('what one check leaves in a folder that it may fill, the next does not find', async () => {
  const words = 'checks:\n  writable: [gen]\n';
  const ignored = 'dist/\n.env\n';
  const fills = 'touch gen/x dist/x && ! touch y';
  const { end } = await checkedBy(
    fills,
    'test -d gen -a -d dist && test -z "$(find gen dist -type f)" && test ! -e .env',
    { words, ignored },
  );
  expect(end).toEqual({ outcome: 'done', because: 'verified' });
});

it('the agent’s own ignore rules open nothing', async () => {
  const agent = 'echo dist > .gitignore';
  const closed = await checkedBy('test -f .gitignore && test ! -e dist && ! mkdir dist', 'true', { agent });
  expect(closed.end).toEqual({ outcome: 'done', because: 'verified' });
});

it('a check that failed for want of a folder has the words in its status that would let it write there', async () => {
  const { at, mission, end } = await checkedBy('echo x > web/a', 'mkdir gen && touch gen/x');
  expect(end).toEqual({ outcome: 'failed', because: 'verify_failed' });
  const view = await viewOf(at, mission);
  expect(view.readOnly).toEqual([{ folder: 'gen', environment: null }]);
  expect(view.readOnly.map(readOnlyWords)).toEqual([
    'gen, for a check; policy could allow it: checks: {writable: [gen]}',
  ]);
});

it('a check that passed, and one that failed for another reason, have none', async () => {
  const { at, mission } = await checkedBy('touch gen || true', 'false');
  expect((await viewOf(at, mission)).readOnly).toEqual([]);
});
