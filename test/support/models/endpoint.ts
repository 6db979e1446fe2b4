// A model on loopback for agents that are real: it speaks its provider's protocol and does what a script says, turn by turn.
// Knows nothing of cells and routes; judges nothing but whether the right key was there.
//
//     const model = await startModel({ key, script: [
//       { calls: [{ tool: 'shell', arguments: { command: ['bash', '-lc', 'echo fixed > a.txt'] } }] },
//       { say: 'Done.' },
//     ] });
//     onTestFinished(model.close);
//     model.origin          // http://127.0.0.1:<port>, the origin of a route (with `range: 127.0.0.0/8`)
//     model.asked           // what came, without the key
//
// One endpoint speaks all three: POST …/responses (Codex), …/chat/completions and …/messages (OpenCode and others); GET
// …/models lists one model. Answers stream when the request says so. Tools that were offered stand in `asked.tools`: a script
// that is a function can choose by them, `(asked) => …`, where a list would have to know the version's names.
// A request without the right key is answered 401 and takes no turn. A question without tools (a title) is answered `aside`
// and takes none either. After the last turn everything is answered 400, which no client tries again.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ANTHROPIC, COUNT_TOKENS } from './anthropic.ts';
import { CHAT } from './chat.ts';
import type { Protocol, Question, StreamEvent } from './protocol.ts';
import { RESPONSES } from './responses.ts';
import { isAnswer, whole, type Asked, type Script, type Turn } from './script.ts';

export type Model = {
  readonly origin: string;
  readonly asked: readonly Asked[];
  readonly close: () => Promise<void>;
};

type Options = {
  readonly key: string;
  readonly script: Script;
  readonly aside?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
};

const PROTOCOLS = [RESPONSES, CHAT, ANTHROPIC];
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'cookie', 'proxy-authorization']);

export async function startModel(options: Options): Promise<Model> {
  const asked: Asked[] = [];
  const listener: RequestListener = (request, response) => {
    response.on('error', () => {});
    void readBody(request).then((body) => {
      if (body !== undefined) answer(request, response, body, options, asked);
    });
  };
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http${options.tls === undefined ? '' : 's'}://127.0.0.1:${port}`,
    asked,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  options: Options,
  asked: Asked[],
): void {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (request.method === 'GET' && path.endsWith('/models')) return json(response, 200, LISTED);
  if (path.endsWith(COUNT_TOKENS.path)) return json(response, 200, COUNT_TOKENS.answer);
  const protocol = PROTOCOLS.find((one) => path.endsWith(one.path));
  if (protocol === undefined || request.method !== 'POST')
    return json(response, 404, { error: { message: 'no such' } });
  const question = readQuestion(body, protocol);
  if (question === undefined) return json(response, 400, protocol.refusal(400, 'that is no JSON'));

  const given = protocol.keyOf(request.headers);
  const key = given === undefined ? 'absent' : given === options.key ? 'right' : 'wrong';
  const isAside = question.tools.length === 0;
  const takes = key === 'right' && !isAside;
  const now: Asked = {
    turn: takes ? asked.filter(({ turn }) => turn !== null).length : null,
    protocol: protocol.name,
    method: request.method,
    path: request.url ?? '',
    model: question.model,
    isStream: question.isStream,
    tools: question.tools,
    key,
    headers: headersOf(request, options.key),
    body: body.replaceAll(options.key, '<key>'),
    holdsKey: body.includes(options.key),
  };
  asked.push(now);
  if (key !== 'right') return json(response, 401, protocol.refusal(401, 'no such key'));
  const turn = isAside ? { say: options.aside ?? 'A title' } : turnOf(options.script, now);
  if (turn === undefined) return json(response, 400, protocol.refusal(400, 'the script is over'));
  return act(turn, { request, response, protocol, question, key: options.key });
}

function turnOf(script: Script, now: Asked): Turn | undefined {
  return typeof script === 'function' ? script(now) : script[now.turn ?? 0];
}

type Stage = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly protocol: Protocol;
  readonly question: Question;
  readonly key: string;
};

function act(turn: Turn, stage: Stage): void {
  const { response, protocol, question, key } = stage;
  if (isAnswer(turn)) return tell(turn, stage);
  if ('refuse' in turn) {
    const { refuse, retryAfterSeconds: after } = turn;
    if (after !== undefined) response.setHeader('retry-after', String(after));
    return json(response, refuse, protocol.refusal(refuse, refuse === 429 ? 'too many requests' : 'not now'));
  }
  if ('redirect' in turn) {
    response.writeHead(turn.status ?? 307, { location: turn.redirect }).end();
    return undefined;
  }
  if ('drop' in turn) {
    const events = protocol.stream(whole(turn.drop), question).map(written);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const half = events.slice(0, Math.ceil(events.length / 2)).join('');
    response.write(half, () => response.socket?.destroy());
    return undefined;
  }
  if ('endless' in turn) return pour(turn.endless, stage);
  if (turn.echo === 'error') return json(response, 401, protocol.refusal(401, `the key ${key} is used up`));
  if (turn.echo === 'header') {
    response.setHeader('x-request-id', key);
    return tell({ say: 'Look at my headers.' }, stage);
  }
  return tell({ say: `It is ${turn.echo === 'text' ? key : Buffer.from(key).toString('base64')} indeed.` }, stage);
}

function tell(turn: Turn & { readonly say?: string }, { response, protocol, question }: Stage): void {
  if (!isAnswer(turn)) return;
  if (!question.isStream) return json(response, 200, protocol.whole(whole(turn), question));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of protocol.stream(whole(turn), question)) response.write(written(event));
  response.end(protocol.farewell === undefined ? '' : `data: ${protocol.farewell}\n\n`);
}

/** One text again and again, as fast as it is taken. */
function pour(text: string, { response, protocol, question }: Stage): void {
  const events = protocol.stream(whole({ say: text }), question).map(written);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const more = (): void => {
    while (!response.destroyed && response.write(events[Math.floor(events.length / 2)]));
  };
  response.write(events.slice(0, Math.floor(events.length / 2)).join(''));
  response.on('drain', more);
  more();
}

function written({ name, data }: StreamEvent): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function readQuestion(text: string, protocol: Protocol): Question | undefined {
  const body = parsed(text);
  if (body === undefined) return undefined;
  const listed = Array.isArray(body['tools']) ? (body['tools'] as Record<string, unknown>[]) : [];
  const tools = [...listed, ...(protocol.moreTools?.(body) ?? [])];
  return {
    model: typeof body['model'] === 'string' ? body['model'] : '',
    isStream: body['stream'] === true,
    tools: tools.map((tool) => String(protocol.toolName(tool))),
    body,
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function headersOf({ headers }: IncomingMessage, key: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      CREDENTIALS.has(name) ? '<credential>' : String(value).replaceAll(key, '<key>'),
    ]),
  );
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // Whoever asked is gone.
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const LISTED = {
  object: 'list',
  data: [{ id: 'scripted', object: 'model', type: 'model', display_name: 'Scripted', owned_by: 'test' }],
};
