// What this machine remembers of ledgers: no head below it or beside it is verified, decided on or taken over. A memory
// that is damaged is named, never taken for none; and having seen a genesis is not having been told it is the right one.
import { mkdirSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { filePins } from '../../src/adapters/state/file-pins.ts';
import { beginProject } from '../../src/app/begin.ts';
import { pullLedgers } from '../../src/app/sync.ts';
import { ledgerName, PROJECT_REF } from '../../src/ledger/names.ts';
import type { Pin } from '../../src/ports/pins.ts';
import { cloneOf } from '../chaos/ledgers.ts';
import { member, roster, ANA } from '../support/people.ts';
import { note } from '../support/project.ts';
import { git, scratch, scratchRepository } from '../support/repos.ts';
import { beginAt, seatAt } from './seats.ts';
import { taken } from '../support/taken.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';

type Given = {
  readonly folder: string;
  readonly ref: string;
  readonly old: string;
  readonly head: string;
  readonly fork: string;
};

let at: Given;

/** A mission of three events, all of them pinned, and what a forge might show instead: its past, and another future. */
beforeEach(async () => {
  const folder = scratchRepository();
  const bench = await seatAt(folder);
  const ref = await beginAt(bench);
  taken(await note(bench, ref, ANA));
  const old = git(folder, ['rev-parse', ref]);
  const elsewhere = cloneOf(folder);
  taken(await note(bench, ref, ANA));
  taken(await note(await seatAt(elsewhere), ref, ANA));
  git(folder, ['fetch', '-q', elsewhere, `${ref}:refs/heads/fork`]);
  at = { folder, ref, old, head: git(folder, ['rev-parse', ref]), fork: git(folder, ['rev-parse', 'refs/heads/fork']) };
});

const pinPath = (ref: string): string => join(at.folder, '.git/lazarus/pins', `${ledgerName(ref)}.json`);
const pinned = (ref = at.ref): Pin => JSON.parse(readFileSync(pinPath(ref), 'utf8')) as Pin;

describe.each([
  ['older than the pin', 'rollback_detected', () => at.old],
  ['beside the pin', 'fork_detected', () => at.fork],
] as const)('a head %s', (_, code, shown) => {
  it('is refused in full and since the pin, and the pin stays', async () => {
    const before = pinned();
    git(at.folder, ['update-ref', at.ref, shown()]);
    const bench = await seatAt(at.folder);
    const project = await bench.project();
    for (const mode of ['full', 'since-pin'] as const) {
      const { report } = await bench.verify(at.ref, mode, { project });
      expect(report.integrity).toMatchObject({ is: 'refused', code, facts: { pinned: at.head, found: shown() } });
    }
    expect(pinned()).toEqual(before);
  });

  it('is refused on writing, by a session that has just begun and by one that had seen more', async () => {
    const [bench, seen] = [await seatAt(at.folder), await seatAt(at.folder)];
    const session = await seen.open(at.ref, ANA);
    await session.tip();
    const before = pinned();
    git(at.folder, ['update-ref', at.ref, shown()]);
    await expect(note(bench, at.ref, ANA)).rejects.toMatchObject({ code });
    await expect(session.tip()).rejects.toMatchObject({ code });
    expect(git(at.folder, ['rev-parse', at.ref])).toBe(shown());
    expect(pinned()).toEqual(before);
  });
});

describe('a head that goes on from the pin', () => {
  it('is verified without asking git for ancestry, which walks all of history where commits share a second', async () => {
    const elsewhere = await seatAt(at.folder, undefined, {
      pins: (pins) => ({ ...pins, write: async () => undefined }),
    });
    taken(await note(elsewhere, at.ref, ANA));
    const bench = await seatAt(at.folder, undefined, {
      repository: (repository) =>
        new Proxy(repository, {
          get: (target, name: keyof typeof repository) => {
            if (name === 'isAncestor') throw new Error('asked for ancestry');
            const value = target[name];
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    });
    for (const mode of ['full', 'since-pin'] as const) {
      const { report } = await bench.verify(at.ref, mode);
      expect(report).toMatchObject({ integrity: { is: 'ok' }, events: pinned().head.size });
    }
    expect(pinned().head.size).toBe(4);
  });
});

describe('a ledger that is gone', () => {
  it('is a rollback to whoever writes, and is not begun anew over the memory of it', async () => {
    const before = pinned(PROJECT_REF);
    for (const ref of [PROJECT_REF, at.ref]) git(at.folder, ['update-ref', '-d', ref]);
    const bench = await seatAt(at.folder);
    const id = systemIds.next();
    const session = bench.session(PROJECT_REF, ANA);
    await expect(session.submit(beginProject(id, roster(id, [member(ANA)])))).rejects.toMatchObject({
      code: 'rollback_detected',
      facts: { ledger: 'project', pinned_size: 1, size: 0 },
    });
    expect(git(at.folder, ['for-each-ref', 'refs/heads/lazarus'])).toBe('');
    expect(pinned(PROJECT_REF)).toEqual(before);
  });
});

describe('a damaged pin', () => {
  it.each([
    ['cut short', (text: string) => text.slice(0, 40)],
    ['empty', () => ''],
    ['of another version', (text: string) => text.replace('"schema_version":1', '"schema_version":2')],
    ['with a field too many', (text: string) => text.replace('{', '{"trust_me":true,')],
    ['of a negative size', (text: string) => text.replace(/"size":\d+/, '"size":-1')],
  ])(
    '(%s) is named with its path by whoever verifies or writes, and stays for a person to look at',
    async (_, damage) => {
      const damaged = damage(readFileSync(pinPath(at.ref), 'utf8'));
      writeFileSync(pinPath(at.ref), damaged);
      const bench = await seatAt(at.folder);
      const refusal = { code: 'pin_unreadable', facts: { path: pinPath(at.ref) } };
      await expect(bench.verify(at.ref, 'full')).rejects.toMatchObject(refusal);
      await expect(note(bench, at.ref, ANA)).rejects.toMatchObject(refusal);
      expect(readFileSync(pinPath(at.ref), 'utf8')).toBe(damaged);
      expect(git(at.folder, ['rev-parse', at.ref])).toBe(at.head);
    },
  );

  it('that is a folder is named too', async () => {
    rmSync(pinPath(at.ref));
    mkdirSync(pinPath(at.ref));
    const bench = await seatAt(at.folder);
    await expect(note(bench, at.ref, ANA)).rejects.toMatchObject({ code: 'pin_unreadable' });
  });
});

describe('a pin file', () => {
  it('that cannot be written is refused by name, the old one stays whole and nothing is left beside it', async () => {
    const state = scratch('state');
    const pins = filePins(state);
    await pins.write('m-1', pinned());
    mkdirSync(join(state, 'pins', 'm-2.json'));
    await expect(pins.write('m-2', pinned())).rejects.toMatchObject({ code: 'pin_not_written' });
    expect(await pins.read('m-1')).toMatchObject({ head: pinned().head });
    expect(readdirSync(state)).toEqual(['pins']);
  });
});

describe('a genesis', () => {
  it('begun on this machine is vouched for, and stays so however often it is looked at', async () => {
    for (const ref of [PROJECT_REF, at.ref]) expect(pinned(ref).genesis_confirmed).toBe(true);
    const bench = await seatAt(at.folder);
    await (await bench.open(at.ref, ANA)).tip();
    const { report } = await bench.verify(at.ref, 'since-pin', { project: await bench.project() });
    expect(report.trust.is).toBe('confirmed');
    for (const ref of [PROJECT_REF, at.ref]) expect(pinned(ref).genesis_confirmed).toBe(true);
  });

  it('merely seen in a clone is not vouched for, neither by verifying nor by writing', async () => {
    const clone = cloneOf(at.folder);
    const bench = await seatAt(clone);
    taken(await note(bench, at.ref, ANA));
    for (const ref of [PROJECT_REF, at.ref])
      expect((await bench.parts.pins.read(ledgerName(ref)))?.genesis_confirmed).toBe(false);
    const { report } = await bench.verify(at.ref, 'full', { project: await bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
    expect(report.trust.is).toBe('unpinned');
  });

  it('that a person named is vouched for from then on, in every ledger of the project', async () => {
    const bench = await seatAt(cloneOf(at.folder));
    const genesis = pinned().project_genesis;
    await bench.verify(PROJECT_REF, 'full', { genesis });
    const { report } = await bench.verify(at.ref, 'full', { project: await bench.project() });
    expect(report.trust.is).toBe('confirmed');
  });

  it('of another project is refused under the name of this one', async () => {
    const other = scratchRepository();
    const bench = await seatAt(other);
    await beginAt(bench);
    // Without the pin's commit, as a clone of the impostor: only the genesis tells them apart.
    const mine = pinned(PROJECT_REF);
    await filePins(join(other, '.git/lazarus')).write('project', {
      ...(await bench.parts.pins.read('project'))!,
      project_genesis: mine.project_genesis,
    });
    const { report } = await bench.verify(PROJECT_REF, 'full');
    expect(report.integrity).toMatchObject({ is: 'refused', code: 'genesis_mismatch' });
  });
});

describe('a remote that was rolled back, or shows another history', () => {
  it.each([
    ['rollback', () => at.old],
    ['fork', () => at.fork],
  ])('moves nothing on pulling, and no append goes there: %s', async (_, shown) => {
    const far = cloneOf(at.folder);
    git(far, ['update-ref', at.ref, shown()]);
    const bench = await seatAt(at.folder, far);
    const refs = git(at.folder, ['for-each-ref', 'refs/heads']);
    if (shown() === at.fork) await expect(pullLedgers(bench)).rejects.toMatchObject({ code: 'fork_detected' });
    else expect((await pullLedgers(bench)).every(({ moved }) => !moved)).toBe(true);
    const code = shown() === at.fork ? 'fork_detected' : 'rollback_detected';
    await expect(note(bench, at.ref, ANA)).rejects.toMatchObject({ code });
    expect(git(at.folder, ['for-each-ref', 'refs/heads'])).toBe(refs);
    expect(git(far, ['rev-parse', at.ref])).toBe(shown());
  });
});
