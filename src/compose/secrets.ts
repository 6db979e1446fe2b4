// Builds where keys of providers are kept and found on this machine. Loaded when one is asked for.
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import type { Secrets, Vault } from '../ports/secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;

export async function openVault(env: Env): Promise<{ readonly vault: Vault; readonly folder: string }> {
  const [{ fileVault, machineKeyPath, vaultPath }, { fileKeys }, { gpgKeyring }] = await Promise.all([
    import('../adapters/keys/vault.ts'),
    import('../adapters/keys/file-keys.ts'),
    import('../adapters/keys/gpg-keyring.ts'),
  ]);
  const folder = vaultPath(env);
  const keys = fileKeys(machineKeyPath(folder), { gpg: gpgKeyring(env, nodeCrypto), crypto: nodeCrypto });
  return { vault: fileVault(folder, keys), folder };
}

export function openSecrets(env: Env): Secrets {
  return {
    async resolve(reference) {
      const { secretsIn } = await import('../adapters/secrets/references.ts');
      return secretsIn({ env, vault: async () => (await openVault(env)).vault }).resolve(reference);
    },
  };
}
