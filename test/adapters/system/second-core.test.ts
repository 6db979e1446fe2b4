// The second core answers what this one would, signature by signature, and whatever becomes of its thread, nobody waits
// for it in vain.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { OPEN, spareCore, startSecondCore } from '../../../src/adapters/system/second-core.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import type { SignatureToCheck } from '../../../src/format/crypto.ts';
import type { SecondCore, SpareCore } from '../../../src/ports/second-core.ts';
import { testKey } from '../../support/people.ts';
import { patientSecondCore, THREAD } from '../../support/second-core.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-second-core-')));
const open: SecondCore[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function kept<Core extends SecondCore>(core: Core): Core {
  open.push(core);
  return core;
}

/** A thread that runs this instead. */
async function threadThat(name: string, runs: string) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `import { parentPort } from 'node:worker_threads';\n${runs}\n`);
  return kept(await startSecondCore(pathToFileURL(path)));
}

function answersOf(core: SecondCore, run: readonly SignatureToCheck[]): (boolean | undefined)[] {
  const answers = core.check(run);
  return run.map((_, i) => answers.take(i));
}

const ana = testKey('ana');
const key = parsePublicKey(ana.publicKey, nodeCrypto).ed25519;

function signed(text: string): SignatureToCheck {
  const message = utf8(text);
  return { publicKey: key, message, signature: ana.raw(message) };
}

it('answers what this core would, for each signature', async () => {
  const good = signed('a tree head');
  const long = signed('x'.repeat(70_000));
  const inside = new Uint8Array(300).fill(7);
  inside.set(good.signature, 100);
  const other = parsePublicKey(testKey('ben').publicKey, nodeCrypto).ed25519;
  const asked: SignatureToCheck[] = [
    good,
    { ...good, publicKey: other },
    { ...good, message: utf8('another tree head') },
    { ...good, message: new Uint8Array() },
    { ...good, signature: good.signature.with(40, good.signature[40]! ^ 1) },
    { ...good, signature: good.signature.subarray(1) },
    { ...good, publicKey: key.subarray(1) },
    { ...good, signature: inside.subarray(100, 164) },
    { ...good, signature: inside.subarray(101, 165) },
    long,
    { ...long, message: long.message.subarray(1) },
    signed(''),
  ];
  const here = asked.map(({ publicKey, message, signature }) =>
    nodeCrypto.verifyEd25519(publicKey, message, signature),
  );
  expect(new Set(here)).toEqual(new Set([true, false]));
  const core = kept(await patientSecondCore());
  expect(answersOf(core, asked)).toEqual(here);
});

it('answers several runs, each for itself', async () => {
  const core = kept(await patientSecondCore());
  const good = signed('one');
  const bad = { ...good, message: utf8('two') };
  const runs = [[good, good, bad], [], [bad], [good]];
  const answers = runs.map((run) => core.check(run));
  const taken = runs.map((run, at) => run.map((_, i) => answers[at]!.take(i)));
  expect(taken).toEqual([[true, true, false], [], [false], [true]]);
});

it('passes over what was asked for before it was found out, and answers the rest', async () => {
  const core = kept(await startSecondCore(THREAD));
  const good = signed('one');
  const run = Array<SignatureToCheck>(64).fill(good);
  const { states, take } = core.check(run);
  const early = run.flatMap((_, i) => (i % 2 === 1 && take(i) === undefined ? [i] : []));
  while (Atomics.load(states, 62) === OPEN);
  expect(run.map((_, i) => take(i))).toEqual(run.map((_, i) => (early.includes(i) ? undefined : true)));
  expect(early.length).toBeGreaterThan(0);
});

it.each([
  ['cannot be read', 'this is no program'],
  ['fails when it is asked', `parentPort.on('message', () => { throw new Error('broken'); });`],
  ['ends when it is asked', `parentPort.on('message', () => process.exit(0));`],
])('says nothing, and keeps nobody waiting, where its thread %s', async (what, runs) => {
  const core = await threadThat(what.replaceAll(' ', '-'), runs);
  // Not by `once`, which an error ends first: whoever begins to wait then may have missed the exit.
  const ended = new Promise((resolve) => core.thread.once('exit', resolve));
  const good = signed('one');
  expect(answersOf(core, [good, good])).toEqual([undefined, undefined]);
  await ended;
  expect(answersOf(core, [good])).toEqual([undefined]);
});

it('says nothing any more once it is closed', async () => {
  const core = await startSecondCore(THREAD);
  await core.close();
  expect(answersOf(core, [signed('one')])).toEqual([undefined]);
});

it('is not there where there is one core only, nor where its thread was not installed beside it', async () => {
  const built = (await import(new URL('./second-core.js', THREAD).href)) as { spareCore: SpareCore };
  const started = await built.spareCore.open();
  expect(started !== undefined).toBe(availableParallelism() > 1);
  await started?.close();
  expect(await spareCore.open()).toBeUndefined();
});
