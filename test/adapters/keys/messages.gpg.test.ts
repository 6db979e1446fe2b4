// Messages to people: opened by each of them, in lazarus and in gpg, by nobody else; and what others put in their place.
import { createMessage, encrypt, enums, readKey, type Message } from 'openpgp';
import { onTestFinished, expect, it } from 'vitest';
import { openpgpMessages, openMessage } from '../../../src/adapters/keys/messages.ts';
import { gpgKeyring } from '../../../src/adapters/keys/gpg-keyring.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { dearmor } from '../../../src/format/openpgp/armor.ts';
import { armoredMessage } from '../../../src/format/openpgp/message.ts';
import { fromUtf8, utf8 } from '../../../src/format/bytes.ts';
import type { Reader } from '../../../src/kernel/roster/people.ts';
import { gpgHome } from '../../support/gpg-home.ts';
import { AT_SECONDS, answer, keyHome, neverAsked, refusalOf, UNPROTECTED, type KeyHome } from './homes.ts';

type Person = KeyHome & { readonly reader: Reader; readonly primary: string };

async function person(principal: string, atSeconds = AT_SECONDS): Promise<Person> {
  const home = keyHome();
  onTestFinished(home.remove);
  const { fingerprint: primary } = await home.keys.generate(principal, atSeconds, UNPROTECTED);
  const { fingerprint } = await home.keys.encryptTo(primary, atSeconds, neverAsked);
  const certificate = dearmor('PUBLIC KEY BLOCK', await home.keys.exportPublic(primary));
  return { ...home, primary, reader: { principal, fingerprint, certificate } };
}

const opened = (keys: KeyHome['keys'], message: string, to: readonly string[], ask = neverAsked) =>
  keys.decrypt(message, to, ask).then(fromUtf8);

it('each of its readers opens it, also one whose key says it is of tomorrow; a stranger does not', async () => {
  const [ana, ben, stranger] = [await person('ana'), await person('ben', 4_000_000_000), await person('cy')];
  const sealed = (await openpgpMessages.seal(utf8('said'), [ana.reader, ben.reader]))!;
  const long = (await openpgpMessages.seal(new Uint8Array(1 << 20), [ana.reader]))!;
  expect(await ana.keys.decrypt(long.message, long.readers, neverAsked)).toHaveLength(1 << 20);
  expect(sealed.readers).toEqual([ana.reader.fingerprint, ben.reader.fingerprint]);
  for (const { keys } of [ana, ben]) expect(await opened(keys, sealed.message, sealed.readers)).toBe('said');
  expect(await refusalOf(opened(stranger.keys, sealed.message, sealed.readers))).toBe('key_not_found');
  // Named as a reader without being one.
  expect(await refusalOf(opened(stranger.keys, sealed.message, [stranger.reader.fingerprint]))).toBe(
    'message_unreadable',
  );
});

it('a certificate that nothing can be encrypted to is left out, and where no other is left there is no message', async () => {
  const [ana, ben] = [await person('ana'), await person('ben')];
  const signingAlone = ben.reader.certificate.subarray(0, ben.reader.certificate.length - 100);
  const broken = { ...ben.reader, certificate: signingAlone };
  expect((await openpgpMessages.seal(utf8('said'), [broken, ana.reader]))!.readers).toEqual([ana.reader.fingerprint]);
  expect(await openpgpMessages.seal(utf8('said'), [broken])).toBeUndefined();
});

it('asks for a passphrase once it is needed, and says a wrong one to be one', async () => {
  const ana = await person('ana');
  const locked = keyHome();
  onTestFinished(locked.remove);
  const armored = await ana.keys.exportPrivate(ana.primary);
  await locked.keys.importPrivate(armored, 'ana', neverAsked, { passphrase: 'long enough' });
  const { message, readers } = (await openpgpMessages.seal(utf8('said'), [ana.reader]))!;
  expect(await opened(locked.keys, message, readers, answer('long enough'))).toBe('said');
  expect(await refusalOf(opened(locked.keys, message, readers, answer('another')))).toBe('passphrase_wrong');
});

it('what a passphrase opens as well, or everybody, is given to no program that would ask for one', async () => {
  const ana = await person('ana');
  const gpg = gpgHome();
  onTestFinished(gpg.remove);
  gpg.gpg(['--import'], await ana.keys.exportPrivate(ana.primary));
  const inGpg = gpgKeyring({ ...process.env, GNUPGHOME: gpg.path }, nodeCrypto);
  const to = [ana.reader.fingerprint];
  const { message } = (await openpgpMessages.seal(utf8('said'), [ana.reader]))!;
  expect(fromUtf8((await inGpg.decrypt(message, to))!)).toBe('said');

  const text = async () => createMessage({ binary: utf8('said') });
  const encryptionKeys = await readKey({ binaryKey: ana.reader.certificate });
  const forged = [
    await encrypt({ message: await text(), encryptionKeys, passwords: ['told in the issue'], format: 'binary' }),
    await encrypt({ message: await text(), passwords: ['told in the issue'], format: 'binary' }),
    (await text()).write(),
  ].map((bytes) => armoredMessage(bytes as Uint8Array));
  for (const one of forged) {
    expect(await refusalOf(inGpg.decrypt(one, to))).toBe('message_unreadable');
    expect(await refusalOf(ana.keys.decrypt(one, to, neverAsked))).toBe('message_unreadable');
  }
});

it('a few bytes that unpack without end are not unpacked', async () => {
  const ana = await person('ana');
  const key = await ana.keys.exportPrivate(ana.primary);
  const encryptionKeys = await readKey({ binaryKey: ana.reader.certificate });
  const packed = async (content: Uint8Array): Promise<string> => {
    const message = await createMessage({ binary: content });
    const bytes = await encrypt({ message: compressed(message), encryptionKeys, format: 'binary' });
    return armoredMessage(bytes as Uint8Array);
  };
  // Control: what unpacks to little is opened.
  expect(fromUtf8((await openMessage(await packed(utf8('said')), key))!)).toBe('said');
  const bomb = await packed(new Uint8Array(64 << 20));
  expect(bomb.length).toBeLessThan(1 << 20);
  expect(await openMessage(bomb, key)).toBeUndefined();
});

type Bytes = Message<Uint8Array>;

/** OpenPGP.js does not type it. */
function compressed(message: Bytes): Bytes {
  return (message as unknown as { compress(algorithm: number): Bytes }).compress(enums.compression.zlib);
}
