// What people approved is no longer so when a runner is to begin: nothing runs, the status comment says what changed, and
// people are asked about it as it is now. Their earlier word is for nothing any more.
import { describe, expect, it } from 'vitest';
import { removeMember } from '../../../src/app/threshold/roster-change.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { applied, drafted } from '../../support/drafts.ts';
import { git } from '../../support/repos.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, writer, type Machine } from './jobs.ts';
import { ANA } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';
import { RULES } from '../../support/templates.ts';
import { reviseRules } from '../../support/workbench.ts';

const WITHOUT_BUBBLEWRAP: Machine = {
  cells: (cells) => ({
    ...cells,
    probe: () => Promise.resolve({ is: 'unfit', backend: 'process', code: 'sandbox_missing', why: 'no bwrap' }),
  }),
};

async function refusedToRun(at: GateSite, { issue, mission }: { issue: number; mission: string }): Promise<string> {
  const ran = await cell(at, mission).then(
    () => 'ran',
    ({ code }: { code: string }) => code,
  );
  await writer(at, mission);
  const [status] = await at.ours(issue);
  expect(status).toContain(`### ${mission} · queued`);
  expect(status).toMatch(new RegExp(`\\*\\*Because\\*\\* \`${ran}\`: .* Next: \`/plan\``));
  expect(branches(at)).toBe('');
  return ran;
}

/** The cell's job begins nothing, the page says why, and no attempt is spent on finding that out. */
async function leftAlone(at: GateSite, { issue, mission }: { issue: number; mission: string }): Promise<string> {
  const before = at.refs();
  expect((await cell(at, mission)).outcome).toMatchObject({ next: 'none' });
  await writer(at, mission);
  expect(at.refs()).toBe(before);
  const [status] = await at.ours(issue);
  expect(status).toContain(`### ${mission} · queued`);
  expect(status).toMatch(/\*\*Because\*\* `\w+`: .* Next: `\/plan`/);
  return /\*\*Because\*\* `(\w+)`/.exec(status!)![1]!;
}

/** What people say to what they are asked now is for the first attempt still. */
async function doneAtFirst(at: GateSite, by: 'ana' | 'ben', { issue, mission }: { issue: number; mission: string }) {
  const line = lineOf((await at.ours(issue))[0]!);
  expect(await at.comment(by, issue, line)).toMatchObject({ reasonCode: 'approval_recorded' });
  expect((await cell(at, mission)).outcome).toMatchObject({ next: 'writer' });
  expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
  expect(branches(at)).toContain(`refs/heads/lazarus-work/${mission}/1`);
}

async function adopt(at: GateSite, policy: string): Promise<void> {
  await reviseRules(at.bench, (await at.bench.project()).tip.state!.project_id, { ...RULES, policy }, 2);
}

const OTHER = RULES.policy.replace(/votes_expire_hours: \d+/, 'votes_expire_hours: 50');

/** Somebody pushed another past of the base. */
function rewriteMain(at: GateSite): void {
  git(at.server, ['update-ref', 'refs/heads/main', git(at.server, ['commit-tree', '-m', 'x', 'main^{tree}'])]);
}

describe('between the approval and the run', () => {
  it('the base was rewritten: people are asked again, and what they say then counts', async () => {
    const at = await gateSite();
    const mission = await approved(at);
    rewriteMain(at);
    expect(await refusedToRun(at, mission)).toBe('ref_moved');
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    const [status] = await at.ours(mission.issue);
    expect(status).toContain('awaiting approval · 0 of 1');
    expect(await at.comment('ben', mission.issue, mission.line)).toMatchObject({ reasonCode: 'approval_stale' });
    expect(await at.comment('ben', mission.issue, lineOf(status!))).toMatchObject({ reasonCode: 'approval_recorded' });
    expect((await cell(at, mission.mission)).outcome).toMatchObject({ next: 'writer' });
    expect((await writer(at, mission.mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(branches(at)).toContain(`refs/heads/lazarus-work/${mission.mission}/2`);
  });

  it('and nobody has to wait for the schedule', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    rewriteMain(at);
    await refusedToRun(at, { issue, mission });
    expect(await at.comment('ana', issue, '/plan')).toMatchObject({ reasonCode: 'proposed' });
    expect((await at.ours(issue))[0]).toContain('awaiting approval · 0 of 1');
  });

  it('or only between the run and the delivery: nothing leaves, and people are asked again', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await cell(at, mission);
    rewriteMain(at);
    expect((await writer(at, mission)).outcome).toMatchObject({
      decision: 'stop',
      reasonCode: 'ref_moved',
      next: 'none',
    });
    expect(branches(at)).toBe('');
    expect((await at.ours(issue))[0]).toMatch(/\*\*Because\*\* `ref_moved`: .* Next: `\/plan`/);
    await heal(at);
    expect((await at.ours(issue))[0]).toContain('awaiting approval · 0 of 1');
  });

  it('whoever approved it was taken off the roster', async () => {
    const at = await gateSite();
    const mission = await approved(at);
    taken(await applied(at.bench, await drafted(at.bench, removeMember('ben'), ANA), ANA));
    expect(await leftAlone(at, mission)).toBe('quorum_missing');
    await heal(at);
    const [status] = await at.ours(mission.issue);
    // The one who is left proposed it, and a roster of one person may approve its own. The plan is the same.
    expect(status).toContain('awaiting approval · 0 of 1');
    expect(lineOf(status!)).toBe(mission.line);
    await doneAtFirst(at, 'ana', mission);
  });

  it('whoever approved it was taken off the roster before its work was delivered: the work is not made again', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await cell(at, mission);
    taken(await applied(at.bench, await drafted(at.bench, removeMember('ben'), ANA), ANA));
    expect((await writer(at, mission)).outcome).toMatchObject({ next: 'none' });
    expect(branches(at)).toBe('');
    const [status] = await at.ours(issue);
    expect(status).toContain('awaiting approval · 0 of 1');
    expect(await at.comment('ana', issue, lineOf(status!))).toMatchObject({ reasonCode: 'approval_recorded' });
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(branches(at)).toContain(`refs/heads/lazarus-work/${mission}/1`);
  });

  it('the roots adopted another policy', async () => {
    const at = await gateSite();
    const mission = await approved(at);
    const { world } = await at.gate();
    const { project_id: id, policy } = projectState(world);
    const about = { entity_type: 'project', entity_id: id, task_id: id } as const;
    const payload = { policy: `sha256:${'0'.repeat(64)}`, revision: 2, sacred: policy!.sacred };
    const session = at.bench.session(PROJECT_REF, ANA);
    taken(await session.submit({ decide: () => accept([{ event_type: 'policy.revised', ...about, payload }]) }));
    expect(await leftAlone(at, mission)).toBe('policy_drifted');
    // The base has no file that the roots adopted: there is nothing to ask about yet, and nothing is begun over and over.
    const asked = `${mission.mission} policy_not_in_force`;
    expect((await heal(at)).skipped).toEqual([asked]);
    const before = at.refs();
    expect((await heal(at)).skipped).toEqual([asked]);
    expect(at.refs()).toBe(before);
    expect((await at.ours(mission.issue))[0]).toContain('**Because** `policy_not_in_force`');
  });

  it('the roots adopted another policy while a second attempt was queued, which is not spent on that', async () => {
    const at = await gateSite();
    const mission = await approved(at);
    await cell(at, mission.mission, WITHOUT_BUBBLEWRAP).catch(() => undefined);
    await writer(at, mission.mission);
    expect(await at.comment('ana', mission.issue, '/retry')).toMatchObject({ reasonCode: 'retried' });
    at.commitToMain('.gitea/lazarus/policy.yml', OTHER);
    await adopt(at, OTHER);
    expect(await leftAlone(at, mission)).toBe('policy_drifted');
    await heal(at);
    const [status] = await at.ours(mission.issue);
    expect(status).toContain('awaiting approval · 0 of 1');
    await at.comment('ben', mission.issue, lineOf(status!));
    await cell(at, mission.mission);
    await writer(at, mission.mission);
    expect(branches(at)).toContain(`refs/heads/lazarus-work/${mission.mission}/2`);
  });

  it('the roots adopted another policy before its work was delivered: nothing leaves, and people are asked again', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await cell(at, mission);
    at.commitToMain('.gitea/lazarus/policy.yml', OTHER);
    await adopt(at, OTHER);
    expect((await writer(at, mission)).outcome).toMatchObject({ reasonCode: 'policy_drifted', next: 'none' });
    expect(branches(at)).toBe('');
    await heal(at);
    expect((await at.ours(issue))[0]).toContain('awaiting approval · 0 of 1');
  });

  it('the votes expired while no runner came', async () => {
    const at = await gateSite();
    const mission = await approved(at);
    at.clock.aheadSeconds = 30 * 24 * 3600;
    expect(await leftAlone(at, mission)).toBe('approval_expired');
    await heal(at);
    expect((await at.ours(mission.issue))[0]).toContain('awaiting approval · 0 of 1');
    await doneAtFirst(at, 'ben', mission);
  });
});
