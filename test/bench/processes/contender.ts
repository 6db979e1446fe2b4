// One of several writers on one ledger: opens its clone, waits for the start, appends one after the other, tells the times.
import { once } from 'node:events';
import type { Landed } from '../../../src/app/ledger-session.ts';
import { notes, openBench, runner } from '../inputs/ledger.ts';
import { remoteOf } from '../inputs/served.ts';

export type Contender = {
  readonly number: number;
  readonly path: string;
  readonly url: string;
  readonly ref: string;
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

const { number, path, url, ref, appends } = JSON.parse(process.argv[2]!) as Contender;
const bench = await openBench(path, { remote: remoteOf(url, path) });
const session = await bench.open(ref, runner(number));
await session.tip();
process.stdout.write('ready\n');
await once(process.stdin, 'data');

const acknowledged: { tx: string; tookMs: number; atMs: number; attempts: number }[] = [];
const refused: string[] = [];
for (let i = 0; i < appends; i++) {
  const from = performance.now();
  try {
    const verdict = await session.submit(notes(number * appends + i, 1));
    if (verdict.is === 'refused') refused.push(verdict.code);
    else acknowledged.push(told(verdict.value, from));
  } catch (error) {
    refused.push(error instanceof Error ? error.message : String(error));
  }
}
await bench.close();
process.stdout.write(`${JSON.stringify({ acknowledged, refused } satisfies Told)}\n`);
process.stdin.destroy();

function told({ tx, attempts }: Landed, from: number): Told['acknowledged'][number] {
  const now = performance.now();
  return { tx, attempts, tookMs: now - from, atMs: performance.timeOrigin + now };
}
