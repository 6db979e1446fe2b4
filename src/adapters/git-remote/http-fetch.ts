// Questions to a remote as POSTs to git-upload-pack: references in one, objects in another, no program started. Knows HTTP's
// answers and how much of one is heard; leaves packets to upload-pack.ts, the pack to read-pack.ts, and where the objects go
// to whoever asks.
import { Failure } from '../../failure.ts';
import type { GitObject } from '../../format/git/object.ts';
import { isOfType, locationOf, postAuthorized, type HttpServer } from './http-ask.ts';
import type { Limits, Reply } from '../system/http.ts';
import { protocolFailure } from './protocol-failure.ts';
import { readPack, type PackLimits } from './read-pack.ts';
import { headsAmong, type Heads } from './reader.ts';
import { encodeFetch, encodeLsRefs, parseFetch, parseLsRefs, type Wanted } from './upload-pack.ts';

/** A hundred thousand references. */
const HEADS_BYTES_MAX = 16 << 20;

export type ReadTimeoutsMs = { readonly heads: number; readonly fetch: number };

/** How much of an answer is taken. What is more is for git to fetch to a disk: `object_too_large`. */
export type Take = PackLimits & { readonly packBytesMax: number };

export type Questions = {
  readonly heads: (refs: readonly string[]) => Promise<Heads>;
  /** The heads of these references, all of which must be there unless they are patterns. `known` may spare the question. */
  readonly wantedHeads: (refs: readonly string[], known: Heads | undefined) => Promise<Heads>;
  /** What a server sends, each under the name that it has by its bytes: it can leave out what was asked for, not fake it. */
  readonly objects: (wanted: Wanted, take: Take) => Promise<readonly GitObject[]>;
};

export function questionsTo(server: HttpServer, timeoutsMs: ReadTimeoutsMs): Questions {
  async function heads(refs: readonly string[]): Promise<Heads> {
    if (refs.length === 0) return new Map();
    const limits = { answerTimeoutMs: timeoutsMs.heads, answerBytesMax: HEADS_BYTES_MAX };
    return headsAmong(parseLsRefs(await ask(server, encodeLsRefs(refs), limits)), refs);
  }

  return {
    heads,
    wantedHeads: async (refs, known) => {
      if (known !== undefined && refs.every((ref) => known.has(ref)))
        return new Map(refs.map((ref) => [ref, known.get(ref)!]));
      const found = await heads(refs);
      const missing = refs.find((ref) => !ref.includes('*') && !found.has(ref));
      if (missing !== undefined) throw new Failure('remote_ref_missing', { url: server.url, ref: missing });
      return found;
    },
    objects: async (wanted, take) => {
      const limits = { answerTimeoutMs: timeoutsMs.fetch, answerBytesMax: take.packBytesMax };
      return readPack(parseFetch(await ask(server, encodeFetch(wanted), limits)), take);
    },
  };
}

async function ask(server: HttpServer, body: Uint8Array, limits: Partial<Limits>): Promise<Uint8Array> {
  const { url } = server;
  const reply = await postAuthorized(server, { service: 'git-upload-pack', body, version: 2, limits });
  switch (reply.is) {
    case 'not_sent':
      if (reply.isCertificate) throw new Failure('certificate_refused', { url, detail: reply.why });
      throw unreachable(url, reply.why);
    case 'lost':
      throw unreachable(url, reply.why);
    case 'too_long':
      throw new Failure('object_too_large', { url, bytesMax: limits.answerBytesMax ?? 0 });
    case 'answered':
      return bodyOf(url, reply);
  }
}

function bodyOf(url: string, reply: Extract<Reply, { is: 'answered' }>): Uint8Array {
  const { status } = reply;
  if (status >= 300 && status < 400) throw new Failure('remote_redirected', { url, to: locationOf(reply, url) });
  if (status === 404 || status === 410) throw new Failure('remote_not_found', { url });
  if (status >= 500 || status === 408 || status === 429) throw unreachable(url, `HTTP ${status}`);
  if (status !== 200) throw protocolFailure(`HTTP ${status}`);
  if (!isOfType(reply, 'git-upload-pack')) throw protocolFailure('not an answer of git');
  return reply.body;
}

function unreachable(url: string, detail: string): Failure {
  return new Failure('remote_unreachable', { url, detail }, { retry: 'later' });
}
