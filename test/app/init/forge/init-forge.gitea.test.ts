// Setting up a real Gitea: what stands there afterwards, what its rules then refuse, what a rerun does, and what is left
// to people. A server for all, a repository for each.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRemote } from '../../../../src/adapters/git-remote/open-remote.ts';
import { openRepository } from '../../../../src/adapters/git/repository.ts';
import { openWorkTree } from '../../../../src/adapters/git/work-tree.ts';
import { createGitea } from '../../../../src/adapters/gitea/server.ts';
import { fileKeys } from '../../../../src/adapters/keys/file-keys.ts';
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import { systemIds } from '../../../../src/adapters/system/ids.ts';
import { beginMission } from '../../../../src/app/begin.ts';
import { actionCommit } from '../../../../src/app/init/forge/action.ts';
import { initForge, type InitForge } from '../../../../src/app/init/forge/init-forge.ts';
import { defaultBranchRule, LEDGER_RULE, WORK_RULE } from '../../../../src/app/init/forge/rules.ts';
import type { ForgeWorld } from '../../../../src/app/init/forge/world.ts';
import { POLICY_PATH } from '../../../../src/app/init/policy-files.ts';
import type { Course, ItemResult } from '../../../../src/app/init/items.ts';
import type { Workbench } from '../../../../src/app/workbench.ts';
import { utf8 } from '../../../../src/format/bytes.ts';
import { FORM_PATH } from '../../../../src/forge-text/form-fields.ts';
import { formTemplate } from '../../../../src/forge-text/form-template.ts';
import { unmarked } from '../../../../src/forge-text/mark.ts';
import { LABELS } from '../../../../src/forge-text/states.ts';
import { workflows } from '../../../../src/forge-text/workflows.ts';
import type { ProjectState } from '../../../../src/kernel/state.ts';
import { missionRef, PROJECT_REF } from '../../../../src/ledger/names.ts';
import { as, TEMPLATES, told } from '../../../support/founding.ts';
import { testKey, type TestKey } from '../../../support/people.ts';
import { scratch } from '../../../support/repos.ts';
import { startGitea, type Gitea } from '../../../support/gitea/server.ts';
import { taken } from '../../../support/taken.ts';
import { benchOver } from '../../../support/workbench.ts';

type User = Awaited<ReturnType<Gitea['createUser']>>;
type Place = {
  readonly folder: string;
  readonly uma: User;
  readonly key: TestKey;
  readonly home: InitForge['action']['home'];
  readonly world: ForgeWorld;
  readonly init: (wanted?: Partial<InitForge>, course?: Partial<Course>) => Promise<readonly ItemResult[]>;
  /** The same place as a program that starts anew sees it. */
  readonly again: () => Promise<Place>;
};

const ACTION = [
  { path: 'action.yml', content: utf8('name: lazarus\nruns: { using: node20, main: index.js }\n') },
  { path: 'index.js', content: utf8('console.log(1);\n') },
];
const THERE = 'already there';

let gitea: Gitea;
let users = 0;

beforeAll(async () => {
  gitea = await startGitea();
});
afterAll(async () => gitea?.stop());

describe('a fresh forge', () => {
  it('has everything that missions need, and rules that hold, after one command', async () => {
    const { uma, init, world, key, home } = await place();
    const results = await init();
    expect(told(results)).toMatchObject({
      pull_ledger: THERE,
      gate_key: 'done',
      writer_key: 'done',
      project_ledger: 'done',
      public_keys: 'done',
      push_ledger: 'done',
      roster: THERE,
      action: 'done',
      branch_files: 'done',
      policy: 'done',
      ledger_rule: 'done',
      branch_rule: 'done',
      work_rule: 'done',
      gate_secret: 'done',
      writer_secret: 'done',
    });

    const state = await stateOf(world);
    expect(state.roster.members).toMatchObject([
      { principal_id: 'gate', principal_type: 'service', roles: ['gate'], person_id: null },
      { principal_id: key.principalId, roles: ['person', 'root', 'witness'], forge_user_id: uma.id },
      { principal_id: 'writer', principal_type: 'service', roles: ['writer'], person_id: null },
    ]);
    expect(state.policy?.revision).toBe(1);

    const pin = {
      genesis: state.project_genesis,
      address: `${gitea.url}/${home.owner}/${home.name}`,
      commit: actionCommit(nodeCrypto, ACTION).commit,
    };
    const text = async (path: string): Promise<string> =>
      new TextDecoder().decode(await world.repository.readFile(path));
    expect(unmarked(await text(FORM_PATH))).toBe(formTemplate());
    expect(unmarked(await text('.gitea/workflows/lazarus.yaml'))).toBe(taken(workflows(pin)).caller);
    expect(await text('.gitea/workflows/lazarus-gate.yaml')).toContain(`uses: ${pin.address}@${pin.commit}`);
    expect(await text(POLICY_PATH)).toBe(new TextDecoder().decode(TEMPLATES.policy));
    const rules = await world.repository.rules();
    expect(rules).toContainEqual(LEDGER_RULE);
    expect(rules).toContainEqual(WORK_RULE);
    expect(rules).toContainEqual(defaultBranchRule('main', [uma.name]));
    const labels = await gitea.as(uma)('GET', `/repos/${uma.name}/app/labels?limit=50`);
    expect(labels.map(({ name }: { name: string }) => name).sort()).toEqual(LABELS.map(({ name }) => name).sort());
    const secrets = await gitea.as(uma)('GET', `/repos/${uma.name}/app/actions/secrets`);
    expect(secrets.map(({ name }: { name: string }) => name).sort()).toEqual([
      'LAZARUS_GATE_KEY',
      'LAZARUS_WRITER_KEY',
    ]);
    // Handed over means gone from here.
    expect(await world.onTheirWay.list()).toEqual([]);
  });

  it('holds an action that is the same commit wherever it is built, and loads from a clone of its own', async () => {
    const { uma, init, home } = await place();
    await init();
    const { commit: oid } = actionCommit(nodeCrypto, ACTION);
    const clone = scratch('action');
    git(clone, ['clone', '-q', `${gitea.url}/${home.owner}/${home.name}.git`, '.'], uma);
    expect(git(clone, ['for-each-ref', '--format=%(objectname)', 'refs/remotes/origin/build-*'])).toBe(oid);
    expect(git(clone, ['ls-tree', '--name-only', oid]).split('\n')).toEqual(['action.yml', 'index.js']);
    expect(git(clone, ['log', '--format=%at[%P]', oid])).toBe('0[]');
  });

  it('lets signed ledgers grow, and refuses the forged, the rewritten and whatever would change a workflow', async () => {
    const made = await place();
    const { folder, uma, init, world, key } = made;
    await init();
    const project = await world.far.project();
    const mission = systemIds.next();
    const ref = missionRef(mission);
    taken(await world.far.session(ref, key, project).submit(beginMission(mission, project, null)));

    const push = (...args: readonly string[]): string => pushed(folder, uma, args);
    git(folder, ['fetch', '-q', 'origin'], uma);
    const unsigned = git(folder, ['commit-tree', '-m', 'x', '-p', PROJECT_REF, `${PROJECT_REF}^{tree}`]);
    expect(push(`${unsigned}:${PROJECT_REF}`)).toContain('rejected');
    expect(push('--force', `${unsigned}~1:${ref}`)).toContain('rejected');
    expect(push(`:${ref}`)).toContain('rejected');
    git(folder, ['checkout', '-q', '-B', 'main', 'origin/main']);
    git(folder, ['commit', '-q', '--allow-empty', '-m', 'people go on as before']);
    expect(push('HEAD:refs/heads/main')).not.toContain('rejected');
    expect(push(`HEAD:refs/heads/lazarus-work/m-0123456789ab/1`)).not.toContain('rejected');
    expect(push('--force', `HEAD~1:refs/heads/lazarus-work/m-0123456789ab/1`)).toContain('rejected');
    git(folder, ['rm', '-q', '.gitea/workflows/lazarus-gate.yaml']);
    git(folder, ['commit', '-q', '-m', 'no gate']);
    expect(push('HEAD:refs/heads/lazarus-work/m-0123456789ab/1')).toContain('protected from changing file');
    // Their own workflows are theirs; what they change of lazarus's, init names and leaves.
    expect(push('HEAD:refs/heads/main')).not.toContain('rejected');
  });
});

describe('a rerun', () => {
  it('finds everything, changes nothing and asks nobody', async () => {
    const { again, init, world } = await place();
    await init();
    const before = await world.far.place.head(PROJECT_REF);
    const second = await again();
    for (const isDryRun of [true, false])
      expect(new Set(Object.values(told(await second.init({}, { isDryRun }))))).toEqual(new Set([THERE]));
    expect(await second.world.far.place.head(PROJECT_REF)).toBe(before);
  });

  it('finishes what a crash behind any item left', async () => {
    for (const broken of ['gate_key', 'push_ledger', 'branch_files', 'ledger_rule', 'gate_secret']) {
      const first = await place();
      const crash = new Error('killed');
      const onResult = ({ item }: { readonly item: string }): void => {
        if (item === broken) throw crash;
      };
      await expect(first.init({}, { onResult })).rejects.toBe(crash);
      const second = await first.again();
      expect({ broken, is: Object.values(told(await second.init())) }).not.toMatchObject({
        is: expect.arrayContaining(['differs']),
      });
      const third = await second.again();
      expect({ broken, is: new Set(Object.values(told(await third.init()))) }).toEqual({
        broken,
        is: new Set([THERE]),
      });
      expect(await third.world.onTheirWay.list()).toEqual([]);
    }
  });

  it('from another clone takes the ledger over instead of beginning a second one', async () => {
    const first = await place();
    await first.init();
    const second = await first.again();
    const other = await place({ uma: first.uma, key: first.key, folder: clone(first.uma, 'app') });
    expect(told(await other.init())).toMatchObject({ pull_ledger: 'done', project_ledger: THERE, policy: THERE });
    expect((await stateOf(other.world)).project_id).toBe((await stateOf(second.world)).project_id);
  });

  it('with a new action brings the workflows up to it', async () => {
    const first = await place();
    await first.init();
    const files = [ACTION[0]!, { path: 'index.js', content: utf8('console.log(2);\n') }];
    const { init, home } = await first.again();
    expect(told(await init({ action: { home, files } }))).toMatchObject({ branch_files: 'done', branch_rule: THERE });
    const gate = await first.world.repository.readFile('.gitea/workflows/lazarus-gate.yaml');
    expect(new TextDecoder().decode(gate)).toContain(`@${actionCommit(nodeCrypto, files).commit}`);
  });

  it('by somebody whom the branch’s rule does not name opens one pull request, and says who merges it', async () => {
    const first = await place();
    await first.init();
    const { uma } = first;
    const lead = await gitea.createUser(`lead-${uma.name}`);
    const at = `/repos/${uma.name}/app`;
    await gitea.as(uma)('PUT', `${at}/collaborators/${lead.name}`, { permission: 'write' });
    const lists = { push_whitelist_usernames: [lead.name], merge_whitelist_usernames: [lead.name] };
    await gitea.as(uma)('PATCH', `${at}/branch_protections/main`, lists);
    const files = [ACTION[0]!, { path: 'index.js', content: utf8('console.log(2);\n') }];
    for (let i = 0; i < 2; i++) {
      const { init, home } = await first.again();
      const result = await init({ action: { home, files } });
      const item = (name: string) => result.find((one) => one.item === name);
      expect(item('branch_files')).toMatchObject({
        is: 'differs',
        next: expect.stringMatching(/may merge into main: .*\/pulls\/1/),
      });
      expect(item('branch_rule')).toMatchObject({
        is: THERE,
        says: expect.stringContaining(`on no list of it: ${uma.name}`),
      });
    }
    expect(await gitea.as(uma)('GET', `${at}/pulls`)).toHaveLength(1);
  });
});

describe('what people decided', () => {
  it('stays: a rule of their own is reported field by field and left', async () => {
    const { uma, init, again, world } = await place();
    const loose = { rule_name: 'lazarus/**', enable_push: true, enable_force_push: true };
    await gitea.as(uma)('POST', `/repos/${uma.name}/app/branch_protections`, loose);
    const results = await init();
    const rule = results.find(({ item }) => item === 'ledger_rule');
    expect(rule).toMatchObject({
      is: 'differs',
      says: expect.stringContaining('enable_force_push is true, expected false'),
    });
    const rules = await gitea.as(uma)('GET', `/repos/${uma.name}/app/branch_protections`);
    const kept = rules.find(({ rule_name: name }: { rule_name: string }) => name === 'lazarus/**');
    expect(kept).toMatchObject({ enable_force_push: true });
    // No job gets a key that signs for ledgers which anybody could rewrite.
    expect(told(results)).toMatchObject({ gate_secret: 'differs', writer_secret: 'differs' });
    expect(await gitea.as(uma)('GET', `/repos/${uma.name}/app/actions/secrets`)).toEqual([]);
    expect(await world.onTheirWay.list()).toHaveLength(2);

    await gitea.as(uma)('DELETE', `/repos/${uma.name}/app/branch_protections/lazarus%2F**`);
    // Nor while a workflow on the branch gives whoever calls it a shell.
    const path = '.gitea/workflows/lazarus-cell.yaml';
    const cell = new TextDecoder().decode(await world.repository.readFile(path));
    const altered = utf8(cell.replace('    steps:\n', '    steps:\n      - run: echo ${{ inputs.mission }}\n'));
    await world.repository.commitFiles({ branch: 'main', message: 'altered', files: [{ path, content: altered }] });
    const unsafe = await (await again()).init();
    expect(told(unsafe)).toMatchObject({ ledger_rule: 'done', changed_files: 'differs', gate_secret: 'differs' });
    expect(unsafe.find(({ item }) => item === 'gate_secret')!.says).toContain(`${path} breaks a rule for workflows`);
    const back = await (await again()).init({ overwrite: [path] });
    expect(told(back)).toMatchObject({ branch_files: 'done', gate_secret: 'done' });
    const third = await again();
    expect(told(await third.init())).toMatchObject({ changed_files: THERE, gate_secret: THERE });
  });

  it('stays: a policy on the default branch is adopted and not replaced', async () => {
    const { init, world } = await place();
    const content = utf8(`${new TextDecoder().decode(TEMPLATES.policy)}# ours\n`);
    await world.repository.commitFiles({ branch: 'main', message: 'ours', files: [{ path: POLICY_PATH, content }] });
    await init();
    expect(await world.repository.readFile(POLICY_PATH)).toEqual(content);
  });

  it('is nothing yet in a dry run, and nothing then', async () => {
    const { uma, init, world, home } = await place();
    const results = await init({}, { isDryRun: true });
    expect(told(results)).toMatchObject({ project_ledger: 'would', ledger_rule: 'would', gate_secret: 'would' });
    expect(await world.repository.rules()).toEqual([]);
    expect(await world.repository.readFile(POLICY_PATH)).toBeUndefined();
    expect(await world.far.place.head(PROJECT_REF)).toBeUndefined();
    expect(await world.forge.repository(home).facts()).toBeUndefined();
    expect(await gitea.as(uma)('GET', '/user/gpg_keys')).toEqual([]);
  });
});

async function place(known?: { readonly uma: User; readonly key: TestKey; readonly folder: string }): Promise<Place> {
  const login = known?.uma.name ?? `uma${users++}`;
  const uma = known?.uma ?? (await gitea.createUser(login));
  // One server for all tests, and a key can be registered there once.
  const key = known?.key ?? testKey(login);
  if (known === undefined) await gitea.createRepository(uma, 'app');
  const folder = known?.folder ?? clone(uma, 'app');
  const forge = createGitea({ url: gitea.url, token: uma.token });
  const name = { owner: login, name: 'app' };
  const repository = forge.repository(name);
  const facts = (await repository.facts())!;
  const env = { LAZARUS_TOKEN: uma.token, LAZARUS_TOKEN_ORIGIN: gitea.url };
  const remoteAt = async (url: string) =>
    openRemote({ repository: await openRepository(folder), cwd: folder, where: { url }, env });
  const bench = async (isFar: boolean): Promise<Workbench> => {
    const local = await openRepository(folder);
    const made = benchOver(local, {
      remote: isFar ? await remoteAt(facts.cloneUrl) : undefined,
      backOff: () => Promise.resolve(),
    });
    onTestFinished(() => made.close());
    return made;
  };
  const near = await bench(false);
  const world: ForgeWorld = {
    forge,
    name,
    repository,
    facts,
    near,
    far: await bench(true),
    remoteAt,
    workTree: await openWorkTree(folder),
    onTheirWay: fileKeys(`${near.parts.repository.stateDir}/forge-keys`, {
      gpg: undefined as never,
      crypto: nodeCrypto,
    }),
  };
  const home = { owner: login, name: 'lazarus-action' };
  return {
    folder,
    uma,
    key,
    home,
    world,
    again: () => place({ uma, key, folder }),
    init: (wanted = {}, course = {}) =>
      initForge(
        world,
        {
          person: as(key),
          keyItems: [],
          forgeUserId: uma.id,
          templates: TEMPLATES,
          action: { home, files: ACTION },
          agree: () => Promise.reject(new Error('nobody should have been asked')),
          ...wanted,
        },
        { isDryRun: false, ...course },
      ),
  };
}

async function stateOf({ near }: ForgeWorld): Promise<ProjectState> {
  return (await near.project()).tip.state as ProjectState;
}

function clone(user: User, name: string): string {
  const folder = scratch('clone');
  git(folder, ['clone', '-q', `${gitea.url}/${user.name}/${name}.git`, '.'], user);
  return folder;
}

function git(cwd: string, args: readonly string[], user?: User): string {
  const login = user === undefined ? [] : ['-c', `http.extraHeader=Authorization: token ${user.token}`];
  const who = ['-c', 'user.name=uma', '-c', 'user.email=uma@example.invalid'];
  return execFileSync('git', [...who, ...login, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** What git says of a push, whichever way it went. */
function pushed(folder: string, user: User, args: readonly string[]): string {
  try {
    return git(folder, ['push', '--porcelain', 'origin', ...args], user);
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}
