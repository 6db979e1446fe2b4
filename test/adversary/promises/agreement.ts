// Promises about who asks and who agrees: counted from votes and signatures, under every roster that the log names.
import type { EventOf } from '../../../src/kernel/event.ts';
import type { Roster } from '../../../src/kernel/roster/roster.ts';
import { isVoter, personBehind, type Said, type Story } from '../story.ts';
import { promise, whenever, type Promised } from './promise.ts';

export type Plan = EventOf<'plan.computed'>['payload'];

const LEAST_QUORUM = [0, 1, 2, 2] as const;
const NEEDS_TIER_ONE =
  /^(write_local|delete_local|vcs_mutation|rollback|network_write|publication|credentialed_api_call|durable_memory_write)$/;
/** From here on nothing rests on a gate's word for a person's. */
const SIGNED = 3;

/** What the plan's tier has to be, whatever it says of itself. */
export function trueTier({ tier, asks }: Plan): number {
  return Math.max(tier, ...asks.map(({ action_class }) => (NEEDS_TIER_ONE.test(action_class) ? 1 : 0)));
}

export function planNow(story: Story): Plan | undefined {
  return story.last('plan.computed')?.event.payload;
}

/** The persons behind a name or an account, in these rosters. */
function personsBehind(rosters: readonly Roster[], name: string | null, account: number | null): string[] {
  return rosters.flatMap(({ members }) =>
    members
      .filter((one) => one.principal_id === name || (account !== null && one.forge_user_id === account))
      .map(personBehind),
  );
}

/** Everybody who had a hand in what is asked for, then and since: who signed, for whom, whom a gate named. */
function authors(story: Story): Set<string> {
  const persons = story.all('mission.proposed').flatMap(({ event, by, at }) => {
    const rosters = story.rostersSince(at);
    const [then] = rosters;
    const isGate = then!.members.find((one) => one.principal_id === by)?.roles.includes('gate') === true;
    return [
      ...(isGate ? [] : personsBehind(rosters, by, null)),
      ...personsBehind(rosters, event.actor_id, null),
      ...event.payload.proposers.flatMap((one) => personsBehind(rosters, one.principal_id, one.forge_user_id)),
    ];
  });
  return new Set(persons);
}

/** Persons of the roster in force who may agree to what these authors asked for. */
function electorate(story: Story, tier: number): Set<string> {
  const all = new Set(story.roster.members.filter(isVoter).map(personBehind));
  // A roster of one person may agree with itself, up to tier 1.
  const not = tier === 0 || (all.size === 1 && tier <= 1) ? new Set<string>() : authors(story);
  return new Set([...all].filter((person) => !not.has(person)));
}

/** Persons who did not ask for it. */
function others(story: Story): Set<string> {
  const asked = authors(story);
  return new Set(
    story.roster.members
      .filter(isVoter)
      .map(personBehind)
      .filter((person) => !asked.has(person)),
  );
}

/** Whoever holds it now. */
export function holderOf(story: Story): string | undefined {
  const held = story.last('mission.held');
  const isOver = held === undefined || (story.last('mission.unheld')?.at ?? -1) > held.at;
  return isOver || story.last('mission.cancelled') !== undefined ? undefined : held.event.actor_id;
}

/** An approval, and those whose votes it says it carries. */
function withCarried(story: Story, approval: Said<'approval.requested'>): Said<'approval.requested'>[] {
  const former = story
    .all('approval.requested')
    .find((one) => one.at < approval.at && one.event.entity_id === approval.event.payload.carries);
  return former === undefined ? [approval] : [approval, ...withCarried(story, former)];
}

/** Votes taken back, for this approval or one that carried it on. */
function isTakenBack(story: Story, vote: Said<'vote.cast'>): boolean {
  return story.all('vote.withdrawn').some(({ event, at }) => {
    if (at < vote.at || event.actor_id !== vote.event.actor_id) return false;
    const of = story.all('approval.requested').find((one) => one.event.entity_id === event.payload.approval_id);
    const carried = of === undefined ? [] : withCarried(story, of);
    return carried.some((one) => one.event.entity_id === vote.event.payload.approval_id);
  });
}

/** Persons whose last word on a digest is yes: by their own signature, or below tier 3 by the word of a gate for their account. */
function agreeing(story: Story, digest: string, tier: number): Set<string> {
  const persons = new Map<string, boolean>();
  for (const vote of story.all('vote.cast')) {
    const { event, by, at } = vote;
    const now = story.member(event.actor_id);
    if (event.payload.digest !== digest || now === undefined) continue;
    const [then] = story.rostersSince(at);
    const account = then!.members.find((one) => one.principal_id === event.actor_id)?.forge_user_id ?? null;
    const isSigned = by === event.actor_id && event.payload.forge === null;
    const isRelayed = account !== null && event.payload.forge?.user_id === account;
    const counts = event.payload.choice === 'approve' && (isSigned || (tier < SIGNED && isRelayed));
    persons.set(personBehind(now), counts && isVoter(now) && !isTakenBack(story, vote));
  }
  return new Set([...persons].filter(([, counts]) => counts).map(([person]) => person));
}

/** Digests whose votes cover this one too: of plans that asked for at least as much, where the question says so. */
function covered(story: Story, digest: string, tier: number): string[] {
  if (tier >= SIGNED) return [digest];
  const plans = story.all('plan.computed').map(({ event }) => event.payload);
  const planOf = (of: string) => plans.find((one) => one.plan_digest === of);
  const digests = [digest];
  for (const approval of story.all('approval.requested').filter(({ event }) => event.payload.digest === digest))
    for (const former of withCarried(story, approval).slice(1)) {
      const before = former.event.payload.digest;
      const [asked, now] = [planOf(before), planOf(digests.at(-1)!)];
      if (before !== digests.at(-1) && !asksForAsMuch(asked, now)) break;
      digests.push(before);
    }
  return digests;
}

function asksForAsMuch(before: Plan | undefined, after: Plan | undefined): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.terms === after.terms &&
    before.base_commit === after.base_commit &&
    before.policy.digest === after.policy.digest &&
    before.backend === after.backend &&
    before.checks.join() === after.checks.join() &&
    before.level <= after.level &&
    trueTier(before) >= trueTier(after) &&
    trueTier(before) < SIGNED &&
    pathsOf(after).every((path) => pathsOf(before).includes(path)) &&
    after.asks.every(({ ask }) => before.asks.some((one) => one.ask === ask))
  );
}

function pathsOf({ steps }: Plan): readonly string[] {
  return steps.flatMap(({ footprint }) => footprint);
}

/** How many are missing who agree to this digest; nothing where enough do. */
export function missing(story: Story, digest: string, plan: Plan): string | undefined {
  const tier = trueTier(plan);
  const quorum = Math.max(plan.quorum, LEAST_QUORUM[tier]!);
  const may = electorate(story, tier);
  const agree = new Set(covered(story, digest, tier).flatMap((one) => [...agreeing(story, one, tier)]));
  const persons = [...agree].filter((person) => may.has(person));
  return persons.length < quorum
    ? `${persons.length} of ${quorum} agreed (tier ${tier}): ${persons.join()}`
    : undefined;
}

export const AGREEMENT: readonly Promised[] = [
  promise(
    'agreed',
    'No agent runs unless enough different persons, none of whom asked for it, agreed to exactly this plan.',
    whenever(['cell.spawned'], ({ payload }, story) => {
      if (payload.purpose !== 'agent') return undefined;
      const plan = planNow(story);
      return plan === undefined ? 'no plan' : missing(story, plan.plan_digest, plan);
    }),
  ),
  promise(
    'within reach',
    'Nobody is asked for an agreement that those who may vote cannot reach.',
    whenever(['plan.computed'], ({ payload }, story) => {
      const may = electorate(story, payload.tier);
      return may.size < payload.quorum ? `${payload.quorum} asked for, of ${may.size}` : undefined;
    }),
  ),
  promise(
    'asked in person',
    'From tier 3 on a person asked for it under its own key: no gate’s word for it counts.',
    whenever(['cell.spawned'], (_, story) => {
      const plan = planNow(story);
      const asked = story.last('mission.proposed');
      if (plan === undefined || asked === undefined || trueTier(plan) < SIGNED) return undefined;
      const signer = story.rostersSince(asked.at)[0]!.members.find(({ principal_id }) => principal_id === asked.by);
      const isOwn = asked.by === asked.event.actor_id && signer !== undefined && isVoter(signer);
      return isOwn ? undefined : `${asked.by} asked for ${asked.event.actor_id}`;
    }),
  ),
  promise(
    'own word',
    'Nobody votes, asks or answers for another: a gate speaks for accounts of the roster, everybody else for themselves.',
    (story, { event, by }) => {
      const actor = story.member(event.actor_id);
      // Whoever leaves may still bring the roster that says so.
      if (event.event_type === 'roster.adopted') return undefined;
      if (event.actor_id === by)
        return event.actor_type === actor?.principal_type ? undefined : 'another type than the roster’s';
      if (!story.speaks(by, 'gate') && !story.speaks(by, 'writer')) return 'spoke for somebody else';
      if (actor === undefined)
        return event.event_type === 'ingress.recorded' ? undefined : 'spoke for nobody on the roster';
      if (event.actor_type !== actor.principal_type) return 'another type than the roster’s';
      if (event.event_type === 'decision.recorded') return 'decided for somebody else';
      const isSaying =
        event.event_type === 'vote.cast' ||
        event.event_type === 'vote.withdrawn' ||
        event.event_type === 'approval.denied' ||
        event.event_type === 'mission.held' ||
        event.event_type === 'mission.unheld';
      return isSaying && (actor.forge_user_id === null || event.payload.forge?.user_id !== actor.forge_user_id)
        ? 'the word of an account that is not theirs'
        : undefined;
    },
  ),
  promise(
    'stopped by those concerned',
    'Only a person of the project, or who asked for it, calls a mission off or holds it.',
    whenever(['mission.cancelled', 'mission.held', 'mission.unheld'], ({ actor_id, payload }, story) => {
      const actor = story.member(actor_id);
      if (actor !== undefined && isVoter(actor)) return undefined;
      const account = payload.forge?.user_id ?? null;
      const named = story.all('mission.proposed').flatMap(({ event }) => event.payload.proposers);
      const isNamed = named.some(
        (one) => one.principal_id === actor_id || (account !== null && one.forge_user_id === account),
      );
      return isNamed ? undefined : `by ${actor_id}`;
    }),
  ),
  promise(
    'let go on by those who may',
    'What somebody holds goes on by their own word, or by that of a person who did not ask for it; at tier 3 by a signed one.',
    whenever(['mission.unheld'], ({ actor_id, payload }, story) => {
      const holder = holderOf(story);
      if (holder === undefined) return 'nobody held it';
      const plan = planNow(story);
      if (plan !== undefined && plan.tier >= SIGNED && payload.forge !== null) return 'unsigned';
      if (holder === actor_id) return undefined;
      const actor = story.member(actor_id);
      const may = plan === undefined ? others(story) : electorate(story, plan.tier);
      return actor !== undefined && isVoter(actor) && may.has(personBehind(actor)) ? undefined : `by ${actor_id}`;
    }),
  ),
  promise('heard once', 'A comment counts once, however often it is heard.', (story, { event }) => {
    const comment = commentOf(event);
    if (comment === null) return undefined;
    return story.entries.some((one) => commentOf(one.event) === comment) ? `comment ${comment} again` : undefined;
  }),
  promise(
    'heard at all',
    'A word that came through a forge stands beside the record of what was heard, in one transaction.',
    (story, { event, tx }) => {
      const forge = forgeOf(event);
      if (forge === null) return undefined;
      const records = story.all('ingress.recorded').filter((one) => one.tx === tx);
      const isThere = records.some(
        ({ event: record }) => JSON.stringify(record.payload.forge) === JSON.stringify(forge),
      );
      return isThere ? undefined : 'no record of it';
    },
  ),
];

function forgeOf(event: EventOf<'vote.cast'> | Parameters<Promised['broken']>[1]['event']) {
  switch (event.event_type) {
    case 'vote.cast':
    case 'vote.withdrawn':
    case 'approval.denied':
    case 'mission.cancelled':
    case 'mission.held':
    case 'mission.unheld':
      return event.payload.forge;
    default:
      return null;
  }
}

function commentOf(event: Parameters<Promised['broken']>[1]['event']): number | null {
  return forgeOf(event)?.comment_id ?? null;
}
