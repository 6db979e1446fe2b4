// A webhook: what it is sent, and that a receiver that is slow, away, elsewhere or angry holds nobody and shows nothing.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { webhook } from '../../../src/adapters/messengers/webhook.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';

const MESSAGE = { text: 'm-1 waits\n', fields: { mission: 'm-1', waits_for: ['ben'], until: null } };
const SHORT = { connectTimeoutMs: 2_000, answerTimeoutMs: 200, answerBytesMax: 100 };

async function receiver(): Promise<Receiver> {
  const one = await startReceiver();
  onTestFinished(() => one.close());
  return one;
}

function sending(url: string) {
  const hook = webhook(url, SHORT);
  onTestFinished(() => hook.close());
  return hook.send(MESSAGE);
}

it('sends one JSON object with the text and its parts', async () => {
  const { url, received } = await receiver();
  expect(await sending(url)).toEqual({ is: 'delivered' });
  expect(received).toEqual([
    {
      path: '/hook/s3cret-path',
      body: { schema_version: 1, text: 'm-1 waits\n', mission: 'm-1', waits_for: ['ben'], until: null },
    },
  ]);
});

it('follows no redirect: the message and the path are for nobody else', async () => {
  const [there, elsewhere] = [await receiver(), await receiver()];
  there.answer = { status: 307, headers: { location: elsewhere.url } };
  expect(await sending(there.url)).toEqual({ is: 'failed', why: 'it answered 307' });
  expect(elsewhere.received).toEqual([]);
});

it('waits no longer than it says, and shows nothing that the other side said, nor where it is', async () => {
  const one = await receiver();
  const answers = [];
  for (const answer of [
    'hang' as const,
    { status: 500, body: 'the s3cret of the receiver' },
    { status: 200, body: 'x'.repeat(1000) },
  ]) {
    one.answer = answer;
    answers.push(await sending(one.url));
  }
  expect(answers).toEqual([
    { is: 'failed', why: 'it gave no answer in time' },
    { is: 'failed', why: 'it answered 500' },
    { is: 'failed', why: 'its answer was too long' },
  ]);
});

it('takes a closed port, a name that is none and an address that is none for an answer', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const unreached = { is: 'failed', why: 'it cannot be reached' };
  expect(await sending(`http://127.0.0.1:${port}/s3cret`)).toEqual(unreached);
  expect(await sending('http://nobody.invalid/s3cret')).toEqual(unreached);
  for (const address of ['s3cret', 'file:///etc/passwd', 'http://', ''])
    expect(await sending(address)).toEqual({ is: 'failed', why: 'its address is no http or https address' });
});
