// Host-owned repositories around a cell: what goes in as a pack, what comes out as a pack of a stranger's objects.
// Never opens a repository that a cell could write.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, failureIn } from '../../failure.ts';
import { encodeCommit } from '../../format/git/commit.ts';
import { isOid, OID_BYTES, type GitObject, type Oid } from '../../format/git/object.ts';
import type { FileAt, HandedOver, WorkLimits, WorkRepositories } from '../../ports/work.ts';
import { askGit, collectStderr, exitOf, gitFailure, spawnGit, type GitAt } from './git.ts';
import { readDiff, readPaths } from './diff.ts';
import { ObjectReader, requireOid } from './reader.ts';
import { showDiff } from './show-diff.ts';

export const workRepositories: WorkRepositories = {
  mirror,
  pack,
  receive,
  objectsOf,
  blob,
  filesAt,
  readDiff,
  show: showDiff,
  paths: readPaths,
};

const LIMITS: WorkLimits = { packBytes: 256 << 20, unpackedBytes: 256 << 20, objects: 100_000, timeMs: 120_000 };
/** Larger files are hashed as they stream by; one larger allocation than this ends git. */
const STREAMED = ['-c', `core.bigFileThreshold=${1 << 20}`];
const ALLOCATION_BYTES_MAX = 256 << 20;

async function mirror(from: string, into: string, commit: Oid): Promise<void> {
  await initBare(into);
  const place = bare(into);
  if (await has(place, commit)) return;
  const known = (await askGit(place, ['for-each-ref', '--format=%(objectname)', 'refs/lazarus/base/'])).split('\n');
  const source: GitAt = { cwd: from };
  const shared: string[] = [];
  for (const oid of known) if (oid !== '' && (await has(source, oid))) shared.push(oid);
  await indexPack(place, packFrom(source, [commit, ...shared.map((oid) => `^${oid}`)]), undefined);
  await askGit(place, ['update-ref', `refs/lazarus/base/${commit}`, commit]);
}

function pack(repository: string, commit: Oid, without?: Oid): AsyncIterable<Uint8Array> {
  const less = without === undefined ? [] : [`^${requireOid(without)}`];
  return packFrom(bare(repository), [requireOid(commit), ...less]);
}

async function receive(work: HandedOver): Promise<Oid> {
  const limits = { ...LIMITS, ...work.limits };
  const place = bare(work.into);
  try {
    await initBare(work.into);
    await mkdir(join(work.into, 'objects', 'info'), { recursive: true });
    await writeFile(join(work.into, 'objects', 'info', 'alternates'), `${join(work.base.repository, 'objects')}\n`);
    const packs = await indexPack(place, work.pack, limits);
    await refuseTooMuch(place, packs, limits);
    const type = (await askGit(place, ['cat-file', '--batch-check=%(objecttype)'], `${work.tree}\n`)).trim();
    if (type !== 'tree') throw new Failure('work_refused', { why: 'no such tree', tree: work.tree });
    return await commitOn(place, work);
  } catch (cause) {
    await rm(work.into, { recursive: true, force: true });
    const known = failureIn(cause);
    // No word against the work: there was no room for it here.
    if (known?.code === 'work_refused' || known?.code === 'disk_full') throw known;
    const says = known === undefined ? '' : String(known.facts['says'] ?? known.code);
    throw new Failure('work_refused', { says }, { cause });
  }
}

async function objectsOf(repository: string, base: Oid, commit: Oid): Promise<readonly GitObject[]> {
  const place = bare(repository);
  const range = [requireOid(commit), `^${requireOid(base)}`];
  const names = await askGit(place, ['rev-list', '--objects', '--no-object-names', ...range, '--']);
  return readAll(place, names.split('\n').filter(isOid));
}

async function blob(repository: string, oid: Oid): Promise<Uint8Array> {
  const [object] = await readAll(bare(repository), [oid]);
  if (object?.type !== 'blob') throw new Failure('object_missing', { oid });
  return object.body;
}

async function filesAt(repository: string, commit: Oid, paths: readonly string[]): Promise<readonly FileAt[]> {
  if (paths.length === 0) return [];
  const listed = ['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', requireOid(commit), '--', ...paths];
  const lines = (await askGit(bare(repository), listed)).split('\0');
  return lines.flatMap((line) => {
    const found = LISTED.exec(line)?.groups;
    if (found === undefined) return [];
    const { mode = '', type = '', oid = '', bytes, path = '' } = found;
    return [{ mode, type, oid, path, bytes: bytes === '-' ? 0 : Number(bytes) }];
  });
}

const LISTED = /^(?<mode>\d{6}) (?<type>\w+) (?<oid>[0-9a-f]{40}) +(?<bytes>\d+|-)\t(?<path>.*)$/s;

async function readAll(place: GitAt, oids: readonly Oid[]): Promise<readonly GitObject[]> {
  const reader = new ObjectReader(place);
  const objects: GitObject[] = [];
  try {
    // The reader's buffers are shared; what is kept has to be a copy.
    for await (const object of reader.read(oids)) objects.push({ ...object, body: object.body.slice() });
  } finally {
    await reader.close();
  }
  return objects;
}

async function commitOn(place: GitAt, { tree, base, commit }: HandedOver): Promise<Oid> {
  const body = encodeCommit({ tree, parents: [base.commit], ...commit });
  const oid = (
    await askGit(place, ['hash-object', '-t', 'commit', '-w', '--stdin'], Buffer.from(body).toString('utf8'))
  ).trim();
  // Every object that the commit needs is there, or nothing refers to it.
  await askGit(place, ['rev-list', '--objects', '--quiet', oid, `^${base.commit}`]);
  await askGit(place, ['update-ref', 'refs/heads/work', oid]);
  return oid;
}

async function initBare(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await askGit({ cwd: path }, ['init', '--quiet', '--bare', '--template=', '.']);
}

function bare(path: string): GitAt {
  return { cwd: path, gitDir: path };
}

async function has(place: GitAt, oid: Oid): Promise<boolean> {
  return !(await askGit(place, ['cat-file', '--batch-check'], `${oid}\n`)).includes('missing');
}

async function* packFrom(place: GitAt, revisions: readonly string[]): AsyncGenerator<Uint8Array> {
  const child = spawnGit(place, ['pack-objects', '--quiet', '--revs', '--stdout', '--delta-base-offset']);
  const stderr = collectStderr(child);
  const ended = exitOf(child, place);
  ended.catch(() => undefined);
  child.stdin.end(`${revisions.join('\n')}\n`);
  try {
    for await (const chunk of child.stdout) yield chunk as Uint8Array;
    const exitCode = await ended;
    if (exitCode !== 0) throw gitFailure('pack-objects', { exitCode, stderr: stderr() });
  } finally {
    child.kill();
  }
}

/** Answers with the pack's name. With limits it comes from a stranger: then every object in it is checked, too. */
async function indexPack(
  place: GitAt,
  content: AsyncIterable<Uint8Array>,
  limits: WorkLimits | undefined,
): Promise<string> {
  const child = spawnGit(
    limits === undefined ? place : { ...place, allocationBytesMax: ALLOCATION_BYTES_MAX },
    limits === undefined ? ['index-pack', '--stdin'] : [...STREAMED, 'index-pack', '--stdin', ...strictly(limits)],
  );
  const stderr = collectStderr(child);
  let stdout = '';
  child.stdout.setEncoding('latin1').on('data', (text: string) => (stdout += text));
  const ended = exitOf(child, place);
  ended.catch(() => undefined);
  const timer = limits === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limits.timeMs);
  try {
    for await (const chunk of content) {
      if (child.stdin.destroyed || child.exitCode !== null) break;
      if (!child.stdin.write(chunk))
        await Promise.race([ended, new Promise((resolve) => child.stdin.once('drain', resolve))]);
    }
    child.stdin.end();
    const exitCode = await ended;
    if (exitCode !== 0) throw gitFailure('index-pack', { exitCode, stderr: stderr() });
    return /^pack\t([0-9a-f]{40})$/m.exec(stdout)?.[1] ?? '';
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** As `git fsck --strict`, and complete. Git shows an odd mode as an ordinary one: it would be in the commit all the same. */
function strictly({ packBytes }: WorkLimits): readonly string[] {
  return ['--strict=badFilemode=error', `--max-input-size=${packBytes}`];
}

/** Of the new objects only: the base's are ours already. Real sizes: a delta of ten bytes can stand for a gigabyte. */
async function refuseTooMuch(place: GitAt, name: string, limits: WorkLimits): Promise<void> {
  const index = await readFile(join(place.cwd, 'objects', 'pack', `pack-${name}.idx`));
  const objects = index.readUInt32BE(INDEX_COUNT_AT);
  if (objects > limits.objects) throw new Failure('work_refused', { why: 'too many objects', objects });
  const oids = Array.from({ length: objects }, (_, i) => {
    const at = INDEX_NAMES_AT + i * OID_BYTES;
    return index.toString('hex', at, at + OID_BYTES);
  });
  const sizes = await askGit(
    place,
    ['cat-file', '--batch-check=%(objectsize)'],
    oids.map((oid) => `${oid}\n`).join(''),
  );
  const bytes = sizes.split('\n').reduce((sum, size) => sum + Number(size), 0);
  if (bytes > limits.unpackedBytes) throw new Failure('work_refused', { why: 'too large', bytes });
}

// A version 2 pack index: eight bytes of header, 256 counts of which the last is the total, then the names.
const INDEX_COUNT_AT = 8 + 255 * 4;
const INDEX_NAMES_AT = 8 + 256 * 4;
