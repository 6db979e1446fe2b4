// Where this machine keeps what it remembers of remotes that it has no clone of: a folder for each address.
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

const NAME_DIGITS = 16;

/** `url` as it is shown, without a credential: another token must not make another memory. */
export function remoteStatePath(env: NodeJS.ProcessEnv, url: string): string {
  const configured = env['XDG_STATE_HOME'];
  // The XDG specification tells to ignore a relative path.
  const state = configured?.startsWith('/') === true ? configured : join(env['HOME'] ?? homedir(), '.local', 'state');
  const name = createHash('sha256').update(url).digest('hex').slice(0, NAME_DIGITS);
  return join(state, 'lazarus', 'remotes', name);
}
