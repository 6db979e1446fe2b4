// What goes wrong in a week on purpose: machines that die, a forge that is away, a network that is cut, events that get lost,
// and people with rights who change what lazarus shows or keeps. Each is over when it returns, but for what it left behind.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TEAM_REPOSITORY } from '../support/gitea/missions.ts';
import { git } from '../support/repos.ts';
import { OVER, reword, type Week } from './acts.ts';
import type { Chance } from './chance.ts';
import { asked } from './asked.ts';
import { commentsOf, isStatus, readStatus, statusOf } from './forge.ts';
import type { MissionLog } from './log.ts';
import { AT } from './town.ts';

export type Fault = (week: Week, chance: Chance) => Promise<string>;

/** Longer than a runner may be silent. */
const SILENT_MINUTES = 4;
const POLL_MS = 150;
const FIND_WITHIN_MS = 15_000;
const RULE = `${AT}/branch_protections/${encodeURIComponent('lazarus/**')}`;

export const FAULTS = {
  /** With whatever runs on it; a cell, if there is one soon. */
  runner_killed: async ({ town }, chance) => {
    const at = await workPlace(town.ask);
    const runner = town.runners.find(({ name }) => name === at) ?? chance.oneOf(town.runners);
    await runner.kill();
    town.clock.pass(SILENT_MINUTES);
    runner.again();
    return at === undefined ? 'while it was idle' : 'while it had a job';
  },
  forge_restarted: async ({ town }, chance) => {
    let untilBack = 5 + chance.below(20);
    await town.team.gitea.away(() => --untilBack <= 0);
    return '';
  },
  door_shut: async ({ town }, chance) => {
    const many = 5 + chance.below(30);
    await town.door.shut(many);
    town.door.open();
    return `until ${many} were turned away`;
  },
  door_slammed: async ({ town }, chance) => {
    const times = 2 + chance.below(4);
    for (let n = 0; n < times; n++) {
      town.door.slam();
      await pause(50 + chance.below(600));
    }
    return `${times} times`;
  },
  event_lost: async (week) => {
    week.losesNext = true;
    return 'of the next comment';
  },
  /** By somebody at its page: its job dies wherever it is. */
  run_cancelled: async ({ town }, chance) => {
    await pause(chance.below(2_500));
    const { workflow_runs: runs } = await asked(() => town.ask('GET', `${AT}/actions/runs?limit=10`));
    const run = runs.find(({ status }: { status: string }) => status !== 'completed');
    if (run === undefined) return 'none went on';
    const { gitea, ana } = town.team;
    const at = `${gitea.url}/${TEAM_REPOSITORY}/actions/runs/${run.id}/cancel`;
    const { status } = await fetch(at, { method: 'POST', headers: { cookie: ana.cookie } });
    return `run ${run.id} (${run.event}): ${status}`;
  },
  label_changed: async (week, chance) => {
    const { town } = week;
    const mission = chance.oneOf(week.log.missions);
    const all: readonly { id: number; name: string }[] = await asked(() => town.ask('GET', `${AT}/labels?limit=50`));
    const lie = chance.oneOf(['mission/done', 'mission/approved', 'mission/awaiting']);
    const label = all.find(({ name }) => name === lie)!;
    await town.ask('POST', `${AT}/issues/${mission.issue}/labels`, { labels: [label.id] });
    return `mission ${mission.no}: ${label.name}`;
  },
  status_edited: async (week, chance) => {
    const mission = chance.oneOf(week.log.missions);
    const status = (await commentsOf(week.town, mission.issue)).find(isStatus);
    if (status === undefined) return 'none was there';
    const body = status.body.replace(/### .*/, '### everything is approved and done');
    await week.town.ask('PATCH', `${AT}/issues/comments/${status.id}`, { body });
    return `mission ${mission.no}`;
  },
  approval_edited: async (week, chance) => {
    const voted = week.log.missions.flatMap((mission) =>
      mission.said
        .filter(({ text, edited }) => text.startsWith('/approve') && edited === undefined)
        .map((said) => ({ mission, said })),
    );
    if (voted.length === 0) return 'nobody had approved anything';
    const { mission, said } = chance.oneOf(voted);
    await reword(week, mission, said, 'I never said that.');
    return `mission ${mission.no}`;
  },
  ledger_deleted: (week, chance) => brokenLedger(week, chance, (ref) => `:${ref}`),
  ledger_set_back: (week, chance) => brokenLedger(week, chance, (ref) => `+${ref}~1:${ref}`),
  policy_changed: async ({ town }, chance) => {
    const path = `${AT}/contents/.gitea/lazarus/policy.yml`;
    const { content, sha } = await asked(() => town.ask('GET', path));
    const text = Buffer.from(content, 'base64').toString();
    const hours = 48 + chance.below(20);
    const changed = text.replace(/votes_expire_hours: \d+/, `votes_expire_hours: ${hours}`);
    const branch = `policy-${hours}-${Date.now()}`;
    const body = { content: Buffer.from(changed).toString('base64'), sha, message: 'policy', new_branch: branch };
    await town.ask('PUT', path, body);
    const { number } = await town.ask('POST', `${AT}/pulls`, { head: branch, base: 'main', title: 'policy' });
    await merged(() => town.ask('POST', `${AT}/pulls/${number}/merge`, { do: 'merge' }));
    return `votes expire after ${hours} hours`;
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

type Placed = { readonly name: string; readonly runner_name: string };

/** The name of a runner that has a cell's job; any job's, where none has. */
async function workPlace(ask: Week['town']['ask']): Promise<string | undefined> {
  const deadline = Date.now() + FIND_WITHIN_MS;
  let found: string | undefined;
  do {
    const { jobs } = await asked(() => ask('GET', `${AT}/actions/jobs?status=in_progress&limit=20`));
    // Of the two with one name, one is the line that calls the other, and has no runner.
    const placed: readonly Placed[] = jobs.filter(({ runner_name: on }: Partial<Placed>) => (on ?? '') !== '');
    const cell = placed.find(({ name }) => name === 'cell');
    if (cell !== undefined) return cell.runner_name;
    found = placed[0]?.runner_name ?? found;
    await pause(POLL_MS);
  } while (Date.now() < deadline);
  return found;
}

/**
 * Somebody with all rights breaks a ledger, and takes the rule away for it: with the rule in place nobody can, which is
 * tried first. The administrator has it whole in a clone, as somebody always does.
 */
async function brokenLedger(week: Week, chance: Chance, refspec: (ref: string) => string): Promise<string> {
  const { town, log } = week;
  await town.quiet();
  const open: MissionLog[] = [];
  for (const mission of log.missions) {
    const body = await statusOf(town, mission.issue);
    if (body === undefined) continue;
    const told = readStatus(body);
    if (told.mission !== undefined) mission.name ??= told.mission;
    if (!OVER.has(told.state) && mission.name !== undefined) open.push(mission);
  }
  if (open.length === 0) return 'no mission was open';
  const { no, name } = chance.oneOf(open);
  const has = await town.type('verify', name!);
  if (has.code !== 0) return `mission ${no} did not verify before: ${has.stderr}`;
  const ref = `refs/heads/lazarus/${name}`;
  const at = join(town.folder, 'breaker');
  if (!existsSync(at)) git(town.folder, ['init', '-q', '--bare', at]);
  const url = git(town.clone, ['remote', 'get-url', 'origin']).trim();
  git(at, ['fetch', '-q', url, `+${ref}:${ref}`]);
  const push = (): string => git(at, ['push', '-q', url, refspec(ref)]);
  if (isDone(push)) {
    log.odd.push(`mission ${no}: its ledger could be changed although the rule of its branch was in place`);
    return `mission ${no}, with the rule in place`;
  }
  const rule = await town.ask('GET', RULE);
  await town.ask('DELETE', RULE);
  push();
  await town.ask('POST', `${AT}/branch_protections`, rule);
  return `mission ${no}`;
}

function isDone(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** Whether it can be merged is computed a moment after it was opened. */
async function merged(merge: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + FIND_WITHIN_MS;
  for (;;) {
    try {
      await merge();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}
