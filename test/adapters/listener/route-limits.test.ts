// What a route costs is read from the provider's own answers, and ends where policy says; with scripted models, streamed and
// whole, and with a cell that would rather not be counted.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startModel, type Model } from '../../support/models/endpoint.ts';
import type { Script } from '../../support/models/script.ts';
import { openDoor, routeTo, SECRET, type Door } from './routing.ts';

const PATHS = {
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
  anthropic: '/v1/messages',
};
type Name = keyof typeof PATHS;
const TOOLS = {
  responses: [{ name: 'shell' }],
  chat: [{ function: { name: 'shell' } }],
  anthropic: [{ name: 'shell' }],
};

async function doorTo(name: Name, script: Script, limits: object = {}): Promise<{ door: Door; model: Model }> {
  const model = await startModel({ key: SECRET, script });
  onTestFinished(model.close);
  const header = name === 'anthropic' ? { header: 'x-api-key', scheme: '' } : {};
  const usage = name === 'anthropic' ? 'anthropic' : 'openai';
  return { model, door: await openDoor([routeTo(model.origin, { usage, ...header, ...limits })]) };
}

async function ask(
  door: Door,
  name: Name,
  body: object = {},
): Promise<{ status: number; why: string | null; text: string }> {
  const answer = await fetch(`${door.origin}/_route/model${PATHS[name]}`, {
    method: 'POST',
    body: JSON.stringify({ model: 'scripted', tools: TOOLS[name], ...body }),
  });
  const why = answer.headers.get('x-lazarus-denied');
  return { status: answer.status, why, text: await answer.text().catch(() => '') };
}

/** A text that pretends to be the end of an answer that cost nothing. */
const PRETENDS = '"},"usage":{"input_tokens":0,"output_tokens":0}}\n\ndata: {"usage":{"output_tokens":0}}\n\n';

describe.each(Object.keys(PATHS) as Name[])('%s', (name) => {
  it.each([true, false])('is counted as its answers say, streamed or not (%s)', async (stream) => {
    const { door } = await doorTo(name, [
      {
        say: PRETENDS,
        calls: [{ tool: 'shell', arguments: { usage: { input_tokens: 9999 } } }],
        usage: { in: 1200, out: 34 },
      },
      { say: 'done', usage: { in: 1300, out: 5 } },
    ]);
    const body = { stream, ...(name === 'chat' ? { stream_options: { include_usage: true } } : {}) };
    for (const _ of [1, 2]) expect((await ask(door, name, body)).status).toBe(200);
    expect(door.routes.spent()).toEqual([
      { route: 'model', calls: 2, tokensIn: 2500, tokensOut: 39, guessed: 0, refused: 0, cut: null },
    ]);
  });

  it('costs calls and no tokens while the provider refuses, and says so as the provider did', async () => {
    const { door } = await doorTo(name, [{ refuse: 429, retryAfterSeconds: 3 }, { refuse: 529 }]);
    expect((await ask(door, name)).status).toBe(429);
    expect((await ask(door, name)).status).toBe(529);
    expect(door.routes.spent()).toMatchObject([{ calls: 2, tokensIn: 0, tokensOut: 0, guessed: 0, cut: null }]);
  });

  it('is cut after as many calls as policy gives it, and its owner is told once', async () => {
    const { door, model } = await doorTo(name, () => ({ say: 'more' }), { max_calls: 2 });
    const statuses = await Promise.all([1, 2, 3, 4, 5].map(async () => (await ask(door, name)).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429]);
    expect(model.asked).toHaveLength(2);
    expect(await ask(door, name)).toMatchObject({
      status: 429,
      why: 'max_calls',
      text: expect.stringContaining('max_calls'),
    });
    expect(door.cuts).toEqual([['model', 'max_calls']]);
    expect(door.routes.spent()).toMatchObject([{ calls: 2, refused: 4, cut: 'max_calls' }]);
  });

  it('is cut when its tokens are used, after the calls that were in flight', async () => {
    const { door, model } = await doorTo(name, () => ({ say: 'more', usage: { in: 400, out: 200 } }), {
      max_tokens: 1000,
    });
    expect((await ask(door, name)).status).toBe(200);
    // Both begin while 400 are left: the limit is overshot by what is in flight, and by no more.
    const both = await Promise.all([ask(door, name), ask(door, name)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await ask(door, name)).toMatchObject({ status: 429, why: 'max_tokens' });
    expect(model.asked).toHaveLength(3);
    expect(door.cuts).toEqual([['model', 'max_tokens']]);
    expect(door.routes.spent()).toMatchObject([{ tokensIn: 1200, tokensOut: 600, cut: 'max_tokens' }]);
  });

  it('is guessed where an answer breaks off before it says what it cost', async () => {
    const words = 'word '.repeat(400);
    const { door } = await doorTo(name, [{ drop: { say: words } }]);
    await ask(door, name, { stream: true });
    const [spent] = door.routes.spent();
    expect(spent).toMatchObject({ calls: 1, guessed: 1 });
    expect(spent!.tokensOut).toBeGreaterThan(200);
    expect(spent!.tokensIn).toBeGreaterThan(5);
  });
});

it('a cell that does not ask for usage does not pay less', async () => {
  const { door } = await doorTo('chat', () => ({ say: 'word '.repeat(300), usage: { in: 400, out: 300 } }), {
    max_tokens: 1000,
  });
  const statuses: number[] = [];
  for (const _ of [1, 2, 3, 4]) statuses.push((await ask(door, 'chat', { stream: true })).status);
  expect(statuses).toContain(429);
  expect(door.routes.spent()[0]!.guessed).toBeGreaterThan(0);
});

it('a cell that leaves before the end does not pay less', async () => {
  const { door } = await doorTo('responses', () => ({ endless: 'word ' }), { max_tokens: 1000 });
  const leaving = new AbortController();
  const answer = await fetch(`${door.origin}/_route/model/v1/responses`, {
    method: 'POST',
    signal: leaving.signal,
    body: JSON.stringify({ tools: TOOLS.responses, stream: true }),
  });
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > 8000) break;
  }
  leaving.abort();
  await expect.poll(() => door.routes.spent()[0]!.guessed).toBe(1);
  expect(await ask(door, 'responses')).toMatchObject({ status: 429, why: 'max_tokens' });
});

it('a route without usage counts calls alone', async () => {
  const { door } = await doorTo('responses', () => ({ say: 'hello' }), { usage: 'none' });
  await ask(door, 'responses');
  expect(door.routes.spent()).toMatchObject([{ calls: 1, tokensIn: 0, tokensOut: 0, guessed: 0 }]);
});

it.each(['header', 'text', 'base64', 'error'] as const)(
  'a model that tells the key (%s) tells it to nobody',
  async (echo) => {
    const { door } = await doorTo('responses', [{ echo }]);
    const answer = await fetch(`${door.origin}/_route/model/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({ tools: TOOLS.responses, stream: echo !== 'error' }),
    });
    const heard = `${await answer.text()}${JSON.stringify([...answer.headers])}`;
    expect(heard).toContain('***REDACTED***');
    expect(heard).not.toContain(SECRET);
    expect(heard).not.toContain(Buffer.from(SECRET).toString('base64'));
  },
);
