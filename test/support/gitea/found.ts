// Sets a repository on a throwaway Gitea up as an administrator does: with `lazarus init --forge`'s own steps, and then the
// others of the team on the roster. Keeps what the forge is given in secret, so that tests can look for it elsewhere.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from '../../../src/app/init/identity.ts';
import type { BuiltAction } from '../../../src/app/init/forge/action.ts';
import { initForge } from '../../../src/app/init/forge/init-forge.ts';
import { registerKey } from '../../../src/app/init/forge/public-keys.ts';
import { addMember, type MemberFacts, type RosterChange } from '../../../src/app/threshold/roster-change.ts';
import { compose } from '../../../src/compose/app.ts';
import { inForgeWorld } from '../../../src/compose/forge.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import type { ForgeRepository } from '../../../src/ports/forge.ts';
import type { Signer } from '../../../src/ports/keys.ts';
import { applied, drafted } from '../drafts.ts';
import { member, testKey } from '../people.ts';
import { PROJECT } from './project-folder.ts';
import type { Gitea } from './server.ts';
import { taken } from '../taken.ts';

export type Founding = {
  readonly gitea: Gitea;
  /** A folder of the administrator's, for a clone and keys on their way. */
  readonly folder: string;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly action: { readonly owner: string; readonly name: string };
  readonly ana: { readonly id: number; readonly token: string };
  readonly ben: { readonly id: number };
  /** Its private half stays on its machine. */
  readonly runner: Signer;
};

export type Founded = {
  readonly genesis: string;
  readonly forge: ForgeRepository;
  /** What the jobs of gate and writer sign with, by the name of the secret. */
  readonly secrets: Readonly<Record<string, string>>;
};

export async function foundTeam(founding: Founding): Promise<Founded> {
  const { gitea, folder, ana, repository: name } = founding;
  const cwd = join(folder, 'clone');
  const outer = { cwd, env: { HOME: folder, LAZARUS_TOKEN: ana.token }, signal: new AbortController().signal };
  const { forge, app } = await compose({ ...outer, input: { interactive: false } }).forge(gitea.url);
  const facts = (await forge.repository(name).facts())!;
  execFileSync('git', ['clone', '-q', facts.cloneUrl, cwd]);
  const secrets: Record<string, string> = {};
  const repository: ForgeRepository = {
    ...forge.repository(name),
    setSecret: async (secret, value) => {
      secrets[secret] = await value();
      await forge.repository(name).setSecret(secret, () => Promise.resolve(secrets[secret]!));
    },
  };
  return inForgeWorld(app, { forge, name, repository, facts }, async (world) => {
    const items = await initForge(
      world,
      {
        person: identityOf('ana', testKey('ana')),
        keyItems: [],
        forgeUserId: ana.id,
        templates: { policy: projectFile('templates/policy.yml'), sacred: projectFile('templates/sacred.yml') },
        action: { home: founding.action, files: builtAction() },
        agree: () => Promise.reject(new Error('nobody should have been asked')),
      },
      { isDryRun: false },
    );
    const open = items.flatMap(({ item, next }) => (next === undefined ? [] : [`${item}: ${next}`]));
    if (open.length > 0) throw new Error(`the forge is not set up:\n${open.join('\n')}`);
    await registerKey(forge, founding.runner, Math.floor(Date.now() / 1000));
    const { far } = world;
    const { size } = (await far.project()).tip;
    taken(await applied(far, await drafted(far, theOthers(founding, size), testKey('ana')), testKey('ana')));
    return { genesis: (await far.project()).tip.state!.project_genesis, forge: forge.repository(name), secrets };
  });
}

function theOthers({ ben, runner }: Founding, from: number): RosterChange {
  const {
    keys: _keys,
    principal_id: _ben,
    ...person
  } = member(testKey('ben'), {
    roles: ['person'],
    forge_user_id: ben.id,
  });
  const machine: MemberFacts = {
    ...person,
    forge_user_id: null,
    layer: 'L5',
    person_id: null,
    principal_type: 'runner',
    roles: ['runner'],
  };
  return (current) => {
    const withBen = taken(addMember(publicKeyOf(testKey('ben')), from, person)(current));
    const members = { ...current, members: withBen.members! };
    return accept({ members: taken(addMember(publicKeyOf(runner), from, machine)(members)).members! });
  };
}

/** As this copy of lazarus builds it, wherever this file is bundled to. */
function builtAction(): BuiltAction {
  execFileSync(process.execPath, [new URL('src/surfaces/action/build.mjs', PROJECT).pathname]);
  return readdirSync(new URL('dist/action/', PROJECT)).map((path) => ({
    path,
    content: projectFile(`dist/action/${path}`),
  }));
}

function projectFile(path: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(path, PROJECT)));
}

function publicKeyOf({ publicKey }: Pick<Signer, 'publicKey'>) {
  return parsePublicKey(publicKey, nodeCrypto);
}
