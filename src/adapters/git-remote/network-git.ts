// Runs git where it talks to a remote: the user's own settings for ssh, proxies and credentials count here, while
// hooks, prompts, foreign transports and endless answers do not. An exit code is an answer, never a throw.
import { spawn } from 'node:child_process';
import { Failure } from '../../failure.ts';
import { gitEnvironment } from '../git/git.ts';
import { protocolFailure } from './protocol-failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Kind = 'local' | 'credential' | 'heads' | 'fetch' | 'push';
export type TimeoutsMs = Readonly<Record<Kind, number>>;

export type NetworkResult = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isTimeout: boolean;
};

/** Settings handed over in the environment, not in arguments: what is secret among them stays out of `ps`. */
export type Settings = readonly (readonly [key: string, value: string])[];

export type NetworkGit = {
  run(
    args: readonly string[],
    options: { readonly kind: Kind; readonly settings?: Settings; readonly input?: string },
  ): Promise<NetworkResult>;
};

export const TIMEOUTS_MS: TimeoutsMs = {
  local: 10_000,
  // A helper may open a browser or ask for a fingerprint.
  credential: 120_000,
  heads: 60_000,
  fetch: 1_800_000,
  push: 120_000,
};

const STDOUT_BYTES_MAX = 33_554_432;
const STDERR_BYTES_KEPT = 65_536;

// Settings of the folder we stand in belong to whoever made the folder: its hooks and monitors would run with our
// credential in their environment.
const HARDENED = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.fsync=all', // what a pin will name must survive a power cut
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

export function createNetworkGit(cwd: string, env: Environment, timeoutsMs: TimeoutsMs = TIMEOUTS_MS): NetworkGit {
  const base = networkEnvironment(env);
  return {
    run: async (args, options) =>
      new Promise((resolve, reject) => {
        const child = spawn('git', [...HARDENED, ...args], {
          cwd,
          env: {
            ...withSettings(base, options.settings ?? []),
            // Who is asked for a password, and when, is decided in credentials.ts: only there may a program ask for it.
            GIT_ASKPASS: options.kind === 'credential' ? (base['GIT_ASKPASS'] ?? '') : '',
          },
          stdio: ['pipe', 'pipe', 'pipe'],
        });
        let isTimeout = false;
        let stdoutBytes = 0;
        let stderr = Buffer.alloc(0);
        const stdout: Buffer[] = [];
        const timer = setTimeout(() => {
          isTimeout = true;
          child.kill();
          // A grandchild may hold the pipes open for as long as it likes.
          child.stdout.destroy();
          child.stderr.destroy();
        }, timeoutsMs[options.kind]);
        child.stdout.on('data', (chunk: Buffer) => {
          stdoutBytes += chunk.length;
          if (stdoutBytes > STDOUT_BYTES_MAX) child.kill();
          else stdout.push(chunk);
        });
        child.stderr.on('data', (chunk: Buffer) => {
          stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES_KEPT);
        });
        // git may leave before it has read what it was given; its exit code then says why.
        child.stdin.on('error', () => {});
        child.stdin.end(options.input ?? '');
        child.once('error', (cause: NodeJS.ErrnoException) => {
          clearTimeout(timer);
          reject(new Failure(cause.code === 'ENOENT' ? 'git_missing' : 'git_failed', {}, { cause }));
        });
        child.once('close', (status) => {
          clearTimeout(timer);
          if (stdoutBytes > STDOUT_BYTES_MAX) reject(protocolFailure('an answer without end'));
          else resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: stderr.toString(), isTimeout });
        });
      }),
  };
}

// Desktop key rings are reached through these; a credential helper is blind without them.
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'] as const;

function networkEnvironment(env: Environment): NodeJS.ProcessEnv {
  return {
    ...gitEnvironment(env, true),
    ...Object.fromEntries(DESKTOP.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    // `ext::` runs commands, and git:// neither encrypts nor authenticates.
    GIT_ALLOW_PROTOCOL: 'file:http:https:ssh',
  };
}

/** Adds settings after those that the environment has already, so that ours win. */
function withSettings(base: NodeJS.ProcessEnv, settings: Settings): NodeJS.ProcessEnv {
  const env = { ...base };
  const count = /^\d+$/.test(env['GIT_CONFIG_COUNT'] ?? '') ? Number(env['GIT_CONFIG_COUNT']) : 0;
  for (const [index, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${count + index}`] = key;
    env[`GIT_CONFIG_VALUE_${count + index}`] = value;
  }
  env['GIT_CONFIG_COUNT'] = String(count + settings.length);
  return env;
}
