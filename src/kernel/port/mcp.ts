// The Model Context Protocol as far as the kernel port needs it: JSON-RPC calls of six tools, each of which says one thing. No
// sessions, no streams, nothing that the server begins. Knows nothing of HTTP, and hears no message itself.
import { z } from 'zod';
import { Blocked } from '../contract/blocked.ts';
import { firstIssue } from '../contract/brief.ts';
import { Done } from '../contract/done.ts';
import { Note, Request, type Answer, type KernelPort, type Said } from './said.ts';

/** The newest first: whoever asks for one that is not here is offered it. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const BATCH_MAX = 16;
const ID_CHARACTERS_MAX = 200;
const METHOD_CHARACTERS_MAX = 100;

/** `body` is left out where nothing is to be said. */
type Replied = { readonly isMalformed: boolean; readonly body?: unknown };

export function isKnownVersion(version: string): boolean {
  return VERSIONS.some((known) => known === version);
}

/** `value`: what was posted, one call or several; undefined where it was no JSON. */
export function answerMcp(value: unknown, port: KernelPort): Replied {
  if (value === undefined) return malformed(port, PARSE_ERROR, 'This is no JSON text, or nested too deep.');
  if (!Array.isArray(value)) {
    const reply = answerOne(value, port);
    return { isMalformed: false, ...(reply === undefined ? {} : { body: reply }) };
  }
  if (value.length === 0 || value.length > BATCH_MAX)
    return malformed(port, INVALID_REQUEST, `A batch has between one and ${BATCH_MAX} calls.`);
  const replies = value.map((one) => answerOne(one, port)).filter((reply) => reply !== undefined);
  return { isMalformed: false, ...(replies.length === 0 ? {} : { body: replies }) };
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const Id = z.union([z.string().max(ID_CHARACTERS_MAX), z.number()]);
type Id = z.infer<typeof Id> | null;
const Rpc = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.optional(),
  method: z.string().max(METHOD_CHARACTERS_MAX),
  params: z.unknown().optional(),
});
/** An answer to something that nobody asked. */
const Reply = z.object({ jsonrpc: z.literal('2.0'), id: Id, method: z.undefined().optional() });

function answerOne(value: unknown, port: KernelPort): unknown {
  const read = Rpc.safeParse(value);
  if (!read.success) {
    if (Reply.safeParse(value).success) return undefined;
    port.refused();
    return failed(null, INVALID_REQUEST, 'This is no call of JSON-RPC 2.0.');
  }
  const { id, method, params } = read.data;
  // What wants no answer (`notifications/initialized`) needs nothing done.
  if (id === undefined) return undefined;
  switch (method) {
    case 'initialize':
      return done(id, initialized(params));
    case 'ping':
      return done(id, {});
    case 'tools/list':
      return done(id, { tools: toolList() });
    case 'tools/call':
      return called(id, params, port);
    default:
      port.refused();
      return failed(id, METHOD_NOT_FOUND, 'There are initialize, ping, tools/list and tools/call.');
  }
}

const Asked = z.object({ protocolVersion: z.string() });

function initialized(params: unknown): unknown {
  const asked = Asked.safeParse(params);
  const isKnown = asked.success && isKnownVersion(asked.data.protocolVersion);
  return {
    protocolVersion: isKnown ? asked.data.protocolVersion : VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'lazarus', title: 'The supervisor of this cell', version: '1' },
    instructions:
      'Call `brief` for what to do. Call `done` with what you claim when you stop, `blocked` with a question that you go on without. What is claimed here is recorded and decides nothing: the work is verified elsewhere.',
  };
}

type Tool = {
  readonly description: string;
  readonly takes: z.ZodType;
  readonly says: (given: unknown) => Said;
};

const TOOLS: Readonly<Record<Said['kind'], Tool>> = {
  brief: {
    description: 'What this mission is about: its goal, the files it may change, and how the work is verified.',
    takes: z.object({}),
    says: () => ({ kind: 'brief' }),
  },
  heartbeat: {
    description: 'Says that you are still at work.',
    takes: z.object({ seq: z.int().min(0).optional() }),
    says: (body) => ({ kind: 'heartbeat', body }),
  },
  note: {
    description: 'Leaves a short text for the people who look at this attempt later.',
    takes: Note,
    says: (body) => ({ kind: 'note', body: body as z.infer<typeof Note> }),
  },
  request: {
    description:
      'Asks for a host, a route or an effect. The answer is granted or refused, by the plan that people approved, at once; it is recorded. Effects happen after verification, never by you.',
    takes: Request,
    says: (body) => ({ kind: 'request', body: body as Request }),
  },
  blocked: {
    description: 'Hands a question to people while you go on with your fallback. Nobody answers before you end.',
    takes: Blocked,
    says: (body) => ({ kind: 'blocked', body }),
  },
  done: {
    description: 'Says that the work is done, and what you claim of it. The first one counts.',
    takes: Done,
    says: (body) => ({ kind: 'done', body }),
  },
};

let listed: readonly unknown[] | undefined;

function toolList(): readonly unknown[] {
  listed ??= Object.entries(TOOLS).map(([name, { description, takes }]) => ({
    name,
    description,
    inputSchema: schemaOf(takes),
  }));
  return listed;
}

/** Providers refuse a whole request for a keyword that they do not know, and the model needs these least. */
function schemaOf(takes: z.ZodType): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(takes, {
    io: 'input',
    override({ jsonSchema }) {
      delete jsonSchema.pattern;
      delete jsonSchema.propertyNames;
    },
  });
  return schema;
}

const Calling = z.object({
  name: z.enum(['brief', 'heartbeat', 'note', 'request', 'blocked', 'done']),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

function called(id: Id, params: unknown, port: KernelPort): unknown {
  const calling = Calling.safeParse(params);
  if (!calling.success) {
    port.refused();
    return failed(id, INVALID_PARAMS, `There are these tools: ${Object.keys(TOOLS).join(', ')}.`);
  }
  const tool = TOOLS[calling.data.name];
  const given = calling.data.arguments;
  const fits = tool.takes.safeParse(given);
  if (!fits.success) {
    port.refused();
    const { at, why } = firstIssue(fits.error);
    return done(id, result({ is: 'not_taken', because: 'malformed', why: at === '' ? why : `${at}: ${why}` }));
  }
  return done(id, result(port.say(tool.says(given))));
}

/** A model reads text; a refused request is an answer and no error. */
function result(answer: Answer): unknown {
  const texts = answer.is === 'brief' ? [answer.markdown, JSON.stringify(answer.json)] : [JSON.stringify(answer)];
  return { content: texts.map((text) => ({ type: 'text', text })), isError: answer.is === 'not_taken' };
}

function done(id: Id, value: unknown): unknown {
  return { jsonrpc: '2.0', id, result: value };
}

function failed(id: Id, code: number, message: string): unknown {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function malformed(port: KernelPort, code: number, message: string): Replied {
  port.refused();
  return { isMalformed: true, body: failed(null, code, message) };
}
