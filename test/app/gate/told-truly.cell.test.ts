// What an issue says while nobody looks: that a job has the mission, that a stranger rewrote the form, that a vote was edited
// before the end, and every word that the agent is told.
import { describe, expect, it } from 'vitest';
import { gateSite, lineOf } from './gate-site.ts';
import { approved, cell, heal, writer } from './jobs.ts';

it('a mission that was approved is handed to a runner, whether or not that has begun; /why says the same', async () => {
  const at = await gateSite();
  const { issue, mission } = await approved(at);
  expect((await at.ours(issue))[0]).toContain(`### ${mission} · handed to a runner`);
  await at.comment('ben', issue, '/why');
  expect((await at.ours(issue)).at(-1)).toContain(`**${mission}** is handed to a runner.`);
});

describe('the plan that people approve', () => {
  it('has the purpose and every other word that the agent gets', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana', { purpose: 'People feel at home.\r\n```\r\nand nothing ends this' });
    const [status] = await at.ours(issue);
    expect(status).toContain(
      'The agent is told, as purpose:\n\n````text\nPeople feel at home.\n```\nand nothing ends this\n````',
    );
  });
});

describe('a form that somebody edits who is not on the roster', () => {
  it('is named in the status at once, and starts nothing', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const refs = at.refs();
    expect((await at.edit('carol', issue, { goal: 'Something else' })).reasonCode).toBe('not_authorised');
    const [status] = await at.ours(issue);
    expect(status).toContain('The form was edited after revision 1 was read from it, and nothing followed.');
    expect(lineOf(status!)).toMatch(/^\/approve /);
    expect(at.refs()).toBe(refs);
  });
});

describe('a vote whose comment was edited', () => {
  it('is still named when the mission is over', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const [status] = await at.ours(issue);
    const mission = /mission=(m-[0-9a-f]{12})/.exec(status!)![1]!;
    const voted = await at.say('ben', issue, lineOf(status!));
    await at.forge.editComment(voted, 'never mind');
    await heal(at);
    await cell(at, mission);
    await writer(at, mission);
    const [said] = await at.ours(issue);
    expect(said).toContain(`### ${mission} · done`);
    expect(said).toContain(`- Comment ${voted} with the vote of \`ben\` was edited afterwards.`);
    await at.say('ana', issue, '/status');
    expect((await at.ours(issue))[0]).toContain(`- Comment ${voted} with the vote of \`ben\` was edited afterwards.`);
  });
});
