// The bench as a command: runs the rows that were asked for, prints the table, writes the JSON, and ends with 1 when a
// budget was missed by more than the noise of its own rounds.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bench, FULL, QUICK } from './bench.ts';
import { doubtText, isMissed, judge, loadAtStart, machine, speedText, table, toJson, type Judged } from './report.ts';
import type { Line, Row } from './row.ts';
import { ROWS } from './rows/all.ts';
import { Speed } from './speed.ts';

const RESULTS = new URL('../../../bench-results.json', import.meta.url);

/** Half a core taken by somebody else shows in every number that is not a ratio, and in some that are. */
const BUSY_LOAD = 0.5;
/** Whoever gets less of a core than this shares it; the scheduler alone takes a few hundredths. */
const WHOLE_CORE = 0.9;

const HELP = `npm run bench -- [--quick] [--only <text>]... [--json]

  --quick   small inputs and two rounds: everything runs, no budget counts
  --only    rows whose name contains the text
  --json    the results on standard output instead of the table

Results go to bench-results.json as well. The disk that is measured is that of TMPDIR. Budgets in milliseconds or per
second are scaled by how fast this machine verifies raw Ed25519 signatures, measured between the rows.
Ends with 1 when a budget is missed by more than the measured noise, or when a row fails.
`;

const { values: asked } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
});

process.exitCode = asked.help ? help() : await main(ROWS.filter(isWanted));

async function main(rows: readonly Row[]): Promise<number> {
  if (rows.length === 0)
    throw new Error(`no row is called that; there are: ${ROWS.map(({ name }) => name).join(' | ')}`);
  const say = (text: string): void => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
  const bench = new Bench(asked.quick ? QUICK : FULL, say);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void bench.close().finally(() => process.exit(130)));
  const load = loadAtStart();
  const speed = new Speed();
  const measured: { readonly row: string; readonly line: Line; readonly isBusy: boolean }[] = [];
  const failed: string[] = [];
  try {
    for (const row of rows) {
      const before = speed.look();
      try {
        const lines = await row.run(bench);
        const isBusy = load > BUSY_LOAD || Math.min(before, speed.look()) < WHOLE_CORE;
        for (const line of lines) measured.push({ row: row.name, line, isBusy });
      } catch (error) {
        // The other rows still say something; this one must not be taken for measured.
        failed.push(`${row.name}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  } finally {
    await bench.close();
  }
  speed.look();
  const { quick } = asked;
  const judged = measured.map(({ row, line, isBusy }) => judge(row, line, { quick, factor: speed.factor, isBusy }));
  show(judged, failed, { load, speed });
  return failed.length > 0 || (!asked.quick && judged.some(isMissed)) ? 1 : 0;
}

function show(
  judged: readonly Judged[],
  failed: readonly string[],
  { load, speed }: { readonly load: number; readonly speed: Speed },
): void {
  const json = toJson(judged, {
    quick: asked.quick,
    load_at_start: load,
    raw_verify_us: speed.verifyUs,
    slower_than_reference: speed.factor,
  });
  writeFileSync(RESULTS, json);
  const about = Object.values(machine()).join(', ');
  process.stdout.write(
    asked.json
      ? json
      : `\n${table(judged)}\n\n${asked.quick ? '' : `${doubtText(judged)}\n`}${speedText(speed)}\n${about}\n`,
  );
  if (load > BUSY_LOAD) process.stderr.write(`busy: the load was ${load} at the start; the numbers say little\n`);
  for (const text of failed) process.stderr.write(`failed: ${text}\n`);
  if (asked.quick) process.stderr.write('quick: sizes are too small to judge a budget by\n');
}

function isWanted({ name }: Row): boolean {
  return asked.only.length === 0 || asked.only.some((text) => name.includes(text));
}

function help(): number {
  process.stdout.write(HELP);
  return 0;
}
