// What people do in a week, on the pages of the forge: file the form, type, change their words, close and reopen; and look what
// the issue asks of whom. Everything is written down as it is done.
import { setTimeout as pause } from 'node:timers/promises';
import { goalOf } from './agent.ts';
import { asked } from './asked.ts';
import { commentsOf, namesIn, readStatus, statusOf, type Told } from './forge.ts';
import type { MissionLog, Said, WeekLog } from './log.ts';
import type { StrikeName } from './strikes.ts';
import { AT, MEMBERS, type Name, type Town } from './town.ts';

export type Week = {
  readonly town: Town;
  readonly log: WeekLog;
  readonly say: (line: string) => void;
  /** The next comment's event gets lost. */
  losesNext: boolean;
  /** What is still to happen to an agent at work. */
  readonly strikes: StrikeName[];
  /** Something that lasts until somebody puts it right; one at a time. */
  trouble: string | undefined;
};

/** Writes down what happened on purpose, and to whom. */
export function struck(week: Week, what: string, how: string, hit: readonly MissionLog[]): void {
  const numbers = hit.map(({ no }) => no);
  week.log.faults.push({ what, how, hit: numbers, atMs: Date.now() });
  for (const { hits } of hit) hits.push(what);
  const whom = numbers.length === 0 ? '' : `, under way: ${numbers.join(', ')}`;
  week.say(`fault ${what}${how === '' ? '' : `: ${how}`}${whom}`);
}

/** What stops one story stops no other; a judge hears of it. */
export async function orOdd<T>(week: Week, what: string, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    week.say(`odd: ${what}: ${(error as Error).message}`);
    week.log.odd.push(`${what}: ${(error as Error).message}`);
    return undefined;
  }
}

const POLL_MS = 300;
/** Before the schedule is asked, and after. */
const SHOWN_WITHIN_MS = [10_000, 30_000] as const;

export type Filing = Pick<MissionLog, 'no' | 'story' | 'note' | 'manner' | 'ends'> & {
  readonly by: Name;
  /** For its agent; those of the form when left out. */
  readonly minutes?: number | undefined;
};

export async function file(week: Week, { by, minutes, ...about }: Filing): Promise<MissionLog> {
  const { team, people } = week.town;
  const issue = await team.file(people[by], {
    goal: goalOf(about.note, about.manner),
    purpose: '',
    acceptance: `test -s notes/${about.note}.md`,
    verify: `grep -q "it is done" notes/${about.note}.md`,
    paths: `notes/${about.note}.md`,
    ...(minutes !== undefined && { budget: String(minutes) }),
  });
  const mission: MissionLog = { ...about, issue, proposers: [by], said: [], hits: [] };
  week.log.missions.push(mission);
  week.say(`mission ${about.no} (${about.story}) filed by ${by}: issue ${issue}`);
  return mission;
}

export async function say(week: Week, mission: MissionLog, by: Name, text: string): Promise<Said> {
  const { town } = week;
  // An agent that is at work would be at work no more.
  const isLost = week.losesNext && town.agents.busy() === 0;
  if (isLost) {
    week.losesNext = false;
    // What runs is not to be touched by it.
    await town.quiet();
    await town.ask('PATCH', AT, { has_actions: false });
  }
  const { state } = await asked(() => town.ask('GET', `${AT}/issues/${mission.issue}`));
  const atMs = Date.now();
  const { id } = await town.people[by].api('POST', `${AT}/issues/${mission.issue}/comments`, { body: text });
  if (isLost) await town.ask('PATCH', AT, { has_actions: true });
  const said: Said = { id, by, text, atMs, isLost, isClosed: state !== 'open' };
  mission.said.push(said);
  if (isLost) struck(week, 'event_lost', `of ${by}’s comment`, [mission]);
  week.say(`mission ${mission.no}: ${by} types ${text.split('\n')[0]}${isLost ? ' (and its event gets lost)' : ''}`);
  return said;
}

export async function reword(week: Week, mission: MissionLog, said: Said, text: string): Promise<void> {
  await week.town.people[said.by].api('PATCH', `${AT}/issues/comments/${said.id}`, { body: text });
  said.edited = text;
  week.say(`mission ${mission.no}: ${said.by} edits a comment`);
}

/** Changes what is asked for, and whose proposal it is. */
export async function revise(week: Week, mission: MissionLog, by: Name, from: string, to: string): Promise<void> {
  const { body } = await asked(() => week.town.ask('GET', `${AT}/issues/${mission.issue}`));
  await week.town.people[by].api('PATCH', `${AT}/issues/${mission.issue}`, { body: body.replace(from, to) });
  if (!mission.proposers.includes(by)) mission.proposers.push(by);
  week.say(`mission ${mission.no}: ${by} edits the form`);
}

export async function setOpen(week: Week, mission: MissionLog, by: Name, isOpen: boolean): Promise<void> {
  const state = isOpen ? 'open' : 'closed';
  await week.town.people[by].api('PATCH', `${AT}/issues/${mission.issue}`, { state });
  week.say(`mission ${mission.no}: ${by} makes the issue ${state}`);
}

/** The status as soon as it satisfies; where events were lost, the schedule is asked once. */
export async function shown(
  week: Week,
  mission: MissionLog,
  isFit: (told: Told) => boolean,
): Promise<Told | undefined> {
  for (const [tries, withinMs] of SHOWN_WITHIN_MS.entries()) {
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline) {
      const body = await statusOf(week.town, mission.issue);
      if (body !== undefined) {
        const told = readStatus(body);
        if (told.mission !== undefined) mission.name ??= told.mission;
        if (isFit(told)) return told;
      }
      await pause(POLL_MS);
    }
    if (tries > 0) break;
    await asked(() => week.town.schedule());
  }
  return undefined;
}

export function digestIn(told: Told): string | undefined {
  return /`([0-9a-f]{12})`/.exec(told.rows['Plan digest'] ?? '')?.[1];
}

export const OVER: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled', 'expired']);

/** Pastes what the issue has ready, by somebody whom it names. False where nothing stands there for anybody. */
export async function follow(week: Week, mission: MissionLog): Promise<boolean> {
  const body = await statusOf(week.town, mission.issue);
  if (body === undefined) return adopt(week, mission);
  const told = readStatus(body);
  if (told.mission !== undefined) mission.name ??= told.mission;
  if (OVER.has(told.state)) return false;
  if (told.paste === undefined) {
    if (told.next?.startsWith('/') !== true) return false;
    await say(week, mission, MEMBERS[0]!, told.next);
    return true;
  }
  const { says, line } = told.paste;
  if (line.startsWith('lazarus ')) {
    const { code, stderr } = await week.town.type(...line.split(' ').slice(1));
    week.say(`mission ${mission.no}: ana types ${line}: ${code}`);
    if (code !== 0)
      week.log.odd.push(`mission ${mission.no}: \`${line}\`, which its issue says, ends with ${code}: ${stderr}`);
    return true;
  }
  const of = line.startsWith('/approve')
    ? (told.rows['Still needed'] ?? '').split(' cannot: ')[0]!.replace(/`@[a-z]+`$/, '')
    : line === '/withdraw'
      ? (told.rows['Rejected'] ?? '')
      : says;
  const by = namesIn(of).find((name) => MEMBERS.includes(name as Name)) as Name | undefined;
  await say(week, mission, by ?? MEMBERS[0]!, line);
  return true;
}

/** A proposal without a mission: what a reply says is pasted. */
async function adopt(week: Week, mission: MissionLog): Promise<boolean> {
  const replies = (await commentsOf(week.town, mission.issue)).filter(({ body }) => /```text\n\/plan\n```/.test(body));
  if (replies.length === 0) return false;
  await say(week, mission, MEMBERS[0]!, '/plan');
  mission.proposers.push(MEMBERS[0]!);
  return true;
}
