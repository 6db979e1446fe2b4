// The second core answers what this one would, signature by signature, and whatever becomes of its thread, nobody waits
// for it in vain.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { openSecondCore, startSecondCore } from '../../../src/adapters/system/second-core.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import type { SignatureToCheck } from '../../../src/format/crypto.ts';
import type { SecondCore } from '../../../src/ports/second-core.ts';
import { testKey } from '../../support/people.ts';
import { readySecondCore, THREAD } from '../../support/second-core.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-second-core-')));
const open: SecondCore[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function kept(core: SecondCore): SecondCore {
  open.push(core);
  return core;
}

/** A thread that runs this instead. */
async function threadThat(name: string, runs: string): Promise<SecondCore> {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `import { parentPort } from 'node:worker_threads';\n${runs}\n`);
  return kept(await startSecondCore(pathToFileURL(path)));
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
  const core = kept(await readySecondCore());
  expect(await core.verify(asked)).toEqual(here);
});

it('answers several runs in the order in which they were asked', async () => {
  const core = kept(await readySecondCore());
  const good = signed('one');
  const bad = { ...good, message: utf8('two') };
  const runs = [[good, good, bad], [], [bad], [good]];
  expect(await Promise.all(runs.map((run) => core.verify(run)))).toEqual([[true, true, false], [], [false], [true]]);
});

it.each([
  ['cannot be read', 'this is no program'],
  ['fails when it is asked', `parentPort.on('message', () => { throw new Error('broken'); });`],
  ['ends when it is asked', `parentPort.on('message', () => process.exit(0));`],
  [
    'answers for fewer than it was asked about',
    `parentPort.on('message', () => parentPort.postMessage(Uint8Array.of(1)));`,
  ],
])('is lost, and says nothing, where its thread %s', async (what, runs) => {
  const core = await threadThat(what.replaceAll(' ', '-'), runs);
  const good = signed('one');
  const answers = await Promise.all([core.verify([good, good]), core.verify([good, good])]);
  expect(answers).toEqual([undefined, undefined]);
  expect(core.isReady).toBe(false);
  expect(await core.verify([good])).toBeUndefined();
});

it('says nothing any more once it is closed', async () => {
  const core = await readySecondCore();
  const asked = core.verify([signed('one')]);
  await core.close();
  expect(await asked).toBeUndefined();
  expect(await core.verify([signed('one')])).toBeUndefined();
  expect(core.isReady).toBe(false);
});

it('is not started for few signatures, nor where there is one core only', async () => {
  const built = (await import(new URL('./second-core.js', THREAD).href)) as { openSecondCore: typeof openSecondCore };
  expect(await built.openSecondCore(999)).toBeUndefined();
  const started = await built.openSecondCore(1000);
  expect(started !== undefined).toBe(availableParallelism() > 1);
  await started?.close();
});

it('is not there where its thread was not installed beside it', async () => {
  expect(await openSecondCore(1_000_000)).toBeUndefined();
});
