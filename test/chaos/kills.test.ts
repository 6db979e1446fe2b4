// The appending process is really killed, at each of its steps. Whoever comes next finds nothing of its last transaction
// or the whole of it, the ledger verifies, and the same intent tried again is in the ledger exactly once.
import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { begin, desk } from '../support/desk.ts';
import { benchAt, reportOf } from '../support/project.ts';
import { scratchRepository } from '../support/repos.ts';
import { eventsIn, expectWhole, shared } from './ledgers.ts';
import { aTask, numbered, work, type Worked } from './workers.ts';

type Fate = 'landed' | 'lost' | 'either';
type Task = ReturnType<typeof aTask>;

/** The next process tries the same again: refused where it stands already, else appended. */
async function expectOnce(
  { fate, task, origin, ref }: { fate: Fate; task: Task; origin: string; ref: string },
  again: () => Promise<Worked>,
): Promise<void> {
  const { landed, refused, failed } = await again();
  expect(failed).toEqual([]);
  if (fate === 'landed') expect(refused).toEqual(['task_exists']);
  if (fate === 'lost') expect(landed).toHaveLength(1);
  const events = await eventsIn(origin, ref);
  expect(events.filter((event) => event.task === task.task_id && event.type === 'task.created')).toHaveLength(1);
  await expectWhole(origin, ref);
}

describe('in a repository of its own, killed when', () => {
  it.each<[string, number, Fate]>([
    ['pack_written', 2, 'lost'],
    ['pack_named', 2, 'lost'],
    ['index_named', 2, 'lost'],
    ['objects_durable', 2, 'lost'],
    ['references_sent', 2, 'either'],
    ['references_moved', 2, 'landed'],
    // The first look pins as well, and so does the append before.
    ['pin_begins', 3, 'landed'],
    ['pin_written', 3, 'landed'],
  ])('%s (%i)', async (step, times, fate) => {
    const folder = scratchRepository();
    const ref = await begin(await desk({ folder }));
    const task = aTask();
    const killed = await work(folder, { key: 'ana', ref, appends: [...numbered(1), task], dieAt: { step, times } });
    expect(killed).toMatchObject({ signal: 'SIGKILL', failed: [] });
    expect(killed.landed).toHaveLength(1);
    await expectOnce({ fate, task, origin: folder, ref }, () => work(folder, { key: 'ana', ref, appends: [task] }));
  });
});

describe('with a remote, killed when', () => {
  it.each<[string, number, Fate]>([
    ['push_begins', 2, 'lost'],
    ['push_answered', 2, 'landed'],
    ['pack_named', 2, 'landed'],
    ['references_sent', 2, 'landed'],
    ['references_moved', 2, 'landed'],
    ['pin_begins', 3, 'landed'],
  ])('%s (%i), the same clone and another one go on', async (step, times, fate) => {
    const { url, bare, ref, clone } = await shared();
    const [folder, other] = [clone(), clone()];
    const task = aTask();
    const appends = [...numbered(1), task];
    const killed = await work(folder, { key: 'ana', ref, appends, remote: url, dieAt: { step, times } });
    expect(killed).toMatchObject({ signal: 'SIGKILL', failed: [] });
    const again = async (): Promise<Worked> => work(folder, { key: 'ana', ref, appends: [task], remote: url });
    await expectOnce({ fate, task, origin: bare, ref }, again);
    const elsewhere = await work(other, { key: 'ben', ref, appends: [task, ...numbered(1, 7)], remote: url });
    expect(elsewhere).toMatchObject({ refused: ['task_exists'], failed: [] });
    expect(elsewhere.landed).toHaveLength(1);
    await expectWhole(bare, ref);
  });

  it.each<[string, Fate]>([
    ['pre-receive', 'landed'],
    ['post-receive', 'landed'],
  ])('the push is in flight, at the server’s %s: it lands without anybody being told', async (hook, fate) => {
    const { url, bare, ref, clone } = await shared();
    const pid = join(bare, 'pid');
    const script = join(bare, 'hooks', hook);
    writeFileSync(script, `#!/bin/sh\nif [ -s '${pid}' ]; then kill -9 "$(cat '${pid}')"; : > '${pid}'; fi\n`);
    chmodSync(script, 0o755);
    const folder = clone();
    const task = aTask();
    const killed = await work(
      folder,
      { key: 'ana', ref, appends: [task], remote: url },
      { onStarted: (child) => writeFileSync(pid, String(child.pid)) },
    );
    expect(killed).toMatchObject({ signal: 'SIGKILL', landed: [] });
    await expectOnce({ fate, task, origin: bare, ref }, () =>
      work(folder, { key: 'ana', ref, appends: [task], remote: url }),
    );
  });
});

describe('an act on three references, killed when', () => {
  it.each<[string, number, Fate, boolean]>([
    ['objects_durable', 1, 'lost', false],
    ['references_sent', 1, 'either', false],
    ['references_moved', 1, 'landed', false],
    // The mission's pin is written, the project's is not.
    ['pin_begins', 2, 'landed', false],
    ['push_begins', 2, 'lost', true],
    ['push_answered', 2, 'landed', true],
    ['references_moved', 2, 'landed', true],
  ])('%s (%i): the same act tried again is there once, in both ledgers', async (step, times, fate, isFar) => {
    const { url, bare, ref, clone } = await shared();
    const folder = isFar ? clone() : bare;
    const claimsFor = (await reportOf(await benchAt(bare), ref)).state!.ledger_id;
    const options = { key: 'ana', ref, appends: [], claimsFor, ...(isFar ? { remote: url } : {}) };
    const killed = await work(folder, { ...options, dieAt: { step, times } });
    expect(killed).toMatchObject({ signal: 'SIGKILL', failed: [] });
    const { landed, refused, failed } = await work(folder, options);
    expect(failed).toEqual([]);
    if (fate === 'landed') expect(refused).toEqual(['mission_exists']);
    if (fate === 'lost') expect(landed).toHaveLength(1);
    const types = async (one: string): Promise<string[]> => (await eventsIn(bare, one)).map(({ type }) => type);
    expect(await types(ref)).toEqual(['mission.opened', 'artifact.recorded', 'note.recorded']);
    expect(await types(PROJECT_REF)).toEqual(['project.opened', 'mission.registered']);
    await expectWhole(bare, ref);
  });
});

describe('what a killed process leaves', () => {
  it('beside packs and pins is swept by the next writer once it is old, and young files are left to their owners', async () => {
    const folder = scratchRepository();
    const ref = await begin(await desk({ folder }));
    const places = [join(folder, '.git/objects/pack'), join(folder, '.git/lazarus')];
    for (const place of places) {
      for (const name of ['tmp_lazarus_old', 'tmp_lazarus_young']) writeFileSync(join(place, name), 'half a fi');
      const twoHoursAgo = new Date(Date.now() - 2 * 3600_000);
      utimesSync(join(place, 'tmp_lazarus_old'), twoHoursAgo, twoHoursAgo);
    }
    expect(await work(folder, { key: 'ana', ref, appends: numbered(1) })).toMatchObject({ failed: [] });
    for (const place of places)
      expect(readdirSync(place).filter((name) => name.startsWith('tmp_lazarus_'))).toEqual(['tmp_lazarus_young']);
  });

  it('of a pin is the old one or the new one, whole', async () => {
    const folder = scratchRepository();
    const ref = await begin(await desk({ folder }));
    const sizes: number[] = [];
    for (const [step, times] of [
      ['pin_begins', 3],
      ['pin_written', 3],
    ] as const) {
      await work(folder, { key: 'ana', ref, appends: numbered(2), dieAt: { step, times } });
      const path = join(folder, '.git/lazarus/pins', `${ref.slice('refs/heads/lazarus/'.length)}.json`);
      sizes.push((JSON.parse(readFileSync(path, 'utf8')) as { head: { size: number } }).head.size);
    }
    // One event before; two appends each time, of which the first process pinned one and the second both.
    expect(sizes).toEqual([2, 5]);
  });
});
