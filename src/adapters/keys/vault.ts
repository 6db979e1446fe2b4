// The vault: keys of others as OpenPGP messages, one file each, to a key that this machine has for nothing else and to the
// people who were chosen. A file begins with one line that says what it is; what follows stock gpg opens for these people.
import { isAbsolute, join } from 'node:path';
import { homedir } from 'node:os';
import { z } from 'zod';
import { base64, fromBase64, fromUtf8, utf8 } from '../../format/bytes.ts';
import { Failure } from '../../failure.ts';
import type { KeyStore } from '../../ports/keys.ts';
import type { Vault, VaultEntry } from '../../ports/secrets.ts';
import { keyDirectory } from '../system/key-directory.ts';

/** `$XDG_DATA_HOME/lazarus/vault`, beside the keys of artifacts. */
export function vaultPath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['XDG_DATA_HOME'] ?? '';
  const data = isAbsolute(named) ? named : join(env['HOME'] ?? homedir(), '.local', 'share');
  return join(data, 'lazarus', 'vault');
}

/** Where in it the machine's own key lies. */
export function machineKeyPath(folder: string): string {
  return join(folder, 'machine');
}

const FILE = /^([a-z0-9][a-z0-9._-]{0,62})\.asc$/;
const OWNER = 'vault';

const Facts = z.strictObject({
  set_at_seconds: z.int().nonnegative(),
  readers: z.array(z.strictObject({ principal: z.string(), fingerprint: z.string(), certificate: z.base64() })),
});

/** `keys`: a store in `machineKeyPath(folder)`, for the machine's own key alone. */
export function fileVault(folder: string, keys: KeyStore): Vault {
  const directory = keyDirectory(folder);

  async function read(name: string): Promise<{ readonly entry: VaultEntry; readonly message: string }> {
    const text = FILE.test(`${name}.asc`) ? await directory.read(`${name}.asc`) : undefined;
    if (text === undefined) throw new Failure('secret_missing', { key: `vault:${name}` });
    return parse(name, text);
  }

  return {
    async list() {
      const names = (await directory.names()).flatMap((file) => FILE.exec(file)?.[1] ?? []);
      return Promise.all(names.map(async (name) => (await read(name)).entry));
    },
    async put({ name, setAtSeconds, readers }, value) {
      const own = await machineKey(keys, setAtSeconds);
      const [{ readKey }, { sealTo }] = await Promise.all([import('openpgp'), import('./messages.ts')]);
      const encryptionKeys = await Promise.all([
        readKey({ armoredKey: await keys.exportPublic(own) }),
        ...readers.map(({ certificate }) => readKey({ binaryKey: certificate })),
      ]);
      const message = await sealTo(encryptionKeys, utf8(value));
      const facts: z.infer<typeof Facts> = {
        set_at_seconds: setAtSeconds,
        readers: readers.map(({ certificate, ...reader }) => ({ ...reader, certificate: base64(certificate) })),
      };
      await directory.write(`${name}.asc`, `${JSON.stringify(facts)}\n\n${message}`);
    },
    async read(name) {
      const { message } = await read(name);
      const own = (await keys.list())[0];
      if (own === undefined)
        throw new Failure('vault_unreadable', { key: `vault:${name}`, because: 'no key of this machine' });
      const { openMessage } = await import('./messages.ts');
      const value = await openMessage(message, await keys.exportPrivate(own.fingerprint));
      if (value === undefined) throw new Failure('vault_unreadable', { key: `vault:${name}` });
      return fromUtf8(value);
    },
    async remove(name) {
      await read(name);
      await directory.remove(`${name}.asc`);
    },
  };
}

/** Made with the first entry. Without a passphrase: a route has to open when nobody sits there. */
async function machineKey(keys: KeyStore, atSeconds: number): Promise<string> {
  const [known] = await keys.list();
  const { fingerprint } = known ?? (await keys.generate(OWNER, atSeconds, { unprotected: true }));
  await keys.encryptTo(fingerprint, atSeconds, () => Promise.reject(new Failure('passphrase_needed')));
  return fingerprint;
}

function parse(name: string, text: string): { readonly entry: VaultEntry; readonly message: string } {
  const end = text.indexOf('\n');
  const facts = Facts.safeParse(jsonOrNot(text.slice(0, Math.max(0, end))));
  if (!facts.success) throw new Failure('vault_unreadable', { key: `vault:${name}` });
  const readers = facts.data.readers.map(({ certificate, ...reader }) => ({
    ...reader,
    certificate: fromBase64(certificate) ?? new Uint8Array(0),
  }));
  return {
    entry: { name, setAtSeconds: facts.data.set_at_seconds, readers },
    message: text.slice(end + 1).trimStart(),
  };
}

function jsonOrNot(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
