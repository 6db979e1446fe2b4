// What heals: jobs that died, events that got lost, paths that two missions want, a base that was rewritten. Each job works
// in a clone of its own and believes nothing that another one said.
import { describe, expect, it } from 'vitest';
import { workOn } from '../../../src/app/gate/turns.ts';
import { missionName } from '../../../src/kernel/values.ts';
import { git } from '../../support/repos.ts';
import { gateSite, lineOf, RUNNER } from './gate-site.ts';
import { approved, branches, cell, gateTurn, heal, jobSite, woken, writer } from './jobs.ts';

describe('reconcile', () => {
  it('sends on what a lost hand-over between jobs left, until it is done', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
    expect((await cell(at, mission)).outcome).toMatchObject({ next: 'writer', reasonCode: 'work_handed_over' });
    expect((await heal(at)).outcome).toMatchObject({ next: 'writer', mission });
    const { outcome } = await writer(at, mission);
    expect(outcome).toMatchObject({ decision: 'complete', next: 'none' });
    expect(outcome.receipts).toHaveLength(3);
    expect(await at.labels(issue)).toEqual(['mission/done', 'tier/1']);
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
  });

  it('leaves a cell alone while its lease lasts, and begins another attempt when its runner is gone', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const dying = await jobSite(at, RUNNER, {
      onPoint: (step) => {
        if (step === 'spawned') throw new Error('the machine is gone');
      },
    });
    await expect(workOn(dying, mission, 'cell')).rejects.toThrow('the machine is gone');
    expect((await heal(at)).outcome).toMatchObject({ next: 'none', mission: null });
    at.clock.aheadSeconds = 2 * 3600;
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
    expect((await cell(at, mission)).outcome).toMatchObject({ next: 'writer' });
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(branches(at)).toMatch(new RegExp(`refs/heads/lazarus-work/${mission}/2$`));
  });

  it('finds votes whose comments were edited or deleted afterwards; they count as they were typed first', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const voted = await at.say('ben', issue, lineOf((await at.ours(issue))[0]!));
    await heal(at);
    expect((await at.ours(issue))[0]).not.toContain('afterwards');
    await at.forge.editComment(voted, 'never mind');
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell' });
    expect((await at.ours(issue))[0]).toContain(`- Comment ${voted} with the vote of \`ben\` was edited afterwards.`);
    await at.remove(voted);
    await heal(at);
    expect((await at.ours(issue))[0]).toContain(`- Comment ${voted} with the vote of \`ben\` was deleted afterwards.`);
    expect(await at.labels(issue)).toContain('mission/queued');
  });

  it('asks for a lost vote to be typed again, once, and does nothing for it', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    await at.unheard('ben', issue, line);
    await at.unheard('carol', issue, line);
    const before = at.refs();
    await heal(at);
    await heal(at);
    const [, asked, ...others] = await at.ours(issue);
    expect(asked).toContain('`type_again`');
    expect(asked).toContain('`@ben` with `/approve`');
    expect(others).toEqual([]);
    expect(at.refs()).toBe(before);
    expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'approval_recorded' });
    await heal(at);
    expect(await at.ours(issue)).toHaveLength(2);
  });

  it('says of a command that somebody put into a colleague’s comment that this may be so, and does nothing for it', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const comment = await at.unheard('ben', issue, 'I will have a look.');
    await at.forge.editComment(comment, lineOf((await at.ours(issue))[0]!));
    const before = at.refs();
    await heal(at);
    const [, asked] = await at.ours(issue);
    expect(asked).toContain('or somebody put that into it afterwards');
    expect(at.refs()).toBe(before);
  });

  it('shows a mission anew whose status comment somebody deleted after a vote had noted it', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const [shown] = await at.forge.comments(issue);
    await at.remove(shown!.id);
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
    expect(await at.ours(issue)).toEqual([expect.stringContaining(`### ${mission} · handed to a runner`)]);
    await cell(at, mission);
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(await at.ours(issue)).toEqual([expect.stringContaining(`### ${mission} · done`)]);
  });

  it('makes status and labels right again that somebody changed or that were never shown', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const [before] = await at.ours(issue);
    const [comment] = await at.forge.comments(issue);
    await at.forge.editComment(comment!.id, `${before!.split('\n')[0]}\nwrong`);
    await at.forge.addLabels(issue, ['mission/done']);
    await heal(at);
    expect(await at.ours(issue)).toEqual([before]);
    expect(await at.labels(issue)).toEqual(['mission/awaiting', 'tier/1']);
  });

  it('passes over what somebody else pushed as a mission', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    for (const ref of ['refs/heads/lazarus/', 'refs/lazarus/open/'])
      git(at.server, ['update-ref', `${ref}m-000000000000`, 'refs/heads/main']);
    const { outcome, skipped } = await heal(at);
    expect(outcome).toMatchObject({ next: 'cell', mission });
    expect(skipped).toEqual([expect.stringMatching(/^m-000000000000 /)]);
  });
});

describe('what the schedule looks at', () => {
  const pointers = (server: string): string =>
    git(server, ['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/lazarus/open/']);

  it('is what is open: a mission that is over is looked at once more, and then left alone', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const { said } = await at.file('ana', { paths: 'docs/**' });
    await cell(at, mission);
    await writer(at, mission);
    expect(pointers(at.server).split('\n').filter(Boolean)).toHaveLength(2);
    await heal(at);
    expect(pointers(at.server).trim()).toBe(missionName(said.state!.ledger_id));
  });

  it('comes in one answer, however many are open', async () => {
    const at = await gateSite();
    for (const paths of ['docs/**', 'src/**', 'tools/**']) await at.file('ana', { paths });
    const fetched: string[] = [];
    at.between.wrapRemote = (remote) => ({
      ...remote,
      fetch: async (refs, into, known) => {
        if (refs.some((ref) => ref.startsWith('refs/heads/lazarus/m-'))) fetched.push(refs.join(' '));
        await remote.fetch(refs, into, known);
      },
    });
    await heal(at);
    expect(fetched.map((refs) => refs.match(/refs\/(?:heads\/lazarus|lazarus\/artifacts)\/m-/g)!.length)).toEqual([6]);
  });

  it('is a mission whose vote was taken back, too', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await at.comment('ben', issue, '/withdraw');
    const [status] = await at.forge.comments(issue);
    await at.forge.editComment(status!.id, `${status!.body.split('\n')[0]}\nwrong`);
    await heal(at);
    expect((await at.ours(issue))[0]).toContain(mission);
  });

  it('is what was approved, whoever took its pointer away', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    git(at.server, ['update-ref', '-d', `refs/lazarus/open/${mission}`]);
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
  });
});

describe('two missions that want one path', () => {
  it('run one after the other', async () => {
    const at = await gateSite();
    const first = await approved(at);
    const second = await approved(at);
    expect(await at.labels(second.issue)).toContain('mission/approved');
    expect((await at.ours(second.issue))[0]).toContain(`| Waits for | \`${first.mission}, which holds a path`);
    await cell(at, first.mission);
    await writer(at, first.mission);
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission: second.mission });
    expect(await at.labels(second.issue)).toContain('mission/queued');
    expect((await at.ours(second.issue))[0]).not.toContain('Waits for');
  });

  it('the job that lets go of the path names who waited, first who was asked first, and no one in whose way they are', async () => {
    const at = await gateSite();
    const first = await approved(at);
    at.clock.aheadSeconds = 60;
    const second = await approved(at, { paths: 'src/greet.sh' });
    at.clock.aheadSeconds = 120;
    const third = await approved(at, { paths: 'src/greet.sh\r\ndocs/**' });
    const beside = await approved(at, { paths: 'docs/**' });
    await at.file('ana', { paths: 'docs/**' });
    expect((await cell(at, first.mission)).outcome.wake).toEqual([]);
    // Not of its own accord: the key of a writer grants nothing.
    expect((await writer(at, first.mission)).outcome.wake).toEqual([second.mission, beside.mission]);
    expect((await woken(at, second.mission)).outcome).toMatchObject({ next: 'cell', mission: second.mission });
    expect((await woken(at, beside.mission)).outcome).toMatchObject({ next: 'cell', mission: beside.mission });
    expect((await woken(at, third.mission)).outcome).toMatchObject({ next: 'none' });
  });

  it('so does the gate, where one is called off, or revised to other paths', async () => {
    const at = await gateSite();
    const first = await approved(at);
    const second = await approved(at);
    expect((await gateTurn(at, 'ana', first.issue, '/cancel')).outcome.wake).toEqual([second.mission]);
    await woken(at, second.mission);
    const third = await approved(at, { paths: 'src/greet.sh' });
    await at.edit('ana', second.issue, { paths: 'docs/**\r\ntools/**' });
    const line = lineOf((await at.ours(second.issue))[0]!);
    expect((await gateTurn(at, 'ben', second.issue, line)).outcome.wake).toEqual([third.mission]);
  });

  it('so does the job that is woken after a person let go of them in a clone; and a schedule starts all who may begin', async () => {
    const at = await gateSite();
    const first = await approved(at, { paths: 'src/greet.sh' });
    const beside = await approved(at, { paths: 'docs/**' });
    const second = await approved(at, { paths: 'src/greet.sh' });
    const healed = (await heal(at)).outcome;
    expect(new Set([healed.mission, ...healed.wake])).toEqual(new Set([first.mission, beside.mission]));
    await at.comment('ben', first.issue, '/withdraw');
    expect((await woken(at, first.mission)).outcome).toMatchObject({ next: 'none', wake: [second.mission] });
    expect((await woken(at, beside.mission)).outcome).toMatchObject({ next: 'cell', wake: [] });
  });

  it('one that cannot be read keeps nobody else waiting', async () => {
    const at = await gateSite();
    const first = await approved(at);
    const second = await approved(at);
    const third = await approved(at, { paths: 'docs/**' });
    const foreign = git(at.server, ['rev-parse', 'main']);
    git(at.server, ['update-ref', `refs/heads/lazarus/${second.mission}`, foreign]);
    await cell(at, first.mission);
    expect((await writer(at, first.mission)).outcome.wake).toEqual([third.mission]);
  });
});

describe('a mission that is revised after its approval', () => {
  it('holds the paths that it asks for now, and no longer those it asked for then', async () => {
    const at = await gateSite();
    const first = await approved(at, { paths: 'src/greet.sh' });
    await at.edit('ana', first.issue, { paths: 'docs/**' });
    await at.comment('ben', first.issue, lineOf((await at.ours(first.issue))[0]!));
    expect(await at.labels(first.issue)).toContain('mission/queued');
    const wantsTheSame = await approved(at, { paths: 'docs/usage.md' });
    expect(await at.labels(wantsTheSame.issue)).toContain('mission/approved');
    const wantsTheOld = await approved(at, { paths: 'src/greet.sh' });
    expect(await at.labels(wantsTheOld.issue)).toContain('mission/queued');
  });
});

describe('a base that was rewritten after the approval', () => {
  it('stops the cell before anything runs', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    git(at.server, ['update-ref', 'refs/heads/main', git(at.server, ['commit-tree', '-m', 'x', 'main^{tree}'])]);
    await expect(cell(at, mission)).rejects.toMatchObject({ code: 'ref_moved' });
    expect(branches(at)).toBe('');
  });
});

describe('a proposal that nobody answers in time', () => {
  it('ends by the scheduled job, with a receipt, and the issue says so', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    at.clock.aheadSeconds = 73 * 3600;
    await heal(at);
    expect(await at.labels(issue)).toEqual(['mission/expired', 'tier/1']);
    const [status] = await at.ours(issue);
    expect(status).toContain('**Because** `approval_expired`');
    expect(status).toMatch(/approval_resolution.*expired/);
  });
});

describe('work outside the paths of a mission', () => {
  it('goes no further, and the issue says why', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at, { paths: 'docs/**' });
    const because = { reasonCode: 'scope_violated' };
    // The runner's key may hand over what came of it, and no more.
    expect((await cell(at, mission)).outcome).toMatchObject({ ...because, decision: 'continue', next: 'writer' });
    expect((await writer(at, mission)).outcome).toMatchObject({ ...because, decision: 'stop', next: 'none' });
    expect(branches(at)).toBe('');
    expect((await at.ours(issue))[0]).toContain('**Because** `scope_violated`');
    expect(await at.labels(issue)).toEqual(['mission/failed', 'tier/1']);
  });
});
