// Proposals whose event the forge lost: found by the schedule, heard once, and believed no further than the event itself.
import { describe, expect, it } from 'vitest';
import { gateSite, lineOf } from './gate-site.ts';
import { heal } from './jobs.ts';

describe('a proposal that no run has seen', () => {
  it('becomes a mission all the same, and its event changes nothing when it comes late', async () => {
    const at = await gateSite();
    const issue = await at.fileUnheard('ana');
    await heal(at);
    const [status, ...others] = await at.ours(issue);
    expect(status).toContain('awaiting approval · 0 of 1');
    expect(status).toContain('`@ana` cannot: `proposer`');
    expect(others).toEqual([]);
    const before = at.refs();
    expect(await at.opened(issue)).toMatchObject({ reasonCode: 'shown' });
    await heal(at);
    expect(at.refs()).toBe(before);
    expect(await at.ours(issue)).toEqual([status]);
    expect(await at.comment('ben', issue, lineOf(status!))).toMatchObject({ reasonCode: 'approval_recorded' });
  });

  it('of a stranger gets the one answer that it would have got, and never another', async () => {
    const at = await gateSite();
    const before = at.refs();
    const issue = await at.fileUnheard('carol');
    await heal(at);
    await heal(at);
    await at.opened(issue);
    expect(await at.ours(issue)).toEqual([expect.stringContaining('is not on the roster of this project')]);
    expect(at.refs()).toBe(before);
  });

  it('and cannot be read is refused, once', async () => {
    const at = await gateSite();
    const issue = await at.fileUnheard('ana', { goal: 'x'.repeat(201) });
    await heal(at);
    await heal(at);
    expect(await at.ours(issue)).toEqual([expect.stringContaining('**`form_invalid`**')]);
  });

  it('and was changed since begins nothing: its author would answer for somebody else’s words', async () => {
    const at = await gateSite();
    const before = at.refs();
    const issue = await at.fileUnheard('ana');
    // The attack: ben has the run cancelled, writes what he wants, and would approve it as the one who did not propose it.
    await at.rewrite('ben', issue, { paths: '**' });
    await heal(at);
    await heal(at);
    expect(await at.ours(issue)).toEqual([expect.stringContaining('**`proposal_unheard`**')]);
    expect(at.refs()).toBe(before);
  });

  it('is none where an issue has nothing of the form', async () => {
    const at = await gateSite();
    const issue = await at.fileUnheard('ana', undefined, 'It is broken.');
    await heal(at);
    expect(await at.ours(issue)).toEqual([]);
  });
});
