// The vault holds OpenPGP messages that this machine and the chosen people open, these with the gpg that they have anyway,
// and nobody else.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { fileVault, machineKeyPath } from '../../../src/adapters/keys/vault.ts';
import { dearmor } from '../../../src/format/openpgp/armor.ts';
import type { Reader } from '../../../src/kernel/roster/people.ts';
import type { Vault } from '../../../src/ports/secrets.ts';
import { gpgHome, type GpgHome } from '../../support/gpg-home.ts';
import { scratch } from '../../support/repos.ts';
import { AT_SECONDS, keyHome, neverAsked, refusalOf, UNPROTECTED, vaultKeys } from './homes.ts';

const KEY = 'sk-canary-0123456789';
let folder: string;
let vault: Vault;

beforeEach(() => {
  folder = join(scratch('vault'), 'vault');
  vault = fileVault(folder, vaultKeys(machineKeyPath(folder)));
});

/** Somebody with a key of lazarus, and a gpg that has taken it over. */
async function person(principal: string): Promise<{ readonly reader: Reader; readonly gpg: GpgHome['gpg'] }> {
  const home = keyHome();
  onTestFinished(home.remove);
  const { fingerprint } = await home.keys.generate(principal, AT_SECONDS, UNPROTECTED);
  const encryption = await home.keys.encryptTo(fingerprint, AT_SECONDS, neverAsked);
  const gpg = gpgHome();
  onTestFinished(gpg.remove);
  gpg.gpg(['--import'], await home.keys.exportPrivate(fingerprint));
  const certificate = dearmor('PUBLIC KEY BLOCK', await home.keys.exportPublic(fingerprint));
  return { reader: { principal, fingerprint: encryption.fingerprint, certificate }, gpg: gpg.gpg };
}

it('gives back what it was given, and stock gpg of a chosen person does too', async () => {
  const [ana, ben] = [await person('ana'), await person('ben')];
  await vault.put({ name: 'openai', setAtSeconds: AT_SECONDS, readers: [ana.reader] }, KEY);
  expect(await vault.read('openai')).toBe(KEY);
  const file = join(folder, 'openai.asc');
  expect(ana.gpg(['--decrypt', file]).toString()).toBe(KEY);
  expect(() => ben.gpg(['--decrypt', file])).toThrow(/No secret key/);
});

it('is of no use to a machine that it was not made on', async () => {
  await vault.put({ name: 'openai', setAtSeconds: AT_SECONDS, readers: [] }, KEY);
  const elsewhere = join(scratch('elsewhere'), 'vault');
  const other = fileVault(elsewhere, vaultKeys(machineKeyPath(elsewhere)));
  await other.put({ name: 'mine', setAtSeconds: AT_SECONDS, readers: [] }, KEY);
  writeFileSync(join(elsewhere, 'openai.asc'), readFileSync(join(folder, 'openai.asc')), { mode: 0o600 });
  expect(await refusalOf(other.read('openai'))).toBe('vault_unreadable');
});

it('keeps no value in the clear, and nothing that others may read', async () => {
  await vault.put({ name: 'openai', setAtSeconds: AT_SECONDS, readers: [] }, KEY);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  for (const path of [folder, ...paths]) {
    const stat = statSync(path);
    expect(stat.mode & 0o077, path).toBe(0);
    if (stat.isFile()) expect(readFileSync(path, 'latin1'), path).not.toContain(KEY);
  }
});

it('puts one in the place of another, lists them without reading them, and forgets', async () => {
  const { reader } = await person('ana');
  await vault.put({ name: 'one', setAtSeconds: AT_SECONDS, readers: [] }, KEY);
  await vault.put({ name: 'two', setAtSeconds: AT_SECONDS, readers: [reader] }, KEY);
  await vault.put({ name: 'one', setAtSeconds: AT_SECONDS + 1, readers: [] }, 'sk-another-0123456789');
  expect(await vault.read('one')).toBe('sk-another-0123456789');
  expect(await vault.list()).toEqual([
    { name: 'one', setAtSeconds: AT_SECONDS + 1, readers: [] },
    { name: 'two', setAtSeconds: AT_SECONDS, readers: [reader] },
  ]);
  await vault.remove('one');
  expect(await refusalOf(vault.read('one'))).toBe('secret_missing');
  expect(await refusalOf(vault.remove('one'))).toBe('secret_missing');
  for (const name of ['../../etc/passwd', 'machine/x', ''])
    expect(await refusalOf(vault.read(name))).toBe('secret_missing');
});

it.each([
  ['cut short', (text: string) => text.slice(0, -200)],
  ['without its first line', (text: string) => text.slice(text.indexOf('\n') + 1)],
  [
    'with a bit turned',
    // In the message itself, not in the checksum behind it.
    (text: string) => text.replace(/(.)(?=.*\n=.{4}\n-----END)/, (one) => (one === 'A' ? 'B' : 'A')),
  ],
  ['of somebody else', () => 'hello'],
])('says that a file is broken (%s), and not what stands in it', async (_, broken) => {
  await vault.put({ name: 'openai', setAtSeconds: AT_SECONDS, readers: [] }, KEY);
  const file = join(folder, 'openai.asc');
  const text = readFileSync(file, 'utf8');
  expect(broken(text)).not.toBe(text);
  writeFileSync(file, broken(text));
  expect(await refusalOf(vault.read('openai'))).toBe('vault_unreadable');
});
