// What a reader of remotes is, whichever way it goes: over HTTP of our own or through the git program. Here is what both do
// alike: which of the references told were asked for, and where in a repository what was fetched comes to lie.
import { Failure } from '../../failure.ts';
import { isOid, type GitObject, type Oid } from '../../format/git/object.ts';
import { isRefName } from '../../format/git/ref-name.ts';
import type { Remote } from '../../ports/remote.ts';
import type { Repository } from '../../ports/repository.ts';
import { protocolFailure } from './protocol-failure.ts';

export type Reader = Pick<Remote, 'heads' | 'fetch' | 'fetchPart'>;
export type Heads = ReadonlyMap<string, Oid>;

/** Of the references that a remote told of those that were asked for, by exact names or by patterns with `*`. */
export function headsAmong(told: Iterable<readonly [oid: string, ref: string]>, refs: readonly string[]): Heads {
  const asked = new Set(refs);
  const patterns = refs.filter((ref) => ref.includes('*')).map(asExpression);
  const heads = new Map<string, Oid>();
  for (const [oid, ref] of told) {
    if (!isOid(oid)) throw protocolFailure('a reference without an object name');
    // Both ways a remote tells more: git matches the end of a name, protocol 2 its beginning.
    if (!asked.has(ref) && !patterns.some((pattern) => pattern.test(ref))) continue;
    // It becomes part of a reference here, of a message, of a file's name.
    if (!isRefName(ref)) throw protocolFailure('a reference with an impossible name');
    if (heads.has(ref)) throw protocolFailure('one reference twice');
    heads.set(ref, oid);
  }
  return heads;
}

/** A pattern as git reads it. */
function asExpression(pattern: string): RegExp {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`);
}

/** `refs/heads/x` fetched into `refs/fetched/` is `refs/fetched/heads/x`. */
export function fetchedName(ref: string, into: string): string {
  return `${into.replace(/\/+$/, '')}/${ref.replace(/^refs\//, '')}`;
}

/** Two fetches of one repository may want to move the same reference: the later one looks again where it is. */
const ATTEMPTS = 5;

/**
 * Stores what came and moves the fetched references to wherever the remote's have gone: a rewritten ledger must be seen,
 * not hidden.
 */
export async function keepFetched(
  repository: Repository,
  { objects, heads }: { readonly objects: readonly GitObject[]; readonly heads: Heads },
  into: string,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const all = [...heads].map(async ([name, next]) => {
      const ref = fetchedName(name, into);
      return { ref, old: await repository.resolve(ref), next };
    });
    const updates = (await Promise.all(all)).filter(({ old, next }) => old !== next);
    if (objects.length === 0 && updates.length === 0) return;
    try {
      return await repository.commit({ objects, updates });
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'head_moved') || attempt === ATTEMPTS) throw error;
    }
  }
}
