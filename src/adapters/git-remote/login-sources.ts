// Where logins are kept on this machine: git's credential helpers and the .netrc file. Decides nothing about their use.
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Login } from './address.ts';
import type { LoginSources } from './credentials.ts';
import type { NetworkGit } from './network-git.ts';
import { loginFromNetrc } from './netrc.ts';

const NETRC_BYTES_MAX = 1_048_576;

export function loginSources(git: NetworkGit, env: LoginSources['env'], url: string): LoginSources {
  const { protocol, host, hostname, pathname } = new URL(url);
  const about = (login: Partial<Login>): string =>
    [
      ['protocol', protocol.slice(0, -1)],
      ['host', host],
      ['path', decodeURI(pathname).slice(1)],
      ['username', login.user],
      ['password', login.password],
    ]
      .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}=${value}\n`]))
      .join('');
  const tell = async (verb: 'approve' | 'reject', login: Login): Promise<void> => {
    await git.run(['credential', verb], { kind: 'credential', input: `${about(login)}\n` });
  };
  return {
    env,
    helper: {
      fill: async (user) => {
        const input = `${about(user === undefined ? {} : { user })}\n`;
        const { status, stdout } = await git.run(['credential', 'fill'], { kind: 'credential', input });
        return status === 0 ? loginFromFill(stdout) : undefined;
      },
      approve: async (login) => tell('approve', login),
      reject: async (login) => tell('reject', login),
    },
    netrc: async () => {
      const path = env['NETRC'] || join(env['HOME'] || homedir(), '.netrc');
      const text = await readSmall(path);
      return text === undefined ? undefined : loginFromNetrc(text, hostname.replace(/^\[|\]$/g, ''));
    },
  };
}

function loginFromFill(stdout: string): Login | undefined {
  const value = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)?.[1];
  const password = value('password');
  return password === undefined || password === '' ? undefined : { user: value('username') ?? '', password };
}

/** A file that is absent, unreadable or absurdly long holds no login. */
async function readSmall(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > NETRC_BYTES_MAX ? undefined : await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
