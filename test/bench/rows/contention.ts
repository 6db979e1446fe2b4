// Several processes append to one ledger on one server, each for several writers that wait for their own append before
// their next: nothing may get lost or land twice, and nobody may starve.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { verifyLedger } from '../../../src/app/verify/verify-ledger.ts';
import type { Bench } from '../bench.ts';
import type { BuiltLedger } from '../inputs/ledger.ts';
import { startServer } from '../inputs/served.ts';
import { quantile } from '../measure.ts';
import type { Contender, Told } from '../processes/contender.ts';
import { spawnBeside } from '../processes/spawned.ts';
import type { Line, Row } from '../row.ts';

export const contention: Row = { name: 'contention', run };

async function run(bench: Bench): Promise<readonly Line[]> {
  const { contenders, writersPerContender: writers, appendsPerWriter: appends } = bench.sizes;
  const base = await bench.ledger(2, 1, contenders);
  const server = await startServer(bench, 'contention');
  const hosted = await server.host(base);
  const all = await Promise.all(
    Array.from({ length: contenders }, async (_, number) => {
      const { path } = await bench.copy(base);
      const contender: Contender = { number, path, url: hosted.url, ref: base.ref, writers, appends };
      return spawnBeside(bench, 'contender', [JSON.stringify(contender)]);
    }),
  );
  for (const one of all) await one.line();
  const total = contenders * writers * appends;
  bench.say(`${contenders} processes of ${writers} writers append ${total} transactions`);
  const fromMs = performance.timeOrigin + performance.now();
  for (const one of all) one.say('go');
  const told = await Promise.all(all.map(async (one) => JSON.parse(await one.line()) as Told));
  const landed = await transactionsOf(hosted.ledger);
  await Promise.all(all.map((one) => one.end()));
  assertNoneLostOrDoubled(told, landed, total);
  return lines(told, fromMs);
}

function lines(told: readonly Told[], fromMs: number): readonly Line[] {
  const all = told.flatMap(({ acknowledged }) => acknowledged);
  const seconds = (Math.max(...all.map(({ atMs }) => atMs)) - fromMs) / 1000;
  const took = all.map(({ tookMs }) => tookMs);
  const attempts = all.reduce((sum, one) => sum + one.attempts, 0) / all.length;
  // Judged when the first one is done: afterwards the others have the server to themselves.
  const firstDone = Math.min(...told.map(({ acknowledged }) => acknowledged.at(-1)!.atMs));
  const byThen = told.map(({ acknowledged }) => acknowledged.filter(({ atMs }) => atMs <= firstDone).length);
  const fairness = Math.min(...byThen) / Math.max(...byThen);
  return [
    {
      what: 'appends',
      unit: '/s',
      values: [all.length / seconds],
      beside: `${all.length} by ${told.length} processes in ${seconds.toFixed(1)} s, none lost, none doubled`,
    },
    {
      what: 'p50 of one append',
      unit: 'ms',
      values: [quantile(took, 0.5)],
      beside: `p95 ${quantile(took, 0.95).toFixed(0)} ms, most ${Math.max(...took).toFixed(0)} ms, ${attempts.toFixed(2)} attempts each`,
    },
    {
      what: 'fairness, slowest of fastest',
      unit: '%',
      values: [100 * fairness],
      beside: `${byThen.join(' ')} appends each when the first was done`,
    },
  ];
}

function assertNoneLostOrDoubled(told: readonly Told[], landed: readonly string[], expected: number): void {
  const refused = told.flatMap((one) => one.refused);
  const acknowledged = told.flatMap((one) => one.acknowledged.map(({ tx }) => tx));
  const present = new Set(landed);
  const lost = acknowledged.filter((tx) => !present.has(tx));
  if (present.size !== landed.length) throw new Error(`${landed.length - present.size} transactions landed twice`);
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged transactions are not in the ledger`);
  if (refused.length > 0) throw new Error(`${refused.length} appends did not land, the first because: ${refused[0]}`);
  if (acknowledged.length !== expected) throw new Error(`${acknowledged.length} of ${expected} were acknowledged`);
}

/** Of the server's own ledger, every signature verified on the way. */
async function transactionsOf(ledger: BuiltLedger): Promise<readonly string[]> {
  const repository = await openRepository(ledger.path);
  const transactions: string[] = [];
  const { report } = await verifyLedger({
    crypto: nodeCrypto,
    reader: repository,
    ref: ledger.ref,
    mode: 'full',
    onCommit: (seen) => transactions.push(seen.claims.tx),
  });
  await repository.close();
  if (report.integrity.is !== 'ok') throw new Error(`the ledger did not verify: ${JSON.stringify(report.integrity)}`);
  return transactions;
}
