// What people can say about a mission in a comment and at a terminal: two tables, held against each other, and the pages that
// tell of both.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS as COMMENTS, VERBS, type Verb } from '../../../src/forge-text/commands.ts';
import { COMMANDS } from '../../../src/surfaces/cli/commands.ts';
import { lazarus } from '../../support/cli.ts';
import { scratch } from '../../support/repos.ts';

/** What a comment cannot say, and who does it on a forge instead. */
const AT_A_TERMINAL_ALONE: Readonly<Record<string, string>> = {
  run: 'the runners of the forge',
  watch: 'the status comment follows by itself',
  explain: 'the history below the status',
};

const GUIDE = readFileSync(new URL('../../../docs/guide/5-missions-on-gitea.md', import.meta.url), 'utf8');

describe.each(VERBS.filter((verb) => verb !== 'help'))('/%s', (verb: Verb) => {
  const { usage } = COMMENTS[verb];
  const twin = COMMANDS.find(({ path }) => path === verb);

  it('has its twin at a terminal, which takes what the comment takes', () => {
    const [mission, ...others] = (twin?.args ?? []).map(({ name }) => name);
    expect(mission).toBe('<mission>');
    expect(others).toEqual(usage.split(' ').filter((word) => word.startsWith('<') && !usage.includes('[attempt')));
    const flags = (twin!.options ?? []).map((option) => option.flags);
    if (usage.includes('--final')) expect(flags).toContain('--final');
    if (usage.includes('[attempt <n>]')) expect(flags).toContain('--attempt <number>');
  });

  it('stands on the page for people on a forge, and so does its twin', () => {
    expect(GUIDE).toContain(`\`/${verb}`);
    const clone = GUIDE.slice(GUIDE.indexOf('| typed in a clone'), GUIDE.indexOf('## What else can be typed'));
    expect(clone).toContain(`\`${verb}\``);
  });
});

it('/help has one as well: the program’s own', async () => {
  const { code, stdout } = await lazarus(['approve', '--help'], { cwd: scratch('anywhere') });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('<digest>') });
});

it('every command about one mission has its twin in a comment, or somebody who does it there', () => {
  const about = COMMANDS.filter(({ path, args }) => !path.includes(' ') && args?.[0]?.name === '<mission>');
  expect(about.length).toBeGreaterThan(10);
  const alone = about.map(({ path }) => path).filter((path) => !VERBS.includes(path as Verb));
  expect(alone.toSorted()).toEqual(Object.keys(AT_A_TERMINAL_ALONE).toSorted());
});
