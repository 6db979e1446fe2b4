// What one more append, and one more verification, cost on a long ledger against a short one.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { fileFolds } from '../../../src/adapters/state/file-folds.ts';
import { filePins } from '../../../src/adapters/state/file-pins.ts';
import { snapshotsIn } from '../../../src/app/verify/snapshots.ts';
import { verifyLedger } from '../../../src/app/verify/verify-ledger.ts';
import { SEGMENT_EVENTS } from '../../../src/kernel/limits.ts';
import { ledgerName } from '../../../src/ledger/names.ts';
import type { Pin } from '../../../src/ports/pins.ts';
import type { Bench } from '../bench.ts';
import { ana, landed, notes, openBench, type BuiltLedger } from '../inputs/ledger.ts';
import { inRounds, median, ratios, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const flatCost: Row = { name: 'flat cost', run };

/** Both sizes are as far into a segment: a segment's directory grows by 37 bytes an event, and that is not the length. */
const SHORT = SEGMENT_EVENTS + 100;

async function run(bench: Bench): Promise<readonly Line[]> {
  const { rounds, singles, commits } = bench.sizes;
  const long = Math.floor(commits / SEGMENT_EVENTS) * SEGMENT_EVENTS + 100;
  const [few, many] = [await bench.ledger(SHORT, 1), await bench.ledger(long, 1)];
  return [
    ...(await appends(bench, [few, many], { rounds, singles })),
    ...(await verifications(bench, [few, many], rounds)),
  ];
}

type Two = readonly [few: BuiltLedger, many: BuiltLedger];

async function appends(
  bench: Bench,
  two: Two,
  { rounds, singles }: { readonly rounds: number; readonly singles: number },
): Promise<readonly Line[]> {
  const [few, many] = await Promise.all(two.map((ledger) => appender(bench, ledger)));
  const each = { few: [] as number[], many: [] as number[] };
  bench.say('appending to a short and a long ledger');
  // Turn by turn: what the disk does meanwhile hits both.
  const took = await inRounds(rounds, {
    both: async () => {
      each.few = [];
      each.many = [];
      for (let i = 0; i < Math.ceil(singles / 2); i++) {
        each.few.push(await timedMs(few!.append));
        each.many.push(await timedMs(many!.append));
      }
      return median(each.many) / median(each.few);
    },
  });
  await Promise.all([few!.close(), many!.close()]);
  return [
    {
      what: `append at ${two[1].events} against ${two[0].events}`,
      unit: '×',
      values: took.both,
      budget: { atMost: 1.2 },
      beside: `${median(each.many).toFixed(2)} ms against ${median(each.few).toFixed(2)} ms, last round`,
    },
  ];
}

async function appender(
  bench: Bench,
  base: BuiltLedger,
): Promise<{ append: () => Promise<void>; close: () => Promise<void> }> {
  const ledger = await bench.copy(base);
  const workbench = await openBench(ledger.path);
  const session = await workbench.open(ledger.ref, ana);
  let appended = 0;
  return { append: () => landed(session, notes(appended++, 1)), close: () => workbench.close() };
}

async function verifications(bench: Bench, two: Two, rounds: number): Promise<readonly Line[]> {
  const [few, many] = await Promise.all(two.map((ledger) => withOneMore(bench, ledger)));
  bench.say('verifying one new commit');
  const took = await inRounds(rounds, {
    few: () => timedMs(() => verifySince(few!)),
    many: () => timedMs(() => verifySince(many!)),
  });
  return [
    {
      what: `verify of one new commit at ${two[1].events} against ${two[0].events}`,
      unit: '×',
      values: ratios(took.many, took.few),
      budget: { atMost: 1.2 },
      beside: `${median(took.many).toFixed(1)} ms against ${median(took.few).toFixed(1)} ms, process starts of git included`,
    },
  ];
}

type Grown = { readonly ledger: BuiltLedger; readonly pin: Pin };

/** A ledger whose pin is one commit old. */
async function withOneMore(bench: Bench, base: BuiltLedger): Promise<Grown> {
  const ledger = await bench.copy(base);
  const workbench = await openBench(ledger.path);
  const pin = await filePins(workbench.parts.repository.stateDir).read(ledgerName(ledger.ref));
  await landed(await workbench.open(ledger.ref, ana), notes(0, 1));
  await workbench.close();
  return { ledger, pin: pin! };
}

async function verifySince({ ledger, pin }: Grown): Promise<void> {
  const repository = await openRepository(ledger.path);
  try {
    const { report } = await verifyLedger({
      crypto: nodeCrypto,
      reader: repository,
      ref: ledger.ref,
      mode: 'since-pin',
      pin,
      snapshots: snapshotsIn(fileFolds(repository.stateDir)),
    });
    if (report.integrity.is !== 'ok') throw new Error(`the ledger did not verify: ${JSON.stringify(report.integrity)}`);
  } finally {
    await repository.close();
  }
}
