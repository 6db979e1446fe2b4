// Reading from a remote as POSTs to git-upload-pack: references in one request, objects in another, no program started.
// Knows HTTP's answers and where the objects go; leaves packets to upload-pack.ts and the pack to read-pack.ts.
import { Failure } from '../../failure.ts';
import { isOid, type GitObject, type Oid } from '../../format/git/object.ts';
import type { Part, Remote } from '../../ports/remote.ts';
import type { Repository } from '../../ports/repository.ts';
import { isOfType, locationOf, postAuthorized, type HttpServer } from './http-ask.ts';
import type { Limits, Reply } from '../system/http.ts';
import { protocolFailure } from './protocol-failure.ts';
import { readPack } from './read-pack.ts';
import { encodeFetch, encodeLsRefs, parseFetch, parseLsRefs, type Wanted } from './upload-pack.ts';

export type HttpReads = Pick<Remote, 'heads' | 'fetch' | 'fetchPart'>;

/** A hundred thousand references. */
const HEADS_BYTES_MAX = 16 << 20;
/** What unpacks to more than a job should hold in memory is for git to fetch to a disk. */
const PACK_BYTES_MAX = 64 << 20;

export type ReadTimeoutsMs = { readonly heads: number; readonly fetch: number };

export function readOverHttp(server: HttpServer, repository: Repository, timeoutsMs: ReadTimeoutsMs): HttpReads {
  /** What came whole, with everything it reaches: only of that may a server be told that it is here. */
  const whole = new Set<Oid>();

  async function heads(refs: readonly string[]): Promise<ReadonlyMap<string, Oid>> {
    if (refs.length === 0) return new Map();
    const limits = { answerTimeoutMs: timeoutsMs.heads, answerBytesMax: HEADS_BYTES_MAX };
    return parseLsRefs(await ask(server, encodeLsRefs(refs), limits), refs);
  }

  async function objects(wanted: Wanted): Promise<readonly GitObject[]> {
    const limits = { answerTimeoutMs: timeoutsMs.fetch, answerBytesMax: PACK_BYTES_MAX };
    const found = readPack(parseFetch(await ask(server, encodeFetch(wanted), limits)));
    const names = new Set(found.map(({ oid }) => oid));
    // Its objects are named by what they are: a server can leave out what was asked for, and cannot fake it. What is not
    // in the pack must be here already, below something that it was told about.
    const others = wanted.wants.filter((oid) => !names.has(oid));
    const sizes = await repository.sizes(others);
    const missing = others.find((_, i) => sizes[i] === undefined);
    if (missing !== undefined) throw new Failure('object_missing', { oid: missing, url: server.url });
    return found;
  }

  /** The heads of these references, all of which must be there unless they are patterns. */
  async function wantedHeads(
    refs: readonly string[],
    known: ReadonlyMap<string, Oid> = new Map(),
  ): Promise<ReadonlyMap<string, Oid>> {
    if (refs.every((ref) => known.has(ref))) return new Map(refs.map((ref) => [ref, known.get(ref)!]));
    const found = await heads(refs);
    const missing = refs.find((ref) => !ref.includes('*') && !found.has(ref));
    if (missing !== undefined) throw new Failure('remote_ref_missing', { url: server.url, ref: missing });
    return found;
  }

  async function keep(found: readonly GitObject[], moved: ReadonlyMap<string, Oid>, into: string): Promise<void> {
    const all = [...moved].map(async ([ref, next]) => {
      const own = `${into.replace(/\/+$/, '')}/${ref.replace(/^refs\//, '')}`;
      return { ref: own, old: await repository.resolve(own), next };
    });
    const updates = (await Promise.all(all)).filter(({ old, next }) => old !== next);
    if (found.length > 0 || updates.length > 0) await repository.commit({ objects: found, updates });
  }

  async function fetch(refs: readonly string[], into: string, known?: ReadonlyMap<string, Oid>): Promise<void> {
    if (refs.length === 0) return;
    const found = await wantedHeads(refs, known);
    const wants = [...new Set(found.values())].filter((oid) => !whole.has(oid));
    const brought = wants.length === 0 ? [] : await objects({ wants, haves: [...whole] });
    await keep(brought, found, into);
    for (const oid of found.values()) whole.add(oid);
  }

  async function fetchPart(
    { wants, commitsMax, treeDepth }: Part,
    into: string,
    known?: ReadonlyMap<string, Oid>,
  ): Promise<void> {
    if (wants.length === 0) return;
    const refs = wants.filter((want) => !isOid(want));
    const found = refs.length === 0 ? new Map<string, Oid>() : await wantedHeads(refs, known);
    const oids = [...new Set([...wants.filter(isOid), ...found.values()])];
    const deepen = commitsMax === undefined ? {} : { commitsMax };
    await keep(await objects({ wants: oids, filter: `tree:${treeDepth}`, ...deepen }), found, into);
  }

  return { heads, fetch, fetchPart };
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
