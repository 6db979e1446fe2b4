// OpenPGP messages to people, written and opened with OpenPGP.js: the one way in which lazarus encrypts to a key. Loaded by
// whoever has something to encrypt or to open; what the library says of a failure may quote what it read, and is dropped.
import type { Key } from 'openpgp';
import { armoredMessage, assertForKeys } from '../../format/openpgp/message.ts';
import type { Messages } from '../../ports/messages.ts';

export const openpgpMessages: Messages = {
  async seal(content, readers) {
    const { readKey } = await import('openpgp');
    const usable = await Promise.all(
      readers.map(async ({ certificate, fingerprint }) => {
        try {
          const key = await readKey({ binaryKey: certificate });
          await key.getEncryptionKey(undefined, ANY_TIME);
          return { key, fingerprint };
        } catch {
          return [];
        }
      }),
    );
    const [first, ...more] = usable.flat();
    if (first === undefined) return undefined;
    const all = [first, ...more];
    return {
      message: await sealTo(
        all.map(({ key }) => key),
        content,
      ),
      readers: all.map(({ fingerprint }) => fingerprint),
    };
  },
};

/** How long a key is valid only a roster says; this clock and that of whoever made it may differ. */
const ANY_TIME = null as unknown as Date;

/** Armored. */
export async function sealTo(encryptionKeys: readonly Key[], content: Uint8Array): Promise<string> {
  const { createMessage, encrypt } = await import('openpgp');
  const message = await createMessage({ binary: content });
  const bytes = await encrypt({ message, encryptionKeys: [...encryptionKeys], date: ANY_TIME, format: 'binary' });
  return armoredMessage(bytes as Uint8Array);
}

/** More than anything that is encrypted here has: a few bytes can be made to unpack without end. */
const UNPACKED_BYTES_MAX = 4 * 1024 * 1024;

/** Undefined where this key does not open it. */
export async function openMessage(armored: string, privateKey: string): Promise<Uint8Array | undefined> {
  const { decrypt, readMessage, readPrivateKey } = await import('openpgp');
  try {
    assertForKeys(armored);
    const { data } = await decrypt({
      message: await readMessage({ armoredMessage: armored }),
      decryptionKeys: await readPrivateKey({ armoredKey: privateKey }),
      format: 'binary',
      date: ANY_TIME,
      config: { maxDecompressedMessageSize: UNPACKED_BYTES_MAX },
    });
    return data as Uint8Array;
  } catch {
    return undefined;
  }
}
