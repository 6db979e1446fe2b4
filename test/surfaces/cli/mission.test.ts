// Missions as they are typed, up to where an agent would run: proposals, votes, refusals, and what each says to type next.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { git, scratch } from '../../support/repos.ts';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

/** A mission whose paths no other mission of this file wants. */
let folders = 0;
const apart = () => ({ 'src/greet.sh\n': `a${folders++}/**\n`, '  - docs/**\n': '' });
const refs = (): string => git(at.folder, ['for-each-ref']);

describe('lazarus propose', () => {
  it('shows everything that an approval covers, and ends with the line to type', async () => {
    const { stdout } = await ok(at.run(['propose', at.file(apart()), '--as', 'ana']));
    for (const shown of [
      /^m-[0-9a-f]{12} {2}awaiting approval, 0 of 1\n/,
      /\n {2}goal +Greet people by their name/,
      /\n {2}agent +example: \/bin\/sh tools\/example-agent.sh\n/,
      /\n {2}verify +sh test\/greet.test.sh\n/,
      /\n {2}check +test "\$\(sh src\/greet.sh Ada\)" = "Hello, Ada!"\n/,
      /\n {2}may change +a\d+\/\*\*\n/,
      /\n {2}base +main at [0-9a-f]{12}\n/,
      /\n {2}tier +1, which 1 must approve\n/,
      /\n {2}limits +5 min of work, closed after 15 min\n/,
      /\n {2}asks for +execute_command cells\/process: policy 1 says require_approval\n/,
      /\n {2}asks for +write_local_branch lazarus-work\/m-[0-9a-f]{12}\/1: policy 1 says require_approval\n/,
      /\n {2}digest +[0-9a-f]{64}\n/,
      /of bo; ana may not: proposer\n/,
    ])
      expect(stdout).toMatch(shown);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^ {2}next: lazarus approve m-[0-9a-f]{12} [0-9a-f]{12}$/);
  });

  it('opens in one line the mission that a file would, with the policy’s only agent', async () => {
    const path = `a${folders++}/**`;
    const line = [
      'propose',
      'Greet people: by name',
      '--owns',
      `${path},docs/b${folders}/**`,
      '--verify',
      'sh test/greet.test.sh',
    ];
    const { stdout } = await ok(at.run([...line, '--check', 'test -d docs', '--as', 'ana']));
    for (const shown of [
      /\n {2}goal +Greet people: by name\n/,
      /\n {2}agent +example: /,
      /\n {2}verify +sh test\/greet.test.sh\n/,
      /\n {2}check +test -d docs\n/,
      /\n {2}may change +docs\/b\d+\/\*\*\n/,
      /\n {2}limits +30 min of work, closed after 60 min\n/,
    ])
      expect(stdout).toMatch(shown);
  });

  it.each([
    ['without paths', ['--agent', 'example'], 2, /usage: .*--owns/],
    ['without a way to prove it', ['--owns', 'src/**'], 2, /usage: .*--verify; why: no file of the base says/],
    ['with an agent that nobody knows', ['--owns', 'src/**', '--verify', 'true', '--agent', 'x'], 3, /agent_unknown/],
    ['with a path that leads out', ['--owns', '../**', '--verify', 'true'], 2, /mission_file_invalid/],
    ['with half a minute', ['--owns', 'src/**', '--verify', 'true', '--minutes', '0.5'], 2, /usage: .*minutes/],
  ])('refuses one line %s, and begins no mission', async (_, options, code, says) => {
    const before = refs();
    const ran = await at.run(['propose', 'Do it', ...options, '--as', 'ana']);
    expect(ran.stderr).toMatch(says);
    expect(ran.code).toBe(code);
    expect(refs()).toBe(before);
  });

  it('writes nothing with --dry-run, and needs no key for it', async () => {
    const before = refs();
    const { stdout } = await ok(at.run(['propose', at.file(), '--dry-run'], { env: { HOME: scratch('nobody') } }));
    expect(stdout).toMatch(/^Nothing was proposed[^]*may change +docs\/\*\*\n/);
    expect(refs()).toBe(before);
  });

  it.each([
    ['a key that nobody knows', { 'goal: ': 'gaol: ' }, 2, /^mission_file_invalid: .*\(.*line: 6; column: 1;/],
    ['a value of the wrong kind', { 'tier: 1': 'tier: nine' }, 2, /^mission_file_invalid: .*line: 23; column: 7/],
    ['broken YAML', { 'acceptance:': 'acceptance: [' }, 2, /^mission_file_invalid: .*line: \d+/],
    ['a path that leads out', { '- docs/**': '- ../**' }, 2, /^mission_file_invalid: .*line: 12/],
    ['a base that is not there', { 'base: main': 'base: mian' }, 7, /^base_unknown: .*base: mian/],
    [
      'an agent that policy does not know',
      { 'agent: example': 'agent: exmaple' },
      3,
      /^policy_refused: .*agent_unknown/,
    ],
    [
      'less time for the cell than for the agent',
      { 'budget_minutes: 5': 'budget_minutes: 500' },
      2,
      /^\S+: .*500 minutes/,
    ],
    [
      'more time than policy gives',
      { 'budget_minutes: 5': 'budget_minutes: 500', 'ttl_minutes: 15': 'ttl_minutes: 515' },
      3,
      /^policy_refused: .*budget/,
    ],
    ['something for which there is no forge', { 'capabilities: []': 'capabilities: [pr:open]' }, 3, /^capability_un/],
  ])('refuses %s, where it stands, and begins no mission', async (_, edits, code, says) => {
    const before = refs();
    const ran = await at.run(['propose', at.file(edits), '--as', 'ana']);
    expect(ran.stderr).toMatch(says);
    expect(ran.code).toBe(code);
    expect(refs()).toBe(before);
  });

  it('refuses a file that is not text, or not there', async () => {
    const file = join(scratch('file'), 'mission.yaml');
    writeFileSync(file, Buffer.from([0x67, 0x6f, 0xff, 0xfe]));
    expect((await at.run(['propose', file, '--as', 'ana'])).stderr).toMatch(/^mission_file_invalid: .*is not UTF-8/);
    expect((await at.run(['propose', 'nowhere.yaml'])).stderr).toMatch(/^file_unreadable: .*nowhere.yaml; why: ENOENT/);
  });

  it('prints a file to begin with, which can be proposed as it is, and the schema that it names', async () => {
    const { stdout } = await ok(at.run(['propose', '--example']));
    const file = join(scratch('example'), 'mission.yaml');
    writeFileSync(file, stdout);
    expect((await ok(at.run(['propose', file, '--dry-run']))).stdout).toMatch(/^Nothing was proposed/);
    const schema = JSON.parse((await ok(at.run(['propose', '--schema']))).stdout) as { required: string[] };
    expect(schema.required).toContain('files_owned');
  });

  it('says what to type where there is no project yet', async () => {
    const folder = scratch('empty');
    git(folder, ['init', '-q']);
    const { code, stderr } = await at.run(['propose', at.file()], { cwd: folder });
    expect({ code, stderr }).toMatchObject({ code: 7, stderr: expect.stringContaining('  next: lazarus init\n') });
  });

  it('makes votes for an earlier revision worthless, and says which digest counts', async () => {
    const edits = apart();
    const first = await at.propose(edits);
    const file = at.file({ ...edits, 'Greet people': 'Greet everybody' });
    const { plan } = await json<Shown>(at.run(['propose', file, '--revise', first.mission, '--as', 'ana', '--json']));
    const current = plan!.digest.slice(0, 12);
    expect(current).not.toBe(first.digest);
    const { code, stderr } = await at.run(['approve', first.mission, first.digest, '--as', 'bo']);
    expect(code).toBe(5);
    expect(stderr).toMatch(/^approval_stale: /);
    expect(stderr).toContain(`\n  next: lazarus approve ${first.mission} ${current}\n`);
    const against = await at.run(['reject', first.mission, first.digest, '--as', 'bo']);
    expect(against.stderr).toContain(`\n  next: lazarus reject ${first.mission} ${current}\n`);
  });
});

describe('a vote', () => {
  it('of the proposer is refused, and those who can are named', async () => {
    const { mission, digest } = await at.propose(apart());
    const { code, stderr } = await at.run(['approve', mission, digest, '--as', 'ana']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^self_approval: .*who_can: bo\)/);
    expect((await at.show(mission)).votes).toEqual([]);
  });

  it('of the machine is none', async () => {
    const { mission, digest } = await at.propose(apart());
    const { code, stderr } = await at.run(['approve', mission, digest, '--key', 'ana-machine']);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/^(not_authorised|role_not)/) });
  });

  it('is nobody’s as long as several persons could be meant', async () => {
    const { mission, digest } = await at.propose(apart());
    const { code, stderr } = await at.run(['approve', mission, digest]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--as <principal>') });
    await ok(at.run(['approve', mission, digest], { env: { LAZARUS_KEY: 'bo' } }));
  });

  it('names a digest, with digits enough to mean one', async () => {
    const { mission, digest } = await at.propose(apart());
    for (const typed of [digest.slice(0, 8), 'yes', '']) {
      const { code, stderr } = await at.run(['approve', mission, typed, '--as', 'bo']);
      expect(code).toBe(2);
      expect(stderr).toContain(`\n  next: lazarus approve ${mission} ${digest}\n`);
    }
  });

  it('against it holds the mission up until it is withdrawn', async () => {
    const one = await at.propose(apart());
    const { stdout } = await ok(at.run(['reject', one.mission, one.digest, '--as', 'bo', '--reason', 'too broad']));
    expect(stdout).toMatch(new RegExp(`rejected[^]*bo types:\n  next: lazarus withdraw ${one.mission}\n$`));
    const ran = await at.run(['run', one.mission]);
    expect(ran).toMatchObject({ code: 8, stderr: expect.stringMatching(/^rejected: [^]*lazarus withdraw m-/) });
    await ok(at.run(['withdraw', one.mission, '--as', 'bo']));
    await at.approve(one);
    expect(await at.show(one.mission)).toMatchObject({ state: 'queued', next: `lazarus run ${one.mission}` });
  });

  it('for a mission that has none is not there to withdraw', async () => {
    const { mission } = await at.propose(apart());
    expect(await at.run(['withdraw', mission, '--as', 'bo'])).toMatchObject({ code: 5 });
  });
});

describe('a mission whose cell would be closed before its agent’s time is over', () => {
  it.each([
    ['is refused from a file', ['budget_minutes: 5', 'budget_minutes: 60']],
    ['is refused from a file that says both', ['ttl_minutes: 15', 'ttl_minutes: 4']],
  ])('%s, with the line it stands in', async (_, [from, to]) => {
    const before = refs();
    const ran = await at.run(['propose', at.file({ [from!]: to! }), '--as', 'ana']);
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the cell is closed after \d+ minutes, before/),
    });
    expect(refs()).toBe(before);
  });
});

describe('lazarus run', () => {
  it('without approval stops with 8 and the line to type', async () => {
    const { mission, digest } = await at.propose(apart());
    const before = refs();
    const { code, stdout, stderr } = await at.run(['run', mission]);
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(stderr).toMatch(/^quorum_missing: .*missing: 1; from: bo\)/);
    expect(stderr).toContain(`\n  next: lazarus approve ${mission} ${digest}\n`);
    expect(refs()).toBe(before);
  });

  it('of two missions that want one path queues exactly one; the other says who holds it, and follows', async () => {
    const edits = apart();
    const [first, second] = [await at.propose(edits), await at.propose(edits)];
    await at.approve(first);
    await at.approve(second);
    expect(await at.show(first.mission)).toMatchObject({ state: 'queued' });
    const { code, stderr } = await at.run(['run', second.mission]);
    expect(code).toBe(5);
    expect(stderr).toMatch(new RegExp(`path_claimed: .*held_by: ${first.mission}\\)`));
    expect(stderr).toContain(`\n  next: lazarus reconcile ${second.mission}\n`);
    await ok(at.run(['withdraw', first.mission, '--as', 'bo']));
    const healed = await json<Shown>(at.run(['reconcile', second.mission, '--json']));
    expect(healed).toMatchObject({ took: ['grant'], state: 'queued', next: `lazarus run ${second.mission}` });
  });
});

describe('what a mission waits for', () => {
  it('is said by why, status and list, without any key', async () => {
    const { mission, digest } = await at.propose(apart());
    const env = { HOME: scratch('reader') };
    const why = await ok(at.run(['why', mission], { env }));
    expect(why.stdout).toContain(`missing   1 of 1 for the plan ${digest}, of bo; ana may not: proposer\n`);
    const listed = await json<{ missions: { mission: string; waits_for: string[] }[] }>(
      at.run(['list', '--json'], { env }),
    );
    expect(listed.missions.find((one) => one.mission === mission)).toMatchObject({ waits_for: ['bo'] });
    const status = await json<Shown>(at.run(['status', mission, '--json'], { env }));
    expect(status).toMatchObject({
      schema_version: 1,
      state: 'awaiting',
      next: `lazarus approve ${mission} ${digest}`,
    });
  });

  it('of a mission that is not here is told with where to look', async () => {
    for (const command of ['status', 'why', 'explain', 'run', 'plan', 'watch', 'reconcile'])
      expect(await at.run([command, 'm-ffffffffffff'])).toMatchObject({
        code: 7,
        stderr: expect.stringMatching(/^ledger_not_found: [^]*next: lazarus list\n$/),
      });
    expect(await at.run(['status', 'project'])).toMatchObject({ code: 2 });
  });

  it('stands beside a ledger that somebody altered, which is named and hides no other', async () => {
    const [one, other] = [await at.propose(apart()), await at.propose(apart())];
    const ref = `refs/heads/lazarus/${one.mission}`;
    const tree = git(at.folder, ['rev-parse', `${ref}^{tree}`]);
    const forged = git(at.folder, ['commit-tree', tree, '-p', ref, '-m', 'forged']);
    const good = git(at.folder, ['rev-parse', ref]);
    git(at.folder, ['update-ref', ref, forged]);
    const { missions } = await json<{ missions: { mission: string; state: string }[] }>(at.run(['list', '--json']));
    expect(missions.find(({ mission }) => mission === one.mission)?.state).toMatch(/^(commit_|foreign_commit)/);
    expect(missions.find(({ mission }) => mission === other.mission)?.state).toBe('awaiting approval');
    expect((await at.run(['run', one.mission])).code).toBe(6);
    git(at.folder, ['update-ref', ref, good]);
  });

  it('is planned again when the policy that it was planned under is no longer the one', async () => {
    const { mission, digest } = await at.propose(apart());
    writeFileSync(join(at.folder, 'NEWS'), 'x');
    git(at.folder, ['add', 'NEWS']);
    git(at.folder, ['commit', '-q', '-m', 'the base moved']);
    const again = await json<Shown>(at.run(['plan', mission, '--json']));
    expect(again.plan!.digest.slice(0, 12)).not.toBe(digest);
    expect(again.next).toBe(`lazarus approve ${mission} ${again.plan!.digest.slice(0, 12)}`);
  });
});

describe('the story of a mission', () => {
  it('tells every event in words, who said it, by which role, and what it rests on', async () => {
    const one = await at.propose(apart());
    await at.approve(one);
    const { stdout } = await ok(at.run(['explain', one.mission]));
    expect(stdout).toMatch(/ {2}ana \(person\): proposed it, revision 1\n +rests on sha256:[0-9a-f]{12}\n/);
    expect(stdout).toMatch(
      / {2}ana-machine \(gate, writer\): policy says require_approval \(rules run_in_a_cell; risk low\)\n/,
    );
    expect(stdout).toContain(`  bo (person): voted to approve ${one.digest}, signed\n`);
    const told = await json<{ events: { index: number; says: string }[] }>(at.run(['explain', one.mission, '--json']));
    expect(told.events.map(({ index }) => index)).toEqual(told.events.map((_, i) => i));
  });

  it('tells why one event happened, back to the words that came in', async () => {
    const one = await at.propose(apart());
    await at.approve(one);
    type Told = { events: { index: number; event_id: string; event_type: string }[] };
    const { events } = await json<Told>(at.run(['explain', one.mission, '--json']));
    const grant = events.find(({ event_type }) => event_type === 'grant.issued')!;
    const { stdout } = await ok(at.run(['explain', one.mission, String(grant.index)]));
    expect(stdout).toMatch(
      /^ +\d+ .*: granted execute_command .*\nbecause of .*: approved: 1 vote\nbecause of .* voted to approve/,
    );
    expect(stdout).toMatch(/ voted to approve .*\nbecause of .*: wrote in by cli: approval\n$/);
    const planned = events.find(({ event_type }) => event_type === 'plan.computed')!;
    const asked = await ok(at.run(['explain', one.mission, String(planned.index)]));
    expect(asked.stdout).toMatch(
      /\nbecause of .*: proposed it, revision 1\nbecause of .*: wrote in by cli: start_new_root\n$/,
    );
    const chain = await json<{ end: string; chain: { index: number }[] }>(
      at.run(['explain', one.mission, grant.event_id.slice(0, 12), '--json']),
    );
    expect(chain).toMatchObject({ end: 'start' });
    expect(chain.chain[0]).toMatchObject({ index: grant.index, ledger: one.mission });
    expect(await at.run(['explain', one.mission, '99999'])).toMatchObject({ code: 7 });
  });

  it('goes on from the project into the mission that made it happen there', async () => {
    const one = await at.propose(apart());
    await at.approve(one);
    type Log = { events: { event_id: string; event_type: string; entity_id: string }[] };
    const log = await json<Log>(at.run(['ledger', 'log', 'project', '--json']));
    const registered = log.events.filter(({ event_type }) => event_type === 'mission.registered').at(-1)!;
    const { chain, end } = await json<{ end: string; chain: { ledger: string; event_type: string }[] }>(
      at.run(['explain', one.mission, registered.event_id, '--json']),
    );
    expect(chain[0]).toMatchObject({ ledger: 'project', event_type: 'mission.registered' });
    expect(chain[1]).toMatchObject({ ledger: one.mission, event_type: 'grant.issued' });
    expect(end).toBe('start');
  });
});

describe('a roster of one person', () => {
  it('approves its own mission, and it is shown for what it is', async () => {
    const alone = await workshop({ people: [] });
    onTestFinished(() => alone.remove());
    const { mission, digest } = await alone.propose();
    const { stdout } = await ok(alone.run(['approve', mission, digest]));
    expect(stdout).toContain(', self-approved\n');
    expect(await alone.show(mission)).toMatchObject({ state: 'queued', votes: [{ login: 'ana', is_self: true }] });
  });
});
