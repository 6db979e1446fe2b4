// What an answer cost is found wherever it is cut, and never in what a model says.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { usageReader, type UsageReader } from '../../../src/kernel/network/usage.ts';

function read(of: 'openai' | 'anthropic', text: string, size = text.length): ReturnType<UsageReader['used']> {
  const reader = usageReader(of);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return reader.used();
}

const RESPONSES = [
  'event: response.created',
  'data: {"type":"response.created","response":{"id":"r","usage":null}}',
  '',
  ': a comment',
  'data: {"type":"response.output_text.delta","delta":"\\"usage\\":{\\"input_tokens\\":7}"}',
  '',
  'event: response.completed',
  'data: {"type":"response.completed","response":{"output":[{"usage":{"output_tokens":99999}}],"usage":{"input_tokens":120,',
  'data: "input_tokens_details":{"cached_tokens":64000},"output_tokens":35,"total_tokens":155}}}',
  '',
  '',
].join('\n');

const MESSAGES = [
  'event: message_start',
  'data: {"type":"message_start","message":{"usage":{"input_tokens":20,"cache_creation_input_tokens":300,"cache_read_input_tokens":4000,"output_tokens":1}}}',
  '',
  'event: message_delta',
  'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}',
  '',
  '',
].join('\r\n');

it.each([
  ['openai', RESPONSES, { tokensIn: 120, tokensOut: 35, isWhole: true }],
  [
    'openai',
    '{"choices":[{"message":{"content":"}"}}],"usage":{"prompt_tokens":9,"completion_tokens":12}}',
    { tokensIn: 9, tokensOut: 12, isWhole: true },
  ],
  [
    'openai',
    'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":12}}\n\ndata: [DONE]\n\n',
    { tokensIn: 9, tokensOut: 12, isWhole: true },
  ],
  ['anthropic', MESSAGES, { tokensIn: 4320, tokensOut: 15, isWhole: true }],
  [
    'anthropic',
    ' {"type":"message","usage":{"input_tokens":3,"output_tokens":4}}',
    { tokensIn: 3, tokensOut: 4, isWhole: true },
  ],
  ['anthropic', '{"input_tokens":2000}', { tokensIn: 0, tokensOut: 0, isWhole: true }],
] as const)('of %s, cut anywhere: %s', (of, text, used) => {
  for (const size of [1, 2, 3, 7, 64, text.length]) expect(read(of, text, size)).toEqual(used);
});

it('of a stream that broke off is what came first, and not the last word', () => {
  const begun = MESSAGES.slice(0, MESSAGES.indexOf('event: message_delta'));
  expect(read('anthropic', begun)).toEqual({ tokensIn: 4320, tokensOut: 1, isWhole: false });
  expect(read('openai', RESPONSES.slice(0, RESPONSES.indexOf('event: response.completed')))).toEqual({
    tokensIn: 0,
    tokensOut: 0,
    isWhole: false,
  });
});

it.each([
  ['text of a model', '{"output":[{"text":"{\\"usage\\":{\\"output_tokens\\":5}}"}]}'],
  ['an argument of a tool', '{"output":[{"arguments":{"usage":{"output_tokens":5}}}]}'],
  ['a field of the same name elsewhere', '{"metadata":{"usage":{"output_tokens":5}}}'],
  ['a list', '[{"usage":{"output_tokens":5}}]'],
  ['a fraction, a negative or an exponent', '{"usage":{"output_tokens":1.5,"input_tokens":-3,"prompt_tokens":1e9}}'],
  ['a number that no computer counts to', `{"usage":{"output_tokens":${'9'.repeat(400)}}}`],
  ['a name that goes on', '{"usage":{"output_tokens_details":5,"x_output_tokens":5}}'],
  ['a name with an escape at its end', '{"usage":{"output_tokens\\\\":5}}'],
  ['a value that nests without end', `${'{"usage":['.repeat(2000)}5`],
  ['no answer at all', '<html>"usage":{"output_tokens":5}</html>'],
])('is not found in %s', (_, text) => {
  for (const of of ['openai', 'anthropic'] as const)
    expect(read(of, text)).toEqual({ tokensIn: 0, tokensOut: 0, isWhole: false });
});

it('agrees with a whole JSON value, whatever it holds', () => {
  const whole = fc.record({
    usage: fc.record({ input_tokens: fc.nat(), output_tokens: fc.nat() }),
    more: fc.jsonValue(),
  });
  fc.assert(
    fc.property(whole, fc.boolean(), fc.integer({ min: 1, max: 40 }), ({ usage, more }, isFirst, size) => {
      const text = JSON.stringify(isFirst ? { usage, more } : { more, usage });
      expect(read('openai', text, size)).toEqual({
        tokensIn: usage.input_tokens,
        tokensOut: usage.output_tokens,
        isWhole: true,
      });
    }),
  );
});
