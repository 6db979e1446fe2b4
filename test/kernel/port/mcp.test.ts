// The protocol without a connection: who speaks which version, which tools there are, and what becomes of a call that is none.
import { describe, expect, it } from 'vitest';
import { answerMcp } from '../../../src/kernel/port/mcp.ts';
import type { Said } from '../../../src/kernel/port/said.ts';

function speak(value: unknown) {
  const heard: Said[] = [];
  let refused = 0;
  const { isMalformed, body } = answerMcp(value, {
    say(said) {
      heard.push(said);
      return { is: 'taken' };
    },
    refused: () => void (refused += 1),
  });
  return { heard, refused, isMalformed, body: body as any };
}

const rpc = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, given: unknown = {}, id: unknown = 1) => rpc('tools/call', { name, arguments: given }, id);
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const CLAIM = {
  status: 'done_clean',
  started_at: '2026-01-01T00:00:00Z',
  finished_at: '2026-01-01T00:01:00Z',
  evidence: { verify_exit_code: 0 },
};
const QUESTION = {
  session: 'one',
  blocked_at: '2026-01-01T00:00:00Z',
  question: 'Where is the manual?',
  best_guess: 'lost',
  fallback_action: 'go on without',
  can_resume_without_answer: true,
};

describe('a session', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('is held in %s', (protocolVersion) => {
    const { body, refused } = speak(rpc('initialize', { protocolVersion }));
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { protocolVersion, capabilities: { tools: {} } } });
    expect(refused).toBe(0);
  });

  it.each([['2099-01-01'], [7], [undefined], ['constructor']])(
    'is offered in the newest to who asks for %s',
    (asked) => {
      expect(speak(rpc('initialize', { protocolVersion: asked })).body.result.protocolVersion).toBe('2025-11-25');
      expect(speak(rpc('initialize')).body.result.protocolVersion).toBe('2025-11-25');
    },
  );

  it('answers nothing to what wants no answer, nor to answers that nobody asked for', () => {
    const silent = [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'done', arguments: CLAIM } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
    ];
    for (const one of [...silent, silent])
      expect(speak(one)).toEqual({ heard: [], refused: 0, isMalformed: false, body: undefined });
  });

  it('lists every tool with a schema that providers take', () => {
    const { tools } = speak(rpc('tools/list')).body.result;
    expect(tools).toHaveLength(6);
    for (const { description, inputSchema } of tools) {
      expect(description).not.toBe('');
      expect(inputSchema.type).toBe('object');
      // Tool lists travel with every call of a model, and some providers refuse the call for these.
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(?:pattern|propertyNames|\$schema|\$ref)"/);
    }
  });
});

describe('a call', () => {
  it.each([
    ['brief', {}, { kind: 'brief' }],
    ['heartbeat', { seq: 4 }, { kind: 'heartbeat', body: { seq: 4 } }],
    ['note', { text: 'a' }, { kind: 'note', body: { text: 'a' } }],
    [
      'request',
      { what: 'host', target: 'a.example' },
      { kind: 'request', body: { what: 'host', target: 'a.example' } },
    ],
    ['blocked', QUESTION, { kind: 'blocked', body: QUESTION }],
    ['done', CLAIM, { kind: 'done', body: CLAIM }],
  ])('%s says one thing, as it was given', (name, given, said) => {
    const { heard, body } = speak(call(name, given));
    expect(heard).toEqual([said]);
    expect(body.result).toEqual({ content: [{ type: 'text', text: '{"is":"taken"}' }], isError: false });
  });

  it.each([
    ['done', { ...CLAIM, status: 'splendid' }, 'status'],
    ['done', {}, 'status'],
    ['blocked', { ...QUESTION, blocked_at: 'now' }, 'blocked_at'],
    ['note', { text: 'x'.repeat(2001) }, 'text'],
    ['request', { what: 5 }, 'what'],
    ['heartbeat', { seq: -1 }, 'seq'],
    ['heartbeat', { seq: 1e300 }, 'seq'],
  ])('%s that does not fit is answered with what is wrong, and not heard', (name, given, at) => {
    const { heard, refused, body } = speak(call(name, given));
    expect({ heard, refused, isError: body.result.isError }).toEqual({ heard: [], refused: 1, isError: true });
    expect(body.result.content[0].text).toContain(at);
  });

  it('is answered under its own id, and one id twice twice', () => {
    const batch = [call('heartbeat'), call('heartbeat'), { jsonrpc: '2.0', method: 'x' }, 7, call('nothing', {}, 's')];
    const { body, heard, refused } = speak(batch);
    expect(body.map(({ id, error }: any) => [id, error?.code])).toEqual([
      [1, undefined],
      [1, undefined],
      [null, -32_600],
      ['s', -32_602],
    ]);
    expect([heard.length, refused]).toEqual([2, 1 + 1]);
  });

  const ill: Readonly<Record<string, [code: number, value: unknown]>> = {
    'no JSON': [-32_700, undefined],
    'an empty batch': [-32_600, []],
    'a batch of seventeen': [-32_600, Array(17).fill(call('heartbeat'))],
    'a batch in a batch': [-32_600, [[call('heartbeat')]]],
    'a number': [-32_600, 7],
    nothing: [-32_600, null],
    'an id without end': [-32_600, rpc('ping', {}, 'x'.repeat(900_000))],
    'an id that is no number any more': [-32_600, JSON.parse('{"jsonrpc":"2.0","id":1e400,"method":"ping"}')],
    'an id that is an object': [-32_600, rpc('ping', {}, {})],
    'another version of the protocol': [-32_600, { ...rpc('ping'), jsonrpc: '1.0' }],
    'a method of every object': [-32_601, rpc('constructor')],
    'a method that servers of files have': [-32_601, rpc('resources/read', { uri: 'file:///etc/passwd' })],
    'a tool of every object': [-32_602, call('__proto__')],
    'arguments that are a list': [-32_602, call('note', [1])],
    'arguments nested five thousand deep': [-32_602, call('heartbeat', nested(5000))],
    'no parameters': [-32_602, rpc('tools/call')],
  };
  it.each(Object.keys(ill))('of this kind says nothing: %s', (name) => {
    const [code, value] = ill[name]!;
    const { heard, refused, body } = speak(value);
    const [first] = [body].flat();
    expect({ heard, refused, code: first.error.code }).toEqual({ heard: [], refused: 1, code });
  });
});
