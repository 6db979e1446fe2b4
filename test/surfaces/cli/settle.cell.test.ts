// An effect that nobody can observe, on a laptop: lazarus says so and repeats nothing; a person looks, says what became of
// it under their own key, and the mission comes to its end.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEDGER_REFS } from '../../../src/ledger/names.ts';
import { counted } from '../../support/counted.ts';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

type Receipt = { id: string; receipt_class: string; result_code: string; result_summary: string; signer: string };

/** Run while its branch's reference is something that nobody can read: neither there nor absent. */
async function unreadable(): Promise<{ mission: string; effect: string; mend: () => void }> {
  const one = await at.propose();
  await at.approve(one);
  const file = join(at.folder, '.git/refs/heads/lazarus-work', one.mission, '1');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'neither an object nor a name\n');
  await at.run(['run', one.mission]);
  const why = await at.run(['why', one.mission]);
  const [, effect] = /--settle ([0-9a-f]{8}) applied\|not_applied/.exec(why.stdout) ?? [];
  expect(why.stdout).toContain(`nobody knows what became of write_local_branch lazarus-work/${one.mission}/1`);
  return { mission: one.mission, effect: effect!, mend: () => rmSync(file) };
}

const settled = (mission: string, effect: string, outcome: string, ...more: readonly string[]) =>
  at.run(['reconcile', mission, '--settle', effect, outcome, ...more]);

describe('lazarus reconcile --settle', () => {
  it('is a person’s word, with its evidence; the receipt says so, and the same word twice is refused', async () => {
    const { mission, effect, mend } = await unreadable();
    mend();
    const evidence = join(at.home, 'seen.txt');
    writeFileSync(evidence, 'git ls-remote: nothing\n');
    const why = ['--reason', 'the branch is not there', '--as', 'bo'];
    const typed = ['reconcile', mission, '--settle', effect, 'not_applied', ...why, '--evidence', evidence];
    const { ran: first, times } = await counted(at, typed);
    // What became of the mission's effects is known of what was verified anyway.
    expect(Math.max(...times(`${LEDGER_REFS}${mission}`))).toBe(1);
    expect(first.stderr).toContain(`bo settled effect ${effect} as not applied`);
    expect(await at.show(mission)).toMatchObject({ state: 'failed' });
    // Nothing is caused after that, though it could be.
    expect(git(at.folder, ['branch', '--list', 'lazarus-work/*'])).toBe('');

    const { receipts } = await json<{ receipts: Receipt[] }>(at.run(['receipt', 'list', mission, '--json']));
    const [receipt] = receipts.filter(({ result_summary }) => result_summary === 'settled_by_person');
    expect(receipt).toMatchObject({ receipt_class: 'observation_resolution', result_code: 'failed' });
    const { stdout } = await ok(at.run(['explain', mission]));
    expect(stdout).toMatch(new RegExp(`bo \\(person\\): settled what became of effect ${effect}: not_applied`));
    await ok(at.run(['verify', mission]));

    const again = await settled(mission, effect, 'applied', ...why);
    expect(again).toMatchObject({ code: 5 });
    expect(again.stderr).toMatch(/^effect_settled: /);
  });

  it('refuses half a word before it writes anything', async () => {
    const { mission, effect, mend } = await unreadable();
    const before = git(at.folder, ['rev-parse', `refs/heads/lazarus/${mission}`]);
    for (const [args, code] of [
      [['--settle', effect], 2],
      [['--settle', effect, 'applied', '--as', 'bo'], 2],
      [['applied', '--reason', 'x', '--as', 'bo'], 2],
      [['--settle', effect, 'perhaps', '--reason', 'x'], 2],
      [['--settle', 'ffff', 'applied', '--reason', 'x', '--as', 'bo'], 5],
      [['--settle', effect, 'applied', '--reason', 'x', '--as', 'bo', '--evidence', 'not-there'], 7],
    ] as const)
      expect({ args, code: (await at.run(['reconcile', mission, ...args])).code }).toEqual({ args, code });
    expect(git(at.folder, ['rev-parse', `refs/heads/lazarus/${mission}`])).toBe(before);
    mend();
    // Where it can be observed again, nobody has to say anything.
    const { state } = await json<Shown>(at.run(['reconcile', mission, '--json']));
    expect(state).toBe('done');
  });
});
