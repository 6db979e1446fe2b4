// What a tree of a repository that the host alone writes holds, and what differs between two: every path, with both modes,
// and renames as what they are, a removal and an addition. Judges nothing.
import { Failure } from '../../failure.ts';
import { fromUtf8 } from '../../format/bytes.ts';
import type { Oid } from '../../format/git/object.ts';
import type { TreeChange } from '../../ports/work.ts';
import { collectStderr, exitOf, gitFailure, spawnGit, type GitAt } from './git.ts';
import { requireOid } from './reader.ts';

const LISTED_BYTES_MAX = 64 << 20;
const STATUSES: Readonly<Record<string, TreeChange['status']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  T: 'type_changed',
};

export async function readDiff(repository: string, base: Oid, tree: Oid): Promise<readonly TreeChange[]> {
  return parse(await listed(repository, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', base, tree]));
}

/** `<mode> <type> <oid>` TAB `<path>` NUL, again and again. */
export async function readPaths(repository: string, commit: Oid): Promise<readonly string[]> {
  const bytes = await listed(repository, ['ls-tree', '-r', '-z', requireOid(commit)]);
  const paths: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const metaEnd = bytes.indexOf(TAB, at);
    const pathEnd = bytes.indexOf(0, metaEnd + 1);
    if (metaEnd < 0 || pathEnd < 0) throw new Failure('git_failed', { command: 'ls-tree', says: 'unexpected output' });
    if (bytes.toString('latin1', at, metaEnd).includes(' blob '))
      paths.push(pathOf(bytes.subarray(metaEnd + 1, pathEnd)));
    at = pathEnd + 1;
  }
  return paths;
}

const TAB = 0x09;

async function listed(repository: string, args: readonly string[]): Promise<Buffer> {
  const place: GitAt = { cwd: repository, gitDir: repository };
  const child = spawnGit(place, args);
  const stderr = collectStderr(child);
  const ended = exitOf(child, place);
  ended.catch(() => undefined);
  child.stdin.end();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LISTED_BYTES_MAX) {
      child.kill('SIGKILL');
      throw new Failure('work_refused', { why: 'too many paths' });
    }
    chunks.push(chunk);
  }
  const exitCode = await ended;
  if (exitCode !== 0) throw gitFailure(args[0]!, { exitCode, stderr: stderr() });
  return Buffer.concat(chunks);
}

/** `:<mode> <mode> <oid> <oid> <status>` NUL `<path>` NUL, again and again. */
function parse(bytes: Buffer): readonly TreeChange[] {
  const changes: TreeChange[] = [];
  for (let at = 0; at < bytes.length;) {
    const metaEnd = bytes.indexOf(0, at);
    const pathEnd = bytes.indexOf(0, metaEnd + 1);
    const meta = META.exec(bytes.toString('latin1', at, metaEnd));
    const status = STATUSES[meta?.groups?.['status'] ?? ''];
    if (metaEnd < 0 || pathEnd < 0 || meta?.groups === undefined || status === undefined)
      throw new Failure('git_failed', { command: 'diff-tree', says: 'unexpected output' });
    const { oldMode = '', newMode = '', oldOid = '', newOid = '' } = meta.groups;
    const path = pathOf(bytes.subarray(metaEnd + 1, pathEnd));
    changes.push({ path, status, oldMode, newMode, oldOid, newOid });
    at = pathEnd + 1;
  }
  return changes;
}

const META = /^:(?<oldMode>\d{6}) (?<newMode>\d{6}) (?<oldOid>[0-9a-f]{40}) (?<newOid>[0-9a-f]{40}) (?<status>[ADMT])$/;

function pathOf(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch (cause) {
    // Shown as its bytes: a replacement character would name another file.
    throw new Failure('path_undecodable', { path_hex: Buffer.from(bytes).toString('hex') }, { cause });
  }
}
