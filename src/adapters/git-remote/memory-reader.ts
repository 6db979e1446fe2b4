// Reads a remote over HTTP into a repository that nobody but this process reads: whole histories, and parts that are never
// taken for the whole. What an answer leaves out is absent there, and said so by name when it is read.
import { Failure } from '../../failure.ts';
import { isOid, type GitObject, type Oid } from '../../format/git/object.ts';
import type { Repository } from '../../ports/repository.ts';
import type { HttpServer } from './http-ask.ts';
import { questionsTo, type ReadTimeoutsMs, type Take } from './http-fetch.ts';
import { keepFetched, type Heads, type Reader } from './reader.ts';
import type { Wanted } from './upload-pack.ts';

/** What unpacks to more than a process should hold in memory is for git to fetch to a disk. */
const IN_MEMORY: Take = {
  packBytesMax: 64 << 20,
  objectBytesMax: 64 << 20,
  bytesMax: 256 << 20,
  objectsMax: 1_000_000,
};

export function readIntoMemory(
  server: HttpServer,
  repository: Repository,
  timeoutsMs: ReadTimeoutsMs,
): Reader & { readonly beginAt: (commit: Oid) => void } {
  const questions = questionsTo(server, timeoutsMs);
  /** What came whole, with everything it reaches, or nobody asks for: only of that may a server be told that it is here. */
  const whole = new Set<Oid>();

  async function objects(wanted: Wanted): Promise<readonly GitObject[]> {
    const found = await questions.objects(wanted, IN_MEMORY);
    const names = new Set(found.map(({ oid }) => oid));
    // What is not in the pack must be here already, below something that the server was told about.
    const others = wanted.wants.filter((oid) => !names.has(oid));
    const sizes = await repository.sizes(others);
    const missing = others.find((_, i) => sizes[i] === undefined);
    if (missing !== undefined) throw new Failure('object_missing', { oid: missing, url: server.url });
    return found;
  }

  return {
    beginAt: (commit) => void whole.add(commit),
    heads: questions.heads,
    fetch: async (refs, into, known) => {
      if (refs.length === 0) return;
      const heads = await questions.wantedHeads(refs, known);
      const wants = [...new Set(heads.values())].filter((oid) => !whole.has(oid));
      const brought = wants.length === 0 ? [] : await objects({ wants, haves: [...whole] });
      await keepFetched(repository, { objects: brought, heads }, into);
      for (const oid of heads.values()) whole.add(oid);
    },
    fetchPart: async ({ wants, commitsMax, treeDepth }, into, known) => {
      if (wants.length === 0) return;
      const refs = wants.filter((want) => !isOid(want));
      const heads: Heads = refs.length === 0 ? new Map() : await questions.wantedHeads(refs, known);
      const oids = [...new Set([...wants.filter(isOid), ...heads.values()])];
      const deepen = commitsMax === undefined ? {} : { commitsMax };
      const found = await objects({ wants: oids, filter: `tree:${treeDepth}`, ...deepen });
      await keepFetched(repository, { objects: found, heads }, into);
    },
  };
}
