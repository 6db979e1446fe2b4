// Appending without a clone: what lands is what a full clone verifies, once, however the race or the answer is lost.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { grow, pushes, seenByAll, served, WAYS, type Served } from '../../support/cold.ts';
import { note } from '../../support/project.ts';
import { git } from '../../support/repos.ts';
import { ANA, BO } from '../../support/people.ts';
import { refused, taken } from '../../support/taken.ts';

describe.each(WAYS)('%s', (way, machine) => {
  async function expectWhole(at: Served, events: number): Promise<void> {
    expect(await seenByAll(at)).toMatchObject({ events, integrity: { is: 'ok' } });
  }

  describe('a machine that has never seen the ledger', () => {
    it('verifies all of it before it appends, and from then on needs a few kilobytes', async () => {
      const at = await served(301);
      const { note } = machine();
      const first = taken(await note(at.url, at.ref));
      expect(first).toMatchObject({ way: 'whole', from: 301, attempts: 1 });
      const whole = at.wire.take();
      const second = taken(await note(at.url, at.ref, BO));
      expect(second).toMatchObject({ way: 'pinned', from: 302 });
      expect(at.wire.take()).toBeLessThan(whole / 5);
      expect(git(at.path, ['rev-parse', at.ref])).toBe(second.head.oid);
      await expectWhole(at, 303);
    });

    it('asks the way that it should, on one connection for each of the two repositories', async () => {
      const at = await served(301);
      const { note } = machine();
      taken(await note(at.url, at.ref));
      expect(at.server.seen.some(({ method }) => method === 'GET')).toBe(way === 'through git');
      const before = at.server.connections();
      taken(await note(at.url, at.ref));
      if (way !== 'through git') expect(at.server.connections() - before).toBe(1);
    });

    it('is told where there is no such ledger', async () => {
      const { url } = await served(1);
      expect(refused(await machine().note(url, 'refs/heads/lazarus/m-000000000000'))).toBe('ledger_not_found');
    });
  });

  describe('a machine with a pin', () => {
    it('decides by the rules on the state behind the last snapshot', async () => {
      const at = await served(301);
      const { note, task } = machine();
      taken(await note(at.url, at.ref));
      const id = randomUUID();
      expect(taken(await task(at.url, at.ref, 'task.created', id))).toMatchObject({ way: 'since_pin', from: 302 });
      const before = pushes(at);
      expect(refused(await task(at.url, at.ref, 'task.completed', id))).toBe('task_transition_illegal');
      expect(refused(await task(at.url, at.ref, 'task.created', id))).toBe('task_exists');
      expect(pushes(at)).toBe(before);
      expect(taken(await task(at.url, at.ref, 'task.readied', id))).toMatchObject({ way: 'since_pin' });
      const { state } = await seenByAll(at);
      expect(state).toMatchObject({ tasks: { [id]: 'ready' } });
    });

    it('writes the snapshot when its note fills a segment, and the next note goes into an empty one', async () => {
      const at = await served(510);
      const { note, task } = machine();
      taken(await note(at.url, at.ref));
      expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'since_pin', from: 511, head: { size: 512 } });
      expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'pinned', from: 512 });
      expect(taken(await note(at.url, at.ref, ANA, 255))).toMatchObject({ way: 'since_pin', head: { size: 768 } });
      expect(taken(await task(at.url, at.ref, 'task.created', randomUUID()))).toMatchObject({ way: 'since_pin' });
      await expectWhole(at, 769);
    });

    it.each([1, 10])('catches up over segments that others filled with %i to a transaction', async (each) => {
      const at = await served(301);
      const { note } = machine();
      taken(await note(at.url, at.ref));
      await grow(at.bench, at.ref, 600, each);
      expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'since_pin', from: 902 });
      expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'pinned', from: 903 });
      await expectWhole(at, 904);
    });

    it('appends to the project ledger as well', async () => {
      const { url, path } = await served(1);
      const { halt } = machine();
      expect(taken(await halt(url, true))).toMatchObject({ way: 'whole', from: 1 });
      expect(refused(await halt(url, true))).toBe('project_halted');
      expect(taken(await halt(url, false))).toMatchObject({ way: 'whole', from: 2 });
      expect(await seenByAll({ path, ref: PROJECT_REF })).toMatchObject({ events: 3, integrity: { is: 'ok' } });
    });
  });

  describe('a stopped project', () => {
    it('is looked up before anything is begun in a mission, whatever this machine remembers', async () => {
      const at = await served(301);
      const { note, grant, halt } = machine();
      taken(await note(at.url, at.ref));
      // The mission's own rules answer, once its project was seen to go on.
      expect(refused(await grant(at.url, at.ref))).toBe('task_unknown');
      taken(await halt(at.url, true));
      expect(refused(await grant(at.url, at.ref))).toBe('project_halted');
      expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'pinned' });
      taken(await halt(at.url, false));
      expect(refused(await grant(at.url, at.ref))).toBe('task_unknown');
    });
  });

  describe('a writer who is not alone', () => {
    it.each([1, 301])('loses the race, decides again and lands once (%i events)', async (size) => {
      const at = await served(size);
      const cold = machine();
      taken(await cold.note(at.url, at.ref));
      let others = 2;
      at.server.faults(({ path, method }) =>
        method === 'POST' && path.endsWith('receive-pack') && others-- > 0
          ? { do: 'wait', until: note(at.bench, at.ref, BO).then(() => undefined) }
          : undefined,
      );
      expect(taken(await cold.note(at.url, at.ref))).toMatchObject({ from: size + 3, attempts: 3 });
      await expectWhole(at, size + 4);
    });

    it.each([1, 301])('recognises its own after a lost answer (%i events)', async (size) => {
      const at = await served(size);
      const cold = machine();
      taken(await cold.note(at.url, at.ref));
      let lost = 1;
      at.server.faults(({ path, method }) =>
        method === 'POST' && path.endsWith('receive-pack') && lost-- > 0 ? { do: 'drop_answer' } : undefined,
      );
      const landed = taken(await cold.note(at.url, at.ref));
      expect(landed).toMatchObject({ from: size + 1, attempts: 2, head: { size: size + 2 } });
      expect(git(at.path, ['rev-parse', at.ref])).toBe(landed.head.oid);
      await expectWhole(at, size + 2);
    });

    it('recognises its own below a transaction of another process, which moved the pin they share', async () => {
      const at = await served(301);
      const other = machine();
      taken(await other.note(at.url, at.ref));
      const one = machine(other.state, () => other.note(at.url, at.ref, BO));
      let lost = 1;
      at.server.faults(({ path, method }) =>
        method === 'POST' && path.endsWith('receive-pack') && lost-- > 0 ? { do: 'drop_answer' } : undefined,
      );
      expect(taken(await one.note(at.url, at.ref))).toMatchObject({ from: 302, head: { size: 303 }, attempts: 2 });
      await expectWhole(at, 304);
    });
  });

  describe('another server', () => {
    it('that cannot filter sends more, and is used all the same', async () => {
      const at = await served(301);
      git(at.path, ['config', 'uploadpack.allowFilter', 'false']);
      const { note, task } = machine();
      taken(await note(at.url, at.ref));
      expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'pinned' });
      expect(taken(await task(at.url, at.ref, 'task.created', randomUUID()))).toMatchObject({ way: 'since_pin' });
      await expectWhole(at, 304);
    });

    it('may be a folder: git pushes from what little was fetched', async () => {
      const at = await served(510);
      const { note, task } = machine();
      taken(await note(at.path, at.ref));
      expect(taken(await note(at.path, at.ref))).toMatchObject({ way: 'since_pin', head: { size: 512 } });
      expect(taken(await note(at.path, at.ref))).toMatchObject({ way: 'pinned' });
      expect(taken(await task(at.path, at.ref, 'task.created', randomUUID()))).toMatchObject({ way: 'since_pin' });
      await expectWhole(at, 514);
    });
  });

  describe('bytes on the wire', () => {
    it('are the same at three thousand events as at one thousand', async () => {
      const bytes = async (size: number) => {
        const at = await served(size);
        const { note, task } = machine();
        taken(await note(at.url, at.ref));
        at.wire.take();
        taken(await note(at.url, at.ref));
        const pinned = at.wire.take();
        taken(await task(at.url, at.ref, 'task.created', randomUUID()));
        return { pinned, sincePin: at.wire.take() };
      };
      // The open segment is as full in both: 232 of 256.
      const [small, large] = [await bytes(1000), await bytes(3048)];
      expect(large.pinned / small.pinned).toBeLessThan(1.3);
      expect(large.sincePin / small.sincePin).toBeLessThan(1.3);
      expect(large.pinned).toBeLessThan(30_000);
      expect(large.sincePin).toBeLessThan(200_000);
    });
  });
});
