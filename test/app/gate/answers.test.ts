// What a gate answers to everything that people and strangers write: one status comment per mission, one reply where a
// command is refused, silence where nobody spoke to it, and nothing of a stranger in any ledger.
import { describe, expect, it } from 'vitest';
import { COMMANDS, VERBS } from '../../../src/forge-text/commands.ts';
import { gateSite, lineOf } from './gate-site.ts';

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
  ])('%s is answered once and begins nothing', async (_, changes, code) => {
    const at = await gateSite();
    const before = at.refs();
    const { issue, said } = await at.file('ana', changes);
    expect(said).toMatchObject({ decision: 'stop', reasonCode: code });
    expect(await at.ours(issue)).toEqual([expect.stringContaining(`**\`${code}\`**`)]);
    expect(at.refs()).toBe(before);
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
    expect(help).toContain('`/approve <digest> [--scope=plan|effects|merge]`');
    expect(why).toContain('Missing: 1 of: `@ben`');
    expect(others).toEqual([]);
  });

  it('that stands beside another is carried out with it, in order', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    await at.comment('ben', issue, `${line.replace('approve', 'reject')}\n\nor rather:\n\n/withdraw`);
    expect(await at.labels(issue)).toContain('mission/awaiting');
    await at.comment('ben', issue, '/why\n/help');
    const [, why, help, ...others] = await at.ours(issue);
    expect([why, help]).toEqual([expect.stringContaining('Missing:'), expect.stringContaining('`/help [command]`')]);
    expect(others).toEqual([]);
  });

  it('that this version does not have is refused by name', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const before = at.refs();
    const unavailable = VERBS.filter((verb) => !COMMANDS[verb].available);
    for (const verb of unavailable) {
      expect(await at.comment('ben', issue, `/${verb}`)).toMatchObject({ reasonCode: 'command_unavailable' });
      expect((await at.ours(issue)).at(-1)).toContain(`command: \`${verb}\``);
    }
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
    expect(await at.again()).toMatchObject({ decision: 'stop', reasonCode: 'approval_settled' });
    expect(at.refs()).toBe(before);
  });

  it('in an issue without a mission finds nothing to be about', async () => {
    const at = await gateSite();
    const { issue } = await at.file('carol');
    expect(await at.comment('ben', issue, '/approve 0123456789ab')).toMatchObject({ reasonCode: 'nothing_proposed' });
  });
});
