// `lazarus retry` as it is typed: after a run that was killed, and where there is nothing to try again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

it('begins the next attempt of a run that was killed, and says how it runs', async () => {
  const one = await at.propose({
    'agent: example': `agent: [/bin/sh, -c, "echo working; while :; do sleep 0.1; done"]`,
  });
  await at.approve(one);
  const { mission } = one;
  await at.run(['run', mission], { signalOn: { text: 'agent | working', signal: 'SIGKILL' } });
  const shown = await json<Shown>(at.run(['retry', mission, '--json']));
  expect(shown).toMatchObject({
    state: 'queued',
    because: null,
    attempt: { no: 2, status: 'authorized' },
    next: `lazarus run ${mission}`,
  });
  // It is there, and waits for a runner: no third one begins.
  expect((await json<Shown>(at.run(['retry', mission, '--json']))).attempt).toMatchObject({ no: 2 });
  await ok(at.run(['verify']));
});

it('says what it waits for where nothing failed, and what comes next where it is over', async () => {
  const one = await at.propose();
  const waiting = await at.run(['retry', one.mission]);
  expect(waiting).toMatchObject({ code: 8, stderr: expect.stringMatching(/^quorum_missing: /) });
  expect(waiting.stderr).toContain(`next: lazarus approve ${one.mission} ${one.digest}`);
  await ok(at.run(['cancel', one.mission, '--as', 'ana']));
  const over = await at.run(['retry', one.mission]);
  expect(over).toMatchObject({ code: 3, stderr: expect.stringMatching(/^mission_over: /) });
});
