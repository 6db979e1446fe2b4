// Prepared folders in one cell: each held and compared with its seal, with a place in the project to be mounted on that is
// a real folder of ours, and empty folders over it where commands must write. Mounts nothing itself.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../failure.ts';
import { TreePath } from '../../../kernel/policy/environment.ts';
import type { PreparedMount } from '../../../ports/cells.ts';
import type { Folders, User } from '../folders.ts';
import type { Launch } from '../launch.ts';
import { makeFolder, makePlace } from '../places.ts';
import { holdEntry } from './entries.ts';

const PROJECT = '/cell/project/';
const AGENT = '/cell/agent';

export type Prepared = {
  /** Once the project lies there; throws `environment_altered`, `environment_place_taken`. */
  readonly mounts: (folders: Folders, user: User | undefined) => Promise<Launch['mounts']>;
  readonly letGo: () => void;
};

/** Begins to compare seals at once: that goes on while the project is laid out. */
export function takePrepared(folder: string, prepared: readonly PreparedMount[]): Prepared {
  const entries = [...new Set(prepared.map(({ from }) => entryOf(from)))];
  const holding = Promise.allSettled(entries.map((from) => holdEntry(folder, from)));
  const letAllGo = async (): Promise<void> => {
    for (const held of await holding) if (held.status === 'fulfilled') held.value();
  };
  return {
    async mounts(folders, user) {
      prepared.forEach(refuseElsewhere);
      for (const held of await holding) if (held.status === 'rejected') throw held.reason;
      return [
        ...prepared.map(({ from, at }) => {
          if (at !== AGENT) makeOwnPlace(folders.project, at.slice(PROJECT.length), user);
          return { path: from, at, writable: false };
        }),
        ...prepared
          .flatMap(({ at, writable }) => writable.map((path) => `${at}/${path}`))
          .map((at, n) => ({ path: makeThrowaway(folders.root, n, user), at, writable: true })),
      ];
    },
    letGo: () => void letAllGo(),
  };
}

/** The entry's own part of `…/environments/<key>/tree/web/node_modules`; what is none is refused by whoever holds it. */
function entryOf(from: string): string {
  return /^.*?\/environments\/[^/]*\/tree(?=\/|$)/.exec(from)?.[0] ?? from;
}

function refuseElsewhere({ at, writable }: PreparedMount, _: number, all: readonly PreparedMount[]): void {
  const isPlace = at === AGENT || (at.startsWith(PROJECT) && TreePath.safeParse(at.slice(PROJECT.length)).success);
  const isPlain = writable.every((path) => TreePath.safeParse(path).success);
  if (!isPlace || !isPlain) throw new Failure('cell_spec_invalid', { what: 'place of a prepared folder' });
  const over = all.filter((other) => `${at}/`.startsWith(`${other.at}/`));
  if (over.length > 1) throw new Failure('environment_place_taken', { path: at, why: 'another one is mounted there' });
}

/** What the tree has there would be hidden from whoever looks for it. */
function makeOwnPlace(project: string, path: string, user: User | undefined): void {
  const place = makePlace(project, path, user);
  if (place.is === 'there') throw new Failure('environment_place_taken', { path, why: 'the tree has files there' });
  if (place.is === 'taken')
    throw new Failure('environment_place_taken', { path: place.path, why: 'the tree has a file or a link there' });
}

function makeThrowaway(root: string, n: number, user: User | undefined): string {
  const above = join(root, 'writable');
  if (n === 0) mkdirSync(above, { mode: 0o711 });
  const folder = join(above, String(n));
  makeFolder(folder, user);
  return folder;
}
