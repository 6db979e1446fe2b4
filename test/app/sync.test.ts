// Whole ledgers carried between a clone and a remote: every way they can stand to each other, what moves, and that
// nothing moves which did not verify.
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { appendWanted } from '../../src/app/append.ts';
import { beginMission } from '../../src/app/begin.ts';
import { compareWithRemote, pullLedgers, pushLedgers } from '../../src/app/sync.ts';
import { tamperWithHead } from '../../src/app/tamper.ts';
import { Workbench } from '../../src/app/workbench.ts';
import { ledgerName, missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import { cloneOf, expectWhole } from '../chaos/ledgers.ts';
import { aTask } from '../chaos/workers.ts';
import { note, reportOf } from '../support/project.ts';
import { git, scratchRepository } from '../support/repos.ts';
import { beginAt, seatAt } from './seats.ts';
import { ANA, BO } from '../support/people.ts';
import { refused, taken } from '../support/taken.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';

type Side = { readonly folder: string; readonly bench: Workbench };

let here: Side;
let there: Side;
let ref: string;

beforeEach(async () => {
  const folder = scratchRepository('--bare');
  there = { folder, bench: await seatAt(folder) };
  ref = await beginAt(there.bench);
  const clone = cloneOf(folder);
  here = { folder: clone, bench: await seatAt(clone, folder) };
});

const append = async ({ bench }: Side): Promise<void> => void taken(await note(local(bench), ref, ANA));
const headOf = ({ folder }: Side): string => git(folder, ['rev-parse', ref]);
const refsOf = ({ folder }: Side): string => git(folder, ['for-each-ref', 'refs/heads']);

async function relation(): Promise<string | undefined> {
  return (await compareWithRemote(here.bench)).find((one) => one.ref === ref)?.relation;
}

/** The same clone, appended to without its remote. */
function local(bench: Workbench): Workbench {
  return new Workbench({ ...bench.parts, remote: undefined });
}

describe('a ledger and its copy on the remote', () => {
  it('that are equal are left alone by both', async () => {
    expect(await relation()).toBe('equal');
    for (const synced of [await pushLedgers(here.bench), await pullLedgers(here.bench)])
      expect(synced.map(({ moved }) => moved)).toEqual([false, false]);
  });

  it('of which ours is ahead is pushed, and not pulled', async () => {
    await append(here);
    expect(await relation()).toBe('ahead');
    expect((await pullLedgers(here.bench)).some(({ moved }) => moved)).toBe(false);
    const pushed = await pushLedgers(here.bench);
    expect(pushed.filter(({ moved }) => moved).map(({ ledger }) => ledger)).toEqual([ledgerName(ref)]);
    expect(headOf(there)).toBe(headOf(here));
    await expectWhole(there.folder, ref);
  });

  it('of which theirs is ahead is pulled; pushing it by name is refused, and pushing all leaves it', async () => {
    await append(there);
    expect(await relation()).toBe('behind');
    await expect(pushLedgers(here.bench, [ref])).rejects.toMatchObject({ code: 'remote_is_ahead' });
    expect((await pushLedgers(here.bench)).some(({ moved }) => moved)).toBe(false);
    const pulled = await pullLedgers(here.bench);
    expect(pulled.filter(({ moved }) => moved).map(({ ledger }) => ledger)).toEqual([ledgerName(ref)]);
    expect(headOf(here)).toBe(headOf(there));
    // What was pulled is the new floor.
    expect((await here.bench.parts.pins.read(ledgerName(ref)))?.head).toMatchObject({ oid: headOf(there), size: 2 });
  });

  it('that went different ways are refused by both, and nothing moves, of other ledgers either', async () => {
    const other = await beginSecond();
    await append(here);
    await append(there);
    expect(await relation()).toBe('forked');
    const [ours, theirs] = [refsOf(here), refsOf(there)];
    const refusal = { code: 'fork_detected', facts: { here: headOf(here), there: headOf(there) } };
    await expect(pullLedgers(here.bench)).rejects.toMatchObject(refusal);
    await expect(pushLedgers(here.bench)).rejects.toMatchObject(refusal);
    expect([refsOf(here), refsOf(there)]).toEqual([ours, theirs]);
    expect(ours).not.toContain(other);
  });

  it('that is only there is taken over, and only here is sent', async () => {
    const other = await beginSecond();
    const pulled = await pullLedgers(here.bench);
    expect(pulled.find(({ moved }) => moved)).toMatchObject({ ledger: ledgerName(other), relation: 'absent_here' });
    git(there.folder, ['update-ref', '-d', other]);
    const pushed = await pushLedgers(here.bench);
    expect(pushed.find(({ moved }) => moved)).toMatchObject({ ledger: ledgerName(other), relation: 'absent_there' });
    expect(refsOf(there)).toBe(refsOf(here));
  });

  it('cannot be compared without a remote', async () => {
    await expect(compareWithRemote(local(here.bench))).rejects.toMatchObject({ code: 'no_remote' });
  });
});

describe('a remote that was tampered with', () => {
  it('moves no reference and no pin of ours, and is refused at the event that was altered', async () => {
    await append(there);
    await tamperWithHead(nodeCrypto, there.bench.parts.repository, ref, ['text/plain', 'text/plaim']);
    await here.bench.verify(ref, 'full');
    const [refs, pin] = [refsOf(here), await here.bench.parts.pins.read(ledgerName(ref))];
    await expect(pullLedgers(here.bench)).rejects.toMatchObject({ facts: { ledger: ledgerName(ref), index: 1 } });
    await expect(note(here.bench, ref, ANA)).rejects.toMatchObject({ facts: { ledger: ledgerName(ref), index: 1 } });
    expect(refsOf(here)).toBe(refs);
    expect(await here.bench.parts.pins.read(ledgerName(ref))).toEqual(pin);
  });
});

describe('a clone behind its remote', () => {
  it('that is refused an append is not left with a pin above its own copy', async () => {
    const task = aTask();
    taken(await (await local(there.bench).open(ref, BO)).submit(appendWanted([task], systemIds)));
    expect(refused(await (await here.bench.open(ref, ANA)).submit(appendWanted([task], systemIds)))).toBe(
      'task_exists',
    );
    // Verified from here alone: a pin of what only the remote holds would call our own copy rolled back.
    expect((await reportOf(local(here.bench), ref)).integrity).toEqual({ is: 'ok' });
    expect(headOf(here)).toBe(headOf(there));
  });

  it('may append at once, though it has no branch of that ledger yet', async () => {
    git(here.folder, ['update-ref', '-d', ref]);
    taken(await note(here.bench, ref, ANA));
    await here.bench.place.upToDate();
    expect(headOf(here)).toBe(headOf(there));
    await expectWhole(here.folder, ref);
  });

  it('of the project too takes over both, the project first', async () => {
    git(here.folder, ['update-ref', '-d', ref]);
    git(here.folder, ['update-ref', '-d', PROJECT_REF]);
    const pulled = await pullLedgers(here.bench);
    expect(pulled.map(({ ledger, moved }) => [ledger, moved])).toEqual([
      ['project', true],
      [ledgerName(ref), true],
    ]);
    await expectWhole(here.folder, ref);
  });
});

async function beginSecond(): Promise<string> {
  const { bench } = there;
  const id = systemIds.next();
  const view = await bench.project();
  taken(await bench.session(missionRef(id), ANA, view).submit(beginMission(id, view, null)));
  return missionRef(id);
}
