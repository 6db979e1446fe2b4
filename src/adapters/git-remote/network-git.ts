// Runs git where it talks to a remote: in a folder of our own, where the person's settings for ssh, proxies and credentials
// count, while those of any repository, hooks, prompts, foreign transports and endless answers do not.
import { gitEnvironment } from '../git/git.ts';
import { NO_HOOKS } from '../git/no-hooks.ts';
import type { Setting } from './configuration.ts';
import { runGitIn, type Environment, type GitRun } from './git-run.ts';
import type { NetworkFolder } from './network-folder.ts';

type Kind = 'local' | 'credential' | 'heads' | 'fetch' | 'push';
export type TimeoutsMs = Readonly<Record<Kind, number>>;

/** Settings handed over in the environment, not in arguments: what is secret among them stays out of `ps`. */
export type Settings = readonly Setting[];

export type NetworkGit = {
  readonly folder: () => Promise<NetworkFolder>;
  run(
    args: readonly string[],
    options: { readonly kind: Kind; readonly settings?: Settings; readonly input?: string },
  ): Promise<GitRun>;
};

export const TIMEOUTS_MS: TimeoutsMs = {
  local: 10_000,
  // A helper may open a browser or ask for a fingerprint.
  credential: 120_000,
  heads: 60_000,
  fetch: 1_800_000,
  push: 120_000,
};

// What the person set for their own repositories is not for ours.
const HARDENED = [
  ...NO_HOOKS,
  'core.fsmonitor=false',
  'core.fsync=all', // what a pin will name must survive a power cut
  'core.commitGraph=false', // lies beside the objects that are lent, and may tell other parents than they do
  'core.alternateRefsCommand=:', // or git would look through the references of whatever the objects borrow from
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

/** `always`: what the person says about this repository alone, and git cannot find where it stands. */
export function createNetworkGit(
  folder: () => Promise<NetworkFolder>,
  { env, timeoutsMs, always }: { env: Environment; timeoutsMs: TimeoutsMs; always: Settings },
): NetworkGit {
  const base = networkEnvironment(env);
  return {
    folder,
    run: async (args, { kind, settings = [], input }) => {
      const { path, env: lent } = await folder();
      const environment = {
        ...withSettings({ ...base, ...lent }, [...always, ...settings]),
        // Who is asked for a password, and when, is decided in credentials.ts: only there may a program ask for it.
        GIT_ASKPASS: kind === 'credential' ? (base['GIT_ASKPASS'] ?? '') : '',
      };
      return runGitIn({ cwd: path, env: environment }, [`--git-dir=${path}`, ...HARDENED, ...args], {
        timeoutMs: timeoutsMs[kind],
        ...(input === undefined ? {} : { input }),
      });
    },
  };
}

// Desktop key rings are reached through these; a credential helper is blind without them.
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'] as const;

export function networkEnvironment(env: Environment): NodeJS.ProcessEnv {
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
