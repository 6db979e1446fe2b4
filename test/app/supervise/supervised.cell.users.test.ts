// A runner whose keys belong to another user than its jobs, with real users: a mission runs that its people approved, the job
// reads no key, and nothing that it says has anything else run. Beside it the same job on a machine without a supervisor.
import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { lazarus } from '../../support/cli.ts';
import { git, scratchRepository } from '../../support/repos.ts';
import { approved, branches, writer } from '../gate/jobs.ts';
import {
  configuration,
  folderOf,
  JOB,
  KEEPER,
  machine,
  privateFiles,
  STRANGER,
  TOKEN,
  type Machine,
} from './machine.ts';
import { as, hears } from '../../support/users.ts';

const keysLine = async ({ at }: Machine, issue: number) =>
  /^\| Keys of the runner \| `(.*)` \|$/m.exec((await at.ours(issue))[0]!)![1];

describe('a mission on a machine with a supervisor', () => {
  it('runs for a job that reads none of its keys, and says so in the status', async () => {
    const here = await machine();
    const { issue, mission } = await approved(here.at);
    const supervisor = await here.supervise();
    const job = await here.job(mission).ended;
    expect(job).toMatchObject({ code: 0 });
    expect(job.said).toContain(`continue: work_handed_over ${mission}`);
    await writer(here.at, mission);
    expect((await here.at.ours(issue))[0]).toContain(`### ${mission} · done`);
    expect(await keysLine(here, issue)).toBe('with a supervisor, apart from jobs (by the runner’s word)');
    const keys = privateFiles(here);
    expect(keys.length).toBeGreaterThan(0);
    for (const path of [here.home, ...keys]) {
      expect(await as(JOB, ['cat', path], {}).ended).toMatchObject({
        code: 1,
        said: expect.stringContaining('denied'),
      });
      expect(await as(JOB, ['ls', path], {}).ended).toMatchObject({ code: 2 });
    }
    // Nor the token of a job by anybody: it stands in no argument, and in nothing that was said.
    expect(job.said + supervisor.said()).not.toContain(TOKEN);
    expect(readdirSync(here.jobs)).toEqual([]);
  });

  it('runs once for two jobs that ask at the same moment, and asks the forge nothing but with the token of either', async () => {
    const here = await machine();
    const { issue, mission } = await approved(here.at);
    await here.supervise();
    const tokens = ['one', 'other'].map((name) => `${TOKEN}-${name}`);
    const asked = here.forge.seen.length;
    const jobs = tokens.map((token) => here.job(mission, { env: { LAZARUS_TOKEN: token } }));
    const said = await Promise.all(jobs.map(({ ended }) => ended));
    expect(said.some(({ said }) => said.includes(`continue: work_handed_over ${mission}`))).toBe(true);
    await writer(here.at, mission);
    expect((await here.at.ours(issue))[0]).toMatch(/· done\n/);
    const ledger = git(here.at.server, ['log', '--format=%s', `refs/heads/lazarus/${mission}`]);
    expect(ledger.match(/task\.started/g)).toHaveLength(1);
    const lent = here.forge.seen
      .slice(asked)
      .map(
        ({ authorization = '' }) =>
          Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString() + authorization,
      );
    expect(lent.filter((one) => !tokens.some((token) => one.includes(token)))).toEqual([]);
    for (const token of tokens) expect(lent.some((one) => one.includes(token))).toBe(true);
  });

  it('is the other way round without one: the job that runs it reads the key, and the status says that', async () => {
    const here = await machine();
    const { issue, mission } = await approved(here.at);
    const job = here.job(mission, {
      user: KEEPER,
      env: { HOME: here.home, LAZARUS_SUPERVISOR: '/run/lazarus/supervisor.sock' },
    });
    expect(await job.ended).toMatchObject({ code: 0 });
    await writer(here.at, mission);
    expect(await keysLine(here, issue)).toBe('exposed: repository writers (by the runner’s word)');
    const [key] = privateFiles(here);
    expect(await as(KEEPER, ['cat', key!], {}).ended).toMatchObject({
      code: 0,
      said: expect.stringContaining('PRIVATE KEY'),
    });
  });
});

describe('whatever a job says', () => {
  it('begins no mission that nobody approved', async () => {
    const here = await machine();
    const { issue } = await here.at.file('ana');
    const [status] = await here.at.ours(issue);
    const mission = /mission=(m-[0-9a-f]{12})/.exec(status!)![1]!;
    await here.supervise();
    const before = here.at.refs();
    const job = await here.job(mission).ended;
    expect(job.said).toContain(`wait: work_handed_over ${mission}`);
    expect([here.at.refs(), branches(here.at)]).toEqual([before, '']);
  });

  it('is run for no repository but those of the machine’s own list, and not with their keys', async () => {
    const here = await machine();
    await here.supervise();
    const asked = here.forge.seen.length;
    const other = await here.job('m-0123456789ab', { repository: 'mallory/m1' }).ended;
    expect(other).toMatchObject({ code: 3, said: expect.stringContaining('project_unlisted') });
    const elsewhere = await here.job('m-0123456789ab', { env: { GITHUB_SERVER_URL: 'http://127.0.0.1:9' } }).ended;
    expect(elsewhere).toMatchObject({ code: 3, said: expect.stringContaining('project_unlisted') });
    expect(here.forge.seen.length).toBe(asked);
  });

  it('takes no ledger for the project but that of the genesis in the machine’s own file', async () => {
    const here = await machine();
    const { mission } = await approved(here.at);
    // Whoever may push can put another project in its place, with a roster and approvals of their own.
    const forged = scratchRepository();
    git(forged, ['commit', '-q', '--allow-empty', '-m', 'begin']);
    const made = await lazarus(['init', '--name', 'mallory', '--unprotected', '--json'], { cwd: forged });
    expect(made.code).toBe(0);
    const { genesis } = JSON.parse(made.stdout) as { genesis: string };
    git(here.at.server, ['fetch', '-q', forged, `+${PROJECT_REF}:${PROJECT_REF}`]);
    await here.supervise();
    const before = here.at.refs();
    // What the job believes itself changes nothing.
    for (const believed of [here.genesis, genesis]) {
      const job = await here.job(mission, { env: { INPUT_GENESIS: believed } }).ended;
      expect(job).toMatchObject({ code: 6, said: expect.stringContaining('genesis_mismatch') });
    }
    expect(here.at.refs()).toBe(before);
  });

  it('takes no ledger that is none', async () => {
    const here = await machine();
    const { mission } = await approved(here.at);
    const rubbish = scratchRepository();
    writeFileSync(join(rubbish, 'x'), 'x');
    git(rubbish, ['add', '.']);
    git(rubbish, ['commit', '-qm', 'x']);
    git(here.at.server, ['fetch', '-q', rubbish, `+HEAD:${PROJECT_REF}`]);
    await here.supervise();
    const job = await here.job(mission).ended;
    expect(job.code).not.toBe(0);
    expect(branches(here.at)).toBe('');
  });

  it.each([
    ['no JSON', 'please'],
    ['another form', JSON.stringify({ v: 2 })],
    ['a field more', JSON.stringify({ ...asking(), env: { LD_PRELOAD: '/tmp/x.so' } })],
    ['a path for a mission', JSON.stringify({ ...asking(), mission: '../../x' })],
    ['a token that honest work holds by chance', JSON.stringify({ ...asking(), token: 'the' })],
    ['a token that is a header of its own', JSON.stringify({ ...asking(), token: `${TOKEN}\r\nhost: evil` })],
  ])('is refused as no question: %s', async (_, line) => {
    const here = await machine();
    await here.supervise();
    expect(await says(here, line)).toContain('supervisor_request');
    expect(here.forge.seen).toEqual([]);
  });

  it('is not even heard from somebody whom the group does not name', async () => {
    const here = await machine();
    await here.supervise();
    const job = await here.job('m-0123456789ab', { user: STRANGER, env: { HOME: '/nonexistent' } }).ended;
    expect(job).toMatchObject({ code: 75, said: expect.stringMatching(/supervisor_unreachable[^]*EACCES/) });
  });
});

describe('leaving', () => {
  it('a job that is told to leave has what it began handed over, and says so', async () => {
    const here = await machine();
    const { issue, mission } = await slow(here);
    await here.supervise();
    const before = here.at.refs();
    const job = here.job(mission);
    await begun(here, before);
    job.child.kill('SIGTERM');
    const { code, said } = await job.ended;
    expect(said).toContain('interrupted');
    expect(code).toBe(130);
    await writer(here.at, mission);
    expect((await here.at.ours(issue))[0]).toMatch(/`interrupted`/);
  });

  it('a job that is killed has it handed over as well', async () => {
    const here = await machine();
    const { issue, mission } = await slow(here);
    const supervisor = await here.supervise();
    const before = here.at.refs();
    const job = here.job(mission);
    await begun(here, before);
    job.child.kill('SIGKILL');
    await hears(supervisor, `ana/m1 ${mission}: failure, interrupted`);
    await writer(here.at, mission);
    expect((await here.at.ours(issue))[0]).toMatch(/`interrupted`/);
  });

  it('a supervisor that is told to leave hands over, answers its jobs, and is gone', async () => {
    const here = await machine();
    const { mission } = await slow(here);
    const supervisor = await here.supervise();
    const before = here.at.refs();
    const job = here.job(mission);
    await begun(here, before);
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.ended).toMatchObject({ code: 0 });
    expect(await job.ended).toMatchObject({ code: 130, said: expect.stringContaining('interrupted') });
    expect(await here.job(mission).ended).toMatchObject({ code: 75 });
  });
});

describe('a supervisor that would keep nothing from jobs', () => {
  it('does not begin as root, nor from what jobs can write', async () => {
    const here = await machine();
    const open = join(folderOf(join(here.config, '../open'), JOB, 0o755), 'supervisor.yml');
    writeFileSync(open, configuration(here.forge.origin, here.genesis));
    const root = { uid: 0, groups: [0] };
    const shared = folderOf(join(here.config, '../shared'), KEEPER, 0o777);
    for (const settings of [{ config: open }, { user: root }, { socket: join(shared, 's.sock') }])
      await expect(here.supervise(settings)).rejects.toThrow('supervisor_unfit');
  });

  it('is not believed by a job that is its own user, or root', async () => {
    const here = await machine();
    await here.supervise();
    for (const user of [KEEPER, { uid: 0, groups: [0] }])
      expect(await here.job('m-0123456789ab', { user }).ended).toMatchObject({
        code: 9,
        said: expect.stringContaining('supervisor_unfit'),
      });
  });
});

/** Its agent waits until it is killed. */
async function slow({ at }: Machine) {
  at.commitToMain('tools/example-agent.sh', '#!/bin/sh\nsleep 600\n');
  return approved(at);
}

/** From then on there is something to hand over. */
async function begun({ at }: Machine, before: string): Promise<void> {
  await vi.waitUntil(() => at.refs() !== before, { timeout: 60_000, interval: 50 });
}

function asking() {
  return { v: 1, server_url: 'http://x', owner: 'ana', repository: 'm1', mission: 'm-0123456789ab', token: TOKEN };
}

/** One line to the socket, by root: past every check of a client. */
function says({ socket }: Machine, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const door = connect(socket);
    let said = '';
    door.setEncoding('utf8').on('data', (text: string) => (said += text));
    door.on('error', reject).on('close', () => resolve(said));
    door.write(`${line}\n`);
  });
}
