// A real Gitea and a real runner whose keys belong to a supervisor: a mission from the form to its receipts, and beside it the
// workflow of a writer who is after the keys, on the same runner, before they were kept from it and afterwards.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTeam, TEAM_REPOSITORY, type Job, type Team } from '../support/gitea/missions.ts';
import { ordinaryUser } from '../support/gitea/ordinary-user.ts';
import { supervising, type Supervising } from '../support/users.ts';

const KEEPER = 61_001;
const AT = `/repos/${TEAM_REPOSITORY}`;

let folder = '';
let home = '';
let socket = '';
let team: Team;
let supervisor: Supervising | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lazarus-supervised-'));
  chmodSync(folder, 0o711);
  home = ownFolder('keeper', 0o700);
  socket = join(ownFolder('run', 0o755), 'supervisor.sock');
  team = await startTeam({}, { env: { LAZARUS_SUPERVISOR: socket } });
});
afterAll(async () => {
  await supervisor?.stop();
  await team?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function ownFolder(name: string, mode: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  chownSync(path, KEEPER, KEEPER);
  chmodSync(path, mode);
  return path;
}

/** Whoever may push does that: on a branch of their own, with the label of cells. */
async function steal(no: number): Promise<string> {
  const places = [join(team.runner.home, '.config'), join(home, '.config')];
  const script = places.map((place) => `grep -r . ${place} 2>&1 || true`).join('; ');
  const workflow = `on: push\njobs:\n  steal:\n    runs-on: lazarus-cell\n    steps: [{ run: '${script}; id' }]\n`;
  const jobs = await team.ran(() =>
    team.ana.api('POST', `${AT}/contents`, {
      message: 'steal',
      new_branch: `steal-${no}`,
      files: [
        {
          operation: 'create',
          path: `.gitea/workflows/steal-${no}.yaml`,
          content: Buffer.from(workflow).toString('base64'),
        },
      ],
    }),
  );
  return jobs.map(({ log }) => log).join('\n');
}

const keyLines = (log: string): readonly string[] => team.secrets.filter((secret) => log.includes(secret));

describe('the workflow of a writer who is after the keys', () => {
  it('has them where jobs own them', async () => {
    const log = await steal(1);
    expect(keyLines(log)).toHaveLength(1);
  });

  it('has nothing once they are the supervisor’s', async () => {
    // What `lazarus runner setup` would have made there.
    renameSync(join(team.runner.home, '.config'), join(home, '.config'));
    for (const name of ['.', ...readdirSync(join(home, '.config'), { recursive: true, encoding: 'utf8' })])
      chownSync(join(home, '.config', name), KEEPER, KEEPER);
    const config = join(folder, 'supervisor.yml');
    const jobs = ordinaryUser()!.gid;
    writeFileSync(
      config,
      `jobs_group: ${jobs}\nprojects:\n  - forge: ${team.gitea.url}\n    repository: ${TEAM_REPOSITORY}\n    genesis: ${team.genesis}\n`,
    );
    supervisor = await supervising({ user: { uid: KEEPER, groups: [KEEPER, jobs] }, home, config, socket });
    const log = await steal(2);
    expect(log).toContain('Permission denied');
    expect(keyLines(log)).toEqual([]);
  });
});

describe('a mission on that runner', () => {
  let issue = 0;
  let ran: readonly Job[] = [];
  const status = async (): Promise<string> => (await team.ana.api('GET', `${AT}/issues/${issue}/comments`))[0].body;

  it('runs from the form to its receipts', async () => {
    await team.ran(async () => {
      issue = await team.file(team.ana);
    });
    expect(await status()).toContain('exposed: repository writers (policy asks for no supervisor)');
    const line = /^\/approve [0-9a-f]{12}$/m.exec(await status())![0];
    ran = await team.ran(() => team.comment(team.ben, issue, line));
    expect(ran.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ['gate', 'success'],
      ['cell', 'success'],
      ['writer', 'success'],
    ]);
    const said = await status();
    expect(said).toMatch(/### m-[0-9a-f]{12} · done/);
    expect(said).toContain('with a supervisor, apart from jobs (by the runner’s word)');
  });

  it('was run by the supervisor, and its job shows that and no key', () => {
    const cell = ran.find(({ name }) => name === 'cell')!;
    expect(cell.log).toContain(`the supervisor of this machine is asked: ${socket}`);
    expect(cell.log).toContain('work_handed_over');
    expect(supervisor!.said()).toMatch(/ana\/m1 m-[0-9a-f]{12}: continue, work_handed_over/);
    expect(keyLines(ran.map(({ log }) => log).join('\n') + supervisor!.said())).toEqual([]);
  });
});
