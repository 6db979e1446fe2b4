// Setting up a repository: what is there afterwards, what a rerun does, and what is left to people.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { identityToMake } from '../../../src/app/init/identity.ts';
import type { PolicyRevision } from '../../../src/app/init/policy.ts';
import { POLICY_PATH, ROSTER_PATH, SACRED_PATH } from '../../../src/app/init/policy-files.ts';
import { applyDraft } from '../../../src/app/threshold/apply.ts';
import { projectElectorate } from '../../../src/app/threshold/judge.ts';
import { publicKeysFrom } from '../../../src/app/threshold/key-text.ts';
import { addMember, nextRoster, setThreshold, type RosterChange } from '../../../src/app/threshold/roster-change.ts';
import { draftOf } from '../../../src/app/threshold/threshold-draft.ts';
import { base64, fromUtf8 } from '../../../src/format/bytes.ts';
import type { ProjectState } from '../../../src/kernel/state.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { as, founding, TEMPLATES, told, UMA, type Founded } from '../../support/founding.ts';
import { testKey, signedBy } from '../../support/people.ts';
import { git } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';

const ALL_DONE = {
  project_ledger: 'done',
  roster: 'already there',
  policy_file: 'done',
  sacred_file: 'done',
  roster_file: 'done',
  policy: 'done',
};
const ALL_THERE = Object.fromEntries(Object.keys(ALL_DONE).map((item) => [item, 'already there']));
const POLICY_TEXT = fromUtf8(TEMPLATES.policy);
const PERSON = { forge_user_id: null, layer: 'L1', person_id: 'bo', principal_type: 'user' } as const;

describe('a repository without a ledger', () => {
  it('gets a project of one person and one machine, and a policy in force by the bytes that are committed', async () => {
    const { folder, init, bench } = await founding();
    expect(told(await init({ commits: true }))).toEqual({ ...ALL_DONE, commit: 'done' });
    const state = await stateOf(bench);
    expect(state.roster.members).toMatchObject([
      { principal_id: 'uma', principal_type: 'user', person_id: 'uma', roles: ['person', 'root', 'witness'] },
      { principal_id: 'uma-machine', principal_type: 'runner', person_id: null, roles: ['gate', 'runner', 'writer'] },
    ]);
    expect(state.policy).toEqual({
      revision: 1,
      policy: digestAtHead(folder, POLICY_PATH),
      sacred: digestAtHead(folder, SACRED_PATH),
    });
    expect(git(folder, ['show', '--name-only', '--format=%an <%ae>', 'HEAD']).split('\n')).toEqual([
      `uma <${UMA.fingerprint}@lazarus.invalid>`,
      '',
      POLICY_PATH,
      ROSTER_PATH,
      SACRED_PATH,
    ]);
    expect((await bench.verify(PROJECT_REF, 'full')).report.integrity.is).toBe('ok');
    expect(git(folder, ['status', '--porcelain'])).toBe('');
  });

  it('leaves a rerun nothing to do, and the ledger where it is', async () => {
    const { folder, init } = await founding();
    await init();
    const before = git(folder, ['for-each-ref']);
    expect(told(await init())).toEqual(ALL_THERE);
    expect(git(folder, ['for-each-ref'])).toBe(before);
  });

  it('is finished by a rerun after a crash behind any item', async () => {
    for (const broken of Object.keys(ALL_DONE)) {
      const { folder, init } = await founding();
      const crash = new Error('killed');
      const onResult = ({ item }: { readonly item: string }): void => {
        if (item === broken) throw crash;
      };
      await expect(init({}, { onResult })).rejects.toBe(crash);
      const again = await (await founding(folder)).init();
      expect(Object.values(told(again))).not.toContain('differs');
      const { bench, init: third } = await founding(folder);
      expect(told(await third())).toEqual(ALL_THERE);
      expect({ broken, revision: (await stateOf(bench)).policy?.revision }).toEqual({ broken, revision: 1 });
    }
  });

  it('is not touched by a dry run, not even by one that has no keys yet', async () => {
    const { folder, init } = await founding();
    const making = {
      store: undefined as never,
      nowSeconds: () => 0,
      protection: () => Promise.reject(new Error('no key may be made')),
      ask: () => Promise.reject(new Error('nobody may be asked')),
    };
    const words = { name: 'person_key', title: 'your key' };
    const { identity, item } = identityToMake({ principal: 'uma', stored: undefined }, making, words);
    const results = await init({ person: identity, machine: identity, keyItems: [item] }, { isDryRun: true });
    expect(new Set(results.map(({ is }) => is))).toEqual(new Set(['would']));
    expect(git(folder, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main');
    expect(git(folder, ['status', '--porcelain'])).toBe('');
  });

  it('is refused without a commit to start from', async () => {
    const { folder, init } = await founding();
    git(folder, ['update-ref', '-d', 'refs/heads/main']);
    await expect(init()).rejects.toMatchObject({ code: 'no_commit' });
    expect(git(folder, ['for-each-ref'])).toBe('');
  });

  it('gets no second ledger where a clone brought the first along as a remote branch', async () => {
    const { folder, init } = await founding();
    git(folder, ['update-ref', 'refs/remotes/origin/lazarus/project', 'HEAD']);
    await expect(init()).rejects.toMatchObject({ code: 'project_elsewhere' });
    expect(git(folder, ['for-each-ref', 'refs/heads/lazarus'])).toBe('');
  });
});

describe('files', () => {
  it('that people wrote are kept, and adopted as they stand', async () => {
    const { folder, init, bench } = await founding();
    write(folder, POLICY_PATH, `${POLICY_TEXT}# ours\n`);
    expect(told(await init())).toMatchObject({ policy_file: 'already there', policy: 'done' });
    expect(readFileSync(join(folder, POLICY_PATH), 'utf8')).toContain('# ours');
    expect((await stateOf(bench)).policy?.policy).toBe(digestOf(`${POLICY_TEXT}# ours\n`));
  });

  it('that cannot be read are not adopted, while everything before them is done', async () => {
    const { folder, init, bench } = await founding();
    write(folder, POLICY_PATH, 'version: 1\nprofile: x\nagents: [\n');
    await expect(init()).rejects.toMatchObject({ code: 'policy_unreadable' });
    expect((await stateOf(bench)).policy).toBeUndefined();
    write(folder, POLICY_PATH, POLICY_TEXT);
    expect(told(await init())).toMatchObject({ project_ledger: 'already there', policy: 'done' });
  });

  it('count as they are committed, and the work tree is said to differ', async () => {
    const { folder, init } = await founding();
    await init({ commits: true });
    write(folder, POLICY_PATH, `${POLICY_TEXT}# tomorrow\n`);
    expect(told(await init())).toMatchObject({ policy_file: 'differs', policy: 'already there' });
  });

  it('that were deleted in the work tree are not written again behind a person’s back', async () => {
    const { folder, init } = await founding();
    await init({ commits: true });
    rmSync(join(folder, SACRED_PATH));
    expect(told(await init())).toMatchObject({ sacred_file: 'differs' });
    expect(git(folder, ['ls-files', '--deleted'])).toBe(SACRED_PATH);
  });

  it('that copy the roster follow it, unless somebody has changes there that git does not have', async () => {
    const made = await founding();
    await made.init({ commits: true });
    await change(made, addMember(keyOf('bo'), 2, { ...PERSON, roles: ['person'] }));
    expect(told(await made.init())).toMatchObject({ roster_file: 'done' });
    expect(readFileSync(join(made.folder, ROSTER_PATH), 'utf8')).toContain('principal: "bo"');
    write(made.folder, ROSTER_PATH, 'mine\n');
    expect(told(await made.init())).toMatchObject({ roster_file: 'differs' });
    expect(readFileSync(join(made.folder, ROSTER_PATH), 'utf8')).toBe('mine\n');
  });
});

describe('a policy that changed on the branch', () => {
  it('is adopted as the next revision once a person has seen the difference', async () => {
    const { folder, init, bench } = await founding();
    await init({ commits: true });
    commit(folder, POLICY_PATH, POLICY_TEXT.replace('budget_minutes_max: 120', 'budget_minutes_max: 7'));
    const asked: PolicyRevision[] = [];
    const no = new Error('no');
    const agree = (revision: PolicyRevision): Promise<void> => {
      asked.push(revision);
      return Promise.reject(no);
    };
    await expect(init({ agree })).rejects.toBe(no);
    expect(asked).toMatchObject([{ revision: 2, changes: [{ path: POLICY_PATH }] }]);
    expect(asked[0]!.changes[0]!.lines.filter((line) => /^[-+]/.test(line))).toEqual([
      expect.stringContaining('-budget_minutes_max: 120'),
      expect.stringContaining('+budget_minutes_max: 7'),
    ]);
    expect((await stateOf(bench)).policy?.revision).toBe(1);
    expect(told(await init({ agree: () => Promise.resolve() }))).toMatchObject({ policy: 'done' });
    expect((await stateOf(bench)).policy).toMatchObject({ revision: 2, policy: digestAtHead(folder, POLICY_PATH) });
  });

  it('is shown whole where the one in force is not in the history of the branch', async () => {
    const { folder, init } = await founding();
    await init();
    // Never committed as it was adopted.
    commit(folder, POLICY_PATH, `${POLICY_TEXT}# other\n`);
    commit(folder, SACRED_PATH, readFileSync(join(folder, SACRED_PATH), 'utf8'));
    let seen: PolicyRevision | undefined;
    await init({ agree: (revision) => Promise.resolve(void (seen = revision)) });
    expect(seen!.changes.map(({ path }) => path)).toEqual([POLICY_PATH]);
    expect(seen!.changes[0]!.lines).toEqual(expect.arrayContaining(['profile: repo_mutation_gated', '# other']));
  });

  it('is left to a root by somebody who is none', async () => {
    const made = await founding();
    await made.init({ commits: true });
    await change(made, addMember(keyOf('bo'), 2, { ...PERSON, roles: ['person'] }));
    commit(made.folder, POLICY_PATH, `${POLICY_TEXT}# bo was here\n`);
    const results = await made.init({ person: as(testKey('bo')) });
    const next = expect.stringContaining('root');
    expect(results.find(({ item }) => item === 'policy')).toMatchObject({ is: 'differs', next });
  });
});

describe('another computer', () => {
  const SECOND = testKey('uma-two');

  it('is put on the roster by the root who sits at it', async () => {
    const { init, bench } = await founding();
    await init({ commits: true });
    expect(told(await init({ machine: as(SECOND) }))).toMatchObject({ roster: 'done', roster_file: 'done' });
    const { roster } = await stateOf(bench);
    expect(roster.n).toBe(1);
    expect(roster.members.find(({ principal_id }) => principal_id === 'uma-two')).toMatchObject({
      principal_type: 'runner',
      person_id: null,
      roles: ['gate', 'runner', 'writer'],
    });
  });

  it('gets the line to type where two persons must sign, or the person is no root', async () => {
    const made = await founding();
    await made.init();
    await change(made, addMember(keyOf('bo'), 2, { ...PERSON, roles: ['person', 'root'] }));
    await change(made, setThreshold(2));
    for (const person of [UMA, testKey('cy')]) {
      const results = await made.init({ person: as(person), machine: as(SECOND) });
      expect(results.find(({ item }) => item === 'roster')).toMatchObject({
        is: 'differs',
        next: `lazarus roster add ${base64(SECOND.publicKey)} --type runner --roles gate,runner,writer`,
      });
    }
    expect((await stateOf(made.bench)).roster.n).toBe(2);
  });

  it('with the same name and another key is not taken for the first', async () => {
    const { init } = await founding();
    await init();
    const results = await init({ machine: as(testKey('uma-machine', 'another seed')) });
    const next = expect.stringContaining('--machine');
    expect(results.find(({ item }) => item === 'roster')).toMatchObject({ is: 'differs', next });
  });
});

async function stateOf(bench: Founded['bench']): Promise<ProjectState> {
  return (await bench.project()).tip.state as ProjectState;
}

/** Signed by uma alone: enough while the threshold is one. */
async function change({ bench }: Founded, wanted: RosterChange): Promise<void> {
  const project = await bench.project();
  const electorate = projectElectorate(project);
  const document = taken(nextRoster(nodeCrypto, electorate, wanted));
  const signed = { signatures: signedBy([UMA], 'roster', document) };
  const draft = { ...draftOf({ purpose: 'roster', document }), ...signed };
  taken(await applyDraft(bench, draft, { electorate, ref: PROJECT_REF, project }, UMA));
}

function keyOf(name: string) {
  return taken(publicKeysFrom(nodeCrypto, base64(testKey(name).publicKey))).key;
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function commit(folder: string, path: string, text: string): void {
  write(folder, path, text);
  git(folder, ['add', '--', path]);
  git(folder, ['commit', '-q', '--allow-empty', '-m', `change ${path}`]);
}

function digestAtHead(folder: string, path: string): string {
  return digestOf(`${git(folder, ['show', `HEAD:${path}`])}\n`);
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
