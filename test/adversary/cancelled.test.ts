// A mission that is called off at any moment before its first intent comes to its end, and nothing begins in it on the way:
// not among honest people, and not with anybody among them who lies.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decideCancel } from '../../src/kernel/decide/cancel.ts';
import type { Event } from '../../src/kernel/event.ts';
import { LIARS, SUCCESSIONS, type Name } from './cast.ts';
import { Draw } from './draw.ts';
import { honestStep } from './honest.ts';
import { PLAIN, type Wish } from './inputs.ts';
import { lie } from './lies.ts';
import { temperOf, type Temper } from './temper.ts';
import { World } from './world.ts';

const off = vi.hoisted(() => ({ rule: '' }));
vi.mock('../../src/kernel/enforced.ts', () => ({ enforced: (rule: string) => rule !== off.rule }));
afterEach(() => {
  off.rule = '';
});

const CY = SUCCESSIONS['nothing happens'][0]!.members.find(({ principal_id }) => principal_id === 'cy')!;
const DIGEST = `sha256:${'5a'.repeat(32)}`;
const BEGINS =
  /^(mission\.proposed|plan\.|approval\.requested|vote\.cast|approval\.granted|grant\.issued|attempt\.created|lease\.acquired|work\.proposed|effect\.intended|attempt\.succeeded)/;

function begins(event: Event): boolean {
  if (event.event_type === 'cell.spawned') return event.payload.purpose === 'agent';
  return BEGINS.test(event.event_type);
}

/** Cy says it in a comment, Bo at a computer. */
function callOff(world: World, by: 'bo' | 'gil'): string {
  const actor = by === 'gil' ? CY : undefined;
  const forge =
    by === 'gil'
      ? { body_sha256: DIGEST, comment_id: 4096, issue: 7, repository: 1, updated_at: null, user_id: 14 }
      : null;
  const decided = decideCancel(world.state, { actor, forge, reason: null }, by, world.names());
  if (decided.is === 'refused') return decided.code;
  const said = [
    {
      event_type: 'ingress.recorded' as const,
      entity_type: 'ingress' as const,
      entity_id: world.names()('came in'),
      task_id: world.state!.ledger_id,
      payload: {
        chosen_task_id: null,
        conversation_id: world.state!.ledger_id,
        forge,
        normalized_text: null,
        raw_text: DIGEST,
        resolution: 'control' as const,
        source_channel: forge === null ? ('cli' as const) : ('issue_comment' as const),
        status: 'bound' as const,
      },
    },
    ...decided.value,
  ];
  const read = world.append(by, world.written(by, said));
  return read.is === 'refused' ? read.code : 'accepted';
}

function honest(world: World, wish: Wish, draw: Draw): boolean {
  const step = honestStep(world, wish, draw);
  return step !== undefined && world.append(step.by, world.written(step.by, step.drafts)).is === 'accepted';
}

function goOn(world: World, wish: Wish, steps: number): void {
  for (let n = 0; n < steps && honest(world, wish, new Draw(n)); n++) world.pass(1);
}

const CASES = ([1, 2, 3] as const).flatMap((tier) => (['bo', 'gil'] as const).map((by) => ({ tier, by })));

describe.each(CASES)('tier $tier, said by $by', ({ tier, by }) => {
  const wish: Wish = { ...PLAIN, tier, isFromForge: tier < 3 };

  it('is called off after any step until an effect is begun, and ends', () => {
    const answers: string[] = [];
    for (let cut = 1; answers.at(-1) !== 'mission_over'; cut++) {
      const world = new World('nothing happens');
      goOn(world, wish, cut);
      const at = world.log.length;
      const answer = callOff(world, by);
      answers.push(answer);
      if (answer !== 'accepted') continue;
      goOn(world, wish, 4);
      const after = world.log.slice(at).map(({ event }) => event);
      expect(after.filter(begins)).toEqual([]);
      expect(world.state?.course?.end).toEqual({ outcome: 'cancelled', because: 'mission_cancelled' });
      expect(world.disagreements).toEqual([]);
      // Whatever was born or asked of people has its receipt by then.
      const all = world.log.map(({ event }) => event);
      const subjects = new Set(
        all.flatMap((one) => (one.event_type === 'receipt.issued' ? one.payload.subject_ref : [])),
      );
      const owed = all.filter(
        (one) =>
          (one.event_type === 'cell.spawned' && one.payload.purpose === 'agent') ||
          one.event_type === 'approval.requested',
      );
      expect(owed.filter(({ entity_id }) => !subjects.has(entity_id))).toEqual([]);
    }
    // Proposed, planned, voted on, running, checked, delivered, over: in this order and no other.
    const word = answers.map((one) => ({ accepted: 'c', effects_begun: 'b', mission_over: 'o' })[one] ?? one).join('');
    expect(word).toMatch(/^c{5,}b+o$/u);
  });
});

describe('with a liar among them', () => {
  it('it still ends, and nothing begins after the word', () => {
    const { began, calledOff, lies, endings } = liedTo(120);
    expect(began).toEqual([]);
    expect(endings.filter((end) => end !== 'cancelled')).toEqual([]);
    expect(calledOff).toBeGreaterThan(60);
    expect(lies).toBeGreaterThan(30);
  });

  it('something does begin where nobody refuses it', () => {
    off.rule = 'nothing_begins_once_cancelled';
    expect(liedTo(60).began).not.toEqual([]);
  });
});

/** Would have it go on: says again what began something, here or in other missions, mostly as it was said. */
const GOING_ON = {
  ways: { again: 4, elsewhere: 4, next: 1, act: 2, pretence: 3, wish: 1, receipt: 0, project: 1 },
  nouns: ['mission.proposed', 'plan.', 'approval.', 'vote.', 'grant.', 'lease.', 'cell.', 'attempt.', 'work.'],
  acts: ['propose', 'plan', 'revise', 'vote', 'grant', 'spawn', 'handOver'],
  changes: 30,
  isPatient: true,
} as const satisfies Partial<Temper>;

function liedTo(walks: number) {
  const [began, endings]: [string[], unknown[]] = [[], []];
  let [lies, calledOff] = [0, 0];
  for (let seed = 1; seed <= walks; seed++) {
    const draw = new Draw(seed);
    const world = new World('nothing happens');
    const wish: Wish = { ...PLAIN, tier: draw.of([1, 2, 3] as const), isFromForge: false };
    const liar: readonly Name[] = draw.of(LIARS);
    const temper = { ...temperOf(draw), ...GOING_ON, wish, liar };
    goOn(world, wish, 1 + draw.below(8));
    if (callOff(world, 'bo') !== 'accepted') continue;
    calledOff++;
    const at = world.log.length;
    for (let n = 0; n < 40; n++) {
      const next = new Draw(seed * 1000 + n);
      if (next.percent(15)) honest(world, wish, next);
      else {
        const told = lie(world, temper, next);
        if (told.events.length > 0 && world.append(told.by, told.events).is === 'accepted') lies++;
      }
      world.pass(1);
    }
    // Whoever sits on a lease loses it in time.
    world.pass(5 * 3600);
    goOn(world, wish, 4);
    began.push(...world.log.slice(at).flatMap(({ event }) => (begins(event) ? [`${seed}: ${event.event_type}`] : [])));
    // Both roots may have closed the ledger before.
    if (world.state?.sealed !== true) endings.push(world.state?.course?.end?.outcome);
    expect(world.disagreements).toEqual([]);
  }
  return { began, endings, lies, calledOff };
}
