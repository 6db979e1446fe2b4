// The kernel port as a place of the listener: JSON lines at `/_port`, the Model Context Protocol at `/_port/mcp`. Bounds what is
// read and how often; what is said there is heard by somebody else, who is handed in.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerMcp, isKnownVersion } from '../../kernel/port/mcp.ts';
import { readJson, readLine, type Answer, type KernelPort } from '../../kernel/port/said.ts';
import { allowanceOf } from './allowance.ts';
import { deny, type Denial } from './denial.ts';
import type { Place } from './listener.ts';

type PortLimits = {
  readonly bodyBytes: number;
  /** For a body to come, and for its answer to be read: neither holds anything for longer. */
  readonly patienceMs: number;
  readonly lines: number;
  readonly open: number;
  /** Requests, lines and calls, each of them one. */
  readonly atOnce: number;
  readonly perSecond: number;
};

const LIMITS: PortLimits = {
  bodyBytes: 1024 * 1024,
  patienceMs: 15_000,
  lines: 64,
  open: 8,
  atOnce: 128,
  perSecond: 10,
};
const FIRST_BYTES = 16 * 1024;
const LINES = '/_port';
const MCP = '/_port/mcp';

type Parts = { readonly limits?: Partial<PortLimits>; readonly nowMs?: () => number };
type Shared = { readonly port: KernelPort; readonly limits: PortLimits; readonly may: (times: number) => boolean };

export function portPlace(port: KernelPort, { limits: some, nowMs = () => performance.now() }: Parts = {}): Place {
  const limits = { ...LIMITS, ...some };
  const shared: Shared = { port, limits, may: allowanceOf(limits, nowMs) };
  let open = 0;
  return {
    async answer(request, response) {
      if (request.url !== LINES && request.url !== MCP) return false;
      response.on('error', () => undefined);
      const why = open >= limits.open || !shared.may(1) ? 'port_flood' : refusal(request);
      if (why !== undefined) {
        // One that asks for a stream, as the protocol lets it, asked for nothing bad.
        if (why !== 'port_method') port.refused();
        refuse(response, why);
        return true;
      }
      open += 1;
      const gone = new Promise((resolve) => response.once('close', resolve));
      try {
        const body = await bodyOf(request, limits);
        if ('text' in body) (request.url === MCP ? answerCalls : answerLines)(body.text, response, shared);
        else refuse(response, body.why, port);
        await Promise.race([gone, wait(limits.patienceMs, undefined, { ref: false })]);
      } finally {
        // An answer that nobody reads is held for nobody.
        if (!response.writableFinished) response.destroy();
        open -= 1;
      }
      return true;
    },
  };
}

/** By its head alone: nothing of the rest was read. */
function refusal({ method, headers, url }: IncomingMessage): Denial | undefined {
  // A page that an agent looks at would otherwise speak for it. Browsers name it, programs do not.
  if (headers.origin !== undefined) return 'port_from_page';
  if (method !== 'POST') return 'port_method';
  const version = headers['mcp-protocol-version'];
  return url === MCP && version !== undefined && !isKnownVersion(String(version)) ? 'port_version' : undefined;
}

function answerLines(text: string, response: ServerResponse, { port, limits, may }: Shared): void {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return refuse(response, 'port_malformed', port);
  if (lines.length > limits.lines) return refuse(response, 'port_too_large', port);
  // All of them or none: whoever is told so can say them again.
  if (!may(lines.length - 1)) return refuse(response, 'port_flood', port);
  const answers = lines.map((line): Answer => {
    const said = readLine(line);
    if (said !== undefined) return port.say(said);
    port.refused();
    return NOT_A_MESSAGE;
  });
  const written = answers.map((answer) => `${JSON.stringify(answer)}\n`);
  response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(written.join(''));
}

const NOT_A_MESSAGE: Answer = {
  is: 'not_taken',
  because: 'malformed',
  why: 'A line is {"kind": …, "body": …}: heartbeat, note {text}, request {what, target, why}, blocked, done; or brief, without a body.',
};

function answerCalls(text: string, response: ServerResponse, { port, may }: Shared): void {
  const value = readJson(text);
  if (Array.isArray(value) && !may(Math.max(0, value.length - 1))) return refuse(response, 'port_flood', port);
  const { isMalformed, body } = answerMcp(value, port);
  if (body === undefined) return void response.writeHead(202, { 'content-length': 0 }).end();
  response.writeHead(isMalformed ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, why: Denial, port?: KernelPort): void {
  port?.refused();
  if (why === 'port_method') response.setHeader('allow', 'POST');
  deny(response, why, '');
}

/** Whole, or why not. Into one buffer: of a million pieces of a byte each, every piece would hold the read that it came with. */
function bodyOf(
  request: IncomingMessage,
  { bodyBytes, patienceMs }: PortLimits,
): Promise<{ readonly text: string } | { readonly why: Denial }> {
  return new Promise((resolve) => {
    let held = Buffer.alloc(FIRST_BYTES);
    let bytes = 0;
    const end = (body: { readonly text: string } | { readonly why: Denial }): void => {
      clearTimeout(late);
      request.removeAllListeners('data');
      resolve(body);
    };
    const late = setTimeout(() => end({ why: 'port_slow' }), patienceMs);
    request.on('data', (chunk: Buffer) => {
      const needed = bytes + chunk.length;
      if (needed > bodyBytes) return end({ why: 'port_too_large' });
      if (needed > held.length) held = Buffer.concat([held], Math.min(bodyBytes, 2 * needed));
      bytes += chunk.copy(held, bytes);
      return undefined;
    });
    request.on('error', () => undefined);
    request.once('end', () => end({ text: held.toString('utf8', 0, bytes) }));
    // It left before it had said what it announced.
    request.once('close', () => end({ why: 'port_malformed' }));
  });
}
