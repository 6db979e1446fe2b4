// Two writers at one remote, in every order their steps can fall, with a remote that loses answers, races and its temper:
// the ledger is a serial order of what was acknowledged, and holds nothing that somebody was told is not in it.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryRepository } from '../../src/adapters/memory/memory-repository.ts';
import { appendWanted } from '../../src/app/append.ts';
import type { Landed } from '../../src/app/ledger-session.ts';
import { readEvents } from '../../src/app/read-events.ts';
import { pullLedgers } from '../../src/app/sync.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { Failure } from '../../src/failure.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { ledgerName, PROJECT_REF } from '../../src/ledger/names.ts';
import { uuid } from '../support/events.ts';
import { type TestKey, ANA, BO } from '../support/people.ts';
import { far, type Answer } from './far.ts';
import { beginAt, seat } from './seats.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';

type Submitted = {
  readonly task: string;
  readonly outcome: Verdict<Landed> | { readonly is: 'failed'; readonly code: string };
};

/** A pool so small that the writers want the same again and again. */
const TASKS = ['a', 'b', 'c', 'd', 'e'].map((name) => uuid(name));
const aWriter = fc.record({
  tasks: fc.array(fc.constantFrom(...TASKS), { minLength: 1, maxLength: 4 }),
  isTogether: fc.boolean(),
  answers: fc.array(
    fc.constantFrom<Answer>(
      'honest',
      'honest',
      'moved',
      'unknown_landed',
      'unknown_lost',
      'unknown_late',
      'refused',
      'unreachable',
    ),
    { maxLength: 8 },
  ),
});

it('their ledger is a serial order of what they were told landed, and of nothing they were told did not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), aWriter, aWriter, async (scheduler, one, two) => {
      let isStarted = false;
      const store = createMemoryRepository();
      const there = far(store, () => (isStarted ? scheduler.schedule(Promise.resolve()) : Promise.resolve()));
      const first = createMemoryRepository();
      const ana = seat({ repository: first, remote: there.remoteOf(first, [][Symbol.iterator]()) });
      const ref = await beginAt(ana);
      await ana.place.upToDate();
      const seats = await Promise.all(
        [one, two].map(async ({ answers }) => {
          const near = createMemoryRepository();
          const bench = seat({ repository: near, remote: there.remoteOf(near, answers[Symbol.iterator]()) });
          await pullLedgers(bench, [PROJECT_REF, ref]);
          return bench;
        }),
      );
      isStarted = true;
      const both = Promise.all([write(seats[0]!, ref, ANA, one), write(seats[1]!, ref, BO, two)]);
      const submitted = (await scheduler.waitFor(both)).flat();
      // What the remote still works on may land now.
      await scheduler.waitAll();
      isStarted = false;
      const created = await createdIn(seat({ repository: store }), ref);
      for (const { task, outcome } of submitted) {
        const at = created.filter((event) => event.task === task);
        expect(at.length).toBeLessThanOrEqual(1);
        if (outcome.is === 'accepted') expect(at).toMatchObject([{ index: outcome.value.from }]);
        if (outcome.is === 'refused') expect([outcome.code, at.length]).toEqual(['task_exists', 1]);
      }
      // Each transaction in the ledger was acknowledged to exactly one submission, or to none that knows of its fate.
      for (const { task, index } of created) {
        const told = submitted.filter((one) => one.task === task);
        const acknowledged = told.filter(({ outcome }) => outcome.is === 'accepted');
        expect(acknowledged.length).toBeLessThanOrEqual(1);
        if (acknowledged.length === 0)
          expect(told.map(({ outcome }) => (outcome.is === 'failed' ? outcome.code : ''))).toContain('push_unknown');
        expect(index).toBeGreaterThan(0);
      }
      for (const bench of seats) await bench.close().catch((error: unknown) => expectHarmless(error));
    }),
    { numRuns: 150 },
  );
});

async function write(
  bench: Workbench,
  ref: string,
  key: TestKey,
  { tasks, isTogether }: { readonly tasks: readonly string[]; readonly isTogether: boolean },
): Promise<Submitted[]> {
  const session = await bench.open(ref, key);
  const submit = async (task: string): Promise<Submitted> => {
    const wanted = [{ event_type: 'task.created', payload: { contract: null }, task_id: task }];
    const outcome = await session.submit(appendWanted(wanted, systemIds)).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      return { is: 'failed' as const, code: error.code };
    });
    return { task, outcome };
  };
  if (isTogether) return Promise.all(tasks.map(submit));
  const all: Submitted[] = [];
  for (const task of tasks) all.push(await submit(task));
  return all;
}

/** The tasks of a ledger with where they stand, read and verified in full. */
async function createdIn(bench: Workbench, ref: string): Promise<readonly { task: string; index: number }[]> {
  const created: { task: string; index: number }[] = [];
  let index = 0;
  await readEvents(bench, ref, ({ event_type, task_id }) => {
    if (event_type === 'task.created') created.push({ task: task_id, index });
    index += 1;
  });
  expect((await bench.verify(ref, 'full', { project: await bench.project() })).report.name).toBe(ledgerName(ref));
  return created;
}

function expectHarmless(error: unknown): void {
  expect(error).toMatchObject({ code: 'copy_behind' });
}
