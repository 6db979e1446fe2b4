// `/followup` on a forge: a mission that is over is gone on from in an issue of its own, proposed by whoever typed it and
// approved by nobody; whoever may not, types something else, or types it twice gets no issue.
import { describe, expect, it } from 'vitest';
import { followUpTitle } from '../../../src/forge-text/replies.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { approved, cell, gateTurn, heal, writer, type Approved } from './jobs.ts';

const GOAL = '/followup Greet people who have no name — as well\n\nA reviewer asked for it.';

async function done(at: GateSite): Promise<Approved> {
  const first = await approved(at);
  await cell(at, first.mission);
  expect((await writer(at, first.mission)).outcome).toMatchObject({ decision: 'complete' });
  return first;
}

async function newest(at: GateSite): Promise<{ number: number; title: string; body: string }> {
  return (await at.forge.newestIssues(1))[0]!;
}

async function count(at: GateSite): Promise<number> {
  return (await at.forge.newestIssues(50)).length;
}

describe('/followup of a mission that is done', () => {
  it('opens an issue of its own, from the work that waits to be merged; who typed it may not approve it, and others may', async () => {
    const at = await gateSite();
    const first = await done(at);
    expect((await at.ours(first.issue))[0]).toContain('```text\n/followup <goal>\n```');
    const pull = (await at.forge.findPullRequest(`lazarus-work/${first.mission}/1`, 'main'))!;
    for (const part of [
      '`Greet people by their name`\n',
      `\nCloses #${first.issue}, `,
      '\n- `sh test/greet.test.sh`: exit 0\n- `grep -q greet.sh docs/usage.md`: exit 0\n',
      `\`/followup <goal>\` in #${first.issue} goes on from this branch.`,
      `\`lazarus verify ${first.mission}\``,
    ])
      expect(pull.body).toContain(part);
    at.close(first.issue);
    const turn = await gateTurn(at, 'ben', first.issue, GOAL);
    expect(turn.outcome).toMatchObject({ reasonCode: 'proposed', mission: first.mission, next: 'none' });

    const { number, title, body } = await newest(at);
    expect(title).toMatch(
      new RegExp(`^mission: Greet people who have no name — as well \\(after ${first.mission}, comment \\d+\\)$`),
    );
    expect(body).toContain('A reviewer asked for it.');
    const [status] = await at.ours(number);
    expect(status).toContain('`Greet people who have no name — as well`');
    expect(status).toContain(`| Goes on from | \`${first.mission}\` |`);
    expect(status).toContain('| Proposed | `ben` (via: forge) |');
    expect(status).toContain(`base \`lazarus-work/${first.mission}/1\``);
    const mission = /mission=(m-[0-9a-f]{12})/.exec(status!)![1]!;
    expect((await at.ours(first.issue)).at(-1)).toContain(
      `**${mission}** goes on from here in [issue ${number}](http://forge.invalid/ana/m1/issues/${number})`,
    );

    expect(await at.comment('ben', number, lineOf(status!))).toMatchObject({ reasonCode: 'self_approval' });
    expect(await at.comment('ana', number, lineOf(status!))).toMatchObject({ reasonCode: 'approval_recorded' });
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
  });

  it('makes one issue of a comment, however often its event comes, and goes on with one that a broken run left', async () => {
    const at = await gateSite();
    const first = await done(at);
    const event = await at.typed('ben', first.issue, GOAL);
    if (event.is !== 'comment') throw new Error('no comment');
    const goal = 'Greet people who have no name — as well';
    const title = followUpTitle({ goal, from: first.mission, comment: event.comment });
    const left = await at.forge.createIssue({ title, body: 'broken off' });
    await at.again();
    expect((await newest(at)).number).toBe(left.number);
    expect(await at.ours(left.number)).toHaveLength(1);
    const [before, refs] = [await count(at), at.refs()];
    expect(await at.again()).toMatchObject({ reasonCode: 'already_heard' });
    expect([await count(at), at.refs()]).toEqual([before, refs]);
  });

  it('lets its proposer revise the form of the new issue; whoever else does becomes one as well, and a stranger changes nothing', async () => {
    const at = await gateSite();
    const first = await done(at);
    await at.comment('ben', first.issue, GOAL);
    const { number } = await newest(at);
    expect(await at.edit('carol', number, { goal: 'x' })).toMatchObject({ reasonCode: 'not_authorised' });
    // Then nobody could agree to it.
    expect(await at.edit('ana', number, { goal: 'y' })).toMatchObject({ reasonCode: 'quorum_unreachable' });
    expect(await at.edit('ben', number, { goal: 'Greet everybody' })).toMatchObject({ reasonCode: 'proposed' });
    const [status] = await at.ours(number);
    expect(status).toContain('`Greet everybody`');
    expect(status).toContain(`| Goes on from | \`${first.mission}\` |`);
    expect(await at.comment('ben', number, lineOf(status!))).toMatchObject({ reasonCode: 'self_approval' });
  });
});

describe('/followup whose event the forge lost', () => {
  it('is asked for again by the schedule, once, and nothing is done for it; a stranger’s is not', async () => {
    const at = await gateSite();
    const first = await done(at);
    await heal(at);
    at.close(first.issue);
    await at.unheard('ben', first.issue, GOAL);
    await at.unheard('carol', first.issue, GOAL);
    await at.unheard('ben', first.issue, '/status');
    const [before, refs, told] = [await count(at), at.refs(), await at.ours(first.issue)];
    await heal(at);
    await heal(at);
    const [asked, ...others] = (await at.ours(first.issue)).slice(told.length);
    expect(asked).toContain('`type_again`');
    expect(asked).toContain('`@ben` with `/followup`');
    expect(others).toEqual([]);
    expect([await count(at), at.refs()]).toEqual([before, refs]);
    expect(await at.comment('ben', first.issue, GOAL)).toMatchObject({ reasonCode: 'proposed' });
    const answered = await at.ours(first.issue);
    await heal(at);
    expect(await at.ours(first.issue)).toEqual(answered);
  });

  it('is not looked for where a mission is not over, nor in an issue that is none of ours', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const other = await at.fileUnheard('ana', {}, 'a question');
    await at.unheard('ben', other, GOAL);
    await heal(at);
    expect(await at.ours(other)).toEqual([]);
    await at.unheard('ben', issue, GOAL);
    await heal(at);
    expect((await at.ours(issue)).filter((body) => body.includes('type_again'))).toHaveLength(1);
  });
});

describe('/followup of work that was refused', () => {
  it('begins from the base again', async () => {
    const at = await gateSite();
    const first = await approved(at, { paths: 'docs/**' });
    await cell(at, first.mission);
    await writer(at, first.mission);
    expect((await at.ours(first.issue))[0]).toContain('/followup <goal>');
    await at.comment('ana', first.issue, '/followup Greet people in the documents alone');
    const { number } = await newest(at);
    expect((await at.ours(number))[0]).toContain('base `main` at');
  });
});

describe('what makes no issue', () => {
  it('a stranger, a mission that is not over, another one’s words, two commands, a goal that hides something or is none', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const waiting = lineOf((await at.ours(issue))[0]!);
    const [before, refs] = [await count(at), at.refs()];
    const tried: [Parameters<GateSite['comment']>[0], string, string][] = [
      ['ben', GOAL, 'mission_not_over'],
      ['carol', GOAL, 'not_authorised'],
      ['ben', '/followup', 'parse_error'],
      ['ben', '/followup <goal>', 'parse_error'],
      ['ben', `/followup ${'x'.repeat(201)}`, 'parse_error'],
      ['ben', `/followup ${'x'.repeat(60_000)}`, 'parse_error'],
      ['ben', '/followup Greet\u202e them', 'parse_error'],
      ['ben', '/followup Greet\u00a0them', 'parse_error'],
      ['ben', `/followup Greet them\n${waiting}`, 'parse_error'],
      ['ben', '/followup One thing\n/followup Another thing', 'parse_error'],
      ['ben', `> ${GOAL}`, 'ignored_not_command'],
      ['ben', `Please:\n${GOAL}`, 'command_further_down'],
      ['ben', '/follow-up Greet them', 'unknown_verb'],
    ];
    for (const [by, body, reasonCode] of tried)
      expect([body.slice(0, 40), await at.comment(by, issue, body)]).toMatchObject([body.slice(0, 40), { reasonCode }]);
    expect([await count(at), at.refs()]).toEqual([before, refs]);
  });

  it('what no form could ask for is said where it was typed', async () => {
    const at = await gateSite();
    const first = await done(at);
    const before = await count(at);
    expect(await at.comment('ben', first.issue, `/followup x\n\n${'y'.repeat(3000)}`)).toMatchObject({
      reasonCode: 'form_invalid',
    });
    expect(await count(at)).toBe(before);
  });
});
