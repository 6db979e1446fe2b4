// Throwaway Gitea servers for tests: one call from nothing to a server that answers, with people and repositories on demand.
// Runs as an ordinary user on loopback, in a folder of its own, and is gone when stopped or when the test dies.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withPassword, withToken, type Api } from './api.ts';
import type { Door } from './door.ts';
import { keep, logTail, runOnce, type Kept } from './kept.ts';
import { giteaPrograms, TO_INCLUDE, type GiteaPrograms } from './obtain.ts';
import { ownedFile, ownedFolder } from './ordinary-user.ts';
import { appIni } from './settings.ts';

type GiteaUser = {
  readonly id: number;
  readonly name: string;
  readonly password: string;
  /** May do everything its owner may. */
  readonly token: string;
};

type GiteaRepository = {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly cloneUrl: string;
};

export type Gitea = {
  readonly url: string;
  readonly programs: GiteaPrograms;
  readonly admin: GiteaUser;
  readonly api: Api;
  as(user: Pick<GiteaUser, 'token'>): Api;
  createUser(name: string): Promise<GiteaUser>;
  /** A token that may do only what `scopes` say, such as `read:repository`. */
  createToken(user: GiteaUser, scopes: readonly string[]): Promise<string>;
  /** With a first commit on `main`, unless `isEmpty`. */
  createRepository(
    owner: GiteaUser,
    name: string,
    options?: { readonly isPrivate?: boolean; readonly isEmpty?: boolean },
  ): Promise<GiteaRepository>;
  /** What the server was asked: method and path of each request, in order. */
  requests(): readonly string[];
  /** Runs git where the server has a repository, as its own user: for what no client could bring there in time. */
  gitIn(repository: string, args: readonly string[], input?: string | Uint8Array): void;
  /** Stops it, cuts off whoever asks meanwhile until one of them asked for what is waited for, and starts it again. */
  away(until: (request: string) => boolean, onceGone?: () => void): Promise<void>;
  stop(): Promise<void>;
};

const PORT_ATTEMPTS = 5;
const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 25;

/** Where nothing else is said. Inside of a cell it is the cell itself: cells reach a server of 127.0.0.2. */
const ADDRESS = '127.0.0.1';

export type GiteaOptions = {
  readonly address?: string | undefined;
  /** Everybody is told to come by it, and does: its address is the server's own. */
  readonly door?: Door | undefined;
  /** How long a job may go on without a word of its runner; ten minutes when left out. */
  readonly silenceSeconds?: number | undefined;
};

export async function startGitea({ address = ADDRESS, door, silenceSeconds }: GiteaOptions = {}): Promise<Gitea> {
  const programs = giteaPrograms();
  if (programs === undefined) throw new Error(`Gitea is not built here: ${TO_INCLUDE}`);
  const folder = ownedFolder('gitea', ['data', 'home']);
  const ini = join(folder, 'app.ini');
  const command = (args: readonly string[]) => ({
    program: programs.gitea,
    args: [...args, '--config', ini],
    cwd: folder,
    env: { HOME: join(folder, 'home') },
  });
  try {
    const name = 'root-admin';
    const password = secret();
    const settings = (port: number): string =>
      appIni(folder, programs.staticRoot, { address, port, toldPort: door?.port ?? port, silenceSeconds });
    ownedFile(ini, settings(await freePort(address)));
    runOnce(command(['migrate']));
    const named = ['--username', name, '--password', password, '--email', `${name}@example.invalid`];
    runOnce(command(['admin', 'user', 'create', ...named, '--admin', '--must-change-password=false']));
    const { url: own, server: first } = await serve(folder, { web: command(['web']), address }, (port) =>
      ownedFile(ini, settings(port)),
    );
    door?.leadTo(Number(new URL(own).port));
    const url = door === undefined ? own : `http://${address}:${door.port}`;
    let server = first;
    const token = await createToken(url, { name, password }, ['all']);
    const api = withToken(url, token);
    const { id } = await api('GET', '/user');
    return {
      ...actions(url, api),
      programs,
      admin: { id, name, password, token },
      gitIn: (repository, args, input) => {
        const cwd = join(folder, 'data', 'gitea-repositories', `${repository}.git`);
        runOnce({ program: 'git', args, cwd, env: { HOME: join(folder, 'home') } }, input);
      },
      requests: () => readFileSync(join(folder, 'requests.log'), 'utf8').match(/(?<=")[A-Z]+ \/\S*/g) ?? [],
      away: async (until, onceGone) => {
        await server.stop();
        await cutOff({ address, port: Number(new URL(own).port) }, until, onceGone);
        server = keep(command(['web']), join(folder, 'web.log'));
        if (!(await isReady(own, server)))
          throw new Error(`it did not come back:\n${logTail(join(folder, 'web.log'))}`);
      },
      stop: async () => {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function actions(url: string, api: Api): Omit<Gitea, 'programs' | 'admin' | 'requests' | 'gitIn' | 'away' | 'stop'> {
  return {
    url,
    api,
    as: (user) => withToken(url, user.token),
    createUser: async (username) => {
      const password = secret();
      const email = `${username}@example.invalid`;
      const { id } = await api('POST', '/admin/users', { username, password, email, must_change_password: false });
      const token = await createToken(url, { name: username, password }, ['all']);
      return { id, name: username, password, token };
    },
    createToken: async (user, scopes) => createToken(url, user, scopes),
    createRepository: async (owner, name, options = {}) => {
      const made = await withToken(url, owner.token)('POST', '/user/repos', {
        name,
        private: options.isPrivate ?? false,
        auto_init: options.isEmpty !== true,
        default_branch: 'main',
      });
      return { id: made.id, owner: owner.name, name, cloneUrl: made.clone_url };
    },
  };
}

async function createToken(
  url: string,
  { name, password }: Pick<GiteaUser, 'name' | 'password'>,
  scopes: readonly string[],
): Promise<string> {
  const api = withPassword(url, name, password);
  const { sha1 } = await api('POST', `/users/${name}/tokens`, { name: `token-${secret()}`, scopes });
  return sha1;
}

type Command = Parameters<typeof keep>[0];

/** Another process may take the port between our look and the server's: then the next one. */
async function serve(
  folder: string,
  { web, address }: { readonly web: Command; readonly address: string },
  usePort: (port: number) => void,
): Promise<{ url: string; server: Kept }> {
  const log = join(folder, 'web.log');
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(address);
    const url = `http://${address}:${port}`;
    usePort(port);
    const server = keep(web, log);
    if (await isReady(url, server)) return { url, server };
    await server.stop();
    if (attempt === PORT_ATTEMPTS) throw new Error(`${web.program} did not come up:\n${logTail(log)}`);
  }
}

async function isReady(url: string, server: Kept): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (server.exited() === undefined && Date.now() < deadline) {
    const answer = await fetch(`${url}/api/v1/version`).catch(() => undefined);
    if (answer?.ok) return true;
    await pause(POLL_MS);
  }
  return false;
}

/** In the place of a server that is away: takes a request, and hangs up. Over when `until` has seen what it waits for. */
async function cutOff(
  { address, port }: { readonly address: string; readonly port: number },
  until: (request: string) => boolean,
  onceListening?: () => void,
): Promise<void> {
  const door = createServer();
  const seen = new Promise<void>((resolve) => {
    door.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        socket.destroy();
        if (until(bytes.toString('latin1').split('\r\n', 1)[0]!)) resolve();
      });
    });
  });
  await new Promise<void>((resolve) => door.listen(port, address, resolve));
  onceListening?.();
  await seen;
  await new Promise((resolve) => door.close(resolve));
}

async function freePort(address: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function secret(): string {
  return randomBytes(12).toString('hex');
}
