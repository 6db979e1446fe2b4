// What honest people and machines do next, as the product decides it: acts, each by somebody whose part it is, and which of
// them is due. The walks mix these with lies; without any lie a mission comes to its end.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { inAttempt, underWay, within, type Drafts } from '../../src/kernel/decide/about.ts';
import { decideCalledOff, decideCancel } from '../../src/kernel/decide/cancel.ts';
import { decideEffects } from '../../src/kernel/decide/effects.ts';
import { decideEnd, decideExpiry } from '../../src/kernel/decide/end.ts';
import { decideAsking, decideGrant } from '../../src/kernel/decide/agreed.ts';
import { recorded } from '../../src/kernel/decide/ingress.ts';
import { whatIsDue } from '../../src/kernel/decide/due.ts';
import { decideOutcomes, decideRefusedWork } from '../../src/kernel/decide/outcomes.ts';
import { decidePlan } from '../../src/kernel/decide/plan.ts';
import { decideProposal } from '../../src/kernel/decide/propose.ts';
import { decideRecovery, endLease } from '../../src/kernel/decide/recover.ts';
import { decideSettlement } from '../../src/kernel/decide/settlement.ts';
import { decideUnbegun } from '../../src/kernel/decide/unbegun.ts';
import { decideDenial, decideVote, decideWithdrawal } from '../../src/kernel/decide/vote.ts';
import { decideHandOver, decideResults, decideSpawn } from '../../src/kernel/decide/work.ts';
import type { Member } from '../../src/kernel/roster/roster.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import type { Name } from './cast.ts';
import type { Draw } from './draw.ts';
import * as glance from './glance.ts';
import { birth, delivery, handOver, origin, planning, policyOf, proposing, results, type Wish } from './inputs.ts';
import type { World } from './world.ts';

export type Step = { readonly by: Name; readonly drafts: Drafts };

/** What somebody decides by: the world as it is, or as a liar says it is. */
export type Sight = Pick<World, 'state' | 'roster' | 'now' | 'head' | 'names' | 'in' | 'comment' | 'project'>;

type Act = (at: Sight, wish: Wish, draw: Draw) => Step | undefined;

const HOUR = 3600;

/** What is due now, or what some do besides. */
export function honestStep(at: Sight, wish: Wish, draw: Draw): Step | undefined {
  const { habits } = wish;
  if (at.state === undefined) return act('propose', at, wish, draw);
  if (draw.percent(habits.adopt)) {
    const adopted = act('adopt', at, wish, draw);
    if (adopted !== undefined) return adopted;
  }
  if (glance.isOver(at.state)) return undefined;
  // Whoever hears what others think thinks again.
  const isVotedOn = glance.voters(at.state).length > 0;
  if (draw.percent(isVotedOn ? 2 * habits.revise : habits.revise)) return act('revise', at, wish, draw);
  if (draw.percent(habits.cancel)) return act('cancel', at, wish, draw);
  if (draw.percent(habits.withdraw)) return act('withdraw', at, wish, draw);
  return act(dueNow(at, wish, draw), at, wish, draw);
}

export function act(name: ActName, at: Sight, wish: Wish, draw: Draw): Step | undefined {
  const decide: Act = ACTS[name];
  return decide(at, wish, draw);
}

export function dueNow({ state, now }: Sight, wish: Wish, draw: Draw): ActName {
  const { tier, habits } = wish;
  const { digest: policy, revision } = policyOf(wish);
  const { is } = whatIsDue(state!, { now, inForce: { policy, revision } });
  if (glance.isCancelled(state) && (is === 'recover' || is === 'end')) return 'calledOff';
  switch (is) {
    case 'plan':
      return tier === 3 && !glance.isSigned(state) && draw.percent(50) ? 'revise' : 'plan';
    case 'people':
      return draw.percent(habits.deny) ? 'deny' : 'vote';
    case 'grant':
      return 'grant';
    case 'ask':
      return 'ask';
    case 'cell':
      return draw.percent(habits.unbegun) ? 'unbegun' : 'spawn';
    case 'busy':
      if (glance.leaseMode(state) !== 'isolated') return 'outcomes';
      return glance.agentCell(state) === undefined ? 'results' : 'handOver';
    case 'recover':
      return 'recover';
    case 'end':
      return 'end';
    case 'expire':
      return 'expire';
    case 'deliver':
      if (glance.attemptStatus(state) === 'succeeded') return 'finish';
      return draw.percent(habits.refuse) ? 'refuseWork' : 'deliver';
    case 'observe':
      return draw.percent(25) ? 'settle' : 'lookAgain';
    // In the walks of a mission somebody holds it besides: `holds.ts`.
    case 'held':
    case 'over':
      return 'adopt';
  }
}

function by(name: Name, decided: Verdict<Drafts>): Step | undefined {
  return decided.is === 'refused' ? undefined : { by: name, drafts: decided.value };
}

/** Everything that the product lets somebody do, whether it is due or not. */
const ACTS = {
  propose: (at, wish) =>
    by(wish.isFromForge ? 'gil' : 'ana', decideProposal(at.state, proposing(at, wish, 'ana'), at.names())),
  revise: (at, wish, draw) => {
    // Where most have to agree, a second author leaves too few who may.
    const name = draw.percent(wish.tier < 2 ? 25 : 4) ? 'bo' : 'ana';
    const isTyped = !wish.isFromForge || wish.tier === 3;
    const said = proposing(at, { ...wish, isFromForge: !isTyped }, name);
    return by(isTyped ? name : 'gil', decideProposal(at.state, said, at.names()));
  },
  adopt: (at, _, draw) => {
    const next = at.project.adoptions[at.roster.n + 1];
    const who = draw.of(['gil', 'wim', 'ron', 'ana', 'bo'] as const);
    if (next === undefined || at.state === undefined) return undefined;
    const { project_id, ledger_id } = at.state;
    return { by: who, drafts: [within('roster.adopted', project_id, ledger_id, next)] };
  },
  plan: (at, wish) => {
    const course = glance.missionCourse(at.state);
    if (course === undefined) return undefined;
    const on = { mission: at.state!.ledger_id, roster: at.roster, course };
    return { by: 'gil', drafts: decidePlan(nodeCrypto, on, planning(at, wish), at.names()) };
  },
  /** Those who may agree do so, mostly; now and then one of them rejects. */
  vote: (at, wish, draw) => {
    const open = glance.questionOf(at.state);
    if (open === undefined || open.from.length === 0) return undefined;
    const voter = draw.of(open.from);
    const choice = draw.percent(wish.habits.reject) ? 'reject' : 'approve';
    return spoken(at, wish, draw, voter, (forge) =>
      decideVote(
        at.state,
        { choice, digest: open.digest, voter, forge, reason: null },
        { names: at.names(), mayGrant: draw.percent(85) },
      ),
    );
  },
  withdraw: (at, wish, draw) => {
    const mine = glance.voters(at.state);
    if (mine.length === 0) return undefined;
    const voter = draw.of(mine);
    return spoken(at, wish, draw, voter, (forge) =>
      decideWithdrawal(at.state, { voter, forge }, { names: at.names(), mayGrant: draw.percent(85) }),
    );
  },
  deny: (at, wish, draw) => {
    const open = glance.questionOf(at.state);
    if (open === undefined || open.from.length === 0) return undefined;
    const voter = draw.of(open.from);
    const { digest } = open;
    return spoken(at, wish, draw, voter, (forge) => decideDenial(at.state, { digest, voter, forge }, at.names()));
  },
  grant: (at) => by('gil', decideGrant(at.state, at.names())),
  ask: (at) => by('gil', decideAsking(at.state, { now: at.now, votesExpireAt: at.in(72 * HOUR) }, at.names())),
  spawn: (at) => by('ron', decideSpawn(at.state, birth(at), at.names())),
  unbegun: (at, _, draw) => {
    const attempt = glance.atHand(at.state)?.attempt ?? '';
    const isRunners = draw.percent(60);
    const because = isRunners ? 'sandbox_missing' : draw.of(['policy_drifted', 'base_unknown']);
    const runner = { holder: 'ron', leaseUntil: at.in(HOUR), workspace: at.names()('workspace') };
    return by('ron', decideUnbegun(at.state, { because, attempt, runner: isRunners ? undefined : runner }, at.names()));
  },
  handOver: (at, wish, draw) => {
    const cell = glance.agentCell(at.state);
    const born = { cell: cell ?? '', fence: glance.fenceOf(at.state) };
    return by('ron', decideHandOver(at.state, born, handOver(at, draw.percent(wish.habits.fail)), at.names()));
  },
  results: (at, wish, draw) => {
    const cells = glance.checkCells(at.state);
    const said = results(cells, draw.percent(wish.habits.fail));
    return by('ron', decideResults(at.state, { fence: glance.fenceOf(at.state) }, said, at.names()));
  },
  recover: (at, wish) => {
    const { actions, terms, votesExpireAt } = planning(at, wish);
    return by('gil', decideRecovery(at.state, { recovery: { actions, terms, votesExpireAt }, by: 'gil' }, at.names()));
  },
  /** What was lost is closed, and nothing begins. */
  close: (at) => by('gil', decideRecovery(at.state, { recovery: undefined, by: 'gil' }, at.names())),
  /** Whoever may vote, or asked for it, may call it off. */
  cancel: (at, wish, draw) =>
    spoken(at, wish, draw, draw.of(['ana', 'bo', 'cy']), (forge, actor) =>
      decideCancel(at.state, { actor, forge, reason: null }, forge === null ? actor.principal_id : 'gil', at.names()),
    ),
  calledOff: (at) => by('gil', decideCalledOff(at.state, { by: 'gil' }, at.names())),
  end: (at) => by('gil', decideEnd(at.state)),
  finish: (at) => by('wim', decideEnd(at.state)),
  expire: (at) => by('gil', decideExpiry(at.state, at.now, at.names())),
  deliver: (at, wish) => by('wim', decideEffects(nodeCrypto, at.state, delivery(at, wish), at.names())),
  refuseWork: (at, _, draw) =>
    by('wim', decideRefusedWork(at.state, draw.of(['ref_moved', 'scope_violated']), at.names())),
  /** The policy has changed since it was made. */
  drifted: (at) => by('wim', decideRefusedWork(at.state, 'policy_drifted', at.names())),
  outcomes: (at, wish, draw) => {
    const seen = glance.unseenEffects(at.state).map((effect) => {
      const isSeen = !draw.percent(wish.habits.unseen);
      const outcome = isSeen ? ('applied' as const) : draw.of(['unknown_outcome', 'refused'] as const);
      return { effect, number: null, oid: outcome === 'applied' ? 'c0'.repeat(20) : null, outcome, reason: outcome };
    });
    const environment = `sha256:${'e0'.repeat(32)}`;
    return by('wim', decideOutcomes(at.state, { seen, environment, outputs: [environment] }, at.names()));
  },
  /** A writer that finds intents whose outcome nobody wrote down takes the lease before it looks. */
  lookAgain: (at) => {
    const found = underWay(at.state);
    if (found.is === 'refused') return undefined;
    const drafts = [
      ...endLease(found.value, 'wim'),
      inAttempt('lease.acquired', at.names()('lease'), found.value, {
        expires_at: at.in(HOUR),
        fence: glance.fenceOf(at.state) + 1,
        holder_principal_id: 'wim',
        mode: 'mutable',
        workspace_id: at.names()('workspace'),
      }),
    ];
    return { by: 'wim', drafts };
  },
  settle: (at, _, draw) => {
    const effect = glance.unseenEffects(at.state)[0] ?? '';
    const outcome = draw.of(['applied', 'not_applied'] as const);
    const rationale = `sha256:${'5e'.repeat(32)}`;
    return by('bo', decideSettlement(at.state, { effect, outcome, rationale, evidence_refs: [] }, at.names()));
  },
} satisfies Record<string, Act>;

export type ActName = keyof typeof ACTS;
export const ACT_NAMES = Object.keys(ACTS) as ActName[];

/** Signed by the one whose word it is, or written in a comment and relayed. */
function spoken(
  at: Sight,
  wish: Wish,
  draw: Draw,
  voter: string,
  decide: (forge: ReturnType<typeof origin> | null, actor: Member) => Verdict<Drafts>,
): Step | undefined {
  const member = at.roster.members.find(({ principal_id }) => principal_id === voter);
  if (member === undefined || at.state === undefined) return undefined;
  const account = member.forge_user_id;
  const isRelayed = wish.isFromForge && wish.tier < 3 && account !== null && draw.percent(70);
  if (!isRelayed) return by(voter as Name, decide(null, member));
  const forge = origin({ comment: at.comment(), account, at: at.now });
  const decided = decide(forge, member);
  const cameIn = recorded(
    at.state,
    { raw: forge.body_sha256, forge, resolution: 'approval', anchor: null },
    at.names(),
  );
  if (decided.is === 'refused' || cameIn.is === 'refused') return undefined;
  return { by: 'gil', drafts: [...cameIn.value, ...decided.value] };
}
