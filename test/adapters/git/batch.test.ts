// What `git cat-file --batch` prints, in one chunk or cut anywhere: what stands before an absence or damage is told first.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { presentIn, readBatch } from '../../../src/adapters/git/batch.ts';
import { OneByOne } from '../../../src/adapters/git/one-by-one.ts';

const OIDS = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const blob = (oid: string, text: string): string => `${oid} blob ${text.length}\n${text}\n`;
const WHOLE = blob(OIDS[0], 'one') + blob(OIDS[1], '') + blob(OIDS[2], 'three\n');

async function told(chunks: readonly string[]): Promise<{ texts: string[]; ended: unknown }> {
  const texts: string[] = [];
  const output = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  try {
    for await (const { body } of new OneByOne(presentIn(readBatch(output)))) texts.push(Buffer.from(body).toString());
    return { texts, ended: undefined };
  } catch (ended) {
    return { texts, ended };
  }
}

it('hands out each object once and in order, wherever the output is cut', async () => {
  for (let at = 0; at <= WHOLE.length; at++)
    expect(await told([WHOLE.slice(0, at), WHOLE.slice(at)])).toEqual({
      texts: ['one', '', 'three\n'],
      ended: undefined,
    });
});

it.each([
  ['an absence', `${OIDS[1]} missing\n`, { code: 'object_missing', facts: { oid: OIDS[1] } }],
  ['a type that git does not have', `${OIDS[1]} bolb 1\nx\n`, { code: 'object_corrupt' }],
  ['a size that would fill memory', `${OIDS[1]} blob 99999999999\n`, { code: 'object_too_large' }],
])('tells what stands before %s, then that, and nothing behind it', async (_, damage, failure) => {
  for (const chunks of [
    [blob(OIDS[0], 'one') + damage + blob(OIDS[2], 'three')],
    [blob(OIDS[0], 'one'), damage, blob(OIDS[2], 'three')],
  ]) {
    const { texts, ended } = await told(chunks);
    expect(texts).toEqual(['one']);
    expect(ended).toMatchObject(failure);
  }
});

it('does not wait for the end of a header that has none', async () => {
  const { texts, ended } = await told([blob(OIDS[0], 'one'), 'x'.repeat(600)]);
  expect(texts).toEqual(['one']);
  expect(ended).toMatchObject({ code: 'git_failed' });
});

it('closes the output when nobody wants more of it', async () => {
  const output = Readable.from([Buffer.from(WHOLE)]);
  for await (const _ of new OneByOne(presentIn(readBatch(output)))) break;
  expect(output.destroyed).toBe(true);
});
