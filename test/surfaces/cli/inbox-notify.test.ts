// `lazarus inbox --notify`: a program is started once for each thing that is new to somebody, with a message that a person reads
// and no secret that this computer knows; and what it could not deliver comes again.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lazarus } from '../../support/cli.ts';
import { ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

/** Writes what it is told behind what it was told before. */
const PROGRAM = ['--', 'sh', '-c', 'cat >> "$1"', 'sh'];
const told = (name: string): string =>
  existsSync(join(at.folder, name)) ? readFileSync(join(at.folder, name), 'utf8') : '';
const notify = (name: string, ...args: string[]) => at.run(['inbox', ...args, '--notify', ...PROGRAM, name]);

it('tells each thing once, with the line to type, to everybody who asks for themselves', async () => {
  const one = await at.propose();
  expect((await ok(notify('bo', '--as', 'bo'))).stdout).toBe('told: 1\n');
  expect((await ok(notify('bo', '--as', 'bo'))).stdout).toBe('nothing new\n');
  expect(told('bo')).toMatch(
    new RegExp(
      `^${basename(at.folder)}: ${one.mission} awaiting approval, waits for bo, until \\S+\n.+\ntype at a terminal: lazarus approve ${one.mission} ${one.digest}\n$`,
    ),
  );
  expect((await ok(notify('ana', '--as', 'ana'))).stdout).toBe('nothing new\n');
  expect((await ok(notify('all', '--all'))).stdout).toBe('told: 1\n');
  await ok(at.run(['cancel', one.mission, '--as', 'ana']));
  expect((await ok(notify('ana', '--as', 'ana'))).stdout).toBe('told: 1\n');
  expect(told('ana')).toBe(`${basename(at.folder)}: ${one.mission} cancelled (mission_cancelled)\n`);
});

it('takes out what the environment and the vault of this computer keep, and leaves references', async () => {
  const [token, kept] = ['s3cret-of-the-environment', 's3cret-of-the-vault'];
  const env = { DEPLOY_TOKEN: token };
  await ok(at.run(['vault', 'set', 'openai', '--from-stdin'], { input: `${kept}\n` }));
  const goal = `Use ${token} or ${kept}, that is vault:openai`;
  await at.propose({ 'Greet people by their name, and the world when there is none': goal });
  await ok(at.run(['inbox', '--as', 'bo', '--notify', ...PROGRAM, 'redacted'], { env }));
  expect(told('redacted')).toContain('Use ···REDACTED··· or ···REDACTED···, that is vault:openai\n');
});

it('a program that fails is told by its exit code, and is given the same again', async () => {
  rmSync(join(at.folder, 'folder'), { recursive: true, force: true });
  await at.propose();
  const into = ['inbox', '--as', 'bo', '--notify', ...PROGRAM, 'folder/told'];
  expect(await at.run(into)).toMatchObject({ code: 75, stderr: expect.stringMatching(/^message_undelivered: /) });
  mkdirSync(join(at.folder, 'folder'));
  expect((await ok(at.run(into))).stdout).toBe('told: 1\n');
});

it('is refused without a program, and a program without it', async () => {
  expect(await at.run(['inbox', '--notify'])).toMatchObject({ code: 2 });
  expect(await at.run(['inbox', 'mail'])).toMatchObject({ code: 2 });
  expect((await lazarus(['inbox', '--help'])).stdout).toContain('lazarus inbox --notify -- mail');
});
