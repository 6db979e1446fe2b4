// How long a person waits for the command line to say anything, against Node doing nothing at all.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
import { CLI_MAIN } from '../cli-main.ts';
import { inRounds, median, quantile, ratios, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const help: Row = { name: 'lazarus --help', run };

const STARTS_PER_ROUND = 7;
const execute = promisify(execFile);

async function run(bench: Bench): Promise<readonly Line[]> {
  const all: number[] = [];
  bench.say('starting the command line');
  const took = await inRounds(bench.sizes.rounds, {
    lazarus: async () => {
      const each = await starts([CLI_MAIN, '--help']);
      all.push(...each);
      return median(each);
    },
    node: async () => median(await starts(['-e', '0'])),
  });
  return [
    {
      what: 'p50',
      unit: 'ms',
      values: took.lazarus,
      budget: { atMost: 90 },
      beside: `p95 ${quantile(all, 0.95).toFixed(0)} ms, n = ${all.length}`,
    },
    {
      what: 'of node -e 0',
      unit: '×',
      values: ratios(took.lazarus, took.node),
      beside: `node alone ${median(took.node).toFixed(0)} ms`,
    },
  ];
}

async function starts(args: readonly string[]): Promise<number[]> {
  const each: number[] = [];
  for (let i = 0; i < STARTS_PER_ROUND; i++) each.push(await timedMs(() => execute(process.execPath, [...args])));
  return each;
}
