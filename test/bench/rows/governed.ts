// What it costs to be governed: one local branch written, with everything that is said and synced before and after it, in
// a mission that has just begun and in one that has done so ten thousand times.
import { closeSync, fsyncSync, openSync, readdirSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { encodePack } from '../../../src/adapters/git/pack.ts';
import type { Bench } from '../bench.ts';
import { act, type Took } from '../inputs/governed-action.ts';
import { underLease, type Governed } from '../inputs/governed.ts';
import { inRounds, median, quantile, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const governedWrite: Row = { name: 'governed local write', run };

/** Upkeep folds what 64 packs hold: as many actions as leave some folded and some not. */
const WATCHED_ACTIONS = 20;
const KILOBYTE = 1000;
/** Four in the first transaction, which moves two references, and three in the second. */
const WAITS = 7;

async function run(bench: Bench): Promise<readonly Line[]> {
  const { rounds, singles, actions } = bench.sizes;
  const [young, old] = [await begun(bench, 'young'), await begun(bench, 'old')];
  bench.say(`taking ${actions} governed actions`);
  const emptyBytes = bytesBelow(old.objects);
  while (old.taken() < actions) await old.act();
  const [each, all] = [{ young: [] as Took[], old: [] as Took[] }, [] as Took[]];
  const [overheadsMs, rawMs]: [number[], number[]] = [[], []];
  const { growth } = await inRounds(rounds, {
    growth: async () => {
      each.young = [];
      each.old = [];
      // Turn by turn: what the disk does meanwhile hits both.
      for (let i = 0; i < singles; i++) {
        each.young.push(await young.act());
        each.old.push(await old.act());
        rawMs.push(await timedMs(() => writeSynced(bench.path('one-kilobyte'))));
      }
      all.push(...each.old);
      overheadsMs.push(p50(each.old));
      return p50(each.old) / p50(each.young);
    },
  });
  const [fresh, later] = [await young.writtenBytes(), await old.writtenBytes()];
  await Promise.all([young.close(), old.close()]);
  const kilobytes = (bytesBelow(old.objects) - emptyBytes) / old.taken() / KILOBYTE;
  return [
    {
      what: 'p50 of both transactions',
      unit: 'ms',
      // The first round is thrown away, as everywhere.
      values: overheadsMs.slice(1),
      budget: { atMost: 8 },
      beside: `p95 ${quantile(all.map(overhead), 0.95).toFixed(1)} ms; a kilobyte written and synced, which happens ${WAITS} times in a row, ${fromTo(rawMs)}; the branch itself, looked for twice, ${fromTo(all.map(({ effectMs }) => effectMs))}`,
    },
    {
      what: `action ${old.taken()} against ${young.taken()}`,
      unit: '×',
      values: growth,
      budget: { atMost: 1.2 },
      beside: `${p50(each.old).toFixed(2)} ms against ${p50(each.young).toFixed(2)} ms, last round`,
    },
    {
      what: 'events of one action',
      unit: 'events',
      values: [Math.max(...all.map(({ events }) => events))],
      budget: { atMost: 12 },
      beside: 'request, policy, computed set, grant, intent, outcome, receipt, and the artifact that says what exactly',
    },
    {
      what: 'packed size of one action',
      unit: 'KB',
      values: [kilobytes],
      budget: { atMost: 10 },
      beside: `all that ${old.taken()} actions left in the repository; as first written ${inKilobytes(later)} each, ${inKilobytes(fresh)} in the young mission`,
    },
  ];
}

/** What the disk itself takes. */
function writeSynced(path: string): void {
  const file = openSync(path, 'w');
  writeSync(file, Buffer.alloc(1024, 1));
  fsyncSync(file);
  closeSync(file);
  unlinkSync(path);
}

type Begun = {
  readonly objects: string;
  readonly act: () => Promise<Took>;
  readonly taken: () => number;
  /** What one more action writes, before anything is folded together. */
  readonly writtenBytes: () => Promise<number>;
  readonly close: () => Promise<void>;
};

async function begun(bench: Bench, name: string): Promise<Begun> {
  const governed: Governed = await underLease(bench.path(`governed-${name}`));
  let taken = 0;
  const once = (): Promise<Took> => act(governed, taken++);
  return {
    objects: join(governed.path, 'objects'),
    act: once,
    taken: () => taken,
    writtenBytes: async () => {
      let bytes = 0;
      governed.watched.tell = ({ objects }) => (bytes += encodePack(objects, { thin: false }).length);
      for (let i = 0; i < WATCHED_ACTIONS; i++) await once();
      governed.watched.tell = () => undefined;
      return bytes / WATCHED_ACTIONS;
    },
    close: () => governed.bench.close(),
  };
}

function fromTo(ms: readonly number[]): string {
  return `${median(ms).toFixed(1)} ms (p95 ${quantile(ms, 0.95).toFixed(1)})`;
}

function overhead({ overheadMs }: Took): number {
  return overheadMs;
}

function p50(all: readonly Took[]): number {
  return median(all.map(overhead));
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, one) => (one.isFile() ? sum + one.size : sum), 0);
}

function inKilobytes(bytes: number): string {
  return `${(bytes / KILOBYTE).toFixed(1)} KB`;
}
