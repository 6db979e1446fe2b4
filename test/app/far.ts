// A remote that lives in memory and answers as it is told to: lands, loses the race, or leaves its answer out, before the
// work, after it, or while the work goes on. Knows nothing of ledgers.
import type { GitObject } from '../../src/format/git/object.ts';
import { Failure } from '../../src/failure.ts';
import type { PushOutcome, Remote } from '../../src/ports/remote.ts';
import type { Change, Repository } from '../../src/ports/repository.ts';

export type Answer =
  | 'honest'
  /** Says that it lost a race which nobody else ran. */
  | 'moved'
  /** Does it, and the answer is lost. */
  | 'unknown_landed'
  /** Never does it, and the answer is lost. */
  | 'unknown_lost'
  /** Does it at some later time, if it still can; the answer is lost. */
  | 'unknown_late'
  | 'refused'
  | 'unreachable';

export type Far = { readonly remoteOf: (near: Repository, answers: Iterator<Answer>) => Remote };

/** `pause` lets others go first, between any two steps. */
export function far(repository: Repository, pause: () => Promise<unknown>): Far {
  const sent: GitObject[] = [];

  async function land(change: Change): Promise<PushOutcome> {
    try {
      await repository.commit(change);
    } catch (error) {
      if (error instanceof Failure && error.code === 'head_moved') return { is: 'moved' };
      throw error;
    }
    sent.push(...change.objects);
    return { is: 'landed' };
  }

  async function push(change: Change, answer: Answer): Promise<PushOutcome> {
    const unknown: PushOutcome = { is: 'unknown', why: 'HTTP 502' };
    await pause();
    switch (answer) {
      case 'honest':
        return land(change);
      case 'moved':
        return { is: 'moved' };
      case 'refused':
        return { is: 'refused', ref: change.updates[0]!.ref, why: 'a hook' };
      case 'unreachable':
        throw new Failure('remote_unreachable', {}, { retry: 'later' });
      case 'unknown_landed':
        await land(change);
        return unknown;
      case 'unknown_late':
        void pause().then(() => land(change));
        return unknown;
      case 'unknown_lost':
        return unknown;
    }
  }

  function remoteOf(near: Repository, answers: Iterator<Answer>): Remote {
    const nextAnswer = (): Answer => {
      const { value, done } = answers.next();
      return done === true ? 'honest' : value;
    };
    return {
      displayUrl: 'memory:',
      heads: async (refs) => {
        await pause();
        const found = await Promise.all(refs.map(async (ref) => [ref, await repository.resolve(ref)] as const));
        return new Map(found.flatMap(([ref, oid]) => (oid === undefined ? [] : [[ref, oid] as const])));
      },
      fetch: async (refs, into) => {
        await pause();
        const heads = await Promise.all(refs.map((ref) => repository.resolve(ref)));
        await near.commit({ objects: [...sent], updates: [] });
        for (const [i, ref] of refs.entries()) {
          if (heads[i] === undefined) throw new Failure('remote_ref_missing', { ref });
          const copy = into + ref.replace(/^refs\//, '');
          await near.commit({ objects: [], updates: [{ ref: copy, old: await near.resolve(copy), next: heads[i] }] });
        }
      },
      fetchPart: () => Promise.reject(new Error('never for a clone')),
      push: (change) => push(change, nextAnswer()),
      pushStored: () => Promise.reject(new Error('not asked here')),
      close: () => Promise.resolve(),
    };
  }
  return { remoteOf };
}
