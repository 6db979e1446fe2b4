// docs/rights.md is what the rules answer: every event type, signed by every role, in every phase of a mission. A rule that
// changes who may do what, and when, shows as a changed row of that page.
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES, PLACES, type Event, type EventType } from '../../src/kernel/event.ts';
import { COMMANDS as COMMENTS, VERBS } from '../../src/forge-text/commands.ts';
import type { Role } from '../../src/kernel/principal.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { COMMANDS } from '../../src/surfaces/cli/commands.ts';
import { cancelled, held, VIC } from '../support/course/asked.ts';
import { courseAt, courseRoster, eventsUpTo, recordedFor, type Stage } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { exampleOf } from '../support/examples.ts';
import { CAST, ROLES, missionAfter, openedMission, openedProject, when } from '../support/given.ts';

const PAGE = new URL('../../docs/rights.md', import.meta.url).pathname;

/** A phase begins where the stage of the honest walk is over. */
const PHASES = {
  opened: undefined,
  proposed: 'proposed',
  created: 'created',
  asked: 'asked',
  planned: 'judged',
  awaiting: 'awaiting',
  voted: 'voted',
  approved: 'approved',
  granted: 'granted',
  leased: 'leased',
  compiled: 'compiled',
  running: 'spawned',
  working: 'worked',
  checking: 'checking',
  checked: 'checked',
  verified: 'closed',
  computed: 'computed',
  writing: 'writing',
  causing: 'intended',
  seen: 'observed',
  receipted: 'receipted',
  succeeded: 'succeeded',
  over: 'ended',
} as const satisfies Record<string, Stage | undefined>;
/** Besides: called off, or held, while its agent runs. */
const CALLED_OFF = 'called off';
const HELD = 'held';

const HEAD = `# Who may do what, and when

Made by a test from the rules themselves: for every event type that may stand in a mission, signed by a member that holds one role
alone, in every phase of an honest mission of tier 1, and where such a one was called off, or is held, while its agent runs. The event is a good one of its kind: it names the mission's own task, step, attempt,
approval, grants, cell and effects, and where its word came in was recorded. A cell holds the roles whose event is accepted, then the reason codes that the other roles
of that row get. Roles that are not in the second column are always refused, as \`role_not_allowed\`.

What the event names may still be wrong for the moment; which rule says so is the reason code. What else each event needs stands in
[section 10 of the format](ledger-format.md#10-what-each-event-needs-and-does).
`;

let answers: Map<EventType, string[]>;

beforeAll(() => {
  answers = new Map();
  const types = [...EVENT_TYPES].filter((type) => PLACES[type as EventType].in.includes('mission')) as EventType[];
  for (const type of types.toSorted())
    answers.set(type, [
      ...Object.values(PHASES).map((stage) => answer(type, stage === undefined ? beginning(type) : courseAt(stage))),
      answer(type, missionAfter(when(courseAt('spawned'), cancelled(VIC), VIC))),
      answer(type, missionAfter(when(courseAt('spawned'), held(VIC), VIC))),
    ]);
});

/** Who is let, then why the others of the row are not. */
function answer(type: EventType, state: MissionState): string {
  const said = new Map<string, Role[]>();
  for (const role of ROLES.filter((one) => PLACES[type].by.includes(one))) {
    const { event, at } = exampleOf(type, CAST[role]);
    const verdicts = variants(event, role).map((variant) => when(recordedFor(state, variant), variant, CAST[role], at));
    const [first] = verdicts;
    const word = first!.is === 'accepted' || verdicts.some(({ is }) => is === 'accepted') ? '' : first!.code;
    said.set(word, [...(said.get(word) ?? []), role]);
  }
  const legal = said.get('') ?? [];
  const refused = [...said].filter(([code]) => code !== '');
  const codes = refused.map(
    ([code, roles]) => `\`${code}\`${refused.length > 1 || legal.length > 0 ? ` ${roles.join(' ')}` : ''}`,
  );
  return [...(legal.length > 0 ? [`**${legal.join(' ')}**`] : []), ...codes].join('; ');
}

/** Whoever a proposal names is on the roster; what roots sign is about the smaller one. */
function beginning(type: EventType): MissionState {
  return type === 'mission.proposed' ? openedMission(openedProject(courseRoster())) : openedMission();
}

/** The good one, the same about a thing of its own, and those that the honest walk has, said by this role. */
function variants(example: Event, role: Role): Event[] {
  const walked = WALK.filter(({ event }) => event.event_type === example.event_type).map(({ event }) => ({
    ...event,
    actor_id: CAST[role].principalId,
  }));
  return [example, { ...example, entity_id: uuid('of its own') }, ...walked];
}

const WALK = eventsUpTo('ended');

function page(): string {
  const columns = [...Object.keys(PHASES), CALLED_OFF, HELD];
  const rows = [...answers].map(
    ([type, cells]) => `| \`${type}\` | ${PLACES[type].by.toSorted().join(' ')} | ${cells.join(' | ')} |\n`,
  );
  const head = `| event | may sign | ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length + 2)}\n`;
  return `${HEAD}\n${head}${rows.join('')}\n${TYPED}${typed().join('')}`;
}

const TYPED = `## What people type for it

On a forge as the first line of a comment; at a terminal by the same word, of the mission that is named. Made from the tables of both.

| comment | at a terminal | who may | when | what it does |
|---|---|---|---|---|
`;

function typed(): string[] {
  return VERBS.map((verb) => {
    const { usage, who, when: whenever, does } = COMMENTS[verb];
    return `| \`${usage}\` | \`lazarus ${terminalLine(verb)}\` | ${who} | ${whenever} | ${does} |\n`;
  });
}

/** As its help shows it, without the options that every command has. */
function terminalLine(verb: string): string {
  if (verb === 'help') return '[command] --help';
  const { args = [], options = [] } = COMMANDS.find(({ path }) => path === verb)!;
  const own = options.filter(({ flags }) => flags === '--final' || flags.startsWith('--attempt'));
  return [verb, ...args.map(({ name }) => name), ...own.map(({ flags }) => `[${flags}]`)].join(' ');
}

describe('docs/rights.md', () => {
  it('is what the rules answer', () => {
    if (process.env['LAZARUS_FREEZE'] === '1') writeFileSync(PAGE, page());
    expect(readFileSync(PAGE, 'utf8')).toBe(page());
  });

  it('has an accepted event of every type that an honest mission of tier 1 has', () => {
    const never = [...answers]
      .filter(([, cells]) => cells.every((cell) => !cell.startsWith('**')))
      .map(([type]) => type);
    expect(never).toEqual(NEVER_IN_THIS_MISSION);
  });
});

/** What stands only in other missions than this one, or between two phases. */
const NEVER_IN_THIS_MISSION: readonly EventType[] = [
  'attempt.created',
  'decision.recorded',
  'effects.computed',
  'mission.opened',
  'step.created',
  'task.completed',
  'task.readied',
  'task.resumed',
  'task.started',
  'task.unblocked',
];
