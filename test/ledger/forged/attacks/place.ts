// Attacks on the repository around the objects: git is made to show other objects, other parents, or fewer of them.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { GitObject } from '../../../../src/format/git/object.ts';
import { KEY } from '../../../support/forge/cast.ts';
import { entryAt } from '../../../support/forge/edit.ts';
import { everywhere, on, refused, type Attack, type Expected } from '../../../support/forge/attack.ts';
import { note } from '../../../support/forge/facts.ts';
import { MISSION_ID, type Golden } from '../../../support/forge/golden.ts';
import { git } from '../../../support/repos.ts';

const NO_REPOSITORY: Expected = { is: 'harmless', why: 'a bundle is checked without a repository' };

export const PLACE: readonly Attack[] = [
  {
    name: 'commit-replaced',
    does: 'makes git show another commit under the head’s name (refs/replace)',
    holds: 'the repository',
    forge: ({ bench, long }) => {
      const good = long.at('base');
      const other = bench.honest(long.at('second'), KEY.sam, [note(KEY.sam, MISSION_ID.long, 9000)]);
      const tamper = (folder: string): void =>
        void git(folder, ['update-ref', `refs/replace/${good.oid!}`, other.oid!]);
      return { ...on('long', good, good), tamper, also: [other.oid!] };
    },
    ...everywhere({ is: 'harmless', why: 'replacement references are switched off for every git that is run' }),
    bundle: NO_REPOSITORY,
  },
  {
    name: 'parents-grafted',
    does: 'makes git show another parent of the head (info/grafts)',
    holds: 'the repository',
    forge: ({ long }) => {
      const good = long.at('base');
      const tamper = (folder: string): void => {
        mkdirSync(join(folder, 'info'), { recursive: true });
        writeFileSync(join(folder, 'info/grafts'), `${good.oid!} ${long.at('third').oid!}\n`);
      };
      return { ...on('long', good, good), tamper };
    },
    ...everywhere({ is: 'harmless', why: 'grafts are switched off for every git that is run' }),
    bundle: NO_REPOSITORY,
  },
  {
    name: 'history-cut-off',
    does: 'makes git believe that history begins at the head (shallow)',
    holds: 'the repository',
    forge: ({ long }) => {
      const good = long.at('base');
      return {
        ...on('long', good, good),
        tamper: (folder) => writeFileSync(join(folder, 'shallow'), `${good.oid!}\n`),
      };
    },
    ...everywhere({ is: 'stopped', code: 'shallow_repository' }),
    bundle: NO_REPOSITORY,
  },
  {
    name: 'objects-promised',
    does: 'marks the repository as a partial clone, whose absent objects are no fault',
    holds: 'the repository',
    forge: ({ long }) => {
      const good = long.at('base');
      return {
        ...on('long', good, good),
        tamper: (folder) => void git(folder, ['config', 'remote.origin.promisor', 'true']),
      };
    },
    ...everywhere({ is: 'stopped', code: 'partial_clone' }),
    bundle: NO_REPOSITORY,
  },
  {
    name: 'event-object-altered',
    does: 'stores other bytes under the name of an event',
    holds: 'the repository',
    forge: (golden) => {
      const { bench, gpg } = golden;
      const { oid } = entryAt(bench, treeOf(golden), 'hot-000000/000000001.json');
      const good = bench.objects.get(oid)!;
      const altered = { ...good, body: Buffer.from(bench.text(oid).replace('"bytes":0', '"bytes":1')) };
      return { ...on('gpg', gpg.tip, gpg.tip), from: 1, tamper: (folder) => storeLoose(folder, altered) };
    },
    ...everywhere(refused('root_mismatch')),
    bundle: NO_REPOSITORY,
  },
  {
    name: 'commit-object-altered',
    does: 'stores other bytes under the name of a commit',
    holds: 'the repository',
    forge: ({ bench, gpg }) => {
      const commit = bench.objects.get(gpg.tip.oid!)!;
      const altered = { ...commit, body: Buffer.from(bench.text(commit.oid).replace(/\nauthor sam/, '\nauthor ana')) };
      return { ...on('gpg', gpg.tip, gpg.tip), from: 1, tamper: (folder) => storeLoose(folder, altered) };
    },
    ...everywhere(refused('object_corrupt')),
    bundle: NO_REPOSITORY,
  },
  {
    name: 'event-object-removed',
    does: 'removes the object of an event',
    holds: 'the repository',
    forge: (golden) => {
      const { oid } = entryAt(golden.bench, treeOf(golden), 'hot-000000/000000001.json');
      const tamper = (folder: string): void => {
        explode(folder);
        rmSync(loosePath(folder, oid));
      };
      return { ...on('gpg', golden.gpg.tip, golden.gpg.tip), from: 1, tamper };
    },
    ...everywhere(refused('object_missing')),
    bundle: NO_REPOSITORY,
  },
];

function treeOf({ bench, gpg }: Golden): string {
  return /^tree ([0-9a-f]{40})/.exec(bench.text(gpg.tip.oid!))![1]!;
}

function storeLoose(folder: string, { oid, type, body }: GitObject): void {
  explode(folder);
  const path = loosePath(folder, oid);
  chmodSync(path, 0o644);
  writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])));
}

/** Takes every object out of packs and out of the shared store, so that each is a file that can be tampered with. */
function explode(folder: string): void {
  const everything = { cwd: folder, maxBuffer: 64 << 20 };
  const pack = execFileSync('git', ['pack-objects', '--all', '--revs', '--stdout', '-q'], { ...everything, input: '' });
  rmSync(join(folder, 'objects/info/alternates'));
  execFileSync('git', ['unpack-objects', '-q'], { ...everything, input: pack });
}

function loosePath(folder: string, oid: string): string {
  const path = join(folder, 'objects', oid.slice(0, 2), oid.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  return path;
}
