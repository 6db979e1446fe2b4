// `lazarus hold` and `lazarus unhold` as they are typed: before anything runs, by whom it is not for, too late; and what
// everything that shows a mission says of it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

type Held = Shown & { readonly held: { readonly by: string; readonly how: string; readonly who: string[] } | null };

it('nothing runs until whoever held it lets it go on, and each refusal says what to type', async () => {
  const one = await at.propose();
  const { mission } = one;
  const said = await json<Held>(at.run(['hold', mission, '--as', 'bo', '--reason', 'the base moves', '--json']));
  expect(said).toMatchObject({
    state: 'held',
    held: { by: 'bo', how: 'signed', who: ['bo'] },
    next: `lazarus unhold ${mission}`,
  });
  await at.approve(one);
  const refused = await at.run(['run', mission]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/^mission_held: /) });
  expect(refused.stderr).toContain(`next: lazarus unhold ${mission}`);
  expect((await ok(at.run(['why', mission]))).stdout).toMatch(
    /held +by bo \(signed, [^)]+\): what runs comes to its end/,
  );
  expect((await ok(at.run(['list']))).stdout).toMatch(new RegExp(`${mission} +held `));
  expect(await at.run(['hold', mission, '--as', 'bo'])).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^mission_held: /),
  });
  // Ana proposed it.
  const another = await at.run(['unhold', mission, '--as', 'ana']);
  expect(another).toMatchObject({ code: 3, stderr: expect.stringMatching(/^hold_of_another: [^]*by: bo/) });

  const { stdout } = await ok(at.run(['unhold', mission, '--as', 'bo']));
  expect(stdout).not.toContain('held');
  await ok(at.run(['run', mission]));
  expect((await at.show(mission)).state).toBe('done');
  const { stdout: story } = await ok(at.run(['explain', mission]));
  expect(story).toMatch(/held the mission, signed[^]*let the mission go on, signed/);
  await ok(at.run(['verify']));
});

it('what is over is held no more', async () => {
  const one = await at.propose();
  await ok(at.run(['cancel', one.mission, '--as', 'ana']));
  for (const verb of ['hold', 'unhold'])
    expect(await at.run([verb, one.mission, '--as', 'bo'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^mission_over: /),
    });
});
