// Machines and repositories as they are met: each either works, or is refused by its exact reason with nothing
// half-written. Asked through the write path, so that what is shown is what an append does.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { appendWanted } from '../../src/app/append.ts';
import { signedCommit } from '../../src/format/git/commit.ts';
import { gitObject } from '../../src/format/git/object.ts';
import { armor } from '../../src/format/openpgp/armor.ts';
import { fromUtf8, utf8 } from '../../src/format/bytes.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { prepareTransaction } from '../../src/ledger/transaction.ts';
import { beginAt, seatAt } from '../app/seats.ts';
import { aNote, noteBy, reportOf } from '../support/project.ts';
import { CLI_MAIN } from '../support/build.ts';
import { git, scratch, scratchRepository } from '../support/repos.ts';
import { cloneOf, expectWhole, stateOf } from './ledgers.ts';
import { numbered, work } from './workers.ts';
import { ANA } from '../support/people.ts';
import { taken } from '../support/taken.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';

const NOBODY = 65_534;

type Place = { readonly folder: string; readonly ref: string };

async function begun(...options: string[]): Promise<Place> {
  const folder = scratchRepository(...options);
  return { folder, ref: await beginAt(await seatAt(folder)) };
}

async function append({ folder, ref }: Place, atSeconds?: number): Promise<void> {
  const clock = atSeconds === undefined ? {} : { clock: { nowSeconds: () => atSeconds } };
  const bench = await seatAt(folder, undefined, clock);
  taken(await (await bench.open(ref, ANA)).submit(aNote()));
  await bench.close();
}

/** The append fails for this reason, and neither references nor pins moved. */
async function expectRefused(at: Place, code: string, facts: Record<string, unknown> = {}): Promise<void> {
  const was = stateOf(at.folder, at.ref);
  await expect(append(at)).rejects.toMatchObject({ code, facts });
  expect(stateOf(at.folder, at.ref)).toEqual(was);
}

describe('a disk that is full', () => {
  it('takes nothing, and what was there stands', async () => {
    const at = await begun();
    const was = stateOf(at.folder, at.ref);
    // A limit on the size of files gives the error paths of a full disk, to anybody, anywhere; pins stay below it.
    const through = ['/bin/sh', '-c', 'ulimit -f 16; exec "$@"', 'sh'];
    const appends = numbered(150);
    const outcome = await work(at.folder, { key: 'ana', ref: at.ref, appends, isTogether: true }, { through });
    expect(outcome.landed).toEqual([]);
    expect(new Set(outcome.failed.map((line) => line.split(' ')[0]))).toEqual(new Set(['disk_full']));
    expect(stateOf(at.folder, at.ref)).toEqual(was);
    expect(readdirSync(join(at.folder, '.git/objects/pack')).filter((name) => name.startsWith('tmp_'))).toEqual([]);
    await append(at);
    await expectWhole(at.folder, at.ref);
  });

  it('is named as what it is where a pin has no room', async () => {
    const { folder } = await begun();
    // Less than one pin.
    const through = ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'sh', process.execPath, CLI_MAIN];
    rmSync(join(folder, '.git/lazarus'), { recursive: true });
    const ran = spawnSync('/bin/sh', [...through, 'verify', 'project'], { cwd: folder, encoding: 'utf8' });
    expect([ran.status, ran.stderr]).toEqual([
      9,
      expect.stringMatching(/^pin_not_written: [^]*\n {2}next: free space on the disk, then: lazarus verify\n$/),
    ]);
  });

  it('is named as what it is by whoever writes a file of any kind', async () => {
    const home = scratch('home');
    const through = ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'sh', process.execPath, CLI_MAIN];
    const env = { PATH: process.env['PATH'], HOME: home };
    const args = [...through, 'keys', 'new', 'ana', '--unprotected'];
    const ran = spawnSync('/bin/sh', args, { cwd: home, env, encoding: 'utf8' });
    expect([ran.status, ran.stderr]).toEqual([
      75,
      expect.stringMatching(/^disk_full: [^]*\n {2}next: free space on the disk, then type the same command again\n$/),
    ]);
  });

  it('when only the pin is left to write does not unsay what landed; closing tells it', async () => {
    const { folder, ref } = await begun();
    const bench = await seatAt(folder);
    const session = await bench.open(ref, ANA);
    await session.tip();
    const pins = join(folder, '.git/lazarus/pins');
    rmSync(pins, { recursive: true });
    writeFileSync(pins, 'no folder');
    taken(await session.submit(aNote()));
    await expect(bench.close()).rejects.toMatchObject({ code: 'pin_not_written', facts: { error: 'EEXIST' } });
    rmSync(pins);
    await expectWhole(folder, ref);
  });
});

describe('a folder that may not be written', () => {
  it.each(['objects/pack', 'refs/heads/lazarus'])('takes nothing: %s', async (closed) => {
    const at = await begun();
    const was = stateOf(at.folder, at.ref);
    // Root may write anywhere, so the process becomes somebody who may not.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) giveAway(at.folder, NOBODY);
    chmodSync(at.folder, 0o755);
    chmodSync(join(at.folder, '.git', closed), 0o555);
    const who = isRoot ? { uid: NOBODY } : {};
    const outcome = await work(at.folder, { key: 'ana', ref: at.ref, appends: numbered(1), ...who });
    chmodSync(join(at.folder, '.git', closed), 0o755);
    if (isRoot) giveAway(at.folder, 0);
    expect(outcome.landed).toEqual([]);
    expect(outcome.failed[0]).toMatch(/^not_writable /);
    expect(stateOf(at.folder, at.ref)).toEqual(was);
    await expectWhole(at.folder, at.ref);
  });
});

describe('a lock that a dead process left', () => {
  it('is named with its path, never deleted, and the append goes on once a person removed it', async () => {
    const at = await begun();
    const lock = join(at.folder, '.git', `${at.ref}.lock`);
    writeFileSync(lock, '');
    const anHourAgo = new Date(Date.now() - 3600_000);
    utimesSync(lock, anHourAgo, anHourAgo);
    await expectRefused(at, 'lock_held', { lock });
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    await append(at);
    await expectWhole(at.folder, at.ref);
  });
});

describe('a clock', () => {
  // Order is by position and validity by index: no rule asks the time, so that a wrong clock cannot wedge a ledger.
  it.each([
    ['that went back an hour', -3600],
    ['that went back to before the key was made', -200_000_000],
    ['of a machine that thinks it is 1970', -1_800_000_000],
    ['a century ahead', 2_300_000_000],
  ])('%s appends, and all of it verifies', async (_, driftSeconds) => {
    const at = await begun();
    await append(at, 1_800_000_000 + driftSeconds);
    await append(at, 1_800_000_000);
    await expectWhole(at.folder, at.ref);
    expect(await sizeOf(at)).toBe(3);
  });

  it.each([-1, 2 ** 32])(
    'at %i seconds, which no signature can tell, is refused and nothing moves',
    async (atSeconds) => {
      const at = await begun();
      const was = stateOf(at.folder, at.ref);
      await expect(append(at, atSeconds)).rejects.toThrow();
      expect(stateOf(at.folder, at.ref)).toEqual(was);
      await expectWhole(at.folder, at.ref);
    },
  );
});

describe('a repository', () => {
  it('with packed references is appended to, again and again', async () => {
    const at = await begun();
    for (let i = 0; i < 3; i++) {
      git(at.folder, ['pack-refs', '--all', '--prune']);
      await append(at);
    }
    await expectWhole(at.folder, at.ref);
    expect(await sizeOf(at)).toBe(4);
  });

  it('that keeps references in tables works where git reads them, and is refused by name where it does not', async () => {
    if (canReftable()) {
      const at = await begun('--ref-format=reftable');
      await append(at);
      expect(await sizeOf(at)).toBe(2);
      return;
    }
    const at = await begun();
    const refs = git(at.folder, ['for-each-ref']);
    git(at.folder, ['config', 'core.repositoryformatversion', '1']);
    git(at.folder, ['config', 'extensions.refStorage', 'reftable']);
    await expect(append(at)).rejects.toMatchObject({ code: 'ref_backend_unreadable' });
    git(scratch(), ['config', '--file', join(at.folder, '.git/config'), '--unset', 'extensions.refStorage']);
    expect(git(at.folder, ['for-each-ref'])).toBe(refs);
  });

  it('that is a shallow clone is refused by name', async () => {
    const { folder, ref } = await begun();
    const clone = join(scratch(), 'clone');
    git(folder, ['clone', '-q', '--mirror', '--no-single-branch', '--depth=1', `file://${folder}`, clone]);
    await expect(append({ folder: clone, ref })).rejects.toMatchObject({ code: 'shallow_repository' });
    expect(existsSync(join(clone, 'lazarus/pins'))).toBe(false);
    git(clone, ['fetch', '-q', '--unshallow', 'origin']);
    await append({ folder: clone, ref });
    await expectWhole(clone, ref);
  });

  it('that is a partial clone is refused by name', async () => {
    const { folder, ref } = await begun();
    git(folder, ['config', 'uploadpack.allowFilter', 'true']);
    const clone = join(scratch(), 'clone');
    git(folder, ['clone', '-q', '--mirror', '--filter=blob:none', `file://${folder}`, clone]);
    await expect(append({ folder: clone, ref })).rejects.toMatchObject({ code: 'partial_clone' });
    expect(existsSync(join(clone, 'lazarus/pins'))).toBe(false);
  });

  it('of SHA-256 is refused by name', async () => {
    const folder = scratchRepository('--object-format=sha256');
    await expect(seatAt(folder)).rejects.toMatchObject({ code: 'sha256_repository' });
    expect(existsSync(join(folder, '.git/lazarus'))).toBe(false);
  });

  it('that is none is refused by name', async () => {
    await expect(seatAt(scratch())).rejects.toMatchObject({ code: 'not_a_repository' });
  });

  it('that is bare is appended to', async () => {
    const at = await begun('--bare');
    await append(at);
    await expectWhole(at.folder, at.ref);
  });

  it('seen from a linked work tree shares its ledgers and its pins', async () => {
    const at = await begun();
    git(at.folder, ['commit', '-q', '--allow-empty', '-m', 'code']);
    const tree = join(scratch(), 'tree');
    git(at.folder, ['worktree', 'add', '-q', tree]);
    await append({ ...at, folder: tree });
    expect(stateOf(tree, at.ref)).toEqual(stateOf(at.folder, at.ref));
    await append(at);
    await expectWhole(at.folder, at.ref);
    expect(await sizeOf(at)).toBe(3);
  });

  it('on a machine without git is refused by name, not as a missing repository', async () => {
    const at = await begun();
    const was = stateOf(at.folder, at.ref);
    const env = { PATH: scratch('empty') };
    const outcome = await work(at.folder, { key: 'ana', ref: at.ref, appends: numbered(1) }, { env });
    expect(outcome.failed[0]).toMatch(/^git_missing /);
    expect(stateOf(at.folder, at.ref)).toEqual(was);
  });

  it('with hooks of somebody else’s runs none of them', async () => {
    const at = await begun();
    const ran = join(at.folder, 'ran');
    for (const hook of ['reference-transaction', 'post-commit', 'pre-push', 'update', 'post-receive']) {
      const path = join(at.folder, '.git/hooks', hook);
      mkdirSync(join(at.folder, '.git/hooks'), { recursive: true });
      writeFileSync(path, `#!/bin/sh\ntouch '${ran}'\nexit 1\n`);
      chmodSync(path, 0o755);
    }
    await append(at);
    expect(existsSync(ran)).toBe(false);
    rmSync(join(at.folder, '.git/hooks'), { recursive: true });
    await expectWhole(at.folder, at.ref);
  });

  it('with replacements and grafts is read as it was signed', async () => {
    const at = await begun();
    await append(at);
    const head = git(at.folder, ['rev-parse', at.ref]);
    const [forged, alone] = [`${head}^`, git(at.folder, ['rev-parse', PROJECT_REF])];
    git(at.folder, ['replace', head, git(at.folder, ['rev-parse', forged])]);
    writeFileSync(join(at.folder, '.git/info/grafts'), `${head} ${alone}\n`);
    await append(at);
    const bench = await seatAt(at.folder);
    expect(await reportOf(bench, at.ref)).toMatchObject({ integrity: { is: 'ok' }, events: 3 });
    await bench.close();
  });

  it('where a branch has the name of the ledgers’ folder is refused, and the branch stays', async () => {
    const folder = scratchRepository();
    git(folder, ['commit', '-q', '--allow-empty', '-m', 'code']);
    git(folder, ['branch', 'lazarus']);
    const refs = git(folder, ['for-each-ref']);
    const bench = await seatAt(folder);
    const refusal = await beginAt(bench).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'reference_in_the_way' });
    expect(git(folder, ['for-each-ref'])).toBe(refs);
    expect(existsSync(join(folder, '.git/lazarus/pins'))).toBe(false);
    git(folder, ['branch', '-m', 'lazarus', 'mine']);
    const ref = await beginAt(bench);
    await bench.close();
    await expectWhole(folder, ref);
  });
});

describe('a ledger that a newer version wrote to', () => {
  it('is not appended to, by name; nothing is skipped', async () => {
    const at = await begun();
    const bench = await seatAt(at.folder);
    const session = await bench.open(at.ref, ANA);
    const tip = await session.tip();
    const { payload, finish } = taken(prepareTransaction(nodeCrypto, tip, noteBy(ANA, tip)));
    const newer = utf8(fromUtf8(payload).replace('Ledger-Format: 1\n', 'Ledger-Format: 2\n'));
    const signature = armor('SIGNATURE', await ANA.sign(newer, 1_800_000_000));
    const commit = gitObject(nodeCrypto, 'commit', signedCommit(newer, signature));
    const objects = finish(await ANA.sign(payload, 1_800_000_000)).objects.slice(0, -1);
    const update = { ref: at.ref, old: tip.oid, next: commit.oid };
    await bench.parts.repository.commit({ objects: [...objects, commit], updates: [update] });
    await expect(session.submit(appendWanted(numbered(1), systemIds))).rejects.toMatchObject({ code: 'format_newer' });
    await bench.close();
    await expectRefused(at, 'format_newer', { commit: commit.oid, index: 1 });
    // The project beside it is as usable as ever.
    expect((await reportOf(await seatAt(at.folder), PROJECT_REF)).integrity).toEqual({ is: 'ok' });
  });
});

async function sizeOf({ folder, ref }: Place): Promise<number> {
  return (await reportOf(await seatAt(canReftable() ? folder : cloneOf(folder)), ref)).events;
}

function canReftable(): boolean {
  const [, major = '0', minor = '0'] =
    /(\d+)\.(\d+)/.exec(execFileSync('git', ['version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 2 || Number(minor) >= 45;
}

function giveAway(path: string, uid: number): void {
  chownSync(path, uid, uid);
  for (const entry of readdirSync(path, { recursive: true })) chownSync(join(path, String(entry)), uid, uid);
}
