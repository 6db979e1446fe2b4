// Where a lie comes from: something that was said here before or is said in other missions, something that somebody would do
// now or at another time, what would follow if the world were otherwise. Honest in itself, and not yet anybody's.
import { within, type Drafts } from '../../src/kernel/decide/about.ts';
import { receiptOf } from '../../src/kernel/decide/receipts.ts';
import { subjectOf } from '../../src/kernel/receipt/due.ts';
import type { Event } from '../../src/kernel/event.ts';
import { maySign } from '../../src/kernel/roles.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { Draw } from './draw.ts';
import { leavesOf, mapped, otherValue, replaced, thingsNamedBy, type Path } from './fields.ts';
import * as glance from './glance.ts';
import { ACT_NAMES, act, honestStep, type Sight, type Step } from './honest.ts';
import { SETS, STEADY, type Habits, type Wish } from './inputs.ts';
import type { Temper } from './temper.ts';
import { World } from './world.ts';
import type { Name } from './cast.ts';

/** `again`: said here before. `elsewhere`: said in another mission. */
export type Way = 'again' | 'elsewhere' | 'next' | 'act' | 'pretence' | 'wish' | 'receipt' | 'project';

export function template(world: World, by: Name, temper: Temper, draw: Draw): readonly Event[] {
  const roles = world.roster.members.find(({ principal_id }) => principal_id === by)?.roles ?? [];
  for (let n = 0; n < TEMPLATES_LOOKED_AT; n++) {
    const found = anyTemplate(world, by, temper, draw);
    // Who knows the product says nothing that its role forbids, mostly.
    const may = draw.percent(95) ? found.filter(({ event_type }) => maySign(event_type, roles)) : found;
    const said = temper.isPatient ? may.filter(({ event_type }) => !ENDS_SOMETHING.test(event_type)) : may;
    if (said.length > 0) return said;
  }
  return [];
}

const TEMPLATES_LOOKED_AT = 8;

/** Whoever has something in mind does not end the mission before. */
const ENDS_SOMETHING =
  /^(attempt\.(failed|cancelled|superseded)|mission\.ended|task\.(failed|cancelled)|approval\.(expired|invalidated|denied)|grant\.revoked|ledger\.)/;

/** What is the liar's part now, if the mission were about something else. */
export function partOtherwise(world: World, by: Name, temper: Temper, draw: Draw): readonly Event[] {
  return written(world, by, () => {
    const step = honestStep(world, otherWish(temper.wish, draw), draw);
    return step?.by === by ? step : undefined;
  });
}

function anyTemplate(world: World, by: Name, temper: Temper, draw: Draw): readonly Event[] {
  switch (draw.weighted(temper.ways)) {
    case 'again':
      return brought(world, from(world.transactions, temper, draw), draw);
    case 'elsewhere':
      return brought(world, from(library(), temper, draw), draw);
    case 'next':
      return written(world, by, () => honestStep(world, temper.wish, draw));
    case 'act':
      return written(world, by, () => act(anAct(temper, draw), world, temper.wish, draw));
    case 'pretence': {
      const sight = pretending(world, draw);
      const name = draw.percent(50) ? undefined : anAct(temper, draw);
      return written(world, by, () =>
        name === undefined ? honestStep(sight, temper.wish, draw) : act(name, sight, temper.wish, draw),
      );
    }
    case 'wish':
      return written(world, by, () => honestStep(world, otherWish(temper.wish, draw), draw));
    case 'receipt':
      return written(world, by, () => receipt(world, draw));
    case 'project':
      return written(world, by, () => ({ by, drafts: ofTheProject(world, draw) }));
  }
}

function written(world: World, by: Name, decide: () => Step | undefined): Event[] {
  let step: Step | undefined;
  try {
    step = decide();
  } catch {
    // What no state could be, the product does not decide about.
    return [];
  }
  const events = step === undefined ? [] : world.written(by, step.drafts);
  return isWhole(events) ? events : [];
}

/** What follows from a state that cannot be may lack a field. */
function isWhole(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.values(value).every(isWhole);
}

function anAct({ acts }: Temper, draw: Draw) {
  return draw.of(acts.length > 0 && draw.percent(60) ? acts : ACT_NAMES);
}

/** A transaction, or one event of it: mostly of the kind that this walk is about. */
function from(
  transactions: readonly { readonly events: readonly Event[] }[],
  temper: Temper,
  draw: Draw,
): readonly Event[] {
  if (transactions.length === 0) return [];
  const about = transactions.filter(({ events }) => events.some((one) => isAbout(one, temper)));
  const { events } = draw.of(about.length > 0 && draw.percent(70) ? about : transactions);
  if (draw.percent(40)) return events;
  const alone = events.filter((one) => isAbout(one, temper));
  return [draw.of(alone.length > 0 && draw.percent(80) ? alone : events)];
}

export function isAbout({ event_type }: Event, { nouns }: Temper): boolean {
  return nouns.some((noun) => event_type.startsWith(noun));
}

/** Taken to be about what is at hand here, things that it makes under names of their own. */
function brought(world: World, events: readonly Event[], draw: Draw): Event[] {
  const names = world.names();
  const isNew = draw.percent(75);
  const renamed = new Map<string, string>();
  if (isNew)
    for (const { event_type, entity_id } of events)
      if (BRINGS_INTO_BEING.test(event_type)) renamed.set(entity_id, names(`entity ${entity_id}`));
  return events.map((event) => {
    const payload = mapped(event.payload as unknown, (value, field, n) =>
      typeof value === 'string' && renamed.has(value) ? renamed.get(value) : rebound(world, value, field, n, draw),
    );
    const entity_id = renamed.get(event.entity_id) ?? event.entity_id;
    // Not spread as an event: the union of all types, spread into itself, is more than a type checker can hold.
    return Object.assign({}, event, { entity_id, payload, occurred_at: world.now }, aboutHere(world, event));
  });
}

/** Types whose events make a thing, so that a second one needs a name of its own. */
export const BRINGS_INTO_BEING =
  /^(action\.requested|policy\.|approval\.requested|vote\.|grant\.issued|lease\.acquired|cell\.spawned|effect\.intended|receipt\.|ingress\.|decision\.|work\.|verification\.|done\.|note\.)/;

/** The task, step and attempt that an event of its kind is about here. */
function aboutHere(world: World, { event_type, attempt_id }: Event): Readonly<Record<string, string>> {
  const here = glance.atHand(world.state);
  if (here === undefined) return {};
  const { task, step, attempt } = here;
  if (event_type.startsWith('task.')) return { task_id: task, entity_id: task };
  if (attempt_id === undefined) return {};
  const about = { attempt_id: attempt, step_id: step, task_id: task };
  const isOfAttempt = /^(attempt\.(?!created)|context\.|effects\.)/.test(event_type);
  return isOfAttempt ? { ...about, entity_id: attempt } : about;
}

function rebound(world: World, value: unknown, field: string, n: number, draw: Draw): unknown {
  if (value === null) return value;
  if (field === 'cell') return glance.checkCells(world.state)[n] ?? value;
  if (field === 'subject_ref') {
    const subjects = glance.subjectsOf(world.state);
    return subjects.length === 0 || draw.percent(20) ? value : draw.of(subjects);
  }
  const things = thingsNamedBy(world, field);
  if (things.length === 0) return value;
  return draw.percent(70) ? things.at(-1) : draw.of(things);
}

/** The state as it is not: one or two values of it are others. */
function pretending(world: World, draw: Draw): Sight {
  const state = world.state;
  if (state === undefined) return world;
  const places = leavesOf(glance.missionCourse(state)).filter((path) => !AT_THE_TOP_OF_NO_USE.test(String(path[0])));
  let pretended: MissionState = state;
  for (let n = 0; n <= draw.below(2) && places.length > 0; n++) {
    const path: Path = ['course', ...draw.of(places)];
    pretended = replaced(pretended, path, (value) => otherValue(world, path, value, draw));
  }
  const { roster, now, head, project } = world;
  return {
    state: pretended,
    roster,
    now: draw.percent(80) ? now : world.in(draw.of([-100_000, 400_000])),
    head,
    project,
    names: () => world.names(),
    in: (seconds) => world.in(seconds),
    comment: () => world.comment(),
  };
}

const AT_THE_TOP_OF_NO_USE = /^(ids|as_of|receipts|anchor|held)$/;

/** Somebody wants it otherwise: of another tier, with other effects, heard on another way. */
function otherWish(wish: Wish, draw: Draw): Wish {
  return {
    ...wish,
    tier: draw.percent(50) ? draw.of([0, 1, 2, 3] as const) : wish.tier,
    kinds: draw.percent(50) ? draw.of(SETS) : wish.kinds,
    isFromForge: draw.percent(25) ? !wish.isFromForge : wish.isFromForge,
    denied: draw.percent(15) ? 'push_branch' : undefined,
  };
}

/** What the product would say of anything that is open, whoever says it. */
function receipt(world: World, draw: Draw): Step | undefined {
  const here = glance.atHand(world.state);
  const subjects = glance.subjectsOf(world.state);
  if (here === undefined || subjects.length === 0) return undefined;
  const subject = draw.of(subjects);
  const about = subjectOf(here.course, subject);
  if (!('due' in about)) return undefined;
  const names = world.names();
  const said = {
    environment_ref: `sha256:${'e0'.repeat(32)}`,
    replay_class: 'explain_only',
    result_code: draw.of(about.due.results),
    result_summary: 'said_so',
  } as const;
  return { by: 'wim', drafts: receiptOf(here, here.course, { id: names('receipt'), subject }, said) };
}

/** The ledger's end, or another roster. */
function ofTheProject(world: World, draw: Draw): Drafts {
  const { state, project } = world;
  if (state === undefined) return [];
  const { ledger_id, project_id } = state;
  const adoption = draw.of(project.adoptions);
  if (adoption !== undefined && draw.percent(50)) return [within('roster.adopted', project_id, ledger_id, adoption)];
  return [within('ledger.sealed', ledger_id, ledger_id, draw.of(project.seals))];
}

let told: readonly { readonly events: readonly Event[] }[] | undefined;

/** Everything that is said in other missions, which came to their ends in many ways. */
function library(): readonly { readonly events: readonly Event[] }[] {
  told ??= [STEADY, { ...STEADY, ...RESTLESS }].flatMap((habits) =>
    ([1, 2, 3] as const).flatMap((tier) =>
      [true, false].flatMap((isFromForge, n) => mission({ tier, isFromForge, habits }, 17 * tier + n)),
    ),
  );
  return told;
}

const RESTLESS: Partial<Habits> = { revise: 4, withdraw: 4, unbegun: 20, fail: 15, refuse: 10, unseen: 30, deny: 3 };

function mission(about: Pick<Wish, 'tier' | 'isFromForge' | 'habits'>, seed: number): World['transactions'] {
  const world = new World('nothing happens');
  const wish: Wish = { ...about, kinds: ['push_branch', 'open_pull_request'], shrinks: true, denied: undefined };
  const draw = new Draw(seed);
  for (let n = 0; n < 60 && !glance.isOver(world.state); n++) {
    const step = honestStep(world, wish, draw);
    if (step !== undefined) world.append(step.by, world.written(step.by, step.drafts));
    world.pass(n % 20 === 19 ? 7200 : 1);
  }
  return world.transactions;
}
