// What may happen to a mission because of people: one story each, as steps that others may come in between. Says for each what
// may come of it.
import type { Manner } from './agent.ts';
import { digestIn, OVER, reword, revise, say, setOpen, shown, type Week } from './acts.ts';
import { goalOf } from './agent.ts';
import { commentsOf } from './forge.ts';
import type { End, MissionLog } from './log.ts';
import type { Name } from './town.ts';

/** Who is who in one story: the proposer, and two who may approve. */
export type Cast = { readonly by: Name; readonly a: Name; readonly b: Name };
type Scene = { readonly week: Week; readonly mission: MissionLog; readonly cast: Cast };
export type Step = (scene: Scene) => Promise<void>;

export type Story = {
  readonly manner: Manner;
  readonly ends: readonly End[];
  readonly isByStranger?: boolean;
  /** With the mission that came before it: the same path. */
  readonly isTwin?: boolean;
  readonly steps: readonly Step[];
};

type Role = keyof Cast | 'carol';

const who = (cast: Cast, role: Role): Name => (role === 'carol' ? 'carol' : cast[role]);

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
    if (told === undefined) throw new Error('no digest was shown to vote on');
    // Somebody else, or a fault, was faster.
    if (OVER.has(told.state)) return;
    await say(week, mission, who(cast, role), `/${verb} ${digestIn(told)}${behind}`);
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

const keysAway: Step = async ({ week }) => {
  await week.town.quiet();
  week.town.hideKeys();
};

const keysBack: Step = async ({ week }) => {
  await week.town.quiet();
  week.town.giveKeysBack();
};

/** A mission of its own from here on, with the same path. */
const followsUp: Step = async ({ week, mission, cast }) => {
  const told = await shown(week, mission, (one) => OVER.has(one.state));
  if (told === undefined) throw new Error('it was not over in time to be followed up');
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
    manner: 'slow',
    ends: ['cancelled', 'done'],
    steps: [approves('a'), until('running'), types('by', '/cancel\n\nSomebody else has done it.')],
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
  forgotten: { manner: 'good', ends: ['expired'], steps: [] },
} as const satisfies Record<string, Story>;

export type StoryName = keyof typeof STORIES;
