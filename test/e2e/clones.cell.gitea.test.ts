// People of a team at their own computers, with an ordinary clone of a repository on a real Gitea: what they type is about
// the forge's ledgers, or it says why not and leaves everything as it was.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lazarus, type Ran } from '../support/cli.ts';
import { startTeam, TEAM_REPOSITORY, type Team } from '../support/gitea/missions.ts';
import { giveKey } from '../support/gitea/person-clone.ts';
import { everyObject, git } from '../support/repos.ts';
import { PROJECT } from '../support/gitea/project-folder.ts';

const AGENT = 'tools/example-agent.sh';
/** What it prints stands in no file: a computation of its own. */
const SAYS = 'echo "agent-says-$((4000 + 711))"\nexit';
const SAID = 'agent-says-4711';
const AT = `/repos/${TEAM_REPOSITORY}`;
const ELSEWHERE = 'http://127.0.0.1:9/ana/m1.git';

let team: Team;
let folder = '';
const missions: { issue: number; name: string; digest: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lazarus-clones-'));
  const agent = readFileSync(new URL(`templates/example/${AGENT}`, PROJECT), 'utf8');
  team = await startTeam({ [AGENT]: agent.replace(/^exit/m, SAYS) });
  await team.ana.api('PUT', `${AT}/collaborators/ben`, { permission: 'write' });
  for (const goal of ['first', 'second', 'third']) {
    let issue = 0;
    await team.ran(async () => {
      issue = await team.file(team.ana, { goal });
    });
    missions.push({ issue, ...seenIn(await statusOf(issue)) });
  }
}, 300_000);
afterAll(async () => {
  await team?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const statusOf = async (issue: number): Promise<string> =>
  (await team.ana.api('GET', `${AT}/issues/${issue}/comments`))[0].body;

function seenIn(status: string): { name: string; digest: string } {
  const name = /mission=(m-[0-9a-f]{12})/.exec(status)![1]!;
  return { name, digest: /^\/approve ([0-9a-f]{12})$/m.exec(status)![1]! };
}

type Person = 'ana' | 'ben' | 'carol';
type Clone = {
  readonly at: string;
  readonly type: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;
  /** The ledgers here: the same text means that nothing moved. What is fetched lies apart from them. */
  readonly refs: () => string;
};

/** As `git clone` makes it, with a home that holds nothing but this person's key. */
function clone(by: Person, name: string, token = true): Clone {
  const home = join(folder, `home of ${name}`);
  mkdirSync(home);
  giveKey(home, by);
  git(folder, ['clone', '-q', team.cloneUrl, name]);
  const at = join(folder, name);
  const own: Record<string, string> = { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null' };
  const meant = { LAZARUS_TOKEN: team[by].token, LAZARUS_TOKEN_ORIGIN: team.gitea.url };
  return {
    at,
    type: (args, env = {}) => lazarus(args, { cwd: at, env: { ...own, ...(token ? meant : {}), ...env } }),
    refs: () => git(at, ['for-each-ref', 'refs/heads/lazarus']),
  };
}

const there = (): string => git(folder, ['ls-remote', team.cloneUrl, 'refs/heads/lazarus/*']);

async function confirmed(by: Person, name: string, token = true): Promise<Clone> {
  const made = clone(by, name, token);
  expect(await made.type(['verify', 'project', '--genesis', team.genesis])).toMatchObject({ code: 0 });
  return made;
}

describe('a clone that nobody introduced', () => {
  it('trusts no server in silence: not for a script, not with --yes, and keeps nothing of it', async () => {
    const { type, refs } = clone('ben', 'new');
    for (const args of [
      ['list'],
      ['list', '--json'],
      ['list', '--yes'],
      ['approve', missions[0]!.name, 'abcdefabcdef'],
    ]) {
      const { code, stdout, stderr } = await type(args);
      expect([code, `${stdout}${stderr}`]).toEqual([3, expect.stringContaining(team.genesis)]);
      expect(`${stdout}${stderr}`).toContain('lazarus verify project --genesis');
    }
    expect(refs()).toBe('');
    const wrong = team.genesis.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(await type(['verify', 'project', '--genesis', wrong])).toMatchObject({ code: 6 });
    expect(refs()).toBe('');
  });

  it('verifies what a status comment names, also by its beginning, and says that nobody vouched for it', async () => {
    const { type } = clone('ben', 'verifying');
    const { code, stdout } = await type(['verify', missions[0]!.name.slice(0, 8)]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`ok ${missions[0]!.name}`)]);
    expect(stdout).toContain('unpinned');
  });

  it('has been told by somebody: then everything is as it is on the forge, with the words of people', async () => {
    const { type } = await confirmed('ben', 'told');
    expect((await type(['list'])).stdout.match(/awaiting approval {2}ben {2}(?:first|second|third)/g)).toHaveLength(3);
    const { stdout } = await type(['explain', missions[1]!.name]);
    expect(stdout).toMatch(/goal +second/);
    expect((await type(['why', missions[2]!.name.slice(2, 9)])).stdout).toContain('ben types');
  });

  it('and refuses a server that later shows another project, or less than was seen', async () => {
    const { at, type, refs } = await confirmed('ben', 'shown another');
    await type(['status', missions[0]!.name]);
    const before = refs();
    const other = join(folder, 'other');
    mkdirSync(other);
    git(other, ['init', '-q', '-b', 'main', '.']);
    const person = { HOME: join(folder, 'home of other'), GIT_CONFIG_GLOBAL: '/dev/null' };
    await lazarus(['keys', 'new', 'mallory', '--unprotected'], { cwd: other, env: person });
    await lazarus(['ledger', 'init'], { cwd: other, env: person });
    git(at, ['remote', 'set-url', 'origin', other]);
    expect(await type(['status', missions[0]!.name])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('fork_detected'),
    });
    git(at, ['remote', 'set-url', 'origin', team.cloneUrl]);
    expect(refs()).toBe(before);
    const rolledBack = join(folder, 'rolled back');
    git(folder, ['clone', '-q', '--mirror', team.cloneUrl, rolledBack]);
    const ref = `refs/heads/lazarus/${missions[0]!.name}`;
    git(rolledBack, ['update-ref', ref, `${ref}~1`]);
    git(at, ['remote', 'set-url', 'origin', rolledBack]);
    const { code, stderr } = await type(['status', missions[0]!.name]);
    expect([code, stderr]).toEqual([6, expect.stringContaining('remote_is_behind')]);
    expect(refs()).toBe(before);
  });
});

describe('a person at a clone', () => {
  it('whose key the forge does not know is told so, and nothing is said to be done', async () => {
    const { type, refs } = await confirmed('ben', 'unregistered');
    const [mission] = missions;
    await type(['status', mission!.name]);
    const before = [there(), refs()];
    const { code, stdout, stderr } = await type(['approve', mission!.name, mission!.digest]);
    expect([code, stdout, stderr]).toEqual([
      3,
      '',
      expect.stringMatching(/push_rejected.*\n {2}next: lazarus keys register/),
    ]);
    expect([there(), refs()]).toEqual(before);
    const next = /next: lazarus (.*)/.exec(stderr)![1]!.split(' ');
    expect(await type(next)).toMatchObject({ code: 0 });
  });

  it('approves: signed by their own key, on the forge before it is said, and its jobs go on at once', async () => {
    const { type } = await confirmed('ben', 'approving');
    const [mission] = missions;
    const jobs = await team.ran(async () => {
      const { code, stderr, stdout } = await type(['approve', mission!.name, mission!.digest]);
      expect([code, stderr]).toEqual([0, expect.stringContaining('the forge was told to look now')]);
      expect(stdout).toContain(`next: lazarus watch ${mission!.name}`);
    });
    expect(jobs.map(({ name }) => name)).toEqual(['reconcile', 'cell', 'writer']);
    const shown = await type(['diff', mission!.name]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('+++ b/docs/usage.md')]);
    const { code, stdout } = await type(['watch', mission!.name]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/done\n[^]*approved +ben \(the plan, signed/)]);
    expect(await statusOf(mission!.issue)).toContain('· done');
  });

  it('without a token is told who will find it, and when', async () => {
    const { at, type } = await confirmed('ben', 'without a token', false);
    // git itself knows how to log in; lazarus has no token to wake anybody with.
    const [scheme, rest] = team.cloneUrl.split('://');
    git(at, ['remote', 'set-url', 'origin', `${scheme}://ben:${team.ben.token}@${rest}`]);
    const [, mission] = missions;
    const { code, stderr } = await type(['reject', mission!.name, mission!.digest, '--reason', 'not now']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('within 5 minutes')]);
    expect(stderr).not.toContain(team.ben.token);
    await team.ran(() => team.comment(team.ben, mission!.issue, '/status'));
    expect(await statusOf(mission!.issue)).toContain('rejected');
  });

  it('offline is told that, and nothing is written here either', async () => {
    const { at, type, refs } = await confirmed('ben', 'offline');
    const [, , mission] = missions;
    await type(['status', mission!.name]);
    git(at, ['remote', 'set-url', 'origin', ELSEWHERE]);
    const before = [there(), refs()];
    for (const args of [
      ['approve', mission!.name, mission!.digest],
      ['withdraw', mission!.name],
      ['hold', mission!.name],
      ['unhold', mission!.name],
      ['retry', mission!.name],
      ['diff', mission!.name],
      ['list'],
      ['cancel', mission!.name],
    ])
      expect(await type(args)).toMatchObject({
        code: 75,
        stdout: '',
        stderr: expect.stringContaining('remote_unreachable'),
      });
    expect([there(), refs()]).toEqual(before);
    const verified = await type(['verify', mission!.name]);
    expect(verified).toMatchObject({ code: 0, stderr: expect.stringContaining('this is what was fetched before') });
  });

  it('holds and lets go, signed with their own key, and has the gate try again and answer', async () => {
    const { type } = await confirmed('ben', 'holding');
    const [, , mission] = missions;
    await team.ran(async () => {
      expect(await type(['hold', mission!.name, '--reason', 'not yet'])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('held'),
        stderr: expect.stringContaining('the forge was told to look now'),
      });
    });
    expect(await statusOf(mission!.issue)).toMatch(/· held[^]*\| Held \| `by ben \(signed, /);
    await team.ran(async () => {
      expect(await type(['unhold', mission!.name])).toMatchObject({ code: 0 });
    });
    expect(await statusOf(mission!.issue)).toContain('awaiting approval');
    await team.ran(async () => {
      expect(await type(['retry', mission!.name])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('/retry was typed in issue'),
      });
    });
    const replies: { body: string }[] = await team.ana.api('GET', `${AT}/issues/${mission!.issue}/comments`);
    expect(replies.at(-1)!.body).toContain('`quorum_missing`');
    expect(await type(['diff', mission!.name])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('work_not_kept'),
    });
  });

  it('has the gate plan, and is told what only the forge does', async () => {
    const { type } = await confirmed('ben', 'planning');
    const [, , mission] = missions;
    await team.ran(async () => {
      expect(await type(['plan', mission!.name])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('/plan was typed'),
      });
    });
    expect(await type(['run', mission!.name])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('forge_runs_it'),
    });
  });
});

describe('what an agent printed on a runner', () => {
  it('is read by the member it is for, in a clone, and by nobody else; neither refs nor logs have it', async () => {
    const [ana, ben] = [await confirmed('ana', 'reading as ana'), await confirmed('ben', 'reading as ben')];
    const file = join(folder, 'ben-reads.asc');
    for (const args of [
      ['keys', 'encrypt-to', 'ben'],
      ['keys', 'export', 'ben', '-o', file],
    ])
      expect(await ben.type(args)).toMatchObject({ code: 0 });
    const change = ['roster', 'set', 'ben', '--encrypt-to', file, '--yes', '--remote', 'origin'];
    expect(await ana.type(change)).toMatchObject({ code: 0 });
    let issue = 0;
    await team.ran(async () => {
      issue = await team.file(team.ana, { goal: 'fourth' });
    });
    const asked = await statusOf(issue);
    expect(asked).toContain('| Printed | `for ben; in clear the last lines of checks that fail` |');
    const { name, digest } = seenIn(asked);
    const jobs = await team.ran(() => team.comment(team.ben, issue, `/approve ${digest}`));
    expect(await statusOf(issue)).toContain(`### ${name} · done`);

    const read = await ben.type(['explain', name, '--output']);
    expect([read.code, read.stdout]).toEqual([0, expect.stringContaining(SAID)]);
    const other = await ana.type(['explain', name, '--output']);
    expect([other.code, other.stdout, other.stderr]).toEqual([4, '', expect.stringContaining('people: ben')]);
    git(folder, ['clone', '-q', '--mirror', team.cloneUrl, 'everything']);
    for (const text of [everyObject(join(folder, 'everything')), ...jobs.map(({ log }) => log)])
      expect(text).not.toContain(SAID);
  });
});

describe('an administrator', () => {
  it('changes the roster from a clone that has no mission: every open one on the forge has it at once', async () => {
    const { type } = await confirmed('ana', 'administrator');
    const key = join(folder, 'carol.asc');
    const carol = clone('carol', 'carol');
    expect(await carol.type(['keys', 'export', 'carol', '-o', key])).toMatchObject({ code: 0 });
    const change = ['roster', 'add', key, '--roles', 'person', '--forge-user', 'carol', '--forge', team.gitea.url];
    const { code, stdout } = await type([...change, '--remote', 'origin']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`adopted in ${missions[1]!.name}`)]);
    expect(stdout).toContain(`adopted in ${missions[2]!.name}`);
    await team.ran(() => team.comment(team.ana, missions[2]!.issue, '/status'));
    expect(await statusOf(missions[2]!.issue)).toContain('1 of: `@ben` `@carol`');
    expect((await type(['roster', 'remove', 'ben', '--yes', '--remote', 'origin'])).code).toBe(0);
    await team.ran(() => team.comment(team.ana, missions[2]!.issue, '/plan'));
    const status = await statusOf(missions[2]!.issue);
    expect(status).toContain('1 of: `@carol` (role `person`)');
    expect(status).not.toContain('The roster changed');
  });
});
