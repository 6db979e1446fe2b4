// What people may try on artifacts and what a disk may do to them: guessing, tampering, damage, keys that are not theirs.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditArtifacts } from '../../src/app/artifacts/audit.ts';
import { takeKey } from '../../src/app/artifacts/open.ts';
import { artifactDigest } from '../../src/format/artifact.ts';
import { utf8 } from '../../src/format/bytes.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { begun, desk } from '../support/desk.ts';
import { git, scratch } from '../support/repos.ts';

function pathOf(digest: string): string {
  return `${digest.slice(7, 9)}/${digest.slice(7)}`;
}

/** Puts other bytes where the shelf has an artifact, as anybody with push rights could. */
function replace(folder: string, shelf: string, digest: string, bytes: string | Uint8Array): void {
  const oid = git(folder, ['hash-object', '-w', '--stdin'], bytes);
  const fan = git(folder, ['mktree'], `100644 blob ${oid}\t${digest.slice(7)}\n`);
  const root = git(folder, ['mktree'], `040000 tree ${fan}\t${digest.slice(7, 9)}\n`);
  git(folder, ['update-ref', shelf, git(folder, ['commit-tree', root, '-m', 'x'])]);
}

describe('guessing what was erased', () => {
  const guesses = ['no', 'yes', 'maybe', 'yes\n'];
  const found = (digest: string, hashOf: (guess: string) => string): string | undefined =>
    guesses.find((guess) => hashOf(guess) === digest);
  const plain = (guess: string): string => `sha256:${createHash('sha256').update(guess).digest('hex')}`;

  it('would take one hash per guess without a salt', () => {
    expect(found(plain('yes'), plain)).toBe('yes');
  });

  it('fails, for the salt is inside the digest and gone with the bytes', async () => {
    const { folder, ref, add, erase } = await begun();
    const { digest } = await add(ref, 'yes');
    await erase(ref, digest);
    expect(found(digest, plain)).toBeUndefined();
    expect(found(digest, (guess) => artifactDigest(nodeCrypto, utf8(guess)))).toBeUndefined();
    // Nothing that git still holds is the salt: no object of the repository has salt and content in it.
    const listed = git(folder, ['cat-file', '--batch-all-objects', '--batch-check']).split('\n');
    const blobs = listed.filter((line) => line.endsWith(' blob 19'));
    expect(blobs).toEqual([]);
  });
});

describe('a tampered artifact', () => {
  it.each([
    ['other bytes of the same length', (stored: Uint8Array) => stored.map((byte, i) => (i === 18 ? byte ^ 1 : byte))],
    ['another salt', (stored: Uint8Array) => stored.map((byte, i) => (i === 0 ? byte ^ 1 : byte))],
    ['cut short', (stored: Uint8Array) => stored.subarray(0, -1)],
    ['shorter than a salt', () => utf8('x')],
    ['nothing at all', () => new Uint8Array(0)],
  ])('is named, and not a byte of it shown: %s', async (_, change) => {
    const { folder, bench, ref, shelf, add, show } = await begun();
    const { digest } = await add(ref, 'yes');
    const oid = git(folder, ['rev-parse', `${shelf}:${pathOf(digest)}`]);
    for await (const { body } of bench.parts.repository.read([oid])) replace(folder, shelf, digest, change(body));
    await expect(show(ref, digest)).rejects.toMatchObject({ code: 'artifact_corrupt', facts: { digest } });
    expect((await auditArtifacts(bench, ref)).findings.map(({ is }) => is)).toEqual(['corrupt']);
  });
});

describe('an artifact whose bytes are damaged or away', () => {
  it('is missing when the reference is gone, or does not name it', async () => {
    const { folder, bench, ref, shelf, add, show } = await begun();
    const { digest } = await add(ref, 'one');
    await add(ref, 'two');
    replace(folder, shelf, `sha256:${'ab'.repeat(32)}`, 'no artifact of ours');
    await expect(show(ref, digest)).rejects.toMatchObject({ code: 'artifact_missing' });
    git(folder, ['update-ref', '-d', shelf]);
    await expect(show(ref, digest)).rejects.toMatchObject({ code: 'artifact_missing' });
    expect((await auditArtifacts(bench, ref)).findings.map(({ is }) => is)).toEqual(['missing', 'missing']);
  });

  it.each([
    ['corrupt', 'a part of its file', (whole: Uint8Array) => whole.subarray(0, whole.length / 2)],
    // Git cannot tell such a file from none.
    ['missing', 'all sense of it', () => utf8('not zlib')],
  ])('is %s when the disk lost %s', async (is, _, damage) => {
    const { folder, bench, ref, shelf, add, show } = await begun();
    const { digest } = await add(ref, new Uint8Array(randomBytes(100_000)));
    const oid = git(folder, ['rev-parse', `${shelf}:${pathOf(digest)}`]);
    const file = join(folder, '.git/objects', oid.slice(0, 2), oid.slice(2));
    const whole = readFileSync(file);
    chmodSync(file, 0o644);
    writeFileSync(file, damage(whole));
    await expect(show(ref, digest)).rejects.toMatchObject({ code: `artifact_${is}` });
    expect((await auditArtifacts(bench, ref)).findings).toMatchObject([{ is }]);
    expect(await bench.parts.repository.complaints([git(folder, ['rev-parse', shelf])])).not.toEqual([]);
    // Adding goes on, and a good copy that comes back is found.
    await add(ref, 'another');
    writeFileSync(file, whole);
    expect((await auditArtifacts(bench, ref)).findings.map((one) => one.is)).toEqual(['sound', 'sound']);
  });

  it('does not stop others from being added: foreign files are dropped, good ones kept', async () => {
    const { folder, bench, ref, shelf, add, show } = await begun();
    const { digest } = await add(ref, 'one');
    const good = git(folder, ['rev-parse', `${shelf}:${digest.slice(7, 9)}`]);
    const junk = git(folder, ['hash-object', '-w', '--stdin'], 'junk');
    const tree = `100755 blob ${junk}\trun-me.sh\n040000 tree ${good}\t${digest.slice(7, 9)}\n040000 tree ${good}\tzz\n`;
    const commit = git(folder, ['commit-tree', git(folder, ['mktree'], tree), '-m', 'junk']);
    git(folder, ['update-ref', shelf, commit]);
    const next = await add(ref, 'two');
    expect([await show(ref, digest), await show(ref, next.digest)]).toEqual(['one', 'two']);
    expect(git(folder, ['ls-tree', '-r', '--name-only', shelf]).split('\n').toSorted()).toEqual(
      [digest, next.digest].map(pathOf).toSorted(),
    );
    expect((await auditArtifacts(bench, ref)).unnamed).toEqual([]);
    expect(git(folder, ['fsck', '--full', '--no-dangling'])).toBe('');
  });
});

describe('an encrypted artifact', () => {
  const encrypted = { isEncrypted: true };

  it('is read with its key and not without; the stored bytes tell nothing', async () => {
    const { folder, bench, ref, shelf, add, show } = await begun();
    const { digest, bytes } = await add(ref, 'the secret', encrypted);
    expect(bytes).toBe('the secret'.length + 28);
    expect(await show(ref, digest)).toBe('the secret');
    expect(git(folder, ['cat-file', 'blob', `${shelf}:${pathOf(digest)}`])).not.toContain('secret');
    const elsewhere = await desk({ folder });
    await expect(elsewhere.show(ref, digest)).rejects.toMatchObject({ code: 'artifact_key_absent' });
    // Whoever has no key can still check that nothing was altered.
    expect((await auditArtifacts(elsewhere.bench, ref)).findings.map(({ is }) => is)).toEqual(['sound']);
    expect(bench.parts.remote).toBeUndefined();
  });

  it('is read by a colleague who was given the key, and only the right key is taken', async () => {
    const { folder, ref, kit, add } = await begun();
    const { digest } = await add(ref, 'the secret', encrypted);
    const colleague = await desk({ folder });
    const wrong = { digest, key: new Uint8Array(32) };
    await expect(takeKey(colleague.bench, colleague.kit, ref, wrong)).rejects.toMatchObject({
      code: 'artifact_key_wrong',
    });
    const right = { digest, key: (await kit.keys.read(digest))! };
    expect(await takeKey(colleague.bench, colleague.kit, ref, right)).toEqual({ isTried: true });
    expect(await colleague.show(ref, digest)).toBe('the secret');
    await expect(takeKey(colleague.bench, colleague.kit, ref, wrong)).rejects.toMatchObject({
      code: 'artifact_key_exists',
    });
    expect(await colleague.show(ref, digest)).toBe('the secret');
  });

  it('is refused with one flipped bit of ciphertext', async () => {
    const { folder, bench, ref, shelf, add, show } = await begun();
    const { digest } = await add(ref, 'the secret', encrypted);
    const oid = git(folder, ['rev-parse', `${shelf}:${pathOf(digest)}`]);
    for await (const { body } of bench.parts.repository.read([oid]))
      replace(
        folder,
        shelf,
        digest,
        body.map((byte, i) => (i === 30 ? byte ^ 4 : byte)),
      );
    await expect(show(ref, digest)).rejects.toMatchObject({ code: 'artifact_corrupt' });
  });

  it('is erased in every copy by destroying its key, also where the bytes cannot be reached', async () => {
    const { folder, ref, keyFolder, add, erase } = await begun();
    const { digest } = await add(ref, 'the secret', encrypted);
    const backup = scratch('backup');
    git(folder, ['clone', '--quiet', '--mirror', folder, backup]);
    expect(await erase(ref, digest)).toMatchObject({ isKeyDestroyed: true });
    expect(readdirSync(keyFolder)).toEqual([]);
    const restored = await desk({ folder: backup, keyFolder });
    await expect(restored.show(ref, digest)).rejects.toMatchObject({ code: 'artifact_key_absent' });
  });
});
