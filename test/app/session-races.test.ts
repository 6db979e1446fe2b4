// Races for the head of one ledger: who loses decides again on what won, is told so only when that cannot help, and is
// refused for what became void meanwhile.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { startingLine } from '../adapters/git/appending.ts';
import { aTask, numbered, work } from '../chaos/workers.ts';
import { eventsIn, expectWhole, shared } from '../chaos/ledgers.ts';
import { aNote, note, reportOf } from '../support/project.ts';
import { around, before, counted, inMemory, seat } from './seats.ts';
import { appendWanted } from '../../src/app/append.ts';
import { ANA, BO } from '../support/people.ts';
import { refused, taken } from '../support/taken.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';

describe('a writer that loses', () => {
  it('five times decides five times again, and wins with the sixth', async () => {
    const { repository, bench, ref } = await inMemory();
    let rivals = 5;
    const slow = seat({
      repository: before(repository, async () => {
        if (rivals-- > 0) taken(await note(bench, ref, BO));
      }),
    });
    const intent = counted(numbered(1, 77));
    const landed = taken(await (await slow.open(ref, ANA)).submit(intent));
    expect(landed).toMatchObject({ attempts: 6, from: 6 });
    expect(intent.decisions()).toBe(6);
    expect((await reportOf(bench, ref)).integrity).toEqual({ is: 'ok' });
    expect((await reportOf(bench, ref)).events).toBe(7);
  });

  it('every time is told head_moved, after it decided sixty times, and nothing of it is in the ledger', async () => {
    const { repository, bench, ref } = await inMemory();
    const slow = seat({ repository: before(repository, async () => void taken(await note(bench, ref, BO))) });
    const intent = counted([aTask()]);
    const session = await slow.open(ref, ANA);
    await expect(session.submit(intent)).rejects.toMatchObject({
      code: 'head_moved',
      retry: 'reload',
      facts: { attempts: 60 },
    });
    expect(intent.decisions()).toBe(60);
    const { state, events, integrity } = await reportOf(bench, ref);
    expect({ integrity, events }).toEqual({ integrity: { is: 'ok' }, events: 61 });
    expect(JSON.stringify(state)).not.toContain('created');
  });

  it('to its own intent by another hand is refused for it', async () => {
    const { repository, bench, ref } = await inMemory();
    const task = aTask();
    let isFirst = true;
    const slow = seat({
      repository: before(repository, async () => {
        if (!isFirst) return;
        isFirst = false;
        taken(await (await bench.open(ref, BO)).submit(appendWanted([task], systemIds)));
      }),
    });
    expect(refused(await (await slow.open(ref, ANA)).submit(appendWanted([task], systemIds)))).toBe('task_exists');
    expect((await reportOf(bench, ref)).events).toBe(2);
  });

  it('is refused head_moved at once where the caller said what size it had seen', async () => {
    const { bench, ref } = await inMemory();
    taken(await note(bench, ref, BO));
    const verdict = await (await bench.open(ref, ANA)).submit(appendWanted(numbered(1), systemIds, 1));
    expect(verdict).toMatchObject({ is: 'refused', code: 'head_moved', facts: { expected: 1, found: 2 } });
    taken(await (await bench.open(ref, ANA)).submit(appendWanted(numbered(1), systemIds, 2)));
  });
});

describe('a writer that has just landed', () => {
  it('lets whoever landed while it waited go first, and whoever does not come is passed', async () => {
    const { repository, bench, ref } = await inMemory();
    const rival = await bench.open(ref, BO);
    let rivals = 0;
    let isPaused = (): Promise<void> => Promise.resolve();
    const quick = seat({
      // Once it is overtaken.
      repository: before(repository, async () => void (rivals++ === 0 && taken(await rival.submit(aNote())))),
      backOff: () => isPaused(),
    });
    const session = await quick.open(ref, ANA);
    expect(taken(await session.submit(aNote()))).toMatchObject({ from: 2, attempts: 2 });
    let theirs: number | undefined;
    isPaused = async () => {
      theirs ??= taken(await rival.submit(aNote())).from;
    };
    const ours = taken(await session.submit(aNote()));
    expect({ theirs, ours: ours.from, attempts: ours.attempts }).toEqual({ theirs: 3, ours: 4, attempts: 1 });
    // Theirs is waited for once more, and in vain.
    isPaused = () => Promise.resolve();
    expect(taken(await session.submit(aNote()))).toMatchObject({ from: 5, attempts: 1 });
  });

  it('waits for nobody where nobody was met', async () => {
    const { bench, ref, repository } = await inMemory();
    taken(await note(bench, ref, BO));
    let pauses = 0;
    const session = await seat({ repository, backOff: async () => void pauses++ }).open(ref, ANA);
    for (const from of [2, 3, 4]) expect(taken(await session.submit(aNote()))).toMatchObject({ from, attempts: 1 });
    expect(pauses).toBe(0);
  });
});

describe('one session', () => {
  it('asked for its tip while it appends never takes its own append for a rollback', async () => {
    const { bench, repository, ref } = await inMemory();
    let heads = 0;
    // The question for the head is slow: what it answers is old by the time it arrives.
    const slow = around(repository, {
      resolve: async (name) => {
        const found = await repository.resolve(name);
        if (++heads % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
        return found;
      },
    });
    const session = await seat({ repository: slow }).open(ref, ANA);
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => (i % 2 === 0 ? session.submit(aNote()) : session.tip())),
    );
    expect(all).toHaveLength(20);
    expect((await session.tip()).size).toBe(11);
    expect((await reportOf(bench, ref)).events).toBe(11);
  });

  it('turns away one of a group without holding up the others', async () => {
    const { bench, ref } = await inMemory();
    const session = await bench.open(ref, ANA);
    const task = aTask();
    const verdicts = await Promise.all(
      [[task], numbered(1), [task], numbered(1)].map((wanted) => session.submit(appendWanted(wanted, systemIds))),
    );
    expect(verdicts.map(refused)).toEqual(['accepted', 'accepted', 'task_exists', 'accepted']);
    expect((await reportOf(bench, ref)).events).toBe(4);
  });
});

describe('the lock of a reference, held by another process', () => {
  const held = (ageSeconds: number): Failure =>
    new Failure('lock_held', { lock: '/r/x.lock', ageSeconds }, { retry: 'later' });

  it('for a moment is waited for', async () => {
    const { repository, ref } = await inMemory();
    let tries = 0;
    const busy = before(repository, async () => {
      if (++tries < 4) throw held(0);
    });
    expect(taken(await (await seat({ repository: busy }).open(ref, ANA)).submit(aNote())).attempts).toBe(4);
  });

  it.each([
    ['that is old is named at once', 60, 1],
    ['that never goes away is named in the end, whatever its age seems to be', -5, 12],
  ])('%s', async (_, ageSeconds, triesMax) => {
    const { repository, ref } = await inMemory();
    let tries = 0;
    const stuck = before(repository, () => {
      tries += 1;
      return Promise.reject(held(ageSeconds));
    });
    const session = await seat({ repository: stuck }).open(ref, ANA);
    await expect(session.submit(aNote())).rejects.toMatchObject({ code: 'lock_held', facts: { lock: '/r/x.lock' } });
    expect(tries).toBe(triesMax);
  });
});

describe('path claims of several missions, raced by processes with a clone each', () => {
  it('have exactly one winner; the others are refused when they decide again', async () => {
    const { url, bare, clone } = await shared();
    const start = startingLine(4);
    const claim = (): Parameters<typeof work>[1] => {
      const id = randomUUID();
      const payload = { mission_id: id, genesis: '5a'.repeat(20), claims: ['src/**'] };
      const registered = { event_type: 'mission.registered', payload, entity_id: id };
      return { key: 'ana', ref: PROJECT_REF, remote: url, waits: true, appends: [registered] };
    };
    const outcomes = await Promise.all(Array.from({ length: 4 }, async () => work(clone(), claim(), { start })));
    expect(outcomes.flatMap(({ landed }) => landed)).toHaveLength(1);
    expect(outcomes.flatMap(({ refused: why }) => why)).toEqual(Array.from({ length: 3 }, () => 'path_claimed'));
    const registered = (await eventsIn(bare, PROJECT_REF)).filter(({ type }) => type === 'mission.registered');
    expect(registered).toHaveLength(1);
    await expectWhole(bare, PROJECT_REF);
  });
});
