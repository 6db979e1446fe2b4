// How long a person waits for the state of a mission that has a long history, whole process: who looks for the first time
// in a clone, and who looks again, which is what the budget is for.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { EventDraft } from '../../../src/kernel/draft.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { ledgerName } from '../../../src/ledger/names.ts';
import { CAST, DIGEST, MISSION } from '../../support/given.ts';
import type { Bench } from '../bench.ts';
import { CLI_MAIN } from '../cli-main.ts';
import { underLease } from '../inputs/governed.ts';
import { inRounds, median, quantile, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';
import { taken } from '../../support/taken.ts';

export const statusOfLong: Row = { name: 'lazarus status', run };

const STARTS_PER_ROUND = 5;
const EVENTS_PER_COMMIT = 10;
/** Commits in one breath. */
const GROUP = 500;
const execute = promisify(execFile);

async function run(bench: Bench): Promise<readonly Line[]> {
  const { rounds, commits } = bench.sizes;
  const folder = bench.path('status');
  bench.say(`telling a mission ${commits} events`);
  const { ref, events } = await longMission(folder, commits);
  const all: number[] = [];
  const look = (): Promise<unknown> =>
    execute(process.execPath, [CLI_MAIN, 'status', ledgerName(ref), '--json'], { cwd: folder });
  // Verifies and folds everything, and keeps that for those who look again.
  const firstMs = await timedMs(look);
  const took = await inRounds(rounds, {
    lazarus: async () => {
      const each: number[] = [];
      for (let i = 0; i < STARTS_PER_ROUND; i++) each.push(await timedMs(look));
      all.push(...each);
      return median(each);
    },
  });
  return [
    {
      what: `looking again, p50 at ${events} events`,
      unit: 'ms',
      values: took.lazarus,
      budget: { atMost: 250 },
      beside: `p95 ${quantile(all, 0.95).toFixed(0)} ms, n = ${all.length}; the first look, which verifies everything, ${firstMs.toFixed(0)} ms`,
    },
  ];
}

async function longMission(folder: string, least: number): Promise<{ ref: string; events: number }> {
  const { bench, ref } = await underLease(folder);
  try {
    const session = await bench.open(ref, CAST.gate);
    const open = Math.ceil(least / EVENTS_PER_COMMIT);
    for (let at = 0; at < open; at += GROUP) {
      const group = Array.from({ length: Math.min(GROUP, open - at) }, () =>
        session.submit({ decide: () => accept(Array.from({ length: EVENTS_PER_COMMIT }, note)) }),
      );
      for (const landed of await Promise.all(group)) taken(landed);
    }
    return { ref, events: (await session.tip()).size };
  } finally {
    await bench.close();
  }
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
