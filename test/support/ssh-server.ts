// A throwaway ssh server on loopback: own host key, own user key, own configuration, gone when closed.
// Every connection gets an `sshd -i` of its own, so the port is the kernel's choice and nothing stays running.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';

export type SshServer = {
  readonly url: (path: string) => string;
  /** What git needs in its environment to reach this server, trusting its host key and no other. */
  readonly env: { readonly GIT_SSH_COMMAND: string };
  /** The same, for a client that has never heard of this server's host key. */
  readonly strangerEnv: { readonly GIT_SSH_COMMAND: string };
  readonly close: () => Promise<void>;
};

/** Where sshd is, or undefined: then the tests named *.sshd.test.ts cannot run here. */
export function sshdPath(): string | undefined {
  const folders = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, 'sshd')).find((path) => existsSync(path));
}

export async function startSshServer(folder: string): Promise<SshServer> {
  const sshd = sshdPath();
  if (sshd === undefined) throw new Error('sshd is not installed');
  // Debian's sshd wants its empty folder when root starts it; systemd makes it at boot, containers do not boot.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const files = writeFiles(folder);

  const children = new Set<ChildProcess>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const child = spawn(sshd, ['-i', '-e', '-f', files.config], { stdio: [socket, socket, 'ignore'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    child.once('spawn', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeFileSync(files.knownHosts, `[127.0.0.1]:${port} ${readFileSync(`${files.hostKey}.pub`, 'utf8')}`);
  return {
    url: (path) => `ssh://${userInfo().username}@127.0.0.1:${port}${path}`,
    env: { GIT_SSH_COMMAND: sshCommand(files.userKey, files.knownHosts) },
    strangerEnv: { GIT_SSH_COMMAND: sshCommand(files.userKey, '/dev/null') },
    close: async () => {
      for (const child of children) child.kill();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Files = { config: string; hostKey: string; userKey: string; knownHosts: string };

function writeFiles(folder: string): Files {
  const at = (name: string): string => join(folder, name);
  const files = {
    config: at('sshd_config'),
    hostKey: at('host_key'),
    userKey: at('user_key'),
    knownHosts: at('known_hosts'),
  };
  for (const key of [files.hostKey, files.userKey]) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'throwaway', '-f', key]);
  }
  writeFileSync(at('authorized_keys'), readFileSync(`${files.userKey}.pub`));
  writeFileSync(
    files.config,
    [
      `HostKey ${files.hostKey}`,
      `AuthorizedKeysFile ${at('authorized_keys')}`,
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      // The folder is a test's temporary one, below a world-writable /tmp.
      'StrictModes no',
      'PidFile none',
      '',
    ].join('\n'),
  );
  return files;
}

function sshCommand(userKey: string, knownHosts: string): string {
  const options = [
    'IdentitiesOnly=yes',
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    'GlobalKnownHostsFile=/dev/null',
  ];
  const flags = [...options, `UserKnownHostsFile=${knownHosts}`].map((option) => `-o ${option}`).join(' ');
  return `ssh -F /dev/null -i ${userKey} ${flags}`;
}
