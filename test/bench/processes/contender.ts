// One of several processes at one ledger: opens its clone, waits for the start, and lets its writers append, each of them
// one after the other. Tells the times. Ends when its standard input does.
import { once } from 'node:events';
import type { Landed } from '../../../src/app/ledger-session.ts';
import { notes, openBench, runner } from '../inputs/ledger.ts';
import { remoteOf } from '../inputs/served.ts';

export type Contender = {
  readonly number: number;
  readonly path: string;
  readonly url: string;
  readonly ref: string;
  readonly writers: number;
  /** Of each writer. */
  readonly appends: number;
};

export type Told = {
  readonly acknowledged: readonly {
    readonly tx: string;
    readonly tookMs: number;
    readonly atMs: number;
    readonly attempts: number;
  }[];
  readonly refused: readonly string[];
};

const { number, path, url, ref, writers, appends } = JSON.parse(process.argv[2]!) as Contender;
const bench = await openBench(path, { remote: remoteOf(url, path) });
const session = await bench.open(ref, runner(number));
await session.tip();
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.once('end', () => process.exit(1));

const acknowledged: { tx: string; tookMs: number; atMs: number; attempts: number }[] = [];
const refused: string[] = [];
await Promise.all(Array.from({ length: writers }, (_, i) => write((number * writers + i) * appends)));
await bench.close();
process.stdout.write(`${JSON.stringify({ acknowledged, refused } satisfies Told)}\n`);
process.stdin.destroy();

async function write(first: number): Promise<void> {
  for (let i = 0; i < appends; i++) {
    const from = performance.now();
    try {
      const verdict = await session.submit(notes(first + i, 1));
      if (verdict.is === 'refused') refused.push(verdict.code);
      else acknowledged.push(told(verdict.value, from));
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error));
    }
  }
}

function told({ tx, attempts }: Landed, from: number): Told['acknowledged'][number] {
  const now = performance.now();
  return { tx, attempts, tookMs: now - from, atMs: performance.timeOrigin + now };
}
