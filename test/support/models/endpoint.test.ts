// The scripted models keep to what their header says, or tests with real agents would prove something else.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startModel, type Model } from './endpoint.ts';
import type { Script } from './script.ts';

const KEY = 'sk-scripted-0123456789';
const TOOLS = {
  responses: [{ type: 'function', name: 'shell' }, { type: 'local_shell' }],
  chat: [{ type: 'function', function: { name: 'shell' } }],
  anthropic: [{ name: 'shell', input_schema: {} }],
};
const PATHS = { responses: '/v1/responses', chat: '/v1/chat/completions', anthropic: '/v1/messages' };
type Name = keyof typeof PATHS;
const NAMES = Object.keys(PATHS) as Name[];

describe('a scripted model', () => {
  it.each(NAMES)('tells its turns one after the other, streamed or whole (%s)', async (name) => {
    const model = await start([
      { say: 'I look.', calls: [{ tool: 'shell', arguments: { command: 'ls -l' } }] },
      { say: 'Done now.' },
    ]);
    const first = await ask(model, name, { stream: true });
    expect(first.headers.get('content-type')).toBe('text/event-stream');
    expect(joined(await first.text())).toContain('{"command":"ls -l"}');
    expect(await (await ask(model, name, {})).text()).toContain('Done now.');
    const over = await ask(model, name, {});
    expect(over.status).toBe(400);
    expect(model.asked.map(({ turn, protocol, tools }) => [turn, protocol, tools[0]])).toEqual([
      [0, name, 'shell'],
      [1, name, 'shell'],
      [2, name, 'shell'],
    ]);
  });

  it('keeps no key, says whether the right one was there, and gives no turn to others', async () => {
    const model = await start([{ say: 'yes' }]);
    expect((await ask(model, 'chat', {}, 'sk-another')).status).toBe(401);
    expect((await ask(model, 'chat', { tools: [] })).status).toBe(200);
    expect((await ask(model, 'chat', { said: KEY })).status).toBe(200);
    expect(model.asked.map(({ key, turn, holdsKey }) => [key, turn, holdsKey])).toEqual([
      ['wrong', null, false],
      ['right', null, false],
      ['right', 0, true],
    ]);
    expect(JSON.stringify(model.asked)).not.toContain(KEY);
  });

  it('breaks off in the middle of an answer', async () => {
    const model = await start([{ drop: { say: 'one two three' } }]);
    const answer = await ask(model, 'responses', { stream: true });
    await expect(answer.text()).rejects.toThrow();
  });
});

async function start(script: Script): Promise<Model> {
  const model = await startModel({ key: KEY, script });
  onTestFinished(model.close);
  return model;
}

async function ask(model: Model, name: Name, body: Record<string, unknown>, key = KEY): Promise<Response> {
  return fetch(`${model.origin}${PATHS[name]}`, {
    method: 'POST',
    headers: name === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'scripted', tools: TOOLS[name], ...body }),
  });
}

/** The pieces of the arguments, as a client puts them together. */
function joined(stream: string): string {
  const events = [...stream.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data!) as Record<string, any>);
  return events
    .map((event) =>
      event['type'] === 'response.function_call_arguments.delta'
        ? event['delta']
        : (event['delta']?.partial_json ?? event['choices']?.[0]?.delta?.tool_calls?.[0]?.function?.arguments ?? ''),
    )
    .join('');
}
