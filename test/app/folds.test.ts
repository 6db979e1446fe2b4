// What a clone keeps of a mission's history: the next look verifies and folds only what is new, and whatever is wrong with
// what was kept, with the branch or with the pin, it tells the same as whoever reads the ledger from its first event.
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { fileFolds } from '../../src/adapters/state/file-folds.ts';
import { filePins } from '../../src/adapters/state/file-pins.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { folded } from '../../src/app/folded.ts';
import { MissionDesk } from '../../src/app/mission-desk.ts';
import { TOLD, type Told } from '../../src/app/mission/told.ts';
import { Workbench } from '../../src/app/workbench.ts';
import { LEDGER_FORMAT } from '../../src/kernel/limits.ts';
import type { EventDraft } from '../../src/kernel/draft.ts';
import { accept } from '../../src/kernel/verdict.ts';
import { ledgerName, PROJECT_REF } from '../../src/ledger/names.ts';
import type { KeptFold } from '../../src/ports/folds.ts';
import { underLease } from '../bench/inputs/governed.ts';
import { CAST, DIGEST, MISSION } from '../support/given.ts';
import { git, scratch } from '../support/repos.ts';
import { taken } from '../support/taken.ts';
import { benchOver } from '../support/workbench.ts';

const NOTES = 150;

type At = { readonly path: string; readonly ref: string; readonly stateDir: string };
let made: At;
let at: At;

/** A mission with a vote, an agent's run, and so many notes that the ledger left two snapshots behind. */
beforeAll(async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'lazarus-test-')), 'repository.git');
  const { bench, ref } = await underLease(path);
  for (let i = 0; i < 4; i++) await addNotes(bench, ref, NOTES);
  await bench.close();
  made = { path, ref, stateDir: join(path, 'lazarus') };
});

afterAll(() => rmSync(dirname(made.path), { recursive: true }));

beforeEach(() => {
  const path = join(scratch('mission'), 'repository.git');
  cpSync(made.path, path, { recursive: true });
  at = { ...made, path, stateDir: join(path, 'lazarus') };
});

/** Another process of this clone; counts the signatures it checks. */
async function process(): Promise<Workbench & { readonly checked: () => number }> {
  const repository = await openRepository(at.path);
  let checked = 0;
  const crypto: typeof nodeCrypto = {
    ...nodeCrypto,
    verifyEd25519: (...args) => {
      checked += 1;
      return nodeCrypto.verifyEd25519(...args);
    },
  };
  const bench = benchOver(repository, {
    crypto,
    folds: fileFolds(repository.stateDir),
    clock: { nowSeconds: () => Date.parse('2026-11-18T10:00:00Z') / 1000 },
    backOff: () => Promise.resolve(),
  });
  onTestFinished(() => bench.close());
  return Object.assign(bench, { checked: () => checked });
}

async function addNotes(bench: Workbench, ref: string, count: number): Promise<void> {
  const session = await bench.open(ref, CAST.gate);
  taken(await session.submit({ decide: () => accept(Array.from({ length: count }, note)) }));
}

function note(): EventDraft {
  return {
    event_type: 'note.recorded',
    entity_type: 'note',
    entity_id: randomUUID(),
    task_id: MISSION,
    payload: { bytes: 1, digest: DIGEST, media_type: 'text/plain' },
  };
}

async function look(): Promise<{ readonly told: Told; readonly commits: number }> {
  const bench = await process();
  const project = await bench.project();
  let commits = 0;
  const { value } = await folded(bench, at.ref, TOLD, { project, onCommit: () => (commits += 1) });
  return { told: value, commits };
}

/** As whoever has neither pin nor anything kept. */
async function truth(): Promise<Told> {
  const bench = await process();
  const { pins: _, folds: __, ...parts } = bench.parts;
  const pins = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };
  const { value } = await folded(new Workbench({ ...parts, pins }), at.ref, TOLD);
  return value;
}

/** Another history of the same mission, signed by somebody who may: its objects are here, as after a fetch. */
async function fork(): Promise<string> {
  const path = join(scratch('fork'), 'repository.git');
  git('.', ['clone', '--quiet', '--bare', at.path, path]);
  git(path, ['update-ref', at.ref, `${at.ref}~2`]);
  const repository = await openRepository(path);
  const bench = new Workbench({ ...(await process()).parts, repository, pins: filePins(repository.stateDir) });
  for (let i = 0; i < 3; i++) await addNotes(bench, at.ref, NOTES);
  await bench.close();
  git(at.path, ['fetch', '--quiet', path, at.ref]);
  return git(at.path, ['rev-parse', 'FETCH_HEAD']);
}

/** Of the mission alone: its project was verified before it. */
const commits = (): number => Number(git(at.path, ['rev-list', '--count', at.ref, `^${PROJECT_REF}`]));
const keptPath = (): string => join(at.stateDir, 'folds', `${ledgerName(at.ref)}.told.json`);
const kept = async (): Promise<KeptFold> => (await fileFolds(at.stateDir).read(ledgerName(at.ref), TOLD.name))!;
const keep = (one: KeptFold): Promise<void> => fileFolds(at.stateDir).write(ledgerName(at.ref), TOLD.name, one);
/** What a stranger would like people to see. */
const LIE = (told: Told): Told => ({ ...told, receipts: [{ id: randomUUID(), action: 'push', outcome: 'succeeded' }] });

describe('looking at a mission again', () => {
  it('verifies every commit once, and later only those since the newest snapshot', async () => {
    const first = await look();
    expect(first.commits).toBe(commits());
    expect(first.told).toEqual(await truth());
    expect(first.told).toMatchObject({ work: { changed: 2 }, plan: { is_voted: true } });
    expect(Object.values(first.told.votes)).toHaveLength(1);
    const second = await look();
    expect(second.commits).toBeLessThanOrEqual(2);
    expect(second.told).toEqual(first.told);
  });

  it('folds on from where it was when others wrote much more since', async () => {
    await look();
    const { head } = await kept();
    const bench = await process();
    for (let i = 0; i < 4; i++) await addNotes(bench, at.ref, NOTES);
    await truth();
    const later = await look();
    expect(later.told).toEqual(await truth());
    // Those since the snapshot before what was kept, and not the mission's beginning.
    expect(later.commits).toBeLessThan(commits() / 2);
    expect((await kept()).head.size).toBe(head.size + 4 * NOTES);
  });

  it('keeps it for its owner alone, and does without what it may not write', async () => {
    await look();
    expect(statSync(keptPath()).mode & 0o777).toBe(0o600);
    expect(statSync(join(at.stateDir, 'folds')).mode & 0o777).toBe(0o700);
    rmSync(join(at.stateDir, 'folds'), { recursive: true });
    writeFileSync(join(at.stateDir, 'folds'), 'in the way');
    expect((await look()).told).toEqual(await truth());
  });

  it('is told by a desk from what it verified and wrote, with no second walk', async () => {
    const bench = await process();
    rmSync(join(at.stateDir, 'pins', `${ledgerName(at.ref)}.json`));
    const project = await bench.project();
    const desk = new MissionDesk(bench, { ref: at.ref, signer: CAST.gate, project });
    await desk.state();
    const before = bench.checked();
    await desk.told();
    expect(bench.checked()).toBe(before);
    taken(await desk.transact({ decide: () => accept([note()]) }));
    expect(await desk.told()).toEqual(await truth());
    expect((await kept()).head).toEqual(await desk.head());
  });
});

describe('what was kept is thrown away where it', () => {
  it.each([
    ['was altered', (text: string) => text.replace('"choice":"approve"', '"choice":"reject"')],
    ['was cut short', (text: string) => text.slice(0, 200)],
    ['is empty', () => ''],
    ['has something behind it', (text: string) => `${text}{}`],
  ])('%s on the disk', async (_, damage) => {
    await look();
    const text = readFileSync(keptPath(), 'utf8');
    writeFileSync(keptPath(), damage(text));
    expect(readFileSync(keptPath(), 'utf8')).not.toBe(text);
    const again = await look();
    expect(again.told).toEqual(await truth());
    expect(again.commits).toBe(commits());
    expect(readFileSync(keptPath(), 'utf8')).toBe(text);
  });

  it.each([
    ['an older version of the fold', (one: KeptFold) => ({ ...one, version: TOLD.version - 1 })],
    ['another format', (one: KeptFold) => ({ ...one, format: LEDGER_FORMAT + 1 })],
    ['a value that this version never writes', (one: KeptFold) => ({ ...one, value: { votes: 'all' } })],
    ['a ledger with other events', (one: KeptFold) => ({ ...one, head: { ...one.head, root: 'ab'.repeat(32) } })],
    ['a longer ledger', (one: KeptFold) => ({ ...one, head: { ...one.head, size: one.head.size + 1 } })],
    ['a shorter ledger', (one: KeptFold) => ({ ...one, head: { ...one.head, size: one.head.size - 1 } })],
    [
      'a commit that is not here',
      (one: KeptFold) => ({ ...one, head: { ...one.head, size: one.head.size - 1, oid: 'ab'.repeat(20) } }),
    ],
  ])('is of %s', async (_, change) => {
    await look();
    const honest = await kept();
    await keep(change({ ...honest, value: LIE(honest.value as Told) }));
    expect((await look()).told).toEqual(await truth());
    expect((await kept()).head).toEqual(honest.head);
  });

  it('is of another mission', async () => {
    await look();
    const text = readFileSync(keptPath(), 'utf8');
    mkdirSync(join(at.stateDir, 'folds'), { recursive: true });
    const [other, name] = ['m-000000000000', 'told'];
    writeFileSync(join(at.stateDir, 'folds', `${other}.${name}.json`), text);
    expect(await fileFolds(at.stateDir).read(other, name)).toBeUndefined();
  });

  it('names a commit that somebody pushed beside the ledger, with a snapshot of its own', async () => {
    await look();
    const honest = await kept();
    const head = { ...honest.head, size: honest.head.size - 1, oid: await fork() };
    await keep({ ...honest, head, value: LIE(honest.value as Told) });
    expect((await look()).told).toEqual(await truth());
  });

  it('says something else than the ledger, and the pin is gone', async () => {
    await look();
    const honest = await kept();
    await keep({ ...honest, value: LIE(honest.value as Told) });
    rmSync(join(at.stateDir, 'pins', `${ledgerName(at.ref)}.json`));
    const again = await look();
    expect(again.told).toEqual(await truth());
    expect(again.commits).toBe(commits());
  });
});

describe('a branch that somebody moved', () => {
  it.each([
    ['below the pin', 'rollback_detected', () => git(at.path, ['rev-parse', `${at.ref}~1`])],
    ['beside the pin', 'fork_detected', fork],
  ])('%s is refused as ever, and what was kept stays as it was', async (_, code, shown) => {
    await look();
    const text = readFileSync(keptPath(), 'utf8');
    git(at.path, ['update-ref', at.ref, await shown()]);
    await expect(look()).rejects.toMatchObject({ code });
    expect(readFileSync(keptPath(), 'utf8')).toBe(text);
  });
});
