// Pushes whose answer never came: what landed is success by its transaction id, what did not is sent again, and where
// nobody can be asked the answer is `push_unknown`, never that nothing happened.
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendWanted } from '../../src/app/append.ts';
import { eventsIn, expectWhole, shared, stateOf, type Shared } from '../chaos/ledgers.ts';
import { aTask, numbered } from '../chaos/workers.ts';
import type { Fault } from '../support/http-server.ts';
import { counted, inMemory, seat, seatAt } from './seats.ts';
import type { PushOutcome, Remote } from '../../src/ports/remote.ts';
import { ANA } from '../support/people.ts';
import { refused, taken } from '../support/taken.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';

const PUSH = '/one.git/git-receive-pack';

/** Meets the n-th push with a fault, and lets everything else through. */
function onPush({ server }: Shared, fault: (push: number) => Fault | undefined): { pushes: () => number } {
  let pushes = 0;
  server.faults(({ method, path }) => (method === 'POST' && path === PUSH ? fault(++pushes) : undefined));
  return { pushes: () => pushes };
}

async function notesIn({ bare, ref }: Shared): Promise<number[]> {
  return (await eventsIn(bare, ref)).flatMap(({ bytes }) => bytes ?? []);
}

describe('an answer that is lost', () => {
  it('after the push landed is success by transaction id, and nothing is written twice', async () => {
    const at = await shared();
    const bench = await seatAt(at.clone(), at.url);
    const session = await bench.open(at.ref, ANA);
    const { pushes } = onPush(at, (push) => (push === 1 ? { do: 'drop_answer' } : undefined));
    const landed = taken(await session.submit(appendWanted(numbered(1, 42), systemIds)));
    expect({ attempts: landed.attempts, pushes: pushes() }).toEqual({ attempts: 2, pushes: 1 });
    expect(await notesIn(at)).toEqual([42]);
    // The session goes on where it is.
    expect(taken(await session.submit(appendWanted(numbered(1, 43), systemIds)))).toMatchObject({
      from: 2,
      attempts: 1,
    });
    await bench.close();
    expect(await notesIn(at)).toEqual([42, 43]);
    await expectWhole(at.bare, at.ref);
  });

  it.each([500, 502, 503])('with a %i before anything was done is sent again', async (status) => {
    const at = await shared();
    const bench = await seatAt(at.clone(), at.url);
    const session = await bench.open(at.ref, ANA);
    onPush(at, (push) => (push === 1 ? { do: 'answer', status } : undefined));
    expect(taken(await session.submit(appendWanted(numbered(1, 42), systemIds))).attempts).toBe(2);
    await bench.close();
    expect(await notesIn(at)).toEqual([42]);
  });

  it('because the server is slower than we wait is asked for; what it still works on cannot land on top', async () => {
    const at = await shared();
    const [held, go] = [join(at.bare, 'first'), join(at.bare, 'go')];
    const hook = join(at.bare, 'hooks', 'pre-receive');
    // The first push is held until we say so.
    writeFileSync(
      hook,
      `#!/bin/sh\n[ -e '${held}' ] && exit 0\n: > '${held}'\nwhile [ ! -e '${go}' ]; do sleep 0.05; done\n`,
    );
    chmodSync(hook, 0o755);
    const bench = await seatAt(at.clone(), at.url, { options: { limits: { answerTimeoutMs: 3000 } } });
    const landed = taken(await (await bench.open(at.ref, ANA)).submit(appendWanted(numbered(1, 42), systemIds)));
    expect(landed.attempts).toBeGreaterThan(1);
    writeFileSync(go, '');
    const isWorking = (): boolean =>
      readdirSync(join(at.bare, 'objects')).some((name) => name.startsWith('tmp_objdir'));
    await expect.poll(isWorking, { timeout: 60_000 }).toBe(false);
    await bench.close();
    expect(await notesIn(at)).toEqual([42]);
    await expectWhole(at.bare, at.ref);
  });

  it('every time is push_unknown after sixty tries, each of which asked and decided again', async () => {
    const { repository, ref } = await inMemory();
    const remote = deafRemote();
    const session = await seat({ repository, remote }).open(ref, ANA);
    const intent = counted([aTask()]);
    await expect(session.submit(intent)).rejects.toMatchObject({
      code: 'push_unknown',
      retry: 'later',
      facts: { attempts: 60 },
    });
    expect(intent.decisions()).toBe(60);

    function deafRemote(): Remote {
      const none = async (): Promise<void> => undefined;
      const unknown: PushOutcome = { is: 'unknown', why: 'HTTP 500' };
      return {
        displayUrl: 'memory',
        heads: async (refs) =>
          new Map(await Promise.all(refs.map(async (one) => [one, (await repository.resolve(one))!] as const))),
        fetch: async ([one]) => {
          const oid = await repository.resolve(one!);
          const copy = one!.replace('refs/', 'refs/lazarus/fetched/');
          await repository.commit({
            objects: [],
            updates: [{ ref: copy, old: await repository.resolve(copy), next: oid }],
          });
        },
        fetchPart: none,
        push: async () => unknown,
        pushStored: async () => unknown,
        close: none,
      };
    }
  });

  it('and then no server to ask is push_unknown; whoever tries the same later finds it done', async () => {
    const at = await shared();
    const folder = at.clone();
    const bench = await seatAt(folder, at.url);
    const session = await bench.open(at.ref, ANA);
    const task = aTask();
    let isDown = false;
    at.server.faults(({ method, path }) => {
      if (isDown) return { do: 'answer', status: 503 };
      if (method !== 'POST' || path !== PUSH) return undefined;
      isDown = true;
      return { do: 'drop_answer' };
    });
    await expect(session.submit(appendWanted([task], systemIds))).rejects.toMatchObject({
      code: 'push_unknown',
      facts: { attempts: 2 },
    });
    at.server.faults(() => undefined);
    expect(refused(await session.submit(appendWanted([task], systemIds)))).toBe('task_exists');
    await bench.close();
    expect((await eventsIn(at.bare, at.ref)).filter(({ task: id }) => id === task.task_id)).toHaveLength(1);
    await expectWhole(folder, at.ref);
  });

  it('is not made of a server that was never reached: remote_unreachable, and nothing moved here', async () => {
    const at = await shared();
    const folder = at.clone();
    const bench = await seatAt(folder, at.url);
    const session = await bench.open(at.ref, ANA);
    await session.tip();
    const was = stateOf(folder, at.ref);
    await at.server.close();
    await expect(session.submit(appendWanted(numbered(1), systemIds))).rejects.toMatchObject({
      code: 'remote_unreachable',
    });
    expect(stateOf(folder, at.ref)).toEqual(was);
  });
});

describe('what goes wrong after the push landed', () => {
  it('with our own copy does not make the append fail; closing tells it, and the next append catches up', async () => {
    const at = await shared();
    const folder = at.clone();
    let isBroken = false;
    const bench = await seatAt(folder, at.url, {
      repository: (own) =>
        new Proxy(own, {
          get(target, name) {
            if (name === 'commit' && isBroken) return () => Promise.reject(new Error('the disk is gone'));
            const value = Reflect.get(target, name, target) as unknown;
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    });
    const session = await bench.open(at.ref, ANA);
    taken(await session.submit(appendWanted(numbered(1, 1), systemIds)));
    isBroken = true;
    taken(await session.submit(appendWanted(numbered(1, 2), systemIds)));
    await expect(bench.place.upToDate()).rejects.toMatchObject({ code: 'copy_behind' });
    isBroken = false;
    taken(await session.submit(appendWanted(numbered(1, 3), systemIds)));
    await session.tip();
    await bench.close();
    expect(await notesIn(at)).toEqual([1, 2, 3]);
    await expectWhole(folder, at.ref);
  });
});
