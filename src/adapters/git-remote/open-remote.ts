// Opens a remote Git repository for somebody's repository on this disk. Over HTTP a push is a request of our own, and so is
// a look at what is new; all else, and whatever only git knows the way for, goes through git. The port's promises are kept
// here; how bytes travel is told by its neighbours.
import { dirname, join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { PushOutcome, Remote } from '../../ports/remote.ts';
import type { Change, Repository } from '../../ports/repository.ts';
import { encodePack } from '../git/pack.ts';
import { looksInto, type Looks } from './clone-reader.ts';
import { basicAuthorization, type Credential } from './credentials.ts';
import { fetchPartThroughGit, fetchThroughGit, headsThroughGit } from './git-fetch.ts';
import { pushThroughGit } from './git-push.ts';
import { pushOverHttp } from './http-push.ts';
import { fetchForLender } from './lent-fetch.ts';
import { lendObjects, ownRepository } from './network-folder.ts';
import { TIMEOUTS_MS, type NetworkGit, type Settings } from './network-git.ts';
import { mayGitManage } from './only-git.ts';
import { reach, type From, type Reached } from './reach.ts';
import type { Reader } from './reader.ts';
import { assertUpdates } from './receive-pack.ts';

export type RemoteOptions = From & {
  /** Where fetched objects go, and where those of a push through git come from. */
  readonly repository: Repository;
  /** This process made the repository for itself, bare, and nobody else has touched it: git may stand in it. */
  readonly isOwn?: boolean;
};

export async function openRemote(options: RemoteOptions): Promise<Remote> {
  const { repository, isOwn = false } = options;
  const gitDir = dirname(repository.stateDir);
  const folders = isOwn ? ownRepository(gitDir) : lendObjects(join(gitDir, 'objects'));
  try {
    const { git, source, target } = await reach(options, folders);
    const byGit = readerThroughGit(source, git, isOwn ? undefined : { gitDir, repository });
    const timeoutsMs = { ...TIMEOUTS_MS, ...options.timeoutsMs };
    return {
      displayUrl: source.url,
      ...lookingFirst(source, byGit, (server) => looksInto(repository, server, timeoutsMs)),
      ...pusher(target, git, repository),
      close: async () => {
        await source.web?.own.close();
        await target.web?.own.close();
        await folders.remove();
      },
    };
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

function readerThroughGit(
  source: Reached,
  git: NetworkGit,
  lender: { readonly gitDir: string; readonly repository: Repository } | undefined,
): Reader {
  const fetchInto = async (refs: readonly string[], into: string): Promise<void> =>
    authorized(source, async (settings) => fetchThroughGit(git, settings, source, refs, into));
  const lent = lender && fetchForLender(lender.gitDir, lender.repository, async () => (await git.folder()).path);
  return {
    heads: async (refs) => authorized(source, async (settings) => headsThroughGit(git, settings, source, refs)),
    fetch: async (refs, into) => {
      if (refs.length === 0) return;
      await (lent === undefined ? fetchInto(refs, into) : lent.run(into, async (aside) => fetchInto(refs, aside)));
    },
    fetchPart: async (part, into) => {
      // How far back a part goes is written into the repository that git stands in.
      if (lent !== undefined) throw new Failure('internal', { unsound: 'a part of a history, for somebody’s clone' });
      await authorized(source, async (settings) => fetchPartThroughGit(git, settings, source, part, into));
    },
  };
}

/** Over HTTP of our own where that will do; what it cannot do git does, or names. */
function lookingFirst(
  { web }: Reached,
  byGit: Reader,
  looksAt: (server: Parameters<typeof looksInto>[1]) => Looks,
): Reader {
  if (web === undefined) return byGit;
  const { own } = web;
  let isUnderstood = true;

  /** Undefined: git is to be asked. */
  async function looked<T>(ask: (looks: Looks) => Promise<T>): Promise<T | undefined> {
    const server = isUnderstood ? await own.server() : undefined;
    if (server === undefined) return undefined;
    try {
      return await ask(looksAt(server));
    } catch (error) {
      if (!mayGitManage(error)) throw error;
      // Neither would be different the next time; a push needs no protocol 2.
      if (error instanceof Failure && error.code === 'certificate_refused') own.leaveToGit();
      if (error instanceof Failure && error.code === 'remote_protocol') isUnderstood = false;
      return undefined;
    }
  }

  return {
    ...byGit,
    heads: async (refs) => (await looked((looks) => looks.heads(refs))) ?? byGit.heads(refs),
    fetch: async (refs, into, known) => {
      const isDone = refs.length === 0 || (await looked((looks) => looks.fetchFew(refs, into, known))) === true;
      if (!isDone) await byGit.fetch(refs, into, known);
    },
  };
}

function pusher(target: Reached, git: NetworkGit, repository: Repository): Pick<Remote, 'push' | 'pushStored'> {
  const { web } = target;

  async function throughGit(change: Change): Promise<PushOutcome> {
    // Unreferenced until the remote has taken them; git sends from what is stored.
    await repository.commit({ objects: change.objects, updates: [] });
    return authorized(target, async (settings) => pushThroughGit(git, settings, target, change.updates));
  }

  return {
    push: async (change) => {
      const { objects, updates } = change;
      assertUpdates(updates);
      // receive-pack forgets the old value of a deletion when it does not hold that object, and deletes whatever is
      // there; git compares with the advertised value before it asks.
      const server = updates.some(({ next }) => next === undefined) ? undefined : await web?.own.server();
      if (server === undefined) return throughGit(change);
      const outcome = await pushOverHttp(server, updates, encodePack(objects, { thin: true }));
      if (outcome !== 'certificate_unknown') return outcome;
      web?.own.leaveToGit();
      return throughGit(change);
    },
    pushStored: async (updates) => {
      assertUpdates(updates);
      return throughGit({ objects: [], updates });
    },
  };
}

/** Runs a git command, once for each credential there is, until the remote stops asking for another. */
async function authorized<T>(at: Reached, run: (settings: Settings) => Promise<T>): Promise<T> {
  if (at.web === undefined) return run(at.settings);
  const { credentials } = at.web;
  let credential = await credentials.first();
  for (;;) {
    try {
      const result = await run([...at.settings, ...httpSettings(at.url, credential)]);
      await credentials.accepted(credential);
      return result;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'authentication_needed') throw error;
      credential = await credentials.next(credential);
    }
  }
}

const STALL_SECONDS = '60';

function httpSettings(url: string, credential: Credential | undefined): Settings {
  const settings: [string, string][] = [
    // curl would carry the header below to wherever a redirect points.
    ['http.followRedirects', 'false'],
    // Helpers are asked by us, in our order, and never for plain http.
    ['credential.helper', ''],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', STALL_SECONDS],
  ];
  if (credential === undefined) return settings;
  const header = `http.${url}.extraHeader`;
  // The empty one forgets headers of the user's configuration: two Authorization headers are an error.
  return [...settings, [header, ''], [header, `Authorization: ${basicAuthorization(credential)}`]];
}
