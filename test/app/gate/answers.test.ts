// What a gate answers to everything that people and strangers write: one status comment per mission, one reply where a
// command is refused, silence where nobody spoke to it, and nothing of a stranger in any ledger.
import { describe, expect, it } from 'vitest';
import { gateSite, lineOf } from './gate-site.ts';
import { heal } from './jobs.ts';

describe('a proposal', () => {
  it('of somebody on the roster becomes a planned mission with one status comment and its labels', async () => {
    const at = await gateSite();
    const { issue, said } = await at.file('ana');
    expect(said).toMatchObject({ decision: 'wait', reasonCode: 'proposed' });
    const [status, ...others] = await at.ours(issue);
    expect(others).toEqual([]);
    expect(status).toContain('awaiting approval · 0 of 1');
    expect(await at.labels(issue)).toEqual(['mission/awaiting', 'tier/1']);
  });

  it('of a stranger costs one answer and no reference, and a member’s /plan adopts it', async () => {
    const at = await gateSite();
    const before = at.refs();
    const { issue, said } = await at.file('carol');
    expect(said).toMatchObject({ decision: 'stop', reasonCode: 'not_authorised' });
    await at.comment('carol', issue, '/plan');
    await at.comment('carol', issue, '/approve 0123456789ab');
    expect(at.refs()).toBe(before);
    expect(await at.ours(issue)).toEqual([expect.stringContaining('is not on the roster of this project')]);
    expect(await at.comment('ben', issue, '/plan')).toMatchObject({ reasonCode: 'proposed' });
    const status = (await at.ours(issue)).at(-1)!;
    // Whoever adopts it is its proposer too.
    expect(status).toContain('`@ben` cannot: `proposer`');
    expect(await at.comment('ben', issue, lineOf(status))).toMatchObject({ reasonCode: 'self_approval' });
    expect(await at.comment('ana', issue, lineOf(status))).toMatchObject({ reasonCode: 'approval_recorded' });
  });

  it.each([
    ['forged inside a field', { goal: 'nothing\n ```\n\n### Risk tier\n\n0 read only\n\n ```' }, 'form_forged'],
    ['with a goal that is too long', { goal: 'x'.repeat(201) }, 'form_invalid'],
    ['above what keys in CI are good for', { tier: '2 merge or release' }, 'tier_needs_daemon'],
    ['for another repository', { target: 'ana/other' }, 'capability_unavailable'],
    ['for an agent nobody named', { agent: 'nobody' }, 'policy_refused'],
    ['on a base that is not there', { base: 'nowhere' }, 'base_unknown'],
    ['on a commit', { base: 'a'.repeat(40) }, 'form_invalid'],
    ['with a letter that looks like !', { paths: 'src/**\r\nǃsrc/secrets/**' }, 'form_invalid'],
    ['for git’s own folder', { paths: 'src/**\r\n.git/hooks/**' }, 'scope_unusable'],
    ['for what no mission touches', { paths: '.gitea/workflows/**' }, 'scope_unusable'],
    ['for somebody’s home', { paths: '~/.ssh/**' }, 'form_invalid'],
  ])('%s is answered once and begins nothing', async (_, changes, code) => {
    const at = await gateSite();
    const before = at.refs();
    const { issue, said } = await at.file('ana', changes);
    expect(said).toMatchObject({ decision: 'stop', reasonCode: code });
    expect(await at.ours(issue)).toEqual([expect.stringContaining(`**\`${code}\`**`)]);
    expect(at.refs()).toBe(before);
  });

  it('for tier 0 that needs tier 1 says so where people read what they approve', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana', { tier: '0 read only', capabilities: [] });
    expect((await at.ours(issue))[0]).toContain(
      '| Tier | 1 (0 was asked for; the effects below or the policy need 1) |',
    );
  });

  it('that is edited becomes a new revision, and what was approved before counts no more', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const old = lineOf((await at.ours(issue))[0]!);
    await at.edit('ana', issue, { goal: 'Greet people twice' });
    const [status] = await at.ours(issue);
    expect(lineOf(status!)).not.toBe(old);
    expect(status).toContain('revision 2');
    expect(await at.comment('ben', issue, old)).toMatchObject({ reasonCode: 'approval_stale' });
    expect((await at.ours(issue)).at(-1)).toContain(lineOf(status!));
    expect(await at.comment('ben', issue, lineOf(status!))).toMatchObject({ reasonCode: 'approval_recorded' });
  });

  it('that is edited says in its next revision what those who approved have to read again', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const old = lineOf((await at.ours(issue))[0]!);
    await at.comment('ben', issue, old);
    await at.edit('ana', issue, { paths: 'src/**' });
    const [status] = await at.ours(issue);
    const digest = old.replace('/approve ', '');
    expect(status).toContain(`Changed since revision 1 (\`${digest}\`) | \`+ path src/**\`, \`− path`);
    await at.comment('ben', issue, '/why');
    expect((await at.ours(issue)).at(-1)).toContain(`Changed since revision 1 (\`${digest}\`): \`+ path src/**\``);
  });

  it('whose old text is delivered late keeps the new one', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const opened = at.replay();
    await at.edit('ana', issue, { goal: 'Greet people twice' });
    const edited = at.replay();
    await at.edit('ana', issue, { goal: 'Greet people thrice' });
    const before = at.refs();
    const said = await at.ours(issue);
    for (const replay of [opened, edited]) expect(await replay()).toMatchObject({ reasonCode: 'heard_too_old' });
    expect(at.refs()).toBe(before);
    expect(await at.ours(issue)).toEqual(said);
  });

  it('that a stranger edits goes on as it was, and says so as soon as somebody looks', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const [before] = await at.ours(issue);
    await at.edit('carol', issue, { goal: 'Give carol a key' });
    await at.comment('ben', issue, '/status');
    const [status] = await at.ours(issue);
    expect(lineOf(status!)).toBe(lineOf(before!));
    expect(status).not.toContain('carol');
    expect(status).toContain('The form was edited after revision 1 was read from it, and nothing followed.');
    await at.edit('ana', issue, { goal: 'Greet people twice' });
    expect((await at.ours(issue))[0]).not.toContain('The form was edited');
  });

  it('that was edited in its looks only has nothing to say about that', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.edit('carol', issue, { paths: 'docs/**\r\nsrc/greet.sh' });
    await at.comment('ben', issue, '/status');
    expect((await at.ours(issue))[0]).not.toContain('The form was edited');
  });

  it('loses its approval when it is edited before the start', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.comment('ben', issue, lineOf((await at.ours(issue))[0]!));
    expect(await at.labels(issue)).toContain('mission/queued');
    await at.edit('ana', issue, { paths: 'src/**' });
    expect((await at.ours(issue))[0]).toContain('awaiting approval · 0 of 1');
  });
});

describe('a command', () => {
  it('to approve is taken from the one who may, and from nobody else', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    const before = at.refs();
    expect(await at.comment('ana', issue, line)).toMatchObject({ reasonCode: 'self_approval' });
    expect(await at.comment('carol', issue, line)).toMatchObject({ reasonCode: 'not_authorised' });
    expect(at.refs()).toBe(before);
    expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'approval_recorded' });
    expect(await at.labels(issue)).toEqual(['mission/queued', 'tier/1']);
  });

  it('to reject is not for who proposed it, who is told how to call it off', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!).replace('approve', 'reject');
    for (const said of [line, `${line} --final`]) {
      expect(await at.comment('ana', issue, said)).toMatchObject({ reasonCode: 'self_approval' });
      const reply = (await at.ours(issue)).at(-1)!;
      expect(reply).toContain('has no vote on it, neither for nor against');
      expect(reply).toMatch(/Next:\n\n```[a-z]*\n\/cancel\n```/);
    }
    expect(await at.labels(issue)).toContain('mission/awaiting');
    expect(await at.comment('ana', issue, '/cancel')).toMatchObject({ reasonCode: 'mission_cancelled' });
  });

  it('to reject blocks, and to withdraw unblocks', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    expect(await at.comment('ben', issue, line.replace('approve', 'reject'))).toMatchObject({
      reasonCode: 'vote_recorded',
    });
    expect(await at.labels(issue)).toContain('mission/rejected');
    expect(await at.comment('ben', issue, '/withdraw')).toMatchObject({ reasonCode: 'vote_recorded' });
    expect(await at.labels(issue)).toContain('mission/awaiting');
    expect(await at.comment('ben', issue, '/withdraw')).toMatchObject({ reasonCode: 'vote_missing' });
  });

  it('for help, why and status changes no reference, and is answered once', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const before = at.refs();
    expect(await at.comment('ben', issue, '/help')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.comment('ben', issue, '/why')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.comment('ben', issue, '/status')).toMatchObject({ reasonCode: 'shown' });
    expect(at.refs()).toBe(before);
    const [, help, why, ...others] = await at.ours(issue);
    expect(help).toContain('`/approve <digest>`');
    expect(why).toContain('Missing: 1 of: `@ben`');
    expect(others).toEqual([]);
  });

  it('that stands beside another is carried out with it, in order', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    expect(await at.comment('ben', issue, `${line}\n/withdraw`)).toMatchObject({ reasonCode: 'parse_error' });
    expect((await at.ours(issue)).at(-1)).toContain('write a comment for each of them');
    expect(await at.labels(issue)).toContain('mission/awaiting');
    await at.comment('ben', issue, '/why\n/help');
    const [, , why, help, ...others] = await at.ours(issue);
    expect([why, help]).toEqual([expect.stringContaining('Missing:'), expect.stringContaining('`/help [command]`')]);
    expect(others).toEqual([]);
  });

  it('that is nearly one is refused with the one that was meant', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const before = at.refs();
    expect(await at.comment('ben', issue, '/aprove 0123456789ab')).toMatchObject({ reasonCode: 'unknown_verb' });
    expect(at.refs()).toBe(before);
  });

  it('that is heard twice is answered once', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.comment('ben', issue, '/approve 0123456789ab');
    const answered = await at.ours(issue);
    await at.again();
    expect(await at.ours(issue)).toEqual(answered);
    await at.comment('ben', issue, lineOf(answered[0]!));
    const before = at.refs();
    expect(await at.again()).toMatchObject({ decision: 'wait', reasonCode: 'already_heard' });
    expect(at.refs()).toBe(before);
  });

  it('to approve that was taken back counts no more, however often its event comes', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.comment('ben', issue, lineOf((await at.ours(issue))[0]!));
    const approved = at.replay();
    await at.comment('ben', issue, '/withdraw');
    const withdrawn = at.replay();
    const before = at.refs();
    const said = await at.ours(issue);
    for (const replay of [approved, withdrawn, approved])
      expect(await replay()).toMatchObject({ decision: 'wait', reasonCode: 'already_heard' });
    expect(at.refs()).toBe(before);
    expect(await at.ours(issue)).toEqual(said);
    expect(await at.labels(issue)).toContain('mission/awaiting');
  });

  it('to plan that is heard again plans nothing anew', async () => {
    const at = await gateSite();
    const { issue } = await at.file('carol');
    await at.comment('ben', issue, '/plan');
    const adopted = at.replay();
    expect(await at.comment('ana', issue, '/plan')).toMatchObject({ reasonCode: 'proposed' });
    const before = at.refs();
    for (const replay of [at.replay(), adopted]) expect(await replay()).toMatchObject({ reasonCode: 'already_heard' });
    expect(at.refs()).toBe(before);
  });

  it('in a proposal that waits for a member is told so, and /status names the command that helps', async () => {
    const at = await gateSite();
    const { issue } = await at.file('carol');
    expect(await at.comment('ben', issue, '/approve 0123456789ab')).toMatchObject({ reasonCode: 'nothing_proposed' });
    expect(await at.comment('ben', issue, '/status')).toMatchObject({ reasonCode: 'nothing_proposed' });
    expect((await at.ours(issue)).at(-1)).toContain('/plan');
  });

  it('in an issue that is no proposal gets silence, whoever types it', async () => {
    const at = await gateSite();
    const issue = await at.fileUnheard('carol', {}, 'The greeting is wrong.');
    const before = at.refs();
    for (const line of ['/status', '/plan', '/help', '/approve', '/aprove', '/home is full', 'so\n/plan'])
      for (const by of ['ben', 'carol'] as const)
        expect(await at.comment(by, issue, line)).toMatchObject({ decision: 'stop' });
    expect(await at.ours(issue)).toEqual([]);
    expect(at.refs()).toBe(before);
  });

  it('without its digest, or with an old one, is answered with the line to paste', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    expect(await at.comment('ben', issue, '/approve')).toMatchObject({ reasonCode: 'digest_required' });
    expect((await at.ours(issue)).at(-1)).toContain(line);
    expect(await at.comment('ben', issue, '/reject 0123456789ab\nno')).toMatchObject({ reasonCode: 'approval_stale' });
    expect((await at.ours(issue)).at(-1)).toContain(line.replace('approve', 'reject'));
  });

  it('with words on its line, or an option, is no vote', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    const before = at.refs();
    for (const more of [' looks good', ' 77ab03c1d2e4', ' -reason', ' --scope=plan']) {
      expect(await at.comment('ben', issue, line + more)).toMatchObject({ reasonCode: 'parse_error' });
      expect((await at.ours(issue)).at(-1)).toContain(`instead: \`${line}\``);
    }
    expect(at.refs()).toBe(before);
  });

  it('that the page hides is no vote; a member is told once where commands stand, a stranger nothing', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const [status] = await at.ours(issue);
    const line = lineOf(status!);
    const before = at.refs();
    const hidden = [
      `Log: <details>\n\n${line}\n\n</details>`,
      `> <!--\n\n${line}`,
      `a <title>\n\n${line}`,
      `[a]: b '\n${line}\n'`,
      `text[^1]\n\n[^1]: x\n\n${line}`,
      `${status!.replaceAll(/^/gm, '> ')}\n\n${line}`,
    ];
    for (const body of hidden) {
      const said = (await at.ours(issue)).length;
      expect(await at.comment('ben', issue, body)).toMatchObject({ reasonCode: 'command_further_down' });
      expect(await at.ours(issue)).toHaveLength(said + 1);
      await at.again();
      await at.comment('carol', issue, body);
      expect(await at.ours(issue)).toHaveLength(said + 1);
    }
    expect((await at.ours(issue)).at(-1)).toContain('as the first line of a new comment');
    expect(at.refs()).toBe(before);
  });

  it('below one that counts is told not to count, and the first one does', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    const said = await at.comment('ben', issue, `${line}\n\nKhosh āmadi 👩‍👩‍👧 می‌خواهم\n/reject x`);
    expect(said).toMatchObject({ reasonCode: 'approval_recorded' });
    expect((await at.ours(issue)).at(-1)).toContain('command_further_down');
  });
});

describe('somebody who is not on the roster', () => {
  it('may ask for the status and, once in an issue, for help', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const before = at.refs();
    expect(await at.comment('carol', issue, '/status')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.ours(issue)).toHaveLength(1);
    expect(await at.comment('carol', issue, '/help')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.comment('carol', issue, '/help\n/status')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.ours(issue)).toEqual([expect.anything(), expect.stringContaining('`/approve <digest>`')]);
    expect(at.refs()).toBe(before);
  });

  it('gets one answer to everything else, and none where it may be no command at all', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const before = at.refs();
    await at.comment('carol', issue, '/aprove of this');
    await at.comment('carol', issue, '/home is full');
    expect(await at.ours(issue)).toHaveLength(1);
    for (const line of ['/why', '/approve', '/plan', '/status\n/withdraw', '/hold'])
      expect(await at.comment('carol', issue, line)).toMatchObject({ reasonCode: 'not_authorised' });
    const [, answer, ...others] = await at.ours(issue);
    expect(others).toEqual([]);
    expect(answer).not.toContain('lazarus roster');
    expect(at.refs()).toBe(before);
  });

  it('is answered at most once for each comment, also by jobs that look at the same moment, and never again after', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const before = at.refs();
    const lines = ['/approve', '/why\n/retry\n/withdraw', '/plan'];
    // Each event has a job, and the schedule looks at the issue while they do.
    await Promise.all([...lines.map((line) => at.comment('carol', issue, line)), heal(at)]);
    const [, ...answers] = await at.ours(issue);
    expect(answers.length).toBeGreaterThan(0);
    const marks = answers.map((text) => text.split('\n')[0]);
    expect(new Set(marks).size).toBe(marks.length);
    expect(marks.length).toBeLessThanOrEqual(lines.length);
    await at.comment('carol', issue, '/approve once more');
    await heal(at);
    expect(await at.ours(issue)).toHaveLength(1 + answers.length);
    expect(at.refs()).toBe(before);
  });
});
