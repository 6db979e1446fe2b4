import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  createMessage,
  decrypt,
  decryptKey,
  encrypt,
  generateKey,
  readKey,
  readMessage,
  readPrivateKey,
  revokeKey,
} from 'openpgp';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keyPath } from '../../../src/adapters/keys/file-keys.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { dearmor } from '../../../src/format/openpgp/armor.ts';
import { parsePublicKey, parsePublicKeys } from '../../../src/format/openpgp/public-key.ts';
import { parseSignature, verifySignature } from '../../../src/format/openpgp/signature.ts';
import type { Signer } from '../../../src/ports/keys.ts';
import { AT_SECONDS, UNPROTECTED, answer, keyHome, neverAsked, refusalOf, type KeyHome } from './homes.ts';

const data = utf8('a transaction');
const PASSPHRASE = { passphrase: 'correct horse' };
let home: KeyHome;

beforeEach(() => {
  home = keyHome();
});
afterEach(() => home.remove());

async function signsWell(signer: Signer): Promise<boolean> {
  const { fingerprint, ed25519 } = parsePublicKey(signer.publicKey, nodeCrypto);
  const signature = parseSignature(await signer.sign(data, AT_SECONDS));
  return (
    fingerprint === signer.fingerprint &&
    verifySignature(nodeCrypto, signature, ed25519, fingerprint, data) === undefined
  );
}

describe('a new key', () => {
  it('signs after its passphrase was given, and is listed with how it is kept', async () => {
    const made = await home.keys.generate('ana', AT_SECONDS, PASSPHRASE);
    expect(made).toMatchObject({ userId: `ana <${made.fingerprint}@lazarus.invalid>`, createdAtSeconds: AT_SECONDS });
    expect(await home.keys.list()).toEqual([{ ...made, custody: 'passphrase' }]);
    expect(await signsWell(await home.keys.open(made.fingerprint, answer('correct horse')))).toBe(true);
  });

  it('is not opened by a wrong passphrase', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, PASSPHRASE);
    expect(await refusalOf(home.keys.open(fingerprint, answer('correct horsf')))).toBe('passphrase_wrong');
  });

  it('without a passphrase must be asked for as such, signs unasked, and is shown as bare', async () => {
    expect(await refusalOf(home.keys.generate('bot', AT_SECONDS, { passphrase: '' }))).toBe('passphrase_empty');
    expect(await home.keys.list()).toEqual([]);
    const made = await home.keys.generate('bot', AT_SECONDS, UNPROTECTED);
    expect(await home.keys.list()).toMatchObject([{ custody: 'unprotected' }]);
    expect(await signsWell(await home.keys.open(made.fingerprint, neverAsked))).toBe(true);
  });

  it('lies in files that only its owner can read, with the secret under the passphrase', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, PASSPHRASE);
    expect(statSync(home.path).mode & 0o777).toBe(0o700);
    expect(readdirSync(home.path).sort()).toEqual([`${fingerprint}.asc`, `${fingerprint}.pub.asc`]);
    for (const name of readdirSync(home.path)) expect(statSync(join(home.path, name)).mode & 0o777).toBe(0o600);
    const armoredKey = readFileSync(join(home.path, `${fingerprint}.asc`), 'utf8');
    const privateKey = await readPrivateKey({ armoredKey });
    expect(privateKey.isDecrypted()).toBe(false);
    const opened = await decryptKey({ privateKey, passphrase: 'correct horse' });
    expect(opened.getFingerprint().toUpperCase()).toBe(fingerprint);
  });

  it('shows through OpenPGP.js as a valid key under the principal’s id alone', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    const key = await readKey({ armoredKey: await home.keys.exportPublic(fingerprint) });
    expect(key.getUserIDs()).toEqual([`ana <${fingerprint}@lazarus.invalid>`]);
    expect((await key.verifyAllUsers())[0]?.valid).toBe(true);
  });

  it('is refused once anybody else could read its file or directory', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    chmodSync(join(home.path, `${fingerprint}.asc`), 0o640);
    expect(await refusalOf(home.keys.open(fingerprint, neverAsked))).toBe('key_exposed');
    chmodSync(join(home.path, `${fingerprint}.asc`), 0o600);
    chmodSync(home.path, 0o755);
    expect(await refusalOf(home.keys.open(fingerprint, neverAsked))).toBe('key_exposed');
    expect(await refusalOf(home.keys.generate('ben', AT_SECONDS, UNPROTECTED))).toBe('key_exposed');
  });

  it('is gone after removal, and unknown keys are refused by name', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    await home.keys.remove(fingerprint);
    expect(readdirSync(home.path)).toEqual([]);
    expect(await refusalOf(home.keys.remove(fingerprint))).toBe('key_not_found');
    expect(await refusalOf(home.keys.exportPublic(fingerprint))).toBe('key_not_found');
    expect(await refusalOf(home.keys.exportPrivate(fingerprint))).toBe('key_not_found');
    expect(await refusalOf(home.keys.open(fingerprint, neverAsked))).toBe('key_not_found');
  });
});

describe('files that somebody changed', () => {
  it('are refused when they belong to different keys', async () => {
    const ana = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    const ben = await home.keys.generate('ben', AT_SECONDS, UNPROTECTED);
    renameSync(join(home.path, `${ben.fingerprint}.asc`), join(home.path, `${ana.fingerprint}.asc`));
    expect(await refusalOf(home.keys.open(ana.fingerprint, neverAsked))).toBe('key_malformed');
    renameSync(join(home.path, `${ben.fingerprint}.pub.asc`), join(home.path, `${ana.fingerprint}.pub.asc`));
    expect(await refusalOf(home.keys.open(ana.fingerprint, neverAsked))).toBe('key_malformed');
  });

  it('are refused when they lead elsewhere, are cut short, or are too large', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    const path = join(home.path, `${fingerprint}.asc`);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.slice(0, 100));
    expect(await refusalOf(home.keys.open(fingerprint, neverAsked))).toBe('armor_malformed');
    writeFileSync(path, 'x'.repeat(70_000));
    expect(await refusalOf(home.keys.open(fingerprint, neverAsked))).toBe('key_malformed');
    rmSync(path);
    symlinkSync('/etc/hostname', path);
    expect(await refusalOf(home.keys.open(fingerprint, neverAsked))).toBe('key_exposed');
  });

  it('do not make a half-written key appear: a private half alone is not listed', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    rmSync(join(home.path, `${fingerprint}.pub.asc`));
    expect(await home.keys.list()).toEqual([]);
  });
});

describe('an import', () => {
  it('takes over what export gave, as the same key, under another passphrase', async () => {
    const made = await home.keys.generate('ana', AT_SECONDS, PASSPHRASE);
    const armored = await home.keys.exportPrivate(made.fingerprint);
    const second = keyHome();
    onTestFinished(second.remove);
    const taken = await second.keys.importPrivate(armored, 'ana', answer('correct horse'), { passphrase: 'other' });
    expect(taken).toEqual(made);
    expect(await signsWell(await second.keys.open(made.fingerprint, answer('other')))).toBe(true);
    const again = second.keys.importPrivate(armored, 'ana', answer('correct horse'), { passphrase: 'other' });
    expect(await refusalOf(again)).toBe('key_exists');
    expect(await refusalOf(second.keys.importPrivate(armored, 'ana', answer('no'), UNPROTECTED))).toBe(
      'passphrase_wrong',
    );
  });

  it('drops the e-mail address of a foreign key, keeps its fingerprint, and of its subkeys the one to encrypt to', async () => {
    const theirs = await generateKey({
      type: 'ecc',
      curve: 'ed25519Legacy',
      userIDs: [{ name: 'Ana', email: 'ana@example.invalid' }],
      subkeys: [{ sign: true }, {}],
      format: 'object',
    });
    const taken = await home.keys.importPrivate(theirs.privateKey.armor(), 'ana', neverAsked, UNPROTECTED);
    expect(taken.fingerprint).toBe(theirs.publicKey.getFingerprint().toUpperCase());
    for (const half of [
      await home.keys.exportPublic(taken.fingerprint),
      await home.keys.exportPrivate(taken.fingerprint),
    ]) {
      const key = await readKey({ armoredKey: half });
      expect(key.getUserIDs()).toEqual([`ana <${taken.fingerprint}@lazarus.invalid>`]);
      const theirsToEncrypt = theirs.publicKey.getSubkeys()[1]!.getFingerprint();
      expect(key.getSubkeys().map((subkey) => subkey.getFingerprint())).toEqual([theirsToEncrypt]);
    }
  });

  it('refuses every other kind of key by name, and text that is no private key', async () => {
    const userIDs = [{ name: 'ana' }];
    const rsa = await generateKey({ type: 'rsa', rsaBits: 2048, userIDs, subkeys: [] });
    const p256 = await generateKey({ type: 'ecc', curve: 'nistP256', userIDs, subkeys: [] });
    const newer = await generateKey({ type: 'curve25519', userIDs, subkeys: [] });
    const ed448 = await generateKey({ type: 'curve448', userIDs, subkeys: [] });
    const six = await generateKey({ type: 'curve25519', userIDs, subkeys: [], config: { v6Keys: true } });
    const importing = (armored: string) => refusalOf(home.keys.importPrivate(armored, 'ana', neverAsked, UNPROTECTED));
    for (const { privateKey } of [rsa, p256, newer, ed448]) {
      expect(await importing(privateKey)).toBe('key_algorithm_unsupported');
    }
    expect(await importing(six.privateKey)).toBe('key_version_unsupported');
    expect(await importing(newer.publicKey)).toBe('key_secret_absent');
    expect(await importing('hello')).toBe('key_malformed');
    expect(await home.keys.list()).toEqual([]);
  });
});

describe('importing what gpg itself would not sign with', () => {
  it('is refused, as from its keyring', async () => {
    const kind = { type: 'ecc', curve: 'ed25519Legacy' } as const;
    const asked = { ...kind, userIDs: [{ name: 'ana' }], subkeys: [] };
    const yesterday = new Date(Date.now() - 86_400_000);
    const expired = await generateKey({ ...asked, date: yesterday, keyExpirationTime: 60 });
    const sound = await generateKey({ ...asked, format: 'object' });
    const { privateKey: revoked } = await revokeKey({ key: sound.privateKey, format: 'object' });
    const importing = (armored: string) => refusalOf(home.keys.importPrivate(armored, 'ana', neverAsked, UNPROTECTED));
    expect(await importing(expired.privateKey)).toBe('key_unusable');
    expect(await importing(revoked.armor())).toBe('key_unusable');
    expect(await home.keys.list()).toEqual([]);
    expect(await importing(sound.privateKey.armor())).toBe('accepted');
  });
});

describe('the place of keys', () => {
  it('is the XDG configuration directory', () => {
    expect(keyPath({ XDG_CONFIG_HOME: '/x' })).toBe('/x/lazarus/keys');
    expect(keyPath({ HOME: '/home/ana' })).toBe('/home/ana/.config/lazarus/keys');
    expect(keyPath({ HOME: '/home/ana', XDG_CONFIG_HOME: 'relative' })).toBe('/home/ana/.config/lazarus/keys');
  });

  it('need not exist before the first key, and is refused when it is open to others', async () => {
    expect(await home.keys.list()).toEqual([]);
    mkdirSync(home.path, { recursive: true, mode: 0o755 });
    expect(await refusalOf(home.keys.list())).toBe('key_exposed');
  });

  it('holds keys in the one armor that the ledger uses', async () => {
    const made = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    const text = await home.keys.exportPublic(made.fingerprint);
    expect(dearmor('PUBLIC KEY BLOCK', text)).toEqual(made.publicKey);
  });
});

describe('a key to encrypt to', () => {
  it('is bound by the signing key, and a foreign program encrypts to the one half and decrypts with the other', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, PASSPHRASE);
    const made = await home.keys.encryptTo(fingerprint, AT_SECONDS, answer('correct horse'));
    const armoredKey = await home.keys.exportPublic(fingerprint);
    const { key, encryption } = parsePublicKeys(dearmor('PUBLIC KEY BLOCK', armoredKey), nodeCrypto);
    expect([key.fingerprint, encryption]).toEqual([fingerprint, made]);
    const encryptionKeys = await readKey({ armoredKey });
    const message = await encrypt({ message: await createMessage({ text: 'for ana' }), encryptionKeys });
    const privateKey = await readPrivateKey({ armoredKey: await home.keys.exportPrivate(fingerprint) });
    const decryptionKeys = await decryptKey({ privateKey, passphrase: 'correct horse' });
    const { data } = await decrypt({ message: await readMessage({ armoredMessage: message }), decryptionKeys });
    expect(data).toBe('for ana');
    // The signing key is what it was, and asked again there is still one.
    expect(await signsWell(await home.keys.open(fingerprint, answer('correct horse')))).toBe(true);
    expect(await home.keys.encryptTo(fingerprint, AT_SECONDS + 9, neverAsked)).toEqual(made);
    expect(await home.keys.list()).toMatchObject([{ fingerprint, custody: 'passphrase' }]);
  });

  it('comes back with a backup, and goes when its signing key goes', async () => {
    const { fingerprint } = await home.keys.generate('ana', AT_SECONDS, UNPROTECTED);
    const made = await home.keys.encryptTo(fingerprint, AT_SECONDS, neverAsked);
    const backup = await home.keys.exportPrivate(fingerprint);
    await home.keys.remove(fingerprint);
    expect(await home.keys.list()).toEqual([]);
    await home.keys.importPrivate(backup, 'ana', neverAsked, UNPROTECTED);
    expect(await home.keys.encryptTo(fingerprint, AT_SECONDS + 9, neverAsked)).toEqual(made);
  });

  it('of a key that OpenPGP.js made is taken over with it', async () => {
    const { privateKey } = await generateKey({ userIDs: [{ name: 'ana' }], type: 'ecc', curve: 'curve25519Legacy' });
    const { fingerprint } = await home.keys.importPrivate(privateKey, 'ana', neverAsked, UNPROTECTED);
    const taken = await home.keys.encryptTo(fingerprint, AT_SECONDS, neverAsked);
    const theirs = (await readPrivateKey({ armoredKey: privateKey })).getSubkeys()[0]!;
    expect(taken.fingerprint).toBe(theirs.getFingerprint().toUpperCase());
  });
});
