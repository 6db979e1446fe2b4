// Keys that live in a real gpg keyring: what is offered, what is refused, and signatures made by the real agent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { gpgKeyring } from '../../../src/adapters/keys/gpg-keyring.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';
import { createMessage, encrypt, readKey } from 'openpgp';
import { parseEncryptionKey } from '../../../src/format/openpgp/encryption-key.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import { parseSignature, verifySignature } from '../../../src/format/openpgp/signature.ts';
import type { GpgKeyring } from '../../../src/ports/keys.ts';
import { gpgHome } from '../../support/gpg-home.ts';
import type { GpgHome } from '../../support/gpg-home.ts';
import { AT_SECONDS, UNPROTECTED, answer, keyHome, neverAsked, refusalOf } from './homes.ts';

const NOWHERE = 'A'.repeat(40);
let home: GpgHome;
let keyring: GpgKeyring;
let ana: string;
let rsa: string;
let certifyOnly: string;

beforeAll(() => {
  home = gpgHome();
  keyring = gpgKeyring(home.env, nodeCrypto);
  ana = home.newKey('Ana <ana@example.invalid>', 'ed25519', 'sign');
  rsa = home.newKey('Rsa <rsa@example.invalid>', 'rsa2048', 'sign');
  certifyOnly = home.newKey('Cert <cert@example.invalid>', 'ed25519', 'cert');
  home.gpg([
    '--pinentry-mode',
    'loopback',
    '--passphrase',
    '',
    '--quick-add-key',
    certifyOnly,
    'cv25519',
    'encr',
    'never',
  ]);
});
afterAll(() => home.remove());

describe('the gpg keyring', () => {
  it('offers ed25519 signing keys and says of every other why not', async () => {
    const keys = await keyring.list();
    const found = Object.fromEntries(
      keys.map(({ fingerprint, algorithm, refused }) => [fingerprint, [algorithm, refused]]),
    );
    expect(found).toEqual({
      [ana]: ['ed25519', undefined],
      [rsa]: ['rsa', 'key_algorithm_unsupported'],
      [certifyOnly]: ['ed25519', 'key_cannot_sign'],
    });
  });

  it('gives a public key under the principal’s id, without the e-mail address, with gpg’s own fingerprint', async () => {
    const key = parsePublicKey(await keyring.certify(ana, 'ana'), nodeCrypto);
    expect(key.fingerprint).toBe(ana);
    expect(key.userId).toBe(`ana <${ana}@lazarus.invalid>`);
    expect(Buffer.from(key.bytes).includes('example.invalid')).toBe(false);
    expect(await keyring.certify(ana, 'ana')).toEqual(key.bytes);
  });

  it('signs through the agent: the signature is good here and to gpg', async () => {
    const key = parsePublicKey(await keyring.certify(ana, 'ana'), nodeCrypto);
    const signer = await keyring.signer(key.bytes);
    // Many, so that bytes which the agent's protocol must escape surely occur.
    for (let round = 0; round < 30; round++) {
      const data = utf8(`transaction ${round}`);
      const packet = await signer.sign(data, AT_SECONDS + round);
      expect(verifySignature(nodeCrypto, parseSignature(packet), key.ed25519, ana, data)).toBeUndefined();
    }
    writeFileSync(join(home.path, 'sig'), armor('SIGNATURE', await signer.sign(utf8('x'), key.createdAtSeconds)));
    const status = home.gpg(['--status-fd', '1', '--verify', join(home.path, 'sig'), '-'], 'x').toString();
    expect(status).toContain(`VALIDSIG ${ana}`);
  });

  it('refuses by name: unknown, RSA, certify-only, absent secret, no gpg at all', async () => {
    expect(await refusalOf(keyring.certify(NOWHERE, 'ana'))).toBe('key_not_found');
    expect(await refusalOf(keyring.certify('--version', 'ana'))).toBe('key_not_found');
    expect(await refusalOf(keyring.certify(rsa, 'ana'))).toBe('key_algorithm_unsupported');
    expect(await refusalOf(keyring.certify(certifyOnly, 'ana'))).toBe('key_cannot_sign');
    const withoutGpg = gpgKeyring({ PATH: '/nonexistent' }, nodeCrypto);
    expect(await refusalOf(withoutGpg.certify(ana, 'ana'))).toBe('gpg_missing');
  });

  it('says what the agent said when the secret is gone from it', async () => {
    const gone = home.newKey('Gone <gone@example.invalid>', 'ed25519', 'sign');
    const signer = await keyring.signer(await keyring.certify(gone, 'gone'));
    home.gpg(['--yes', '--delete-secret-keys', gone]);
    expect(await refusalOf(signer.sign(utf8('x'), AT_SECONDS))).toBe('gpg_agent_refused');
    expect(await refusalOf(keyring.certify(gone, 'gone'))).toBe('key_not_found');
  });
});

describe('a key store over the keyring', () => {
  it('keeps the public half and signs through the agent', async () => {
    const store = keyHome(home.env);
    onTestFinished(store.remove);
    const adopted = await store.keys.adoptFromGpg(ana, 'ana');
    expect(await store.keys.list()).toEqual([{ ...adopted, custody: 'gpg_agent' }]);
    const signer = await store.keys.open(ana, neverAsked);
    const { ed25519 } = parsePublicKey(signer.publicKey, nodeCrypto);
    const packet = await signer.sign(utf8('x'), AT_SECONDS);
    expect(verifySignature(nodeCrypto, parseSignature(packet), ed25519, ana, utf8('x'))).toBeUndefined();
    expect(await refusalOf(store.keys.exportPrivate(ana))).toBe('key_secret_absent');
    expect(await refusalOf(store.keys.adoptFromGpg(ana, 'ana'))).toBe('key_exists');
  });

  it('imports what gpg exports, locked or bare, but not a stub without the secret', async () => {
    const exported = (options: readonly string[], of: string) =>
      home.gpg(['--pinentry-mode', 'loopback', '--passphrase', '', ...options, '--armor', of]).toString();
    const store = keyHome(home.env);
    onTestFinished(store.remove);
    const taken = await store.keys.importPrivate(
      exported(['--export-secret-keys'], ana),
      'ana',
      neverAsked,
      UNPROTECTED,
    );
    expect(taken.fingerprint).toBe(ana);
    const stub = exported(['--export-secret-subkeys'], certifyOnly);
    expect(await refusalOf(store.keys.importPrivate(stub, 'c', neverAsked, UNPROTECTED))).toBe('key_secret_absent');
    const bare = exported(['--export-secret-keys'], certifyOnly);
    expect(await refusalOf(store.keys.importPrivate(bare, 'c', neverAsked, UNPROTECTED))).toBe('key_cannot_sign');
    const rsaKey = exported(['--export-secret-keys'], rsa);
    expect(await refusalOf(store.keys.importPrivate(rsaKey, 'r', neverAsked, UNPROTECTED))).toBe(
      'key_algorithm_unsupported',
    );
  });

  it('imports a key that gpg keeps under a passphrase', async () => {
    const locked = ['--pinentry-mode', 'loopback', '--passphrase', 'gpg secret'];
    home.gpg([...locked, '--quick-generate-key', 'Loc <loc@example.invalid>', 'ed25519', 'sign', 'never']);
    const armored = home.gpg([...locked, '--armor', '--export-secret-keys', 'loc@example.invalid']).toString();
    const store = keyHome(home.env);
    onTestFinished(store.remove);
    expect(await refusalOf(store.keys.importPrivate(armored, 'loc', answer('no'), UNPROTECTED))).toBe(
      'passphrase_wrong',
    );
    const taken = await store.keys.importPrivate(armored, 'loc', answer('gpg secret'), { passphrase: 'ours' });
    expect((await store.keys.open(taken.fingerprint, answer('ours'))).fingerprint).toBe(taken.fingerprint);
  });

  it('exports private halves that gpg imports and signs with: nobody is locked in', async () => {
    const store = keyHome(home.env);
    onTestFinished(store.remove);
    const made = await store.keys.generate('ana', AT_SECONDS, { passphrase: 'leaving' });
    const other = gpgHome();
    onTestFinished(other.remove);
    const loopback = ['--pinentry-mode', 'loopback', '--passphrase', 'leaving'];
    other.gpg([...loopback, '--import'], await store.keys.exportPrivate(made.fingerprint));
    const signature = other.gpg([...loopback, '--local-user', made.fingerprint, '--detach-sign'], 'x');
    const { ed25519, fingerprint } = parsePublicKey(made.publicKey, nodeCrypto);
    expect(verifySignature(nodeCrypto, parseSignature(signature), ed25519, fingerprint, utf8('x'))).toBeUndefined();
  });
});

describe('an encryption subkey of gpg', () => {
  const added = (expires: string): void => {
    const quick = ['--pinentry-mode', 'loopback', '--passphrase', '', '--quick-add-key'];
    home.gpg([...quick, ana, 'cv25519', 'encr', expires]);
  };

  it('is taken as it is, in the one form that a roster has, and gpg reads what is encrypted to it', async () => {
    const publicKey = await keyring.certify(ana, 'ana');
    expect(await keyring.encryptionKey(publicKey)).toBeUndefined();
    added('1y');
    // It would end some day, and validity is the roster's business.
    expect(await keyring.encryptionKey(publicKey)).toBeUndefined();
    added('never');
    const found = (await keyring.encryptionKey(publicKey))!;
    const key = parsePublicKey(publicKey, nodeCrypto);
    expect(parseEncryptionKey(found.bytes, [key], nodeCrypto)).toEqual(found);
    const encryptionKeys = await readKey({ binaryKey: Buffer.concat([publicKey, found.bytes]) });
    const message = await encrypt({ message: await createMessage({ text: 'for ana' }), encryptionKeys });
    const file = join(home.env['GNUPGHOME']!, 'message.asc');
    writeFileSync(file, message);
    expect(home.gpg(['--decrypt', file]).toString()).toBe('for ana');
  });
});
