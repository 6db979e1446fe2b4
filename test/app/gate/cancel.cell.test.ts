// `/cancel` on a forge: before anything runs one job ends the mission; while a cell runs its job finds the word, closes the
// cell and hands on to the writer, which ends it. Whoever is not concerned is answered, and changes nothing.
import { describe, expect, it } from 'vitest';
import { workOn } from '../../../src/app/gate/turns.ts';
import { gateSite, lineOf, WRITER, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, jobSite, writer } from './jobs.ts';

async function expectCancelled(at: GateSite, issue: number, by: string): Promise<void> {
  expect(await at.labels(issue)).toEqual(['mission/cancelled', 'tier/1']);
  const [status] = await at.ours(issue);
  expect(status).toContain('· cancelled');
  expect(status).toContain('**Because** `mission_cancelled`');
  expect(status).toContain(`| Cancelled | \`by ${by} (via: forge, `);
  expect(status).not.toContain('/approve');
}

describe('before anything runs', () => {
  it('a person ends it in one job, with its reason kept, and others may have its paths', async () => {
    const at = await gateSite();
    const { issue } = await approved(at);
    const said = await at.comment('ben', issue, '/cancel\n\nSomebody else has done it.');
    expect(said).toMatchObject({ decision: 'stop', reasonCode: 'mission_cancelled' });
    await expectCancelled(at, issue, 'ben');
    const { mission } = await approved(at);
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
  });

  it('its proposer ends it as well, and an event that is delivered again changes nothing', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    expect(await at.comment('ana', issue, '/cancel')).toMatchObject({ reasonCode: 'mission_cancelled' });
    await expectCancelled(at, issue, 'ana');
    const before = at.refs();
    expect(await at.again()).toMatchObject({ reasonCode: 'already_heard' });
    expect(at.refs()).toBe(before);
  });

  it('so does a proposer whom no roster has, whose proposal somebody adopted, and no other stranger', async () => {
    const at = await gateSite();
    const { issue } = await at.file('carol');
    await at.comment('ben', issue, '/plan');
    const line = lineOf((await at.ours(issue)).at(-1)!);
    expect(await at.comment('carol', issue, line)).toMatchObject({ reasonCode: 'not_authorised' });
    const { issue: others } = await at.file('ana');
    const before = at.refs();
    expect(await at.comment('carol', others, '/cancel')).toMatchObject({ reasonCode: 'not_authorised' });
    expect(at.refs()).toBe(before);
    expect(await at.comment('carol', issue, '/cancel')).toMatchObject({ reasonCode: 'mission_cancelled' });
    expect(await at.labels(issue)).toContain('mission/cancelled');
    expect((await at.ours(issue)).join('\n')).toMatch(/Cancelled \| `by the proposer, account \d+ \(via: forge/);
  });

  it('says of what comes too late that it does', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    await at.comment('ana', issue, '/cancel');
    expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'mission_over' });
    expect(await at.comment('ben', issue, '/cancel')).toMatchObject({ reasonCode: 'mission_over' });
  });

  it('a lost event is asked for again, also of a proposer whom no roster has', async () => {
    const at = await gateSite();
    const { issue } = await at.file('carol');
    await at.comment('ben', issue, '/plan');
    await at.unheard('carol', issue, '/cancel');
    const before = at.refs();
    await heal(at);
    expect((await at.ours(issue)).at(-1)).toContain('`@carol` with `/cancel`');
    expect(at.refs()).toBe(before);
  });
});

describe('while a cell runs', () => {
  it('its job closes it and the writer ends the mission; nothing is pushed', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    let isTold = false;
    const ran = await cell(at, mission, {
      untilNextLook: async () => {
        if (isTold) return;
        isTold = true;
        await at.comment('ben', issue, '/cancel');
        // While the cell is still being closed people see that nothing will come of it.
        expect(await at.labels(issue)).toContain('mission/cancelled');
      },
      cells: (cells) => ({
        ...cells,
        spawn: (spec) => cells.spawn({ ...spec, command: { argv: ['/bin/sh', '-c', 'while :; do sleep 0.05; done'] } }),
      }),
    });
    expect(ran.outcome).toMatchObject({ next: 'writer', reasonCode: 'mission_cancelled' });
    const { outcome } = await writer(at, mission);
    expect(outcome).toMatchObject({ decision: 'stop', next: 'none', reasonCode: 'mission_cancelled' });
    await expectCancelled(at, issue, 'ben');
    expect(branches(at)).toBe('');
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
  });

  it('work that was handed over before it is delivered no more', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await cell(at, mission);
    await at.comment('ana', issue, '/cancel');
    expect((await writer(at, mission)).outcome).toMatchObject({ next: 'none', reasonCode: 'mission_cancelled' });
    await expectCancelled(at, issue, 'ana');
    expect(branches(at)).toBe('');
  });

  it('after the first effect it is refused by name, with what to do instead', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await cell(at, mission);
    const site = await jobSite(at, WRITER);
    const { push_branch: push, ...others } = await site.executors();
    const apply = () => Promise.reject(new Error('the machine is gone'));
    const dying = { ...site, executors: () => Promise.resolve({ ...others, push_branch: { ...push!, apply } }) };
    await expect(workOn(dying, mission, 'writer')).rejects.toThrow('the machine is gone');
    expect(await at.comment('ben', issue, '/cancel')).toMatchObject({ reasonCode: 'effects_begun' });
    const reply = (await at.ours(issue)).at(-1)!;
    expect(reply).toContain('what was begun is finished or settled');
    expect(reply).toMatch(/Next:\n\n```[a-z]*\n\/why\n```/);
    at.clock.aheadSeconds = 3600;
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
  });
});

it('/help has it', async () => {
  const at = await gateSite();
  const { issue } = await at.file('ana');
  await at.comment('ben', issue, '/help');
  const help = (await at.ours(issue)).at(-1)!;
  expect(help).toContain(
    '| `/cancel` | the proposer, or people on the roster | until an effect is begun | calls the mission off',
  );
});
