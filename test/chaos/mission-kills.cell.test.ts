// The process that takes a mission to its end is really killed, before and after each of its transactions and effects, and
// while its agent works. Whoever runs it next ends it: every effect once, every outcome with one receipt, nothing left.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { git } from '../support/repos.ts';
import { expectDoneOnce, expectNothingLeft, ground, missionIn, runToEnd, start } from './missions.ts';
import { missionText } from '../support/templates.ts';

/** Every moment of a mission at which the power may go, and in which attempt it is done when it goes there. */
const MOMENTS: readonly (readonly [step: string, times: number, attempt: number])[] = [
  // propose, plan, vote
  ['objects_durable', 1, 1],
  ['references_moved', 1, 1],
  ['objects_durable', 2, 1],
  ['references_moved', 2, 1],
  ['objects_durable', 3, 1],
  ['references_moved', 3, 1],
  // the lease and the birth of the cell, its life, the hand-over with the births of the checks
  ['cell', 1, 1],
  ['objects_durable', 4, 1],
  ['references_moved', 4, 2],
  ['spawned', 1, 2],
  ['output', 1, 2],
  ['collected', 1, 2],
  ['objects_durable', 5, 2],
  ['references_moved', 5, 2],
  // the checks, and their verdict
  ['handed_over', 1, 2],
  ['checked', 1, 2],
  ['objects_durable', 6, 2],
  ['references_moved', 6, 1],
  // intents, the effect, outcomes
  ['deliver', 1, 1],
  ['objects_durable', 7, 1],
  ['references_moved', 7, 1],
  ['intended', 1, 1],
  ['cause write_local_branch', 1, 1],
  ['references_moved', 8, 1],
  ['caused', 1, 1],
  ['objects_durable', 8, 1],
  ['references_moved', 9, 1],
];

it('passes through these moments and no others when nobody disturbs it', async () => {
  const at = await ground();
  const { steps, lines } = await runToEnd(at);
  expect(lines).toEqual(['ended done']);
  expect(steps).toEqual(MOMENTS.map(([step, times]) => `${step} ${times}`));
  await expectDoneOnce(at, 1);
});

describe('killed at', () => {
  it.each(MOMENTS)('%s (%i), the next process ends it in attempt %i', async (step, times, attempt) => {
    const at = await ground();
    const killed = await runToEnd(at, { at: { step, times, signal: 'SIGKILL' } });
    expect(killed).toMatchObject({ signal: 'SIGKILL', lines: [] });
    const next = await runToEnd(at);
    expect(next).toMatchObject({ signal: null, lines: ['ended done'] });
    await expectDoneOnce(at, attempt);
  });

  it('two moments in a row, the third process ends it', async () => {
    const at = await ground();
    await runToEnd(at, { at: { step: 'output', times: 1, signal: 'SIGKILL' } });
    await runToEnd(at, { at: { step: 'cause write_local_branch', times: 1, signal: 'SIGKILL' } });
    expect((await runToEnd(at)).lines).toEqual(['ended done']);
    await expectDoneOnce(at, 2);
  });

  it('its agent’s work, three times: there is no fourth attempt, and people are told why', async () => {
    const at = await ground();
    for (let n = 0; n < 3; n++) await runToEnd(at, { at: { step: 'output', times: 1, signal: 'SIGKILL' } });
    expect((await runToEnd(at)).lines).toEqual(['ended failed']);
    expect((await missionIn(at)).state.course!.end).toEqual({ outcome: 'failed', because: 'attempts_exhausted' });
    expect(git(at.folder, ['for-each-ref', 'refs/heads/lazarus-work'])).toBe('');
    expectNothingLeft(at);
  });
});

it('a killed supervisor takes its agent along', async () => {
  const at = await ground();
  const word = `sleep 86${process.pid}`;
  const missionFile = missionText({ 'agent: example': `agent: [/bin/sh, -c, 'echo at work; ${word}']` });
  const killed = await runToEnd(at, { missionFile, at: { step: 'output', times: 1, signal: 'SIGKILL' } });
  expect(killed.signal).toBe('SIGKILL');
  await vi.waitFor(() => expect(processesOf(word)).toEqual([]), { timeout: 20_000 });
});

describe('asleep at', () => {
  // Its key is the same, and no lock is in the way: the fence alone tells the sleeper from whoever took over.
  it.each([
    ['spawned', 'mission_over', 2],
    ['collected', 'mission_over', 2],
    ['intended', 'lease_lost', 1],
    ['cause write_local_branch', 'lease_lost', 1],
    ['caused', 'lease_lost', 1],
  ] as const)('%s, it wakes when all is done, and is refused', async (step, code, attempt) => {
    const at = await ground();
    const sleeper = await start(at, { at: { step, times: 1, signal: 'SIGSTOP' } });
    await sleeper.told(`step ${step} 1`);
    expect((await runToEnd(at, { isElsewhere: true })).lines).toEqual(['ended done']);
    const before = git(at.folder, ['for-each-ref']);
    sleeper.child.kill('SIGCONT');
    expect((await sleeper.over).lines).toEqual([`refused ${code}`]);
    expect(git(at.folder, ['for-each-ref'])).toBe(before);
    await expectDoneOnce(at, attempt);
  });

  it('collected, it wakes while the attempt after its own is under way, and does not pass its work off as that one’s', async () => {
    const at = await ground();
    const sleeper = await start(at, { at: { step: 'collected', times: 1, signal: 'SIGSTOP' } });
    await sleeper.told('step collected 1');
    const successor = await start(at, { isElsewhere: true, at: { step: 'collected', times: 1, signal: 'SIGSTOP' } });
    await successor.told('step collected 1');
    const before = git(at.folder, ['for-each-ref']);
    sleeper.child.kill('SIGCONT');
    expect((await sleeper.over).lines).toEqual(['refused lease_lost']);
    expect(git(at.folder, ['for-each-ref'])).toBe(before);
    successor.child.kill('SIGCONT');
    expect((await successor.over).lines).toEqual(['ended done']);
    await expectDoneOnce(at, 2);
  });

  it('anywhere, nobody else on this machine goes on in its place', async () => {
    const at = await ground();
    const sleeper = await start(at, { at: { step: 'intended', times: 1, signal: 'SIGSTOP' } });
    await sleeper.told('step intended 1');
    expect((await runToEnd(at)).lines).toEqual(['refused mission_running']);
    sleeper.child.kill('SIGCONT');
    expect((await sleeper.over).lines).toEqual(['ended done']);
    await expectDoneOnce(at, 1);
  });
});

function processesOf(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').startsWith(word);
    } catch {
      return false;
    }
  });
}
