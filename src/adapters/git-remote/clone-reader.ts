// A look over HTTP at what others added lately, for somebody's own clone: few objects onto references that are here. In a
// clone everything that a reference reaches has to be there, so that is seen to before one moves. Says when it is for git.
import { Failure } from '../../failure.ts';
import { entriesOf, parentsOf, treeOf } from '../../format/git/any-object.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import type { Repository, RepositoryReader } from '../../ports/repository.ts';
import type { HttpServer } from './http-ask.ts';
import { questionsTo, type ReadTimeoutsMs, type Take } from './http-fetch.ts';
import { fetchedName, keepFetched, type Heads } from './reader.ts';

/** Some dozens of transactions. For more, a git process is little beside what it brings. */
const A_LOOK: Take = { packBytesMax: 1 << 20, objectBytesMax: 4 << 20, bytesMax: 8 << 20, objectsMax: 1000 };

export type Looks = {
  readonly heads: (refs: readonly string[]) => Promise<Heads>;
  /** False where nothing was done, since it is for git: patterns, references that are not here yet, holes. */
  readonly fetchFew: (refs: readonly string[], into: string, known?: Heads) => Promise<boolean>;
};

export function looksInto(repository: Repository, server: HttpServer, timeoutsMs: ReadTimeoutsMs): Looks {
  const { heads, wantedHeads, objects } = questionsTo(server, timeoutsMs);

  async function fetchFew(refs: readonly string[], into: string, known?: Heads): Promise<boolean> {
    if (refs.some((ref) => ref.includes('*'))) return false;
    const here = await Promise.all(
      refs.map(async (ref) => {
        const found = [await repository.resolve(ref), await repository.resolve(fetchedName(ref, into))];
        return found.filter((oid) => oid !== undefined);
      }),
    );
    if (here.some((found) => found.length === 0)) return false;
    const haves = [...new Set(here.flat())];
    const wanted = await wantedHeads(refs, known);
    const wants = [...new Set(wanted.values())].filter((oid) => !haves.includes(oid));
    const came = wants.length === 0 ? [] : await objects({ wants, haves }, A_LOOK);
    const brought = await wholeOf(repository, came, { wants, haves });
    if (brought === undefined) return false;
    await keepFetched(repository, { objects: brought.map(erasable), heads: wanted }, into);
    return true;
  }
  return { heads, fetchFew };
}

/** A file of its own for each, as git stores the few objects of a fetch: what is in a pack could never be erased. */
function erasable(object: GitObject): GitObject {
  return object.type === 'blob' ? { ...object, deletable: true } : object;
}

/**
 * What the wanted commits reach beyond what is here, if all of it came; else undefined. That an object lies in the
 * repository says nothing: it may be left of something that was cut off or tidied away. What the references here reach is
 * whole, so whatever did not come has to be found in the trees of those.
 */
async function wholeOf(
  repository: RepositoryReader,
  came: readonly GitObject[],
  { wants, haves }: { readonly wants: readonly Oid[]; readonly haves: readonly Oid[] },
): Promise<readonly GitObject[] | undefined> {
  try {
    const { reached, others } = walkNew(came, wants);
    return (await areBelow(repository, haves, others)) ? reached : undefined;
  } catch (error) {
    // Broken commits and trees are git's to judge.
    if (error instanceof Failure && (error.code === 'object_corrupt' || error.code === 'object_missing'))
      return undefined;
    throw error;
  }
}

/** Of what came the objects that are wanted or named by one of them, and the names among them that did not come. */
function walkNew(
  came: readonly GitObject[],
  wants: readonly Oid[],
): { readonly reached: readonly GitObject[]; readonly others: Set<Oid> } {
  const byName = new Map(came.map((object) => [object.oid, object]));
  const reached: GitObject[] = [];
  const others = new Set<Oid>();
  const seen = new Set(wants);
  // A set grows while it is walked, so this visits what it adds.
  for (const oid of seen) {
    const object = byName.get(oid);
    if (object === undefined) others.add(oid);
    else {
      reached.push(object);
      for (const next of namedBy(object)) seen.add(next);
    }
  }
  return { reached, others };
}

function namedBy(object: GitObject): readonly Oid[] {
  if (object.type === 'commit') return [treeOf(object), ...parentsOf(object)];
  if (object.type === 'blob') return [];
  return [...entriesOf(object)].flatMap(({ is, oid }) => (is === 'submodule' ? [] : [oid]));
}

/** An append changes directories at the top; deeper than this many from there it is for git to look. */
const TREES_READ_MAX = 64;

/** Whether all of these are among the commits here or in their trees, the nearest trees read first. */
async function areBelow(repository: RepositoryReader, commits: readonly Oid[], wanted: Set<Oid>): Promise<boolean> {
  const left = new Set(wanted);
  for (const oid of commits) left.delete(oid);
  const trees: Oid[] = [];
  if (left.size > 0) for await (const commit of repository.read(commits)) trees.push(treeOf(commit));
  const seen = new Set<Oid>(trees);
  for (const tree of trees) left.delete(tree);
  for (let read = 0; left.size > 0; read++) {
    const next = trees.shift();
    if (next === undefined || read === TREES_READ_MAX) return false;
    for await (const tree of repository.read([next]))
      for (const { is, oid } of entriesOf(tree)) {
        left.delete(oid);
        if (is === 'folder' && !seen.has(oid)) {
          seen.add(oid);
          trees.push(oid);
        }
      }
  }
  return true;
}
