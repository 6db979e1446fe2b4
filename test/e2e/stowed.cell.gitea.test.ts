// A real Gitea that stays away for longer than the job of a cell waits for it, whose clock leaps meanwhile:
// the job ends red, what its agent made waits on the runner's disk, and the next mission's job there hands it over.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WORKFLOW_PATHS } from '../../src/forge-text/workflows.ts';
import { startTeam, TEAM_REPOSITORY, type Team } from '../support/gitea/missions.ts';
import { patientAgent } from '../support/patient-agent.ts';

const AT = `/repos/${TEAM_REPOSITORY}`;
const AGENT = 'tools/example-agent.sh';
const POLL_MS = 100;
/** Two missions, a server that starts twice, and whatever else this machine does. */
const LONG_MS = 300_000;
/** While this file is there, a quarter of an hour passes for jobs of the runner between two looks at the clock. */
const PASSING = join(tmpdir(), `lazarus-passing-${randomUUID()}`);
const TIME = `import{existsSync}from'node:fs';let ahead=0;performance.now=(now=>()=>now()+(existsSync('${PASSING}')?ahead+=9e5:ahead))(performance.now.bind(performance))`;
const LEAPING = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TIME)}` };
const agent = patientAgent();
const ASKED = `POST /${TEAM_REPOSITORY}.git/`;

let team: Team;
let clone = '';
beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'lazarus-stowed-'));
  const script = readFileSync(new URL(`../../templates/example/${AGENT}`, import.meta.url), 'utf8');
  team = await startTeam({ [AGENT]: script.replace(/^(#!.*\n)?/, `$1${agent.line}\n`) }, { env: LEAPING });
  execFileSync('git', ['init', '-q', '--bare', clone]);
});
afterAll(async () => {
  await team?.stop();
  rmSync(clone, { recursive: true, force: true });
  rmSync(PASSING, { force: true });
});

async function statusOf(issue: number): Promise<string> {
  const all: readonly { readonly body: string }[] = await team.ana.api('GET', `${AT}/issues/${issue}/comments`);
  return all.find(({ body }) => body.startsWith('<!-- lazarus:status '))!.body;
}

async function filed(
  changes = {},
): Promise<{ readonly issue: number; readonly mission: string; readonly line: string }> {
  let issue = 0;
  await team.ran(async () => {
    issue = await team.file(team.ana, changes);
  });
  const said = await statusOf(issue);
  return {
    issue,
    mission: /mission=(m-[0-9a-f]{12}) /.exec(said)![1]!,
    line: /^\/approve [0-9a-f]{12}$/m.exec(said)![0],
  };
}

/** As the ledger says. */
async function isAtWork(mission: string): Promise<boolean> {
  const ref = `refs/heads/lazarus/${mission}`;
  execFileSync('git', ['fetch', '-q', team.cloneUrl, `${ref}:${ref}`], { cwd: clone });
  return execFileSync('git', ['grep', '-h', '-o', '"event_type":"cell.spawned"', ref], { cwd: clone }).length > 0;
}

function waiting(): string[] {
  try {
    const names = readdirSync(join(team.runner.home, '.local/state/lazarus/handovers'));
    return names.filter((name) => name.endsWith('.handover'));
  } catch {
    return [];
  }
}

it(
  'what could not leave is handed over by the next mission’s job on that runner, and its mission ends done',
  async () => {
    const first = await filed();
    const other = await filed({ paths: 'other/**', acceptance: 'true', verify: 'true', goal: 'Something else' });
    const jobs = await team.ran(async () => {
      await team.comment(team.ben, first.issue, first.line);
      await agent.atWork();
      while (!(await isAtWork(first.mission).catch(() => false))) await pause(POLL_MS);
      let asked = 0;
      await team.gitea.away((request) => {
        // Whoever has been told once that it is away has looked at the clock by now; whoever is told next waits no longer.
        if (request.startsWith(ASKED) && ++asked > 1) writeFileSync(PASSING, '');
        return waiting().length > 0;
      }, agent.letGo);
      rmSync(PASSING);
    });
    expect(jobs.map(({ name, conclusion }) => `${name} ${conclusion}`)).toEqual([
      'gate success',
      'cell failure',
      'writer success',
    ]);
    expect(jobs[1]!.log).toContain('handover_stowed');
    expect(waiting()).toHaveLength(1);
    const next = await team.ran(async () => {
      await team.comment(team.ben, other.issue, other.line);
      await agent.atWork();
      agent.letGo();
    });
    const cell = next.find(({ name }) => name === 'cell')!;
    expect(cell.log).toContain(`${first.mission}: what waited here is handed over, under the lease that it came from`);
    expect(waiting()).toEqual([]);
    // Whatever that mission came to: the schedule finds what is owed to the first.
    const file = WORKFLOW_PATHS.caller.split('/').at(-1);
    await team.ran(() => team.ana.api('POST', `${AT}/actions/workflows/${file}/dispatches`, { ref: 'main' }));
    const said = await statusOf(first.issue);
    expect(said).toContain(`### ${first.mission} · done`);
    expect(said).not.toContain('an attempt failed');
    const refs = execFileSync('git', ['ls-remote', team.cloneUrl, `refs/heads/lazarus-work/${first.mission}/*`]);
    expect(String(refs)).toMatch(new RegExp(`refs/heads/lazarus-work/${first.mission}/1\n$`));
  },
  LONG_MS,
);
