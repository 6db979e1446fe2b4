// A project and a mission on a remote or in one repository, clones of them, and the questions to ask once it is over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readEvents } from '../../src/app/read-events.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { begin, desk } from '../support/desk.ts';
import { createBareRepository, startGitHttpServer, type GitHttpServer } from '../support/http-server.ts';
import { benchAt, reportOf } from '../support/project.ts';
import { git, scratch } from '../support/repos.ts';

export type Shared = {
  readonly server: GitHttpServer;
  readonly url: string;
  /** The bare repository behind the server. */
  readonly bare: string;
  readonly ref: string;
  readonly clone: () => string;
};

/** A project of ana, ben and gus with one mission, served over http. */
export async function shared(): Promise<Shared> {
  const root = scratch('served');
  const bare = createBareRepository(root, 'one.git');
  const server = await startGitHttpServer(root);
  onTestFinished(() => server.close());
  const ref = await begin(await desk({ folder: bare }));
  return { server, url: server.url('one.git'), bare, ref, clone: () => cloneOf(bare) };
}

/** A clone whose ledger branches are its own, as after `ledger pull`; nothing is pinned in it yet. */
export function cloneOf(origin: string): string {
  const path = join(scratch('clone'), 'clone');
  git(origin, ['clone', '--quiet', '--mirror', `file://${origin}`, path]);
  git(path, ['remote', 'remove', 'origin']);
  return path;
}

/** The events of a ledger in order, read and verified in full from a clone of its own. */
export async function eventsIn(
  origin: string,
  ref: string,
): Promise<readonly { type: string; bytes?: number; task: string }[]> {
  const bench = await benchAt(cloneOf(origin));
  const events: { type: string; bytes?: number; task: string }[] = [];
  await readEvents(bench, ref, ({ event_type, payload, task_id }) => {
    const { bytes } = payload as { bytes?: number };
    events.push({ type: event_type, task: task_id, ...(bytes === undefined ? {} : { bytes }) });
  });
  return events;
}

/** Sound for git and whole for a verifier, from a fresh clone and where it stands with its pins. */
export async function expectWhole(path: string, ref: string): Promise<void> {
  expect(git(path, ['fsck', '--full', '--strict', '--no-dangling'])).toBe('');
  for (const place of [path, cloneOf(path)]) {
    const bench = await benchAt(place);
    expect((await reportOf(bench, PROJECT_REF)).integrity).toEqual({ is: 'ok' });
    expect((await reportOf(bench, ref)).integrity).toEqual({ is: 'ok' });
  }
}

/** Everything a refused append must leave as it was: references, and what this machine remembers. */
export function stateOf(path: string, ref: string): { refs: string; pin: string } {
  const folder = git(path, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const pin = join(folder, 'lazarus', 'pins', `${ref.slice('refs/heads/lazarus/'.length)}.json`);
  return { refs: git(path, ['for-each-ref', 'refs/heads']), pin: readFileSync(pin, 'utf8') };
}
