// What may happen to a mission because of people: one story each, as steps that others may come in between. Says for each what
// may come of it.
import { setTimeout as pause } from 'node:timers/promises';
import { digestIn, follow, OVER, reword, revise, say, setOpen, shown, struck, type Week } from './acts.ts';
import { goalOf, type Manner } from './agent.ts';
import { asked } from './asked.ts';
import type { AtWork } from './at-work.ts';
import { SHORT_BUDGET_MINUTES } from './clock.ts';
import { commentsOf, statusOf, readStatus } from './forge.ts';
import type { End, MissionLog } from './log.ts';
import { STRIKES } from './strikes.ts';
import type { Name } from './town.ts';
import { diskCleared, diskFills, joins, keyEnds, keyRenewed, keysAway, keysBack } from './troubles.ts';

/** Who is who in one story: the proposer, and two who may approve. */
export type Cast = { readonly by: Name; readonly a: Name; readonly b: Name };
type Scene = { readonly week: Week; readonly mission: MissionLog; readonly cast: Cast };
/** `later`: it cannot be yet, and others come first. */
export type Step = (scene: Scene) => Promise<void> | Promise<'later' | undefined>;

export type Story = {
  readonly manner: Manner;
  readonly ends: readonly End[];
  readonly isByStranger?: boolean;
  /** With a mission that came before it: the same path. */
  readonly isTwin?: boolean;
  /** For its agent. */
  readonly minutes?: number;
  readonly steps: readonly Step[];
};

type Role = keyof Cast | 'carol' | 'fay';

const who = (cast: Cast, role: Role): Name => (role === 'carol' || role === 'fay' ? role : cast[role]);

const types =
  (role: Role, text: string): Step =>
  async ({ week, mission, cast }) => {
    // Before it was heard nothing is there to be held or cancelled; a stranger's waits for just that.
    if (mission.proposers[0] !== 'carol') await shown(week, mission, () => true);
    await say(week, mission, who(cast, role), text);
  };

/** With the digest that is asked for now, whoever may. */
const votes =
  (role: Role, verb: 'approve' | 'reject', behind = ''): Step =>
  async ({ week, mission, cast }) => {
    const told = await shown(week, mission, (one) => OVER.has(one.state) || digestIn(one) !== undefined);
    // Its ledger is broken, for instance: somebody does what the issue asks for.
    if (told === undefined) {
      await follow(week, mission);
      return 'later';
    }
    // Somebody else, or a fault, was faster.
    if (!OVER.has(told.state)) await say(week, mission, who(cast, role), `/${verb} ${digestIn(told)}${behind}`);
    return undefined;
  };

const approves = (role: Role): Step => votes(role, 'approve');

/** Until its status says so, or it is over. */
const until =
  (state: string): Step =>
  async ({ week, mission }) => {
    await shown(week, mission, (told) => OVER.has(told.state) || told.state === state);
  };

const rewords =
  (text: (digest: string) => string): Step =>
  async ({ week, mission }) => {
    const said = mission.said.at(-1);
    const told = await shown(week, mission, () => true);
    if (said !== undefined && told !== undefined)
      await reword(week, mission, said, text(digestIn(told) ?? '0'.repeat(12)));
  };

const opens =
  (role: Role, isOpen: boolean): Step =>
  async ({ week, mission, cast }) => {
    await week.town.quiet();
    await setOpen(week, mission, who(cast, role), isOpen);
  };

/** A new revision; whoever approves what was there before approves nothing. */
const revisesAndOld: Step = async ({ week, mission, cast }) => {
  const told = await shown(week, mission, (one) => digestIn(one) !== undefined);
  if (told === undefined) throw new Error('no digest was shown');
  const goal = goalOf(mission.note, mission.manner);
  await revise(week, mission, cast.by, goal, `${goal}, please`);
  await week.town.quiet();
  await say(week, mission, cast.a, `/approve ${digestIn(told)}`);
};

/** Until its issue says why it did not go. */
const fails: Step = async ({ week, mission }) => {
  await shown(week, mission, (told) => OVER.has(told.state) || told.because !== undefined);
};

const AT_WORK_WITHIN_MS = 12_000;
const POLL_MS = 150;
/** Past the pause between two attempts that the machine spoiled. */
const PAUSE_MINUTES = 6;

/** Its agent; else somebody does what the issue asks for, and it is looked for again later. */
async function agentOf({ week, mission }: Scene): Promise<AtWork | 'later' | 'over'> {
  const { agents, clock, schedule } = week.town;
  const deadline = Date.now() + AT_WORK_WITHIN_MS;
  while (Date.now() < deadline) {
    const [agent] = agents.atWork(mission.note);
    if (agent !== undefined) return agent;
    const body = await statusOf(week.town, mission.issue);
    if (body !== undefined && OVER.has(readStatus(body).state)) return 'over';
    await pause(POLL_MS);
  }
  clock.pass(PAUSE_MINUTES);
  await asked(schedule);
  await follow(week, mission);
  return 'later';
}

const works: Step = async (scene) => ((await agentOf(scene)) === 'later' ? 'later' : undefined);

const runsOut: Step = async ({ week, mission }) => {
  struck(week, 'budget_exhausted', '', [mission]);
};

/** By what the seed drew. */
const isStruck: Step = async (scene) => {
  const { week, mission } = scene;
  // Where no machine can work nobody takes over from another one.
  if (week.trouble !== undefined) return 'later';
  const agent = await agentOf(scene);
  if (agent === 'later') return 'later';
  const name = agent === 'over' ? undefined : week.strikes.shift();
  if (agent === 'over' || name === undefined) return undefined;
  const how = await STRIKES[name](week, mission, agent);
  struck(week, name, how, [mission]);
  return undefined;
};

const letsGo: Step = async (scene) => {
  const agent = await agentOf(scene);
  if (agent === 'later') return 'later';
  if (agent !== 'over') scene.week.town.agents.letGo(scene.mission.note);
  return undefined;
};

/** A mission of its own from here on, with the same path. */
const followsUp: Step = async ({ week, mission, cast }) => {
  const told = await shown(week, mission, (one) => OVER.has(one.state));
  if (told === undefined) {
    week.say(`mission ${mission.no} is not over in time to be followed up`);
    return;
  }
  const { id } = await say(week, mission, cast.a, `/followup ${goalOf(mission.note, 'good')}`);
  await week.town.quiet();
  const all = await commentsOf(week.town, mission.issue);
  const found = all.flatMap(({ body }) => /goes on from here in \[issue (\d+)\]/.exec(body)?.[1] ?? []);
  // Its event may have been lost; then a reply asks for it again, and nobody does here.
  if (found.length === 0) return;
  const { no, note } = mission;
  const issue = Number(found.at(-1));
  week.say(`mission ${no} is followed up in issue ${issue} (comment ${id})`);
  week.log.missions.push({
    no: no + 100,
    story: 'followed',
    note,
    manner: 'good',
    issue,
    proposers: [cast.a],
    said: [],
    hits: [],
    ends: ['done'],
  });
};

const FINE = { manner: 'good', ends: ['done'] } as const;

export const STORIES = {
  plain: { ...FINE, steps: [approves('a')] },
  own_approval: { ...FINE, steps: [approves('by'), approves('a')] },
  old_digest: { ...FINE, steps: [revisesAndOld, approves('a')] },
  edited_into: {
    ...FINE,
    steps: [types('a', 'I will look at it.'), rewords((digest) => `/approve ${digest}`), approves('b')],
  },
  edited_after: { ...FINE, steps: [approves('a'), rewords(() => 'On second thought: never mind.')] },
  closed: { ...FINE, steps: [opens('by', false), approves('a'), opens('by', true), approves('a')] },
  stranger: { ...FINE, steps: [approves('carol'), types('carol', '/help'), types('carol', '/cancel'), approves('a')] },
  stranger_files: { ...FINE, isByStranger: true, steps: [types('by', '/plan'), approves('a')] },
  rejected: {
    ...FINE,
    steps: [votes('a', 'reject', '\n\nNot like this.'), until('rejected'), types('a', '/withdraw'), approves('b')],
  },
  denied: { manner: 'good', ends: ['failed', 'cancelled'], steps: [votes('a', 'reject', ' --final')] },
  held: { ...FINE, steps: [types('by', '/hold'), approves('a'), until('held'), types('by', '/unhold')] },
  held_by_other: {
    ...FINE,
    steps: [types('a', '/hold'), types('by', '/unhold'), approves('b'), types('b', '/unhold')],
  },
  held_on: { manner: 'good', ends: ['held'], steps: [types('by', '/hold')] },
  cancelled: { manner: 'good', ends: ['cancelled'], steps: [types('by', '/cancel')] },
  cancelled_late: {
    manner: 'patient',
    ends: ['cancelled', 'done'],
    steps: [approves('a'), works, types('by', '/cancel\n\nSomebody else has done it.')],
  },
  failing: {
    manner: 'failing',
    ends: ['failed'],
    steps: [approves('a'), types('a', '/retry'), types('b', '/why'), followsUp],
  },
  straying: { manner: 'straying', ends: ['failed'], steps: [approves('a'), types('by', '/why')] },
  idle: { manner: 'idle', ends: ['failed'], steps: [approves('b')] },
  wrong: { manner: 'wrong', ends: ['failed'], steps: [approves('a'), until('failed'), types('b', '/diff')] },
  slow: { manner: 'slow', ends: ['done'], steps: [approves('b')] },
  twin: { manner: 'slow', ends: ['done'], isTwin: true, steps: [approves('a')] },
  asked: {
    ...FINE,
    steps: [types('b', '/why\n/help'), types('carol', '/status'), approves('a'), types('a', '/status')],
  },
  again: {
    ...FINE,
    steps: [keysAway, approves('a'), keysBack, types('by', '/retry')],
  },
  struck: { manner: 'patient', ends: ['done', 'failed'], steps: [approves('a'), isStruck, letsGo] },
  exhausted: {
    manner: 'endless',
    ends: ['failed'],
    minutes: SHORT_BUDGET_MINUTES,
    steps: [approves('a'), runsOut],
  },
  disk_full: { ...FINE, steps: [diskFills, approves('a'), fails, diskCleared, types('by', '/retry')] },
  key_ended: { ...FINE, steps: [keyEnds, approves('a'), fails, keyRenewed, types('by', '/retry')] },
  stuck: { ...FINE, steps: [joins, approves('fay')] },
  forgotten: { manner: 'good', ends: ['expired'], steps: [] },
} as const satisfies Record<string, Story>;

export type StoryName = keyof typeof STORIES;

/** What goes wrong in them is what they are about. */
export const TROUBLED = ['exhausted', 'disk_full', 'key_ended', 'stuck'] as const satisfies readonly StoryName[];
