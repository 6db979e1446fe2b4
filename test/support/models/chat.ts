// OpenAI's Chat Completions, which most other providers and local models speak as well: unnamed chunks, usage in the last one
// and only when asked for, and a word at the end.
import { argumentsOf, bearer, errorType, nextId, type Protocol, type Question, type StreamEvent } from './protocol.ts';
import { pieces, type Usage, type Whole } from './script.ts';

export const CHAT: Protocol = {
  name: 'chat',
  path: '/chat/completions',
  keyOf: bearer,
  toolName: (tool) => (tool['function'] as { name?: unknown } | undefined)?.name,
  stream: ({ say, calls, usage }, question) => {
    const head = envelope(question, 'chat.completion.chunk');
    const chunk = (delta: unknown, reason: string | null = null): StreamEvent => ({
      data: { ...head, choices: [{ index: 0, delta, finish_reason: reason }] },
    });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(say).map((content) => chunk({ content })),
      ...calls.flatMap((call, index) => [
        chunk({
          tool_calls: [{ index, id: nextId('call'), type: 'function', function: { name: call.tool, arguments: '' } }],
        }),
        ...pieces(argumentsOf(call)).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      chunk({}, finish(calls)),
      ...(usage !== null && wantsUsage(question) ? [{ data: { ...head, choices: [], usage: spent(usage) } }] : []),
    ];
  },
  farewell: '[DONE]',
  whole: ({ say, calls, usage }, question) => ({
    ...envelope(question, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: say,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call) => ({
                  id: nextId('call'),
                  type: 'function',
                  function: { name: call.tool, arguments: argumentsOf(call) },
                })),
              }),
        },
        finish_reason: finish(calls),
      },
    ],
    ...(usage === null ? {} : { usage: spent(usage) }),
  }),
  refusal: (status, message) => ({ error: { message, type: errorType(status), param: null, code: errorType(status) } }),
};

function envelope({ model }: Question, object: string): Readonly<Record<string, unknown>> {
  return { id: nextId('chatcmpl'), object, created: 1_760_000_000, model };
}

function finish(calls: Whole['calls']): string {
  return calls.length === 0 ? 'stop' : 'tool_calls';
}

function wantsUsage({ body }: Question): boolean {
  return (body['stream_options'] as { include_usage?: unknown } | undefined)?.include_usage === true;
}

function spent(usage: Usage): unknown {
  return { prompt_tokens: usage.in, completion_tokens: usage.out, total_tokens: usage.in + usage.out };
}
