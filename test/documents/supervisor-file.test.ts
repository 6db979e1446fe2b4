// The list of a runner's machine: what it says when nothing is wrong with it, and that nothing else is taken for one.
import { expect, it } from 'vitest';
import { readSupervisorFile } from '../../src/documents/supervisor-file.ts';

const GENESIS = `sha256:${'0'.repeat(64)}`;
const project = (changes: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ forge: 'https://git.example.org/', repository: 'team/app', genesis: GENESIS, ...changes })
    .map(([name, value], i) => `${i === 0 ? '  - ' : '    '}${name}: ${value}\n`)
    .join('');

it('says for which projects, who may ask, and how many at once', () => {
  expect(readSupervisorFile(`jobs_group: 995\nprojects:\n${project()}`, 'f')).toEqual({
    is: 'accepted',
    value: {
      jobs_group: 995,
      at_once: 4,
      // As jobs are told it: without a slash at the end.
      projects: [{ forge: 'https://git.example.org', repository: 'team/app', genesis: GENESIS }],
    },
  });
});

it.each([
  ['nothing', undefined],
  ['no project', 'projects: []\n'],
  ['a project without a genesis', 'projects:\n  - forge: https://x\n    repository: a/b\n'],
  ['a genesis that is cut', `projects:\n${project({ genesis: 'sha256:00' })}`],
  ['an address that is no web address', `projects:\n${project({ forge: 'file:///srv' })}`],
  ['a repository with a path', `projects:\n${project({ repository: 'a/../b' })}`],
  ['a group by name', `jobs_group: lazarus-jobs\nprojects:\n${project()}`],
  ['a key that nobody knows', `jobs_groups: 1\nprojects:\n${project()}`],
  ['none at once', `at_once: 0\nprojects:\n${project()}`],
])('is refused with %s', (_, text) => {
  expect(readSupervisorFile(text, 'f')).toMatchObject({ is: 'refused', code: 'supervisor_file_unreadable' });
});
