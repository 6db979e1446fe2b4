// A throwaway gpg home with its own agent, so that no test sees or changes anybody's keyring.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';

export type GpgHome = {
  readonly env: NodeJS.ProcessEnv;
  readonly path: string;
  readonly gpg: (args: readonly string[], input?: Uint8Array | string) => Buffer;
  /** Makes an unprotected key with the given gpg algorithm and usage; returns its fingerprint. */
  readonly newKey: (userId: string, algorithm: string, usage: string) => string;
  /** Ends this home's agent, no other, and removes the home. */
  readonly remove: () => void;
};

export function gpgHome(): GpgHome {
  // Not the temporary directory: on macOS its path is too long for the agent's socket.
  const path = mkdtempSync('/tmp/lazarus-gpg-');
  const env = { ...process.env, GNUPGHOME: path };

  function gpg(args: readonly string[], input: Uint8Array | string = ''): Buffer {
    return execFileSync('gpg', ['--batch', '--no-tty', '--quiet', ...args], {
      env,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  function newKey(userId: string, algorithm: string, usage: string): string {
    gpg(['--pinentry-mode', 'loopback', '--passphrase', '', '--quick-generate-key', userId, algorithm, usage, 'never']);
    const listing = gpg(['--with-colons', '--list-secret-keys', `=${userId}`]).toString();
    return /^fpr:+([0-9A-F]{40}):/m.exec(listing)?.[1] as string;
  }

  function remove(): void {
    execFileSync('gpgconf', ['--kill', 'all'], { env, stdio: 'ignore' });
    rmSync(path, { recursive: true, force: true });
  }

  return { env, path, gpg, newKey, remove };
}
