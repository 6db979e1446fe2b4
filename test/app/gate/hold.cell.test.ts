// `/hold` and `/unhold` on a forge: what the issue shows, who is heard, and what the jobs do meanwhile: an attempt that runs is
// handed over and checked, nothing is delivered, nothing begins. And what a closed issue answers.
import { describe, expect, it } from 'vitest';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { approved, branches, cell, gateTurn, heal, writer } from './jobs.ts';

async function statusOf(at: GateSite, issue: number): Promise<string> {
  return (await at.ours(issue))[0]!;
}

describe('before anything runs', () => {
  it('a person holds it, the issue says by whom and what lets it go on, and that works', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf(await statusOf(at, issue));
    const said = await at.comment('ben', issue, '/hold\n\nThe base is about to move.');
    expect(said).toMatchObject({ decision: 'stop', reasonCode: 'mission_held' });
    expect(await at.labels(issue)).toEqual(['mission/held', 'tier/1']);
    const status = await statusOf(at, issue);
    expect(status).toContain('· held');
    expect(status).toMatch(
      /\| Held \| `by ben \(via: forge, [^)]+\): what runs comes to its end, nothing else begins` \|/,
    );
    expect(status).toMatch(/For it to go on, `@ben` pastes as a new comment:\n\n```[a-z]*\n\/unhold\n```/);
    await at.comment('ana', issue, '/why');
    expect((await at.ours(issue)).at(-1)).toContain('Held `by ben (via: forge, ');
    // A vote counts, and nothing follows from it yet.
    expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'approval_recorded' });
    expect(await at.labels(issue)).toContain('mission/held');
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });

    const lifted = await gateTurn(at, 'ben', issue, '/unhold');
    expect(lifted.outcome).toMatchObject({ reasonCode: 'mission_unheld', next: 'cell' });
    expect(await at.labels(issue)).toContain('mission/queued');
    expect(await statusOf(at, issue)).not.toContain('| Held |');
  });

  it('an event that is delivered again changes nothing', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.comment('ben', issue, '/hold');
    const held = at.replay();
    await at.comment('ben', issue, '/unhold');
    const before = at.refs();
    for (const replay of [held, at.replay(), held])
      expect(await replay()).toMatchObject({ reasonCode: 'already_heard' });
    expect(at.refs()).toBe(before);
    expect(await at.labels(issue)).toContain('mission/awaiting');
  });

  it('who proposed it may hold it, and may not lift what somebody else holds', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.comment('ana', issue, '/hold');
    expect(await at.comment('ben', issue, '/hold')).toMatchObject({ reasonCode: 'mission_held', decision: 'stop' });
    expect(await statusOf(at, issue)).toContain('`by ben (via: forge');
    expect(await at.comment('ana', issue, '/unhold')).toMatchObject({ reasonCode: 'hold_of_another' });
    expect((await at.ours(issue)).at(-1)).toContain('by: `ben`');
    expect(await at.comment('ben', issue, '/unhold')).toMatchObject({ reasonCode: 'mission_unheld' });
    expect(await at.comment('ben', issue, '/unhold')).toMatchObject({ reasonCode: 'hold_missing' });
  });

  it('a proposer whom no roster has may hold and let go, and no other stranger', async () => {
    const at = await gateSite();
    const { issue } = await at.file('carol');
    await at.comment('ben', issue, '/plan');
    const { issue: others } = await at.file('ana');
    const before = at.refs();
    expect(await at.comment('carol', others, '/hold')).toMatchObject({ reasonCode: 'not_authorised' });
    expect(at.refs()).toBe(before);
    expect(await at.comment('carol', issue, '/hold')).toMatchObject({ reasonCode: 'mission_held' });
    expect(await at.labels(issue)).toContain('mission/held');
    expect(await at.comment('carol', issue, '/unhold')).toMatchObject({ reasonCode: 'mission_unheld' });
    await at.comment('ana', issue, '/hold');
    expect(await at.comment('carol', issue, '/unhold')).toMatchObject({ reasonCode: 'hold_of_another' });
  });

  it('a lost event is asked for again', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.unheard('ben', issue, '/hold');
    await heal(at);
    expect((await at.ours(issue)).at(-1)).toContain('`@ben` with `/hold`');
    expect(await at.labels(issue)).toContain('mission/awaiting');
  });
});

describe('while a cell runs', () => {
  it('it is handed over and checked; nothing is delivered until it goes on, and then it is', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    let isTold = false;
    const ran = await cell(at, mission, {
      untilNextLook: async () => {
        if (isTold) return;
        isTold = true;
        await at.comment('ben', issue, '/hold');
      },
    });
    expect(isTold).toBe(true);
    expect(ran.outcome).toMatchObject({ next: 'none' });
    expect((await writer(at, mission)).outcome).toMatchObject({ next: 'none' });
    expect(await at.labels(issue)).toContain('mission/held');
    expect(await statusOf(at, issue)).toMatch(/\| Work \| `[0-9a-f]{12}`, 2 changed files \|/);
    expect(branches(at)).toBe('');
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    expect(branches(at)).toBe('');

    await at.comment('ben', issue, '/unhold');
    expect((await heal(at)).outcome).toMatchObject({ next: 'writer', mission });
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(await at.labels(issue)).toContain('mission/done');
    expect(branches(at)).not.toBe('');
  });

  it('one that dies is closed, and the next attempt waits', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const dying = {
      onPoint: (point: string) => {
        if (point === 'spawned') throw new Error('the machine is gone');
      },
    };
    await expect(cell(at, mission, dying)).rejects.toThrow('the machine is gone');
    await at.comment('ben', issue, '/hold');
    at.clock.aheadSeconds = 3 * 3600;
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    expect(await statusOf(at, issue)).toContain('**Because** `runner_lost`');
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    await at.comment('ben', issue, '/unhold');
    at.clock.aheadSeconds += 3600;
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
  });

  it('a job that comes just after the word begins nothing, and is no failure', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await at.comment('ben', issue, '/hold');
    expect((await cell(at, mission)).outcome).toMatchObject({ decision: 'wait', next: 'none' });
    expect(await at.labels(issue)).toContain('mission/held');
  });
});

describe('in a closed issue', () => {
  it('each command has one answer: nothing begins, whatever stops it or asks is heard', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf(await statusOf(at, issue));
    at.close(issue);
    const before = at.refs();
    for (const [n, said] of [line, '/plan', '/unhold', '/retry'].entries()) {
      expect(await at.comment('ben', issue, said)).toMatchObject({ decision: 'stop', reasonCode: 'issue_closed' });
      const replies = (await at.ours(issue)).slice(1);
      expect(replies).toHaveLength(n + 1);
      expect(replies.at(-1)).toContain('Next: `reopen the issue, then write the command again, as a new comment`');
    }
    expect(at.refs()).toBe(before);
    expect(await at.comment('ben', issue, '/why')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.comment('ben', issue, '/help')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.comment('ben', issue, '/hold')).toMatchObject({ reasonCode: 'mission_held' });
    expect(await at.comment('ben', issue, '/cancel')).toMatchObject({ reasonCode: 'mission_cancelled' });
    expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'mission_over' });
    expect(await at.comment('ben', issue, '/hold')).toMatchObject({ reasonCode: 'mission_over' });
  });

  it('one that is no proposal is left alone, and so is plain talk', async () => {
    const at = await gateSite();
    const issue = await at.fileUnheard('carol', {}, 'The greeting is wrong.');
    at.close(issue);
    expect(await at.comment('ben', issue, '/approve 0123456789ab')).toMatchObject({
      reasonCode: 'ignored_not_proposal',
    });
    expect(await at.comment('ben', issue, 'closed for a reason')).toMatchObject({ reasonCode: 'ignored_not_command' });
    expect(await at.ours(issue)).toEqual([]);
  });
});
