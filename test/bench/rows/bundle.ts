// Checking a proof of one event, with nothing but the file, against the limit of the signatures in it.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { prove } from '../../../src/app/prove.ts';
import { checkBundle } from '../../../src/ledger/bundle.ts';
import { decodeBundle } from '../../../src/ledger/bundle-format.ts';
import type { Bench } from '../bench.ts';
import { openBench } from '../inputs/ledger.ts';
import { inRounds, median, ratios, timedMs } from '../measure.ts';
import { rawSignatures, signedCommits, verifyRaw } from '../peers/signatures.ts';
import type { Line, Row } from '../row.ts';

export const checkProof: Row = { name: 'proof bundle check', run };

const CHECKS_PER_ROUND = 200;

async function run(bench: Bench): Promise<readonly Line[]> {
  const ledger = await bench.ledger(bench.sizes.commits, 1);
  const workbench = await openBench((await bench.copy(ledger)).path);
  const { bytes } = await prove(workbench, ledger.ref, { event: String(Math.floor(ledger.events / 2)) });
  await workbench.close();
  const signatures = rawSignatures((await signedCommits(ledger)).slice(0, signaturesIn(bytes)));
  bench.say('checking proof bundles');
  const took = await inRounds(bench.sizes.rounds, {
    lazarus: async () => (await timedMs(() => repeat(() => check(bytes)))) / CHECKS_PER_ROUND,
    raw: async () => (await timedMs(() => repeat(() => verifyRaw(signatures)))) / CHECKS_PER_ROUND,
  });
  const us = (name: keyof typeof took): string => `${(1000 * median(took[name])).toFixed(0)} µs`;
  return [
    {
      what: 'of raw ed25519',
      unit: '×',
      values: ratios(took.lazarus, took.raw),
      budget: { atMost: 2.5 },
      beside: `${us('lazarus')}, raw ${us('raw')} for ${signatures.length} signatures; ${bytes.length} bytes, from ${ledger.events} events`,
    },
  ];
}

/** One per commit shown, and the one by which each key of the roster certifies itself. */
function signaturesIn(bytes: Uint8Array): number {
  const bundle = decodeBundle(bytes);
  if (bundle.is === 'refused') throw new Error(`the bundle cannot be read: ${bundle.code}`);
  const keys = new TextDecoder().decode(bytes).split('public_key').length - 1;
  return bundle.value.project.length + bundle.value.ledger.length + keys;
}

function check(bytes: Uint8Array): void {
  const checked = checkBundle(nodeCrypto, bytes);
  if (checked.is === 'refused') throw new Error(`the bundle was refused: ${checked.code}`);
}

function repeat(work: () => void): void {
  for (let i = 0; i < CHECKS_PER_ROUND; i++) work();
}
