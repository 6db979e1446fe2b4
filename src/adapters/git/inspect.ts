// Questions about stored objects that need no bodies: how large they are, and whether git finds them sound.
import { createInterface } from 'node:readline';
import { Failure } from '../../failure.ts';
import type { Oid } from '../../format/git/object.ts';
import { askGit, runGit, type GitAt } from './git.ts';
import { GitProcess } from './process.ts';
import { requireOid } from './reader.ts';

const COMPLAINTS_MAX = 20;

/** Undefined for an object that is not there. */
export async function sizesOf(place: GitAt, oids: readonly Oid[]): Promise<readonly (number | undefined)[]> {
  if (oids.length === 0) return [];
  const asked = `${oids.map(requireOid).join('\n')}\n`;
  const lines = (await askGit(place, ['cat-file', '--batch-check=%(objectsize)'], asked)).split('\n');
  return oids.map((oid, i) => {
    const line = lines[i] ?? '';
    if (line === `${oid} missing`) return undefined;
    if (!/^[0-9]+$/.test(line)) throw new Failure('git_failed', { command: 'cat-file', says: line });
    return Number(line);
  });
}

/** Looks through the whole object store: a blob that was dropped from a reference is in it until git prunes. */
export async function blobsOf(place: GitAt, sizes: ReadonlySet<number>): Promise<readonly Oid[]> {
  if (sizes.size === 0) return [];
  const format = '--batch-check=%(objecttype) %(objectsize) %(objectname)';
  const listing = new GitProcess(place, ['cat-file', '--batch-all-objects', '--unordered', '--buffer', format]);
  const found: Oid[] = [];
  try {
    listing.child.stdin.end();
    for await (const line of createInterface(listing.child.stdout)) {
      const [type, size, oid] = line.split(' ');
      if (type === 'blob' && oid !== undefined && sizes.has(Number(size))) found.push(requireOid(oid));
    }
    await listing.ended();
  } finally {
    listing.stop();
  }
  return found;
}

/** What git complains about, first lines first; empty when it finds everything that the heads reach. */
export async function complaintsOf(place: GitAt, heads: readonly Oid[]): Promise<readonly string[]> {
  const args = ['fsck', '--full', '--no-dangling', '--no-reflogs', '--no-progress'];
  const { exitCode, stdout, stderr } = await runGit(place, [...args, ...heads.map(requireOid)]);
  if (exitCode === 0) return [];
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? [`git fsck ended with ${exitCode}`] : lines.slice(0, COMPLAINTS_MAX);
}
