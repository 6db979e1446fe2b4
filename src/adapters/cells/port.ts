// The kernel port's host end: whatever a participant says, through the inherited socket or at its listener, is heard here, once
// and bounded. What does not fit is counted and dropped, and nothing that is said can stop the reader or fill the memory.
import { StringDecoder } from 'node:string_decoder';
import type { Duplex } from 'node:stream';
import { answerRequest, type Granted } from '../../kernel/port/request.ts';
import {
  LINE_CHARACTERS_MAX,
  readJson,
  readLine,
  type Answer,
  type KernelPort,
  type Said,
} from '../../kernel/port/said.ts';
import type { CellSpec, PortMessage, PortRecord } from '../../ports/cells.ts';
import { redactText } from '../system/redact.ts';
import { queue, type Queue } from './queue.ts';

const MESSAGES_MAX = 10_000;
/** They stay in memory, and go into one document. */
const NOTES_MAX = 64;
const REQUESTS_MAX = 64;
/** Beyond it whoever asks does not read, and is not answered. */
const UNREAD_BYTES_MAX = 64 * 1024;

export type Port = KernelPort & {
  readonly events: Queue<PortMessage>;
  readonly count: { messages: number; refused: number };
  readonly record: () => PortRecord;
};

type Spec = Pick<CellSpec, 'canaries' | 'reach' | 'effects' | 'brief'>;

export function openPort({ canaries = [], reach, effects = [], brief = {} }: Spec): Port {
  const events = queue<PortMessage>();
  const count = { messages: 0, refused: 0 };
  const notes: string[] = [];
  const requests: PortRecord['requests'][number][] = [];
  const routes = (reach?.routes ?? []).map(({ name }) => name);
  const granted: Granted = { hosts: reach?.hosts ?? [], routes, effects };
  // Of strings by themselves: what comes out has no half of a character, which no document takes.
  const clean = (text: string): string => redactText(text, canaries);

  function hear(said: Said): Answer {
    switch (said.kind) {
      case 'brief':
        return {
          is: 'brief',
          markdown: textOf(brief['brief.md']),
          json: readJson(textOf(brief['brief.json'])) ?? null,
        };
      case 'note':
        if (notes.length >= NOTES_MAX) return TOO_MANY;
        notes.push(clean(said.body.text));
        return TAKEN;
      case 'request': {
        if (requests.length >= REQUESTS_MAX) return TOO_MANY;
        const { what, target, why } = said.body;
        const asked = {
          what: clean(what),
          ...(target === undefined ? {} : { target: clean(target) }),
          ...(why === undefined ? {} : { why: clean(why) }),
        };
        const answer = answerRequest(granted, asked);
        requests.push({ ...asked, answer });
        return answer;
      }
      default: {
        const body = readJson(clean(JSON.stringify(said.body ?? null)));
        if (body === undefined) return MALFORMED;
        events.push({ kind: said.kind, body });
        return TAKEN;
      }
    }
  }

  return {
    events,
    count,
    record: () => ({ notes: [...notes], requests: [...requests] }),
    refused: () => void (count.refused += 1),
    say(said) {
      const answer = count.messages >= MESSAGES_MAX ? TOO_MANY : hear(said);
      if (answer.is === 'not_taken') count.refused += 1;
      else count.messages += 1;
      return answer;
    },
  };
}

const TAKEN: Answer = { is: 'taken' };
const TOO_MANY: Answer = { is: 'not_taken', because: 'too_many', why: 'This cell has said enough of this kind.' };
const MALFORMED: Answer = {
  is: 'not_taken',
  because: 'malformed',
  why: 'Without what must not be said, it is no JSON.',
};

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
}

/** One JSON text per line. Only who asks for something is answered: nobody reads what is said to a heartbeat. */
export function readPort(stream: Duplex, port: Port): void {
  // A decoder of its own: a character may be split between two reads.
  const decoder = new StringDecoder('utf8');
  let line = '';
  let tooLong = false;
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    if (port.count.messages >= MESSAGES_MAX) return port.refused();
    const pieces = decoder.write(chunk).split('\n');
    for (const [i, piece] of pieces.entries()) {
      if (line.length + piece.length > LINE_CHARACTERS_MAX) tooLong = true;
      line = tooLong ? '' : line + piece;
      if (i === pieces.length - 1) return undefined;
      const said = tooLong ? undefined : readLine(line);
      line = '';
      tooLong = false;
      if (said === undefined) port.refused();
      else answer(stream, said, port.say(said));
    }
    return undefined;
  });
}

function answer(stream: Duplex, { kind }: Said, said: Answer): void {
  const isAsked = kind === 'request' || kind === 'brief';
  if (!isAsked) return;
  // After what has arrived was read: an answer to somebody who has left takes along what was not.
  setImmediate(() => {
    if (stream.writable && stream.writableLength <= UNREAD_BYTES_MAX) stream.write(`${JSON.stringify(said)}\n`);
  });
}
