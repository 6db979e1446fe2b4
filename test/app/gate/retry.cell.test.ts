// `/retry` on a forge: the next attempt without waiting for the schedule, a question to people where what they approved is no
// longer so, and otherwise one answer that says why there is nothing to try again.
import { describe, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { RULES } from '../../support/templates.ts';
import { reviseRules } from '../../support/workbench.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, writer, type Machine } from './jobs.ts';

const WITHOUT_BUBBLEWRAP: Machine = {
  cells: (cells) => ({
    ...cells,
    probe: () => Promise.resolve({ is: 'unfit', backend: 'process', code: 'sandbox_missing', why: 'no bwrap' }),
  }),
};

async function spoiled(at: GateSite, mission: string): Promise<void> {
  await cell(at, mission, WITHOUT_BUBBLEWRAP).catch(() => undefined);
  await writer(at, mission);
}

async function status(at: GateSite, issue: number): Promise<string> {
  return (await at.ours(issue))[0]!;
}

describe('after an attempt that a runner spoiled', () => {
  it('the next one begins at once, and the issue says which it is', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await spoiled(at, mission);
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    expect(await status(at, issue)).toMatch(
      /for another attempt at once, paste as a new comment:\n\n```[a-z]*\n\/retry\n/,
    );
    expect(await at.comment('ben', issue, '/retry')).toMatchObject({ decision: 'wait', reasonCode: 'retried' });
    expect((await at.ours(issue)).at(-1)).toMatch(/\*\* Attempt 2 of 3 is handed to a runner\.$/m);
    expect(await status(at, issue)).not.toContain('/retry');
    const before = at.refs();
    // The attempt is there by now: whoever hears it again begins no other, and answers nobody twice.
    const answers = (await at.ours(issue)).length;
    await at.again();
    expect(at.refs()).toBe(before);
    expect(await at.ours(issue)).toHaveLength(answers);
    expect((await cell(at, mission)).outcome).toMatchObject({ next: 'writer' });
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(branches(at)).toContain(`refs/heads/lazarus-work/${mission}/2`);
  });

  it('the next one begins by the same word where that was taken back and given again meanwhile', async () => {
    const at = await gateSite();
    const { issue, mission, line } = await approved(at);
    await spoiled(at, mission);
    await at.comment('ana', issue, '/retry');
    expect(await at.comment('ben', issue, '/withdraw')).toMatchObject({ reasonCode: 'vote_recorded' });
    expect(await status(at, issue)).toContain('awaiting approval · 0 of 1');
    expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'approval_recorded' });
    expect((await cell(at, mission)).outcome).toMatchObject({ next: 'writer' });
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(branches(at)).toContain(`refs/heads/lazarus-work/${mission}/2`);
  });

  it('there are no more than policy lets a step have', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await spoiled(at, mission);
    for (const no of [2, 3]) {
      expect(await at.comment('ana', issue, '/retry')).toMatchObject({ reasonCode: 'retried' });
      expect((await at.ours(issue)).at(-1)).toContain(`Attempt ${no} of 3`);
      await spoiled(at, mission);
    }
    expect(await at.comment('ana', issue, '/retry')).toMatchObject({
      decision: 'stop',
      reasonCode: 'attempts_exhausted',
    });
  });

  it('none begins while it is held, and a stranger begins none', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await spoiled(at, mission);
    const before = at.refs();
    expect(await at.comment('carol', issue, '/retry')).toMatchObject({ reasonCode: 'not_authorised' });
    expect(at.refs()).toBe(before);
    await at.comment('ben', issue, '/hold');
    expect(await at.comment('ben', issue, '/retry')).toMatchObject({ decision: 'stop', reasonCode: 'mission_held' });
    expect((await at.ours(issue)).at(-1)).toMatch(/Next:\n\n```[a-z]*\n\/unhold\n```/);
  });
});

it('where what people approved is no longer so they are asked again, and told so', async () => {
  const at = await gateSite();
  const { issue, mission } = await approved(at);
  git(at.server, ['update-ref', 'refs/heads/main', git(at.server, ['commit-tree', '-m', 'x', 'main^{tree}'])]);
  await spoiled(at, mission);
  expect(await at.comment('ana', issue, '/retry')).toMatchObject({ decision: 'wait', reasonCode: 'retried' });
  const reply = (await at.ours(issue)).at(-1)!;
  expect(reply).toContain('What was approved is no longer so: people are asked again, for attempt 2 of 3.');
  expect(lineOf(reply)).toBe(lineOf(await status(at, issue)));
});

it('where it is no longer so since an attempt was spoiled, no other one is spent on finding that out', async () => {
  const at = await gateSite();
  const { issue, mission } = await approved(at);
  await spoiled(at, mission);
  await at.comment('ana', issue, '/retry');
  await spoiled(at, mission);
  git(at.server, ['update-ref', 'refs/heads/main', git(at.server, ['commit-tree', '-m', 'x', 'main^{tree}'])]);
  expect(await at.comment('ana', issue, '/retry')).toMatchObject({ decision: 'wait', reasonCode: 'retried' });
  expect((await at.ours(issue)).at(-1)).toContain('people are asked again, for attempt 3 of 3.');
  expect(await at.comment('ben', issue, lineOf(await status(at, issue)))).toMatchObject({
    reasonCode: 'approval_recorded',
  });
  expect((await cell(at, mission)).outcome).toMatchObject({ next: 'writer' });
  expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
});

it('where another policy was adopted since, neither', async () => {
  const at = await gateSite();
  const { issue, mission } = await approved(at);
  await spoiled(at, mission);
  const policy = RULES.policy.replace(/votes_expire_hours: \d+/, 'votes_expire_hours: 50');
  at.commitToMain('.gitea/lazarus/policy.yml', policy);
  await reviseRules(at.bench, (await at.bench.project()).tip.state!.project_id, { ...RULES, policy }, 2);
  expect(await at.comment('ana', issue, '/retry')).toMatchObject({ reasonCode: 'retried' });
  expect((await at.ours(issue)).at(-1)).toContain('people are asked again, for attempt 2 of 3.');
});

it('where nothing failed it says what it waits for instead', async () => {
  const at = await gateSite();
  const { issue } = await at.file('ana');
  const line = lineOf(await status(at, issue));
  expect(await at.comment('ben', issue, '/retry')).toMatchObject({ decision: 'stop', reasonCode: 'quorum_missing' });
  expect((await at.ours(issue)).at(-1)).toContain(line);
  await at.comment('ben', issue, line);
  const { mission } = { mission: /mission=(m-[0-9a-f]{12})/.exec(await status(at, issue))![1]! };
  const running: Machine = {
    onPoint: async (point) => {
      if (point !== 'spawned') return;
      expect(await at.comment('ben', issue, '/retry')).toMatchObject({ decision: 'stop', reasonCode: 'attempt_runs' });
    },
  };
  await cell(at, mission, running);
  await writer(at, mission);
  expect((await at.ours(issue)).filter((body) => body.includes('attempt_runs'))).toHaveLength(1);
  expect(await at.comment('ben', issue, '/retry')).toMatchObject({ decision: 'stop', reasonCode: 'mission_over' });
});
