// The OpenAI Responses API as Codex speaks it: typed events with a running number, and everything once more in the last one.
import { argumentsOf, bearer, errorType, nextId, type Protocol, type Question, type StreamEvent } from './protocol.ts';
import { pieces, type ToolCall, type Usage, type Whole } from './script.ts';

export const RESPONSES: Protocol = {
  name: 'responses',
  path: '/responses',
  keyOf: bearer,
  toolName: ({ name, type }) => name ?? type,
  moreTools: ({ input }) => (Array.isArray(input) ? (input as Item[]) : []).flatMap(offeredIn),
  stream: (answer, question) => {
    const response = envelope(question);
    const parts = partsOf(answer);
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.in_progress', response: { ...response, status: 'in_progress' } },
      ...parts.flatMap(({ begun, item, between }, at) => [
        { type: 'response.output_item.added', output_index: at, item: begun },
        ...between.map((event) => ({ ...event, item_id: item['id'], output_index: at })),
        { type: 'response.output_item.done', output_index: at, item },
      ]),
      { type: 'response.completed', response: completed(response, parts, answer.usage) },
    ];
    return events.map((event, at): StreamEvent => ({ name: event.type, data: { ...event, sequence_number: at } }));
  },
  whole: (answer, question) => completed(envelope(question), partsOf(answer), answer.usage),
  refusal: (status, message) => ({ error: { message, type: errorType(status), param: null, code: errorType(status) } }),
};

type Item = Readonly<Record<string, unknown>>;
/** Codex tells newer models of their tools in an item of its own, in groups by name. */
function offeredIn({ type, tools }: Item): readonly Item[] {
  const offered = type === 'additional_tools' && Array.isArray(tools) ? (tools as Item[]) : [];
  return offered.flatMap((tool) => (tool['type'] === 'namespace' ? ((tool['tools'] ?? []) as Item[]) : [tool]));
}

type Part = {
  readonly begun: Item;
  readonly item: Item;
  readonly between: readonly ({ readonly type: string } & Item)[];
};

function partsOf({ say, calls }: Whole): Part[] {
  return [
    ...(say === '' ? [] : [message(say)]),
    ...calls.map((call) => ('text' in call ? custom(call) : called(call))),
  ];
}

function message(text: string): Part {
  const id = nextId('msg');
  const role = { type: 'message', id, role: 'assistant' };
  const part = (text: string): Item => ({ type: 'output_text', text, annotations: [] });
  return {
    begun: { ...role, status: 'in_progress', content: [] },
    item: { ...role, status: 'completed', content: [part(text)] },
    between: [
      { type: 'response.content_part.added', content_index: 0, part: part('') },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta })),
      { type: 'response.output_text.done', content_index: 0, text },
      { type: 'response.content_part.done', content_index: 0, part: part(text) },
    ],
  };
}

function called(call: ToolCall): Part {
  const text = argumentsOf(call);
  const head = { type: 'function_call', id: nextId('fc'), call_id: nextId('call'), name: call.tool };
  return {
    begun: { ...head, arguments: '', status: 'in_progress' },
    item: { ...head, arguments: text, status: 'completed' },
    between: [
      ...pieces(text).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
      { type: 'response.function_call_arguments.done', arguments: text },
    ],
  };
}

function custom(call: ToolCall & { readonly text: string }): Part {
  const head = { type: 'custom_tool_call', id: nextId('ctc'), call_id: nextId('call'), name: call.tool };
  return {
    begun: { ...head, input: '', status: 'in_progress' },
    item: { ...head, input: call.text, status: 'completed' },
    between: [
      ...pieces(call.text).map((delta) => ({ type: 'response.custom_tool_call_input.delta', delta })),
      { type: 'response.custom_tool_call_input.done', input: call.text },
    ],
  };
}

function envelope({ model }: Question): Item {
  return { id: nextId('resp'), object: 'response', created_at: 1_760_000_000, model, output: [], error: null };
}

function completed(response: Item, parts: readonly Part[], usage: Usage | null): Item {
  return { ...response, status: 'completed', output: parts.map(({ item }) => item), ...spent(usage) };
}

function spent(usage: Usage | null): Item {
  if (usage === null) return {};
  return {
    usage: {
      input_tokens: usage.in,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.out,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.in + usage.out,
    },
  };
}
