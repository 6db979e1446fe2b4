// A key is taken from where policy says it is, and only if nobody else could have read or changed it there.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { secretsIn } from '../../../src/adapters/secrets/references.ts';
import { Failure } from '../../../src/failure.ts';
import { scratch } from '../../support/repos.ts';

const KEY = 'sk-canary-0123456789';
let folder: string;

beforeEach(() => {
  folder = scratch('secrets');
});

const secrets = (env: Record<string, string> = {}) =>
  secretsIn({ env, vault: async () => ({ read: async (name) => `${KEY}-of-${name}` }) });

function file(text: string | Uint8Array, mode = 0o600, name = 'key'): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return `file:${path}`;
}

async function refused(reference: string, env: Record<string, string> = {}): Promise<unknown> {
  const error: unknown = await secrets(env)
    .resolve(reference)
    .then(
      () => undefined,
      (cause: unknown) => cause,
    );
  expect(inspect(error, { depth: 10 })).not.toMatch(/canary|refresh-me|oat01/);
  return error instanceof Failure ? error.code : error;
}

it('is what stands in the variable, the file or the vault', async () => {
  expect(await secrets({ OPENAI_API_KEY: KEY }).resolve('env:OPENAI_API_KEY')).toBe(KEY);
  for (const end of ['', '\n', '\r\n']) expect(await secrets().resolve(file(KEY + end))).toBe(KEY);
  expect(await secrets().resolve('vault:openai')).toBe(`${KEY}-of-openai`);
});

it('is missing where there is nothing, and never made up', async () => {
  expect(await refused('env:OPENAI_API_KEY')).toBe('secret_missing');
  expect(await refused(`file:${folder}/none`)).toBe('secret_missing');
  expect(await refused('keychain:openai')).toBe('secret_missing');
});

it.each([0o640, 0o604, 0o660, 0o602, 0o601])('in a file that others get at (%o) is not used', async (mode) => {
  expect(await refused(file(KEY, mode))).toBe('secret_exposed');
});

it('behind a link, in a folder or in a pipe is not used', async () => {
  const target = file(KEY).slice('file:'.length);
  symlinkSync(target, join(folder, 'link'));
  expect(await refused(`file:${folder}/link`)).toBe('secret_exposed');
  expect(await refused(`file:${folder}`)).toBe('secret_exposed');
  execFileSync('mkfifo', ['-m', '600', join(folder, 'pipe')]);
  expect(await refused(`file:${folder}/pipe`)).toBe('secret_exposed');
});

it.each([
  ['nothing', ''],
  ['a line feed', '\n'],
  ['so short that it cannot be searched for', 'canary'],
  ['two lines', `${KEY}\n${KEY}\n`],
  ['a header of somebody', `${KEY}\r\nx-injected: 1`],
  ['two words', `Bearer ${KEY}`],
  ['another alphabet', `${KEY}\u0455`],
  ['a novel', 'canary'.repeat(20_000)],
])('that is %s is no key', async (_, text) => {
  expect(await refused(file(text))).toBe('secret_unusable');
  expect(await refused('env:KEY', { KEY: text })).toBe('secret_unusable');
});

it('of a login is refused by its name, whatever it is called', async () => {
  const login = JSON.stringify({ tokens: { access_token: 'canary', refresh_token: 'refresh-me' } });
  for (const text of [
    login,
    `\n ${login}`,
    `refresh_token=refresh-me`,
    'sk-ant-oat01-canary-canary',
    'sk-ant-ort01-canary',
  ])
    expect(await refused('env:KEY', { KEY: text }), text).toBe('login_not_a_key');
  expect(await refused(file(login))).toBe('login_not_a_key');
  for (const place of ['.codex/auth.json', '.claude/.credentials.json', '.local/share/opencode/auth.json'])
    expect(await refused(file(KEY, 0o600, place)), place).toBe('login_not_a_key');
});
