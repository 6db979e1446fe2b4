// A mission in one line is a mission file: what is read of it is what such a file says, whatever stands in the words.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMissionFile } from '../../src/documents/mission-file.ts';
import { missionFileText, verifyCommandOf } from '../../src/documents/short-mission.ts';
import { taken } from '../support/taken.ts';

const SHORT = {
  goal: 'Fix the failing date test',
  agent: 'codex',
  owns: ['src/date/**', 'test/date/**'],
  verify: 'npm test',
  checks: ['npm run lint'],
  base: 'main',
  tier: 1,
  minutes: 30,
  purpose: '',
};

describe('a mission in one line', () => {
  it('is a whole proposal', () => {
    expect(taken(readMissionFile(missionFileText(SHORT), 'line'))).toMatchObject({
      goal: SHORT.goal,
      agent: { name: 'codex' },
      paths: ['src/date/**', 'test/date/**'],
      verifyCommand: 'npm test',
      acceptance: ['npm run lint'],
      budgetMinutes: 30,
      ttlMinutes: 60,
      brief: { currentTask: SHORT.goal, doneCriteria: '`npm test` exits with 0.' },
    });
  });

  it('says what was typed, whatever YAML makes of such words elsewhere', () => {
    for (const goal of ['yes', '- [x] a: b # c', '{}', 'it\'s "so"', '@at', '2026-11-19', 'null', ': x', '| >'])
      expect(taken(readMissionFile(missionFileText({ ...SHORT, goal }), 'line')).goal).toBe(goal);
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,100}$/), (typed) => {
        const goal = typed.trim();
        const read = readMissionFile(missionFileText({ ...SHORT, goal }), 'line');
        expect(read.is === 'refused' || read.value.goal === goal).toBe(true);
      }),
    );
  });
});

describe('how a project tests itself', () => {
  it.each([
    ['npm’s script', { 'package.json': '{"scripts":{"test":"vitest"}}' }, 'npm test'],
    ['pytest, as pyproject says', { 'pyproject.toml': '[tool.pytest.ini_options]' }, 'python3 -m pytest -q'],
    ['pytest', { 'pytest.ini': '' }, 'python3 -m pytest -q'],
    ['go', { 'go.mod': 'module x' }, 'go test ./...'],
    ['cargo', { 'Cargo.toml': '' }, 'cargo test'],
    ['make', { Makefile: 'all:\n\ttrue\ntest: all\n\ttrue\n' }, 'make test'],
  ])('is %s', (_, files, command) => {
    expect(verifyCommandOf(files)).toBe(command);
  });

  it.each([
    ['nothing', {}],
    [
      'what npm init writes',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    ],
    ['no JSON', { 'package.json': '{' }],
    ['a makefile without tests', { Makefile: 'all:\n\ttrue\n' }],
  ])('is not said by %s', (_, files) => {
    expect(verifyCommandOf(files)).toBeUndefined();
  });
});
