// Appending to a repository on this disk: many at once and one after the other, synced to the disk either way.
import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Bench } from '../bench.ts';
import { ana, landed, notes, openBench } from '../inputs/ledger.ts';
import { inRounds, median, quantile, ratios, timedMs } from '../measure.ts';
import { PlumbingLedger } from '../peers/git.ts';
import type { Line, Row } from '../row.ts';
import { verifyInFull } from './verify.ts';

export const appendBatched: Row = { name: 'local append, batched', run: batched };
export const appendSingle: Row = { name: 'local append, one by one', run: oneByOne };

/** Commits that the plumbing peer makes per round: it takes some 20 ms for each. */
const PLUMBING_COMMITS = 20;
const RAW_SIGNATURES = 2000;

async function batched(bench: Bench): Promise<readonly Line[]> {
  const { rounds, batch } = bench.sizes;
  const ledger = await bench.copy(await bench.ledger(2, 1));
  const workbench = await openBench(ledger.path);
  const session = await workbench.open(ledger.ref, ana);
  const plumbing = new PlumbingLedger(bench);
  const event = randomBytes(600).toString('base64');
  const { privateKey } = generateKeyPairSync('ed25519');
  const digest = randomBytes(64);
  let appended = 0;
  bench.say(`appending ${batch} at a time`);
  const tookUs = await inRounds(rounds, {
    lazarus: async () => {
      const from = appended;
      appended += batch;
      const all = (): Promise<unknown> =>
        Promise.all(Array.from({ length: batch }, (_, i) => landed(session, notes(from + i, 1))));
      return (1000 * (await timedMs(all))) / batch;
    },
    plumbing: async () => {
      const ms = await timedMs(() => {
        for (let i = 0; i < PLUMBING_COMMITS; i++) plumbing.append(Buffer.from(event));
      });
      return (1000 * ms) / PLUMBING_COMMITS;
    },
    raw: async () => {
      const ms = await timedMs(() => {
        for (let i = 0; i < RAW_SIGNATURES; i++) sign(null, digest, privateKey);
      });
      return (1000 * ms) / RAW_SIGNATURES;
    },
  });
  await workbench.close();
  await verifyInFull({ ...ledger, commits: ledger.commits + appended, events: ledger.events + appended });
  await bench.discard(ledger);
  const us = (name: keyof typeof tookUs): string => `${median(tookUs[name]).toFixed(0)} µs`;
  return [
    {
      what: 'commits per second',
      unit: '/s',
      values: tookUs.lazarus.map((each) => 1e6 / each),
      budget: { atLeast: 6000 },
      beside: `${us('lazarus')} per commit, ${batch} submitted at once, all durable`,
    },
    {
      what: 'of raw ed25519 signing',
      unit: '×',
      values: ratios(tookUs.lazarus, tookUs.raw),
      beside: `raw ${us('raw')} per signature`,
    },
    {
      what: 'git plumbing + gpg slower',
      unit: '×',
      values: ratios(tookUs.plumbing, tookUs.lazarus),
      budget: { atLeast: 100 },
      beside: `${us('plumbing')} per commit, ${PLUMBING_COMMITS} commits`,
    },
  ];
}

async function oneByOne(bench: Bench): Promise<readonly Line[]> {
  const { rounds, singles } = bench.sizes;
  const ledger = await bench.copy(await bench.ledger(bench.sizes.commits, 1));
  const workbench = await openBench(ledger.path);
  const session = await workbench.open(ledger.ref, ana);
  const folder = bench.path('floor');
  mkdirSync(folder);
  const all: number[] = [];
  let appended = 0;
  bench.say('appending one by one');
  const took = await inRounds(rounds, {
    lazarus: async () => {
      const each: number[] = [];
      for (let i = 0; i < singles; i++) each.push(await timedMs(() => landed(session, notes(appended++, 1))));
      all.push(...each);
      return median(each);
    },
    floor: async () => {
      const each: number[] = [];
      for (let i = 0; i < singles; i++) each.push(await timedMs(() => syncedFloor(folder, i)));
      return median(each);
    },
  });
  await workbench.close();
  await bench.discard(ledger);
  return [
    {
      what: 'p50 of one append',
      unit: 'ms',
      values: took.lazarus,
      beside: `p95 ${quantile(all, 0.95).toFixed(2)} ms, n = ${all.length}, onto ${ledger.events} events`,
    },
    {
      what: 'of its disk writes alone',
      unit: '×',
      values: ratios(took.lazarus, took.floor),
      beside: `pack, index and reference written, synced and named without git: ${median(took.floor).toFixed(2)} ms`,
    },
  ];
}

/** The disk's part of a durable append, and nothing else: two files at once, their folder, then one and its folder. */
async function syncedFloor(folder: string, i: number): Promise<void> {
  const [pack, index] = [join(folder, `pack-${i}`), join(folder, `index-${i}`)];
  await Promise.all([writeSynced(pack, 2048), writeSynced(index, 1300)]);
  await rename(pack, `${pack}.named`);
  await rename(index, `${index}.named`);
  await syncFolder(folder);
  await writeSynced(join(folder, 'reference.lock'), 41);
  await rename(join(folder, 'reference.lock'), join(folder, 'reference'));
  await syncFolder(folder);
}

async function writeSynced(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  await file.writeFile(randomBytes(bytes));
  await file.sync();
  await file.close();
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
