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
import { approved, branches, cell, heal, writer } from './jobs.ts';
import { ANA } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';

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
    expect(await refusedToRun(at, mission)).toBe('quorum_missing');
    await heal(at);
    const [status] = await at.ours(mission.issue);
    // The one who is left proposed it, and a roster of one person may approve its own.
    expect(status).toContain('awaiting approval · 0 of 1');
    expect(status).toContain('`@ana`');
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
    expect(await refusedToRun(at, mission)).toBe('policy_drifted');
    // The base has no file that the roots adopted: there is nothing to ask about yet, and nothing is begun over and over.
    const asked = `${mission.mission} policy_not_in_force`;
    expect((await heal(at)).skipped).toEqual([asked]);
    const before = at.refs();
    expect((await heal(at)).skipped).toEqual([asked]);
    expect(at.refs()).toBe(before);
    expect((await at.ours(mission.issue))[0]).toContain('**Because** `policy_drifted`');
  });

  it('the votes expired while no runner came', async () => {
    const at = await gateSite();
    const mission = await approved(at);
    at.clock.aheadSeconds = 30 * 24 * 3600;
    expect(await refusedToRun(at, mission)).toMatch(/^(?:grant|approval)_expired$/);
    await heal(at);
    expect((await at.ours(mission.issue))[0]).toContain('awaiting approval · 0 of 1');
  });
});
