// Walks of honest people in every order: they agree, reject, take it back, hold and let go on, leave and come back, adopt
// other policy, and let time pass. After every step somebody has something to do, and what they are told to
// do is taken: a mission that is not over waits for somebody.
import { askedView, heldView } from '../../src/app/mission/status-asked.ts';
import { peopleOf } from '../../src/app/mission/status-view.ts';
import { proposedBy } from '../../src/app/mission/status-votes.ts';
import { turnAtTerminal, turnInIssue, whoseTurn } from '../../src/forge-text/next-turn.ts';
import type { StatusView } from '../../src/forge-text/status-view.ts';
import type { Drafts } from '../../src/kernel/decide/about.ts';
import { isUnderPolicy } from '../../src/kernel/course/plan.ts';
import { whatIsDue, type Due } from '../../src/kernel/decide/due.ts';
import { decideHold } from '../../src/kernel/decide/hold.ts';
import { recorded } from '../../src/kernel/decide/ingress.ts';
import { decideVote, decideWithdrawal } from '../../src/kernel/decide/vote.ts';
import { missionStatus } from '../../src/kernel/mission/status.ts';
import { type Member, type Roster } from '../../src/kernel/roster/roster.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { AWAITING } from '../support/status.ts';
import { rosterOf, type Changes, type Name } from './cast.ts';
import { Draw } from './draw.ts';
import * as glance from './glance.ts';
import { act, dueNow, honestStep, type Step } from './honest.ts';
import { origin, PLAIN, planning, policyOf, STEADY, type Wish } from './inputs.ts';
import { foundation } from './project.ts';
import { World } from './world.ts';

const STEPS = 60;
const ROSTERS = 5;
const HOUR = 3600;
const PEOPLE = ['ana', 'ana-second', 'bo', 'cy'] as const satisfies readonly Name[];

/** Where nobody could go on, and what people did until then. */
type Stuck = { readonly how: string; readonly did: readonly string[] };
type Walked = {
  readonly stuck: Stuck | undefined;
  readonly waitedFor: ReadonlySet<Due['is']>;
  readonly isOver: boolean;
};

/** The walk of this seed, up to where nobody can go on. */
export function waitsOf(seed: number): Walked {
  const draw = new Draw(seed);
  const tier = draw.of([1, 1, 2, 2, 3] as const);
  const habits = { ...STEADY, unbegun: 10, fail: 5, refuse: 10, unseen: 10 };
  const about: Wish = { ...PLAIN, tier, isFromForge: tier < 3 && draw.percent(50), habits };
  const world = new World(foundation(rostersFrom(draw)));
  const did: string[] = [];
  const waitedFor = new Set<Due['is']>();
  let revision = 1;
  for (let n = 1; n <= STEPS; n++) {
    const next = new Draw(seed * 1000 + n);
    const wish: Wish = { ...about, policy: { ...policyOf(about), revision } };
    if (world.state !== undefined && next.percent(4)) {
      revision += 1;
      did.push('policy');
    } else if (next.percent(6)) {
      world.pass(next.of([2, 20, 80]) * HOUR);
      did.push('time');
    } else did.push(step(world, wish, next));
    world.pass(1);
    const now: Wish = { ...about, policy: { ...policyOf(about), revision } };
    const how = stuckIn(world, now);
    if (how !== undefined) return { stuck: { how, did }, waitedFor, isOver: false };
    if (glance.isOver(world.state)) break;
    if (world.state !== undefined) waitedFor.add(dueOf(world, now).is);
  }
  return { stuck: undefined, waitedFor, isOver: glance.isOver(world.state) };
}

/** People who are there, or have left, or whose role or key has gone; two accounts that turn out to be one person’s, or not. */
function rostersFrom(draw: Draw): readonly Roster[] {
  const rosters: Roster[] = [];
  for (let n = 0; n <= ROSTERS; n++) {
    const changes: Changes =
      n === 0 ? {} : Object.fromEntries(PEOPLE.map((name) => [name, changeOf(name, draw)] as const));
    rosters.push(rosterOf(changes, rosters.at(-1)));
  }
  return rosters;
}

function changeOf(name: Name, draw: Draw): Partial<Member> | null {
  const way = draw.weighted({ as: 60, gone: 22, other: 8, role: 10 });
  if (way === 'gone') return null;
  if (way === 'other') return { person_id: draw.of(['bo', 'ana', 'cy', name]) };
  return way === 'role' ? { roles: ['root'] } : {};
}

/** What somebody did, in a word. */
function step(world: World, wish: Wish, draw: Draw): string {
  const { state } = world;
  if (state === undefined) return took(world, honestStep(world, wish, draw), 'propose');
  const word = draw.weighted({ due: 50, vote: 12, reject: 10, withdraw: 10, hold: 5, unhold: 6, adopt: 8, revise: 2 });
  const fickle = (reject: number): Wish => ({ ...wish, habits: { ...wish.habits, reject } });
  switch (word) {
    case 'due':
      return took(world, dueStep(world, wish, draw), `due ${dueOf(world, wish).is}`);
    case 'vote':
    case 'reject':
      return took(world, act('vote', world, fickle(word === 'vote' ? 0 : 100), draw), word);
    case 'hold':
    case 'unhold':
      return took(world, holding(world, wish, { is: word === 'hold' ? 'held' : 'unheld', by: draw.of(PEOPLE) }), word);
    default:
      return took(world, act(word, world, wish, draw), word);
  }
}

/** What is due, as the program does it: what people approved may be no longer so, and then they are asked again. */
function dueStep(world: World, wish: Wish, draw: Draw): Step | undefined {
  const name = dueNow(world, wish, draw);
  const step = act(name, world, wish, draw);
  const isDrifted = !isUnderPolicy(
    glance.missionCourse(world.state)?.plan ?? planning(world, wish).terms,
    inForce(wish),
  );
  if (name === 'deliver' && isDrifted) return act('drifted', world, wish, draw);
  if (name !== 'recover' || step === undefined) return step;
  if (world.judged(step.by, world.written(step.by, step.drafts)).is === 'accepted') return step;
  return glance.isAttemptOver(world.state) ? act('plan', world, wish, draw) : act('close', world, wish, draw);
}

function took(world: World, wanted: Step | undefined, word: string): string {
  if (wanted === undefined) return `${word}: nothing`;
  const answer = world.append(wanted.by, world.written(wanted.by, wanted.drafts));
  return answer.is === 'accepted' ? `${word} by ${wanted.by}` : `${word}: ${answer.code}`;
}

function dueOf({ state, now }: World, wish: Wish): Due {
  return whatIsDue(state!, { now, inForce: inForce(wish) });
}

function inForce(wish: Wish): { readonly policy: string; readonly revision: number } {
  const { digest, revision } = policyOf(wish);
  return { policy: digest, revision };
}

/** Who would have to do something, and cannot; undefined where all is well. */
function stuckIn(world: World, wish: Wish): string | undefined {
  const { state } = world;
  if (state === undefined || glance.isOver(state)) return undefined;
  const due = dueOf(world, wish);
  if (due.is === 'busy') return undefined;
  if (due.is === 'people' || due.is === 'held') return nobodyIn(world, wish, due);
  const job = dueStep(world, { ...wish, habits: STEADY }, new Draw(1));
  if (job === undefined) return `${due.is}: nobody does it`;
  const answer = world.judged(job.by, world.written(job.by, job.drafts));
  // Nobody can be asked while there are too few, and a root can change that.
  if (answer.is === 'accepted' || answer.code === 'quorum_unreachable') return undefined;
  return `${due.is}: ${answer.code}`;
}

/** Nobody who is named is there, or what they paste is refused. */
function nobodyIn(world: World, wish: Wish, step: Due): string | undefined {
  const state = world.state!;
  const { members } = state.roster;
  const roots = members.filter(({ roles }) => roles.includes('root')).map(({ principal_id }) => principal_id);
  const view: StatusView = {
    ...AWAITING,
    state: missionStatus(state),
    tier: wish.tier,
    asked: askedView(state),
    held: heldView(state),
    proposed: proposedBy(state),
    votes: [],
  };
  const isOnForge = wish.isFromForge;
  const named = whoseTurn({ ...view, step, isOnForge, roots, people: peopleOf(state.roster) });
  const there = named.filter((name) => members.some(({ principal_id }) => principal_id === name));
  if (there.length === 0) return `${step.is}: names ${named.join() || 'nobody'}`;
  const turn = isOnForge ? turnInIssue(view) : turnAtTerminal(view, step, { plan: undefined, state, isOnForge });
  const typed = turn?.type?.replace(/^lazarus /, '/').replace(` ${view.mission}`, '');
  const [verb = '', digest = ''] = typed?.split(' ') ?? [];
  const refused = (names: readonly string[], says: Says): string | undefined =>
    names.flatMap((name) => refusedOf(world, wish, name, says) ?? [])[0];
  switch (verb) {
    case '/approve':
      return refused(there, (voter, forge) =>
        decideVote(
          state,
          { choice: 'approve', digest, voter, forge, reason: null },
          { names: world.names(), mayGrant: true },
        ),
      );
    case '/withdraw':
      return refused(glance.rejecting(state), (voter, forge) =>
        decideWithdrawal(state, { voter, forge }, { names: world.names(), mayGrant: true }),
      );
    case '/unhold':
      return refused(there, (_, forge, actor) => decideHold(state, { is: 'unheld', actor, forge, reason: null }));
    case '/roster':
      return roots.length > 0 ? undefined : 'no root';
    default:
      return `${step.is}: nothing to paste (${typed}) for ${there.join()}`;
  }
}

type Says = (name: string, forge: ReturnType<typeof origin> | null, actor: Member | undefined) => Verdict<Drafts>;

/** By a comment where there is an issue, else under their own key. */
function refusedOf(world: World, wish: Wish, name: string, says: Says): string | undefined {
  const said = spoken(world, wish, name, says);
  if (typeof said === 'string') return said;
  const answer = world.judged(said.by, world.written(said.by, said.drafts));
  return answer.is === 'accepted' ? undefined : `${name} is refused: ${answer.code} ${JSON.stringify(answer.facts)}`;
}

function spoken(world: World, wish: Wish, name: string, says: Says): Step | string {
  const { state } = world;
  if (state === undefined) return 'nothing was proposed';
  const member = world.roster.members.find(({ principal_id }) => principal_id === name);
  if (member === undefined) return `${name} has left`;
  const account = member.forge_user_id;
  const isRelayed = wish.isFromForge && wish.tier < 3 && account !== null;
  const forge = isRelayed ? origin({ comment: world.comment(), account, at: world.now }) : null;
  const decided = says(name, forge, isRelayed ? member : undefined);
  if (decided.is === 'refused') return `${name} is refused: ${decided.code}`;
  if (!isRelayed) return { by: name as Name, drafts: decided.value };
  const raw = `sha256:${'5a'.repeat(32)}`;
  const cameIn = recorded(state, { raw, forge, resolution: 'approval', anchor: null }, world.names());
  if (cameIn.is === 'refused') return `${name} is not heard: ${cameIn.code}`;
  return { by: 'gil', drafts: [...cameIn.value, ...decided.value] };
}

function holding(world: World, wish: Wish, { is, by }: { is: 'held' | 'unheld'; by: Name }): Step | undefined {
  const said = spoken(world, wish, by, (_, forge, actor) =>
    decideHold(world.state, { is, actor, forge, reason: null }),
  );
  return typeof said === 'string' ? undefined : said;
}
