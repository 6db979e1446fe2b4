// What goes wrong in a week on purpose, at any moment: a forge that is away, a network that is cut, events that get lost, and
// people with rights who change what lazarus shows or keeps, or stop it. Each is over when it returns, but for what it left
// behind. What happens to an agent at work is in strikes.ts, what lasts until somebody puts it right in troubles.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { git } from '../support/repos.ts';
import { OVER, reword, type Week } from './acts.ts';
import type { Chance } from './chance.ts';
import { asked } from './asked.ts';
import { commentsOf, isStatus, readStatus, statusOf } from './forge.ts';
import type { MissionLog } from './log.ts';
import { AT } from './town.ts';

/** `hit`: the missions that it met; left out where it met none, and may happen later. */
export type Hit = { readonly how: string; readonly hit?: readonly MissionLog[] };
export type Fault = (week: Week, chance: Chance) => Promise<Hit>;

/** What somebody typed so lately is being worked on. */
const RECENT_MS = 3_000;
const POLL_MS = 150;
const FIND_WITHIN_MS = 15_000;
const RULE = `${AT}/branch_protections/${encodeURIComponent('lazarus/**')}`;

export const FAULTS = {
  forge_restarted: async (week, chance) => {
    const hit = underWay(week);
    let untilBack = 5 + chance.below(20);
    await week.town.team.gitea.away(() => --untilBack <= 0);
    return { how: '', hit };
  },
  door_shut: async (week, chance) => {
    const hit = underWay(week);
    const many = 5 + chance.below(30);
    await week.town.door.shut(many);
    week.town.door.open();
    return { how: `until ${many} were turned away`, hit };
  },
  door_slammed: async (week, chance) => {
    const { town } = week;
    const hit = underWay(week);
    const times = 2 + chance.below(4);
    for (let n = 0; n < times; n++) {
      town.door.slam();
      await pause(50 + chance.below(600));
    }
    return { how: `${times} times`, hit };
  },
  /** Who writes the next comment is hit by it, and is written down then. */
  event_lost: async (week) => {
    week.losesNext = true;
    return { how: 'of the next comment' };
  },
  /** By somebody at its page: its job dies wherever it is. */
  run_cancelled: async (week, chance) => {
    const { town } = week;
    await pause(chance.below(2_500));
    const { workflow_runs: runs } = await asked(() => town.ask('GET', `${AT}/actions/runs?limit=10`));
    const run = runs.find(({ status }: { status: string }) => status !== 'completed');
    if (run === undefined) return { how: 'none went on' };
    const hit = underWay(week);
    return { how: `run ${run.id} (${run.event}): ${await town.cancelRun(run.id)}`, hit };
  },
  label_changed: async (week, chance) => {
    const { town } = week;
    const mission = chance.oneOf(week.log.missions);
    const all: readonly { id: number; name: string }[] = await asked(() => town.ask('GET', `${AT}/labels?limit=50`));
    const lie = chance.oneOf(['mission/done', 'mission/approved', 'mission/awaiting']);
    const label = all.find(({ name }) => name === lie)!;
    await town.ask('POST', `${AT}/issues/${mission.issue}/labels`, { labels: [label.id] });
    return { how: label.name, hit: [mission] };
  },
  status_edited: async (week, chance) => {
    const mission = chance.oneOf(week.log.missions);
    const status = (await commentsOf(week.town, mission.issue)).find(isStatus);
    if (status === undefined) return { how: 'none was there' };
    const body = status.body.replace(/### .*/, '### everything is approved and done');
    await week.town.ask('PATCH', `${AT}/issues/comments/${status.id}`, { body });
    return { how: '', hit: [mission] };
  },
  approval_edited: async (week, chance) => {
    const voted = week.log.missions.flatMap((mission) =>
      mission.said
        .filter(({ text, edited }) => text.startsWith('/approve') && edited === undefined)
        .map((said) => ({ mission, said })),
    );
    if (voted.length === 0) return { how: 'nobody had approved anything' };
    const { mission, said } = chance.oneOf(voted);
    await reword(week, mission, said, 'I never said that.');
    return { how: '', hit: [mission] };
  },
  ledger_deleted: (week, chance) => brokenLedger(week, chance, (ref) => `:${ref}`),
  ledger_set_back: (week, chance) => brokenLedger(week, chance, (ref) => `+${ref}~1:${ref}`),
  policy_changed: async (week, chance) => {
    const { town } = week;
    const hit = await openOnes(week);
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
    return { how: `votes expire after ${hours} hours`, hit };
  },
  /** The whole project, typed by a root; somebody lifts it later. */
  stopped: async (week) => {
    if (week.trouble !== undefined) return { how: `while ${week.trouble}` };
    const { town, log } = week;
    await typed(week, 'stop');
    week.trouble = 'stopped';
    // What began before it has come to its end by then, but for agents at work.
    await town.quiet();
    log.stops.push({ fromMs: town.clock.now() });
    return { how: '', hit: await openOnes(week) };
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** Whose agents are at work, and who was just talked about. */
export function underWay({ town, log }: Week): readonly MissionLog[] {
  const notes = new Set(town.agents.atWork().map(({ note }) => note));
  const now = Date.now();
  return log.missions.filter(
    ({ note, manner, said }) => (manner === 'patient' && notes.has(note)) || now - (said.at(-1)?.atMs ?? 0) < RECENT_MS,
  );
}

/** The root lets it go on. */
export async function lifted(week: Week): Promise<void> {
  const stop = week.log.stops.at(-1);
  if (stop !== undefined) stop.toMs = week.town.clock.now();
  await typed(week, 'unstop');
  week.trouble = undefined;
}

async function typed({ town, log, say }: Week, ...words: readonly string[]): Promise<void> {
  const { code, stderr } = await town.type(...words, '--remote', 'origin');
  say(`ana types lazarus ${words.join(' ')}: ${code}`);
  if (code !== 0) log.odd.push(`\`lazarus ${words.join(' ')}\` ends with ${code}: ${stderr}`);
}

async function openOnes({ town, log }: Week): Promise<readonly MissionLog[]> {
  const open: MissionLog[] = [];
  for (const mission of log.missions) {
    const body = await statusOf(town, mission.issue);
    if (body === undefined) continue;
    const told = readStatus(body);
    if (told.mission !== undefined) mission.name ??= told.mission;
    if (!OVER.has(told.state) && mission.name !== undefined) open.push(mission);
  }
  return open;
}

/**
 * Somebody with all rights breaks a ledger, and takes the rule away for it: with the rule in place nobody can, which is
 * tried first. The administrator has it whole in a clone, as somebody always does.
 */
async function brokenLedger(week: Week, chance: Chance, refspec: (ref: string) => string): Promise<Hit> {
  const { town, log } = week;
  await town.quiet();
  // Of one whose agent is at work the runner would have to be quicker.
  const open = (await openOnes(week)).filter(({ note }) => town.agents.atWork(note).length === 0);
  if (open.length === 0) return { how: 'no mission was open' };
  const mission = chance.oneOf(open);
  const { no, name } = mission;
  const has = await town.type('verify', name!);
  if (has.code !== 0) return { how: `mission ${no} did not verify before: ${has.stderr}` };
  const ref = `refs/heads/lazarus/${name}`;
  const at = join(town.folder, 'breaker');
  if (!existsSync(at)) git(town.folder, ['init', '-q', '--bare', at]);
  const url = git(town.clone, ['remote', 'get-url', 'origin']).trim();
  git(at, ['fetch', '-q', url, `+${ref}:${ref}`]);
  const push = (): string => git(at, ['push', '-q', url, refspec(ref)]);
  if (isDone(push)) {
    log.odd.push(`mission ${no}: its ledger could be changed although the rule of its branch was in place`);
    return { how: 'with the rule in place', hit: [mission] };
  }
  const rule = await town.ask('GET', RULE);
  await town.ask('DELETE', RULE);
  push();
  await town.ask('POST', `${AT}/branch_protections`, rule);
  return { how: '', hit: [mission] };
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
