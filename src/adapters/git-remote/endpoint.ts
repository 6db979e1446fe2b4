// One address of a remote, in the words that git is given: a name that nothing rewrites, and the programs that answer at
// the other end. Knows no command and no credential.
import { randomUUID } from 'node:crypto';
import { NO_HOOKS } from '../git/no-hooks.ts';
import type { Address } from './address.ts';
import type { Settings } from './network-git.ts';

export type Endpoint = {
  readonly is: Address['is'];
  readonly url: string;
  /**
   * What git is told instead of the address. It was rewritten by the person's rules already, and git would do it again:
   * from this name, which stands in nobody's rules, there is one step, and it leads to the address.
   */
  readonly name: string;
  readonly settings: Settings;
  readonly uploadPack: readonly string[];
  readonly receivePack: readonly string[];
};

export function endpointOf({ is, url }: Address): Endpoint {
  const name = `lazarus-${randomUUID()}:`;
  return {
    is,
    url,
    name,
    settings: ['insteadOf', 'pushInsteadOf'].map((kind) => [`url.${url}.${kind}`, name] as const),
    // Over HTTP there is none to name, and git says so.
    uploadPack: is === 'http' ? [] : [`--upload-pack=${PROGRAMS[is]}upload-pack`],
    receivePack: is === 'http' ? [] : [`--receive-pack=${PROGRAMS[is]}receive-pack`],
  };
}

/**
 * A path has no server: what answers there is a git of ours, run by us, with the settings of whoever made that folder. Its
 * hooks, its watcher and the programs that it names for alternates and upkeep are switched off; nothing is put into its
 * work tree, because filters run there; and what it lacks it does not fetch, because that runs its ssh command. The folder
 * is never tidied by a push of ours.
 */
const AT_A_PATH = [
  ...NO_HOOKS,
  'core.fsmonitor=false',
  'core.alternateRefsCommand=:',
  'receive.denyCurrentBranch=refuse',
  'receive.autogc=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

// The shell reads this, and there is nothing in it that came from outside.
const PROGRAMS = {
  file: `GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 git ${AT_A_PATH.map((setting) => `-c ${setting}`).join(' ')} `,
  ssh: 'git-',
} as const;
