// Verifying a whole ledger against the limit of its signatures alone, and against git asking gpg for the same signatures.
import { availableParallelism } from 'node:os';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { spareCore, startSecondCore } from '../../../src/adapters/system/second-core.ts';
import { verifyLedger, type Verify } from '../../../src/app/verify/verify-ledger.ts';
import type { SpareCore } from '../../../src/ports/second-core.ts';
import type { Bench } from '../bench.ts';
import { SECOND_CORE_THREAD } from '../cli-main.ts';
import type { BuiltLedger } from '../inputs/ledger.ts';
import { inRounds, median, ratios, timedMs } from '../measure.ts';
import { auditorsHome, lastCommits, logGoodSignatures, verifyCommits } from '../peers/git.ts';
import { rawSignatures, signedCommits, verifyOurs, verifyRaw, verifyWithOpenpgpJs } from '../peers/signatures.ts';
import type { Line, Row } from '../row.ts';

export const verifyOneEach: Row = {
  name: 'verify, 1 event per commit',
  run: (bench) => fullVerify(bench, { eventsEach: 1, atMostRaw: 2.5, atLeastGit: 18 }),
};

export const verifyTenEach: Row = {
  name: 'verify, 10 events per commit',
  run: (bench) => fullVerify(bench, { eventsEach: 10, atMostRaw: 7, atLeastGit: 6 }),
};

export const verifyTwoCores: Row = { name: 'verify, two cores', run: twoCores };

export const verifySignatures: Row = { name: 'signatures only, one core', run: signaturesOnly };

type Wanted = { readonly eventsEach: number; readonly atMostRaw: number; readonly atLeastGit: number };

async function fullVerify(bench: Bench, { eventsEach, atMostRaw, atLeastGit }: Wanted): Promise<readonly Line[]> {
  const { rounds, sample } = bench.sizes;
  const ledger = await bench.ledger(bench.sizes.commits, eventsEach);
  const raw = rawSignatures(await signedCommits(ledger));
  const home = auditorsHome(bench, ledger);
  const commits = lastCommits(ledger, sample);
  const scaled = raw.length / commits.length;
  bench.say(`verifying ${ledger.commits} commits, ${ledger.events} events`);
  const took = await inRounds(rounds, {
    raw: () => timedMs(() => verifyRaw(raw)),
    lazarus: () => timedMs(() => verifyInFull(ledger)),
    gitVerify: async () => scaled * (await timedMs(() => verifyCommits(ledger, home, commits))),
    gitLog: async () => scaled * (await timedMs(() => logGoodSignatures(ledger, home, commits.length))),
  });
  const seconds = (name: keyof typeof took): string => `${(median(took[name]) / 1000).toFixed(2)} s`;
  const scale = `scaled from ${commits.length} commits`;
  return [
    {
      what: 'of raw ed25519',
      unit: '×',
      values: ratios(took.lazarus, took.raw),
      budget: { atMost: atMostRaw },
      beside: `lazarus ${seconds('lazarus')}, raw ${seconds('raw')}, ${ledger.commits} commits, ${ledger.events} events`,
    },
    {
      what: 'git verify-commit slower',
      unit: '×',
      values: ratios(took.gitVerify, took.lazarus),
      budget: { atLeast: atLeastGit },
      beside: `${seconds('gitVerify')} in one process for the signatures alone, ${scale}`,
    },
    {
      what: 'git log %G? slower',
      unit: '×',
      values: ratios(took.gitLog, took.lazarus),
      beside: `${seconds('gitLog')}, ${scale}`,
    },
  ];
}

/** As the installed program does it, whose threads a bundle does not have; both sides of the ratio on the wall's clock. */
async function twoCores(bench: Bench): Promise<readonly Line[]> {
  const { rounds, commits } = bench.sizes;
  // Without a budget: nothing is missed that cannot be there.
  if (availableParallelism() < 2)
    return [{ what: 'of raw ed25519', unit: '×', values: [], beside: 'there is one core only' }];
  const ledger = await bench.ledger(commits, 1);
  const raw = rawSignatures(await signedCommits(ledger));
  bench.say(`verifying ${ledger.commits} commits with two cores`);
  const took = await inRounds(rounds, {
    raw: () => timedMs(() => verifyRaw(raw)),
    one: () => timedMs(() => verifyInFull(ledger)),
    two: () => timedMs(() => verifyInFull(ledger, { ...spareCore, open: () => startSecondCore(SECOND_CORE_THREAD) })),
  });
  const seconds = (name: keyof typeof took): string => `${(median(took[name]) / 1000).toFixed(2)} s`;
  return [
    {
      what: 'of raw ed25519',
      unit: '×',
      values: ratios(took.two, took.raw),
      budget: { atMost: 1.5 },
      needsQuiet: true,
      beside: `${seconds('two')} from the start of the thread to its end, with one core ${seconds('one')}, raw ${seconds('raw')}`,
    },
  ];
}

/** From nothing: a repository opened anew, no pin, every signature. */
export async function verifyInFull(ledger: BuiltLedger, spare?: SpareCore): Promise<void> {
  const repository = await openRepository(ledger.path);
  try {
    const asked: Verify = { crypto: nodeCrypto, reader: repository, ref: ledger.ref, mode: 'full', spareCore: spare };
    const { report } = await verifyLedger(asked);
    if (report.integrity.is !== 'ok' || report.events !== ledger.events)
      throw new Error(`the ledger did not verify: ${JSON.stringify(report.integrity)}, ${report.events} events`);
  } finally {
    await repository.close();
  }
}

async function signaturesOnly(bench: Bench): Promise<readonly Line[]> {
  const { rounds, sample } = bench.sizes;
  const commits = await signedCommits(await bench.ledger(bench.sizes.commits, 1));
  const raw = rawSignatures(commits);
  const some = commits.slice(0, sample);
  const per = (ms: number, count: number): number => (1000 * ms) / count;
  bench.say('verifying signatures only');
  const tookUs = await inRounds(rounds, {
    raw: async () => per(await timedMs(() => verifyRaw(raw)), raw.length),
    lazarus: async () => per(await timedMs(() => verifyOurs(commits)), commits.length),
    openpgpJs: async () => per(await timedMs(() => verifyWithOpenpgpJs(some)), some.length),
  });
  const us = (name: keyof typeof tookUs): string => `${median(tookUs[name]).toFixed(1)} µs`;
  return [
    {
      what: 'of the raw rate',
      unit: '%',
      values: ratios(tookUs.raw, tookUs.lazarus).map((ratio) => 100 * ratio),
      budget: { atLeast: 80 },
      beside: `lazarus ${us('lazarus')}, raw ${us('raw')} per signature, from commit bytes to verdict`,
    },
    {
      what: 'OpenPGP.js slower',
      unit: '×',
      values: ratios(tookUs.openpgpJs, tookUs.lazarus),
      budget: { atLeast: 3 },
      beside: `${us('openpgpJs')} per signature, sample of ${some.length}`,
    },
  ];
}
