// Asking a remote for its references and its history through git itself, whatever the transport.
import { isOid } from '../../format/git/object.ts';
import type { Endpoint } from './endpoint.ts';
import { failureFromGit } from './git-errors.ts';
import type { GitRun } from './git-run.ts';
import type { Part } from '../../ports/remote.ts';
import type { NetworkGit, Settings } from './network-git.ts';
import { fetchedName, headsAmong, type Heads } from './reader.ts';
import { Failure } from '../../failure.ts';

/** Exact names, or patterns with `*`. A reference that the remote does not have is simply not in the answer. */
export async function headsThroughGit(
  git: NetworkGit,
  settings: Settings,
  at: Endpoint,
  refs: readonly string[],
): Promise<Heads> {
  if (refs.length === 0) return new Map();
  const result = await git.run(
    ['ls-remote', '--quiet', '--refs', ...at.uploadPack, '--end-of-options', at.name, ...refs],
    {
      settings,
      kind: 'heads',
    },
  );
  assertAnswered(result, at.url);
  const lines = result.stdout.split('\n').filter((line) => line !== '');
  const told = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf('\t')),
    line.slice(line.indexOf('\t') + 1),
  ]);
  return headsAmong(told, refs);
}

/**
 * `refs/heads/x` becomes `<into>/heads/x`, moved wherever the remote's has gone: a rewritten ledger must be seen, not
 * hidden. Nothing local is deleted when the remote deletes, and no object is judged here (fetch.fsckObjects off):
 * a ledger that a stranger filled with garbage must still arrive, or nobody could repair it.
 */
export async function fetchThroughGit(
  git: NetworkGit,
  settings: Settings,
  at: Endpoint,
  refs: readonly string[],
  into: string,
): Promise<void> {
  if (refs.length === 0) return;
  const refspecs = refs.map((ref) => refspec(ref, into));
  const result = await git.run(
    [...UNJUDGED, 'fetch', ...FETCH_FLAGS, ...at.uploadPack, '--end-of-options', at.name, ...refspecs],
    {
      settings,
      kind: 'fetch',
    },
  );
  assertAnswered(result, at.url);
}

/**
 * Brings a part of a history into a repository of our own making. That the remote could give the rest too is told to
 * this one process and written nowhere: to whoever reads afterwards an absent object is absent, and nothing is fetched
 * behind their back.
 */
export async function fetchPartThroughGit(
  git: NetworkGit,
  settings: Settings,
  at: Endpoint,
  { wants, commitsMax, treeDepth }: Part,
  into: string,
): Promise<void> {
  if (wants.length === 0) return;
  const filter = `tree:${treeDepth}`;
  const promised: Settings = [
    [`remote.${at.name}.promisor`, 'true'],
    [`remote.${at.name}.partialCloneFilter`, filter],
  ];
  const specs = wants.map((want) => (isOid(want) ? want : refspec(want, into)));
  const depth = commitsMax === undefined ? [] : [`--depth=${commitsMax}`];
  // Of commits git tells how far back it has them, and only more come. Of trees it would tell that it has all.
  const again = commitsMax !== undefined && treeDepth === 0 ? [] : ['--refetch'];
  const how = [...at.uploadPack, ...again, ...depth, `--filter=${filter}`];
  const args = [...UNJUDGED, ...UNSYNCED, 'fetch', ...FETCH_FLAGS, ...how, '--end-of-options', at.name, ...specs];
  const result = await git.run(args, {
    settings: [...settings, ...promised],
    kind: 'fetch',
  });
  assertAnswered(result, at.url);
}

const UNJUDGED = [
  '-c',
  'fetch.fsckObjects=false',
  '-c',
  'transfer.fsckObjects=false',
  '-c',
  'fetch.prune=false',
] as const;
/** What will be thrown away need not survive a power cut. */
const UNSYNCED = ['-c', 'core.fsync=none'] as const;

const FETCH_FLAGS = [
  '--quiet',
  '--atomic',
  '--no-tags',
  '--no-prune',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-write-commit-graph',
] as const;

function assertAnswered(result: GitRun, url: string): void {
  if (result.isTimeout)
    throw new Failure('remote_unreachable', { url, detail: 'no answer in time' }, { retry: 'later' });
  if (result.status !== 0) throw failureFromGit(result.stderr, url);
}

function refspec(ref: string, into: string): string {
  return `+${ref}:${fetchedName(ref, into)}`;
}
