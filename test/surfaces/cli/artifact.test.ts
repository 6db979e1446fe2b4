// The artifact commands as a person or a script meets them: what is refused before anything is written, what is printed
// where, and what a terminal never gets.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ARTIFACT_BYTES_MAX } from '../../../src/kernel/limits.ts';
import { isPlainText } from '../../../src/surfaces/cli/commands/artifact-content.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { lazarus, type Ran } from '../../support/cli.ts';
import { begun } from '../../support/desk.ts';
import { git, scratchRepository } from '../../support/repos.ts';

type Json = { readonly digest: string; readonly index: number; readonly artifacts: { readonly state: string }[] };

type Mission = { readonly cwd: string; readonly name: string; readonly run: (...args: string[]) => Promise<Ran> };

async function mission(): Promise<Mission> {
  const cwd = scratchRepository();
  const run = (...args: string[]): Promise<Ran> => lazarus(args, { cwd });
  for (const args of [
    ['keys', 'new', 'ana', '--unprotected'],
    ['ledger', 'init'],
    ['ledger', 'init', '--mission'],
  ])
    expect(await run(...args)).toMatchObject({ code: 0 });
  const name = git(cwd, ['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/lazarus/m-*']);
  return { cwd, name, run };
}

const json = ({ stdout }: Ran): Json => JSON.parse(stdout) as Json;

describe('artifact add', () => {
  it.each([
    ['a file that is not there', 'none.txt', 'file_unreadable', 7],
    ['a folder', 'folder', 'file_unreadable', 7],
    ['a file above the limit', 'large.bin', 'artifact_too_large', 2],
  ])('refuses %s before the ledger is touched', async (_, file, code, exit) => {
    const { cwd, name, run } = await mission();
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'large.bin'), '');
    truncateSync(join(cwd, 'large.bin'), ARTIFACT_BYTES_MAX + 1);
    const before = git(cwd, ['for-each-ref']);
    const ran = await run('artifact', 'add', name, file);
    expect(ran).toMatchObject({ code: exit, stdout: '' });
    expect(ran.stderr).toContain(`${code}:`);
    expect(git(cwd, ['for-each-ref'])).toBe(before);
  });

  it('stops reading standard input as soon as it is too much, however much more would come', async () => {
    const { cwd, name } = await mission();
    const env = { PATH: process.env['PATH'], HOME: cwd };
    const child = spawn(process.execPath, [CLI_MAIN, 'artifact', 'add', name, '-'], { cwd, env });
    child.stdin.on('error', () => undefined);
    const chunk = new Uint8Array(1 << 20);
    let sent = 0;
    const pour = (): void => {
      while (!child.stdin.destroyed && child.stdin.write(chunk)) sent += chunk.length;
    };
    child.stdin.on('drain', pour);
    pour();
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(2);
    expect(sent).toBeLessThan(4 * ARTIFACT_BYTES_MAX);
  });

  it('refuses a media type that is none, and tells text from other bytes when none is named', async () => {
    const { cwd, name, run } = await mission();
    writeFileSync(join(cwd, 'a'), Uint8Array.of(0x1b, 0x5b, 0x32, 0x4a));
    expect((await run('artifact', 'add', name, 'a', '--type', 'Text/Plain')).code).toBe(2);
    expect(json(await run('artifact', 'add', name, 'a', '--json'))).toMatchObject({
      media_type: 'application/octet-stream',
      bytes: 4,
      encrypted: false,
      index: 1,
    });
  });
});

describe('artifact show', () => {
  it('writes the bytes as they were to a pipe, to a new file, and into JSON', async () => {
    const { cwd, name, run } = await mission();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 251);
    writeFileSync(join(cwd, 'a.bin'), bytes);
    const { digest } = json(await run('artifact', 'add', name, 'a.bin', '--json'));
    const env = { PATH: process.env['PATH'], HOME: cwd };
    const args = [CLI_MAIN, 'artifact', 'show', name, digest];
    const piped = execFileSync(process.execPath, args, { cwd, env, maxBuffer: 1 << 20 });
    expect(new Uint8Array(piped)).toEqual(bytes);
    expect((await run('artifact', 'show', name, digest, '-o', 'b.bin')).code).toBe(0);
    expect(new Uint8Array(readFileSync(join(cwd, 'b.bin')))).toEqual(bytes);
    expect(await run('artifact', 'show', name, digest, '-o', 'b.bin')).toMatchObject({ code: 5 });
    const told = JSON.parse((await run('artifact', 'show', name, digest, '--json')).stdout) as {
      content_base64: string;
    };
    expect(new Uint8Array(Buffer.from(told.content_base64, 'base64'))).toEqual(bytes);
  });

  it.each([
    ['plain text', 'a line\n\tand another: grüße 😀\n', true],
    ['nothing', '', true],
    ['an escape that clears the screen', '\u001b[2J', false],
    ['a carriage return that overwrites the line', 'bad\rgood', false],
    ['a bidirectional override', 'user\u202enimda', false],
    ['a C1 control', '\u009b31m', false],
  ])('lets a terminal have %s: %j %s', (_, text, isFit) => {
    expect(isPlainText(new TextEncoder().encode(text))).toBe(isFit);
  });

  it('takes bytes that are no UTF-8 for no text', () => {
    expect(isPlainText(Uint8Array.of(0xc3, 0x28))).toBe(false);
  });
});

describe('artifact key', () => {
  it('hands a key over through files and standard input, for its owner’s eyes only', async () => {
    const { cwd, name, run } = await mission();
    writeFileSync(join(cwd, 'a.txt'), 'secret');
    const { digest } = json(await run('artifact', 'add', name, 'a.txt', '--encrypt', '--json'));
    expect((await run('artifact', 'key', 'export', name, digest, '-o', 'a.key')).code).toBe(0);
    expect(statSync(join(cwd, 'a.key')).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(cwd, 'a.key'), 'utf8');
    expect(text).toContain(digest);
    expect((await run('artifact', 'key', 'export', name, digest)).stdout).toBe(text);
    const env = { PATH: process.env['PATH'], HOME: cwd, XDG_DATA_HOME: join(cwd, 'data') };
    const args = [CLI_MAIN, 'artifact', 'key', 'import', name, '-'];
    execFileSync(process.execPath, args, { cwd, env, input: text });
    const shown = await lazarus(['artifact', 'show', name, digest], { cwd, env: { XDG_DATA_HOME: join(cwd, 'data') } });
    expect(shown.stdout).toBe('secret');
    writeFileSync(join(cwd, 'bad.key'), `${text}x`);
    expect(await run('artifact', 'key', 'import', name, 'bad.key')).toMatchObject({ code: 2 });
  });

  it('says so when the artifact is not encrypted', async () => {
    const { cwd, name, run } = await mission();
    writeFileSync(join(cwd, 'a.txt'), 'open');
    const { digest } = json(await run('artifact', 'add', name, 'a.txt', '--json'));
    const ran = await run('artifact', 'key', 'export', name, digest, '-o', 'a.key');
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain('encryption: none');
  });
});

describe('artifact erase', () => {
  it('asks for a reason that is a word, and for agreement; then says it in JSON', async () => {
    const { cwd, name, run } = await mission();
    writeFileSync(join(cwd, 'a.txt'), 'a');
    const { digest } = json(await run('artifact', 'add', name, 'a.txt', '--json'));
    expect((await run('artifact', 'erase', name, digest)).code).toBe(2);
    expect((await run('artifact', 'erase', name, digest, '--because', 'He asked for it', '--yes')).code).toBe(2);
    expect((await run('artifact', 'erase', name, digest, '--because', 'asked')).code).not.toBe(0);
    expect((await run('artifact', 'show', name, digest)).stdout).toBe('a');
    const erased = await run('artifact', 'erase', name, digest, '--because', 'asked', '--yes', '--json');
    expect(json(erased)).toMatchObject({ digest, index: 2, bytes_found: true, still_packed: false, remote: null });
    expect(json(await run('artifact', 'list', name, '--json')).artifacts).toMatchObject([{ state: 'erased' }]);
  });
});

describe('ledger fsck', () => {
  it('finds a sound repository sound, and its table has a line for each ledger and for git', async () => {
    const { run, cwd, name } = await mission();
    writeFileSync(join(cwd, 'a.txt'), 'a');
    await run('artifact', 'add', name, 'a.txt');
    const { code, stdout } = await run('ledger', 'fsck');
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^project +ok, 1 events +pin agrees +no artifacts$/),
      expect.stringMatching(new RegExp(`^${name} +ok, 2 events +pin agrees +artifacts: 1 sound$`)),
      expect.stringMatching(/^git +finds every object sound$/),
    ]);
  });

  it.each([
    [
      'an artifact that is away',
      ({ cwd, name }: Mission) => git(cwd, ['update-ref', '-d', `refs/lazarus/artifacts/${name}`]),
      'artifact_missing',
    ],
    ['a pin that says something else', ({ cwd, name }: Mission) => pinned(cwd, name), 'pin_wrong'],
    ['a ledger with a commit of somebody else', ({ cwd, name }: Mission) => foreign(cwd, name), 'commit_unsigned'],
    ['an object that the disk damaged', ({ cwd, name }: Mission) => damaged(cwd, name), 'git: '],
  ])('ends with 6 for %s', async (_, harm, word) => {
    const found = await mission();
    writeFileSync(join(found.cwd, 'a.txt'), 'a');
    await found.run('artifact', 'add', found.name, 'a.txt');
    harm(found);
    const { code, stdout } = await found.run('ledger', 'fsck');
    expect(stdout).toContain(word);
    expect(code).toBe(6);
  });
});

function pinned(cwd: string, name: string): void {
  const path = join(cwd, '.git', 'lazarus', 'pins', `${name}.json`);
  const pin = JSON.parse(readFileSync(path, 'utf8')) as { head: { root: string } };
  pin.head.root = 'ab'.repeat(32);
  writeFileSync(path, JSON.stringify(pin));
}

function foreign(cwd: string, name: string): void {
  const ref = `refs/heads/lazarus/${name}`;
  git(cwd, ['update-ref', ref, git(cwd, ['commit-tree', `${ref}^{tree}`, '-p', ref, '-m', 'hello'])]);
}

/** The roster file of the ledger's tree: the verifier derives it and never reads it, git does. */
function damaged(cwd: string, name: string): void {
  const oid = git(cwd, ['rev-parse', `refs/heads/lazarus/${name}:keys.asc`]);
  git(cwd, ['repack', '-q', '-a', '-d', '--depth=0', '--window=0']);
  const packs = join(cwd, '.git', 'objects', 'pack');
  const index = readdirSync(packs).find((name) => name.endsWith('.idx'))!;
  const listed = git(cwd, ['show-index'], readFileSync(join(packs, index)));
  const offset = Number(
    listed
      .split('\n')
      .find((line) => line.includes(oid))!
      .split(' ')[0],
  );
  const path = join(packs, index.replace('.idx', '.pack'));
  chmodSync(path, 0o644);
  const bytes = readFileSync(path);
  bytes[offset + 20]! ^= 0xff;
  writeFileSync(path, bytes);
}

it('a mission made in code and one made by commands are the same to the commands', async () => {
  const { folder, ref, add } = await begun();
  const { digest } = await add(ref, 'from code');
  const shown = await lazarus(['artifact', 'show', ref.split('/').at(-1)!, digest], { cwd: folder });
  expect(shown).toMatchObject({ code: 0, stdout: 'from code' });
});
