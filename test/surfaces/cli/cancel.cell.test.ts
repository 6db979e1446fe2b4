// `lazarus cancel` as it is typed: from another terminal while the agent works, before anything runs, too late, and by whom
// it is not for; and what everything that shows a mission says of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

async function approved(agent?: string): Promise<string> {
  const one = await at.propose(
    agent === undefined ? {} : { 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(agent)}]` },
  );
  await at.approve(one);
  return one.mission;
}

type Cancelled = Shown & { readonly cancelled: { readonly by: string; readonly how: string } | null };

describe('while the agent works', () => {
  it('kills its cell from another process, and its paths are free for another mission', async () => {
    const mission = await approved('echo working; while :; do sleep 0.1; done');
    const typed: { stdout: string } = { stdout: '' };
    const { code, stdout, stderr } = await at.run(['run', mission], {
      onText: {
        text: 'agent | working',
        react: async () =>
          void Object.assign(typed, await ok(at.run(['cancel', mission, '--as', 'bo', '--reason', 'not needed']))),
      },
    });
    expect(code).toBe(3);
    expect(typed.stdout).toMatch(
      /^m-[0-9a-f]+ {2}cancelled\n[^]*because +mission_cancelled: [^]*cancelled +by bo \(signed/,
    );
    expect(typed.stdout).toContain(`next: lazarus watch ${mission}\n`);
    expect(stderr).toContain('cancelled: the cell was closed, and what came of it is left\n');
    expect(stdout).toMatch(/^m-[0-9a-f]+ {2}cancelled\n[^]*receipt +[0-9a-f-]{36} +command_execution: failed/);
    expect(git(at.folder, ['for-each-ref', 'refs/heads/lazarus-work'])).toBe('');
    await ok(at.run(['verify']));

    // The very same paths.
    const other = await approved();
    await ok(at.run(['run', other]));
    expect((await at.show(other)).state).toBe('done');
  });
});

describe('before anything runs', () => {
  it('ends the mission at once, and everything that shows it says by whom', async () => {
    const mission = await approved();
    const said = await json<Cancelled>(at.run(['cancel', mission, '--as', 'ana', '--json']));
    expect(said).toMatchObject({
      state: 'cancelled',
      because: { code: 'mission_cancelled' },
      cancelled: { by: 'ana', how: 'signed' },
      next: `lazarus explain ${mission}`,
    });
    const { stdout: story } = await ok(at.run(['explain', mission]));
    expect(story).toMatch(/ana \(person\)[^\n]*\n?[^]*called the mission off, signed/);
    expect(story).toMatch(/the mission is over: cancelled \(mission_cancelled\)/);
    expect((await ok(at.run(['why', mission]))).stdout).toMatch(/cancelled +by ana \(signed/);
    expect((await ok(at.run(['list']))).stdout).toMatch(new RegExp(`${mission} +cancelled `));
    expect((await at.run(['run', mission])).code).toBe(3);
    expect(await at.run(['cancel', mission, '--as', 'bo'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^mission_over: /),
    });
  });

  it('says who waited for the paths that it lets go of, with the line that goes on', async () => {
    const first = await approved();
    const second = await approved();
    expect((await at.run(['run', second])).stderr).toContain(`held_by: ${first}`);
    const { stdout } = await ok(at.run(['cancel', first, '--as', 'ana']));
    expect(stdout).toContain(`\n${second} waited for these paths, and can go on: lazarus run ${second}\n`);
    expect(await json(at.run(['cancel', second, '--as', 'ana', '--json']))).toMatchObject({ freed: [] });
  });

  it('why it ended leads back to who said so', async () => {
    const mission = await approved();
    await ok(at.run(['cancel', mission, '--as', 'bo']));
    const { events } = await json<{ events: { event_type: string; index: number }[] }>(
      at.run(['explain', mission, '--json']),
    );
    const ended = events.find(({ event_type }) => event_type === 'mission.ended')!;
    const { stdout } = await ok(at.run(['explain', mission, String(ended.index)]));
    expect(stdout).toContain('called the mission off, signed');
  });
});

it('after it was done nothing is left to cancel', async () => {
  const mission = await approved();
  await ok(at.run(['run', mission]));
  const late = await at.run(['cancel', mission, '--as', 'bo']);
  expect(late).toMatchObject({ code: 3, stderr: expect.stringMatching(/^mission_over: /) });
});
