// Anthropic's Messages: named events per content block; what went in is said at the start, what came out at the end.
import { argumentsOf, bearer, errorType, nextId, type Protocol, type Question, type StreamEvent } from './protocol.ts';
import { pieces, USAGE, type Whole } from './script.ts';

export const ANTHROPIC: Protocol = {
  name: 'anthropic',
  path: '/messages',
  keyOf: (headers) => headers['x-api-key']?.toString() ?? bearer(headers),
  toolName: ({ name }) => name,
  stream: (answer, question) => {
    const usage = answer.usage ?? undefined;
    const blocks = blocksOf(answer);
    return [
      event('message_start', {
        message: {
          ...envelope(question),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          ...(usage && { usage: { input_tokens: usage.in, output_tokens: 1 } }),
        },
      }),
      event('ping', {}),
      ...blocks.flatMap(({ begun, deltas }, index) => [
        event('content_block_start', { index, content_block: begun }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: stop(answer), stop_sequence: null },
        ...(usage && { usage: { output_tokens: usage.out } }),
      }),
      event('message_stop', {}),
    ];
  },
  whole: (answer, question) => ({
    ...envelope(question),
    content: blocksOf(answer).map(({ whole }) => whole),
    stop_reason: stop(answer),
    stop_sequence: null,
    ...(answer.usage !== null && { usage: { input_tokens: answer.usage.in, output_tokens: answer.usage.out } }),
  }),
  refusal: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
};

/** What its clients ask beside: how long a question would be. */
export const COUNT_TOKENS = { path: '/messages/count_tokens', answer: { input_tokens: USAGE.in } };

type Block = { readonly begun: unknown; readonly deltas: readonly unknown[]; readonly whole: unknown };

function blocksOf({ say, calls }: Whole): Block[] {
  const text = {
    begun: { type: 'text', text: '' },
    deltas: pieces(say).map((part) => ({ type: 'text_delta', text: part })),
    whole: { type: 'text', text: say },
  };
  const called = calls.map((call): Block => {
    const head = { type: 'tool_use', id: nextId('toolu'), name: call.tool };
    const input = argumentsOf(call);
    return {
      begun: { ...head, input: {} },
      deltas: pieces(input).map((part) => ({ type: 'input_json_delta', partial_json: part })),
      whole: { ...head, input: JSON.parse(input) as unknown },
    };
  });
  return say === '' ? called : [text, ...called];
}

function event(name: string, data: Readonly<Record<string, unknown>>): StreamEvent {
  return { name, data: { type: name, ...data } };
}

function envelope({ model }: Question): Readonly<Record<string, unknown>> {
  return { id: nextId('msg'), type: 'message', role: 'assistant', model };
}

function stop({ calls }: Whole): string {
  return calls.length === 0 ? 'end_turn' : 'tool_use';
}
