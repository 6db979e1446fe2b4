// Plans a proposal and puts it to people: one transaction under the gate's key. Refuses what policy or this place cannot
// do before anything is written; what policy denies is written, with its receipt.
import { courseOf } from '../../kernel/course/steps.ts';
import { isOver } from '../../kernel/course/attempt-status.ts';
import { checkUnbegun } from '../../kernel/decide/about.ts';
import { decidePlan, type Planning } from '../../kernel/decide/plan.ts';
import { planDocumentBytes } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { drawDocuments, type DrawnDocument, type NewDocument } from '../artifacts/documents.ts';
import { claimPaths, waitForPaths } from './claims.ts';
import { proposalOf } from './documents.ts';
import { packetBytes } from './packet.ts';
import { computePlan, type Planned, type PlanInput, type Setting } from './planning.ts';
import { rulesAt } from './rules.ts';
import { asSaid, wordsOf, type SaidIn } from './said-in.ts';
import { checkProvided } from './provided.ts';
import { baseCommit } from './target.ts';
import { HOUR_SECONDS, instant, missionState, namesFrom, type Acting, type MissionWorld } from './world.ts';

const ATTEMPTS_MAX = 3;

/** `saidIn`: what somebody asked for it in; left out where a job goes on by itself. */
export async function planMission(acting: Acting, setting: Setting, saidIn?: SaidIn): Promise<Verdict<MissionState>> {
  const state = await missionState(acting);
  const planned = await planFor(acting, state, setting);
  if (planned.is === 'refused') return planned;
  const written = await write(acting, state, { planned: planned.value, saidIn }, true);
  // Nobody has to agree to it, but another mission holds a path: it is queued when that one is over.
  return written.is === 'refused' && written.code === 'path_claimed'
    ? write(acting, state, { planned: planned.value, saidIn }, false)
    : written;
}

/** The plan that the latest proposal has now. */
export async function planFor(
  { world, ref }: Pick<Acting, 'world' | 'ref'>,
  state: MissionState,
  setting: Setting,
  attemptNo = nextAttemptNo(state),
): Promise<Verdict<Planned>> {
  const { course } = state;
  if (course === undefined) return refuse('nothing_proposed', { mission: state.ledger_id });
  const proposal = await proposalOf(world.bench, ref, course.proposal);
  return planOf(world, { mission: state.ledger_id, proposal, setting, attemptNo });
}

/** The plan that a proposal would have, on the base as it is now. */
export async function planOf(
  world: MissionWorld,
  wanted: Pick<PlanInput, 'mission' | 'proposal' | 'setting' | 'attemptNo'>,
): Promise<Verdict<Planned>> {
  const { bench } = world;
  const base = await baseCommit(bench, wanted.proposal.base);
  const rules = await rulesAt(world, base);
  const planned = computePlan(bench.parts.crypto, { ...wanted, base, rules });
  if (planned.is === 'refused')
    return planned.code === 'policy_refused' && (await rules.isOtherAtBase())
      ? refuse('policy_not_in_force', { base, in_force: rules.policy.version, ...planned.facts })
      : planned;
  const provided = await checkProvided(bench, base, planned.value.document);
  return provided.is === 'refused' ? provided : planned;
}

/** The attempt at hand, or the one that a new plan begins because that is over. */
export function nextAttemptNo(state: Pick<MissionState, 'course'>): number {
  const attempt = courseOf(state)?.attempt ?? null;
  if (attempt === null) return 1;
  return isOver(attempt.status) ? attempt.no + 1 : attempt.no;
}

export function planDocuments(planned: Planned): readonly [NewDocument, NewDocument] {
  return [
    { content: planDocumentBytes(planned.document), mediaType: 'application/json' },
    { content: packetBytes(planned), mediaType: 'application/json' },
  ];
}

/** `documents`: the plan and the packet, in this order, drawn. */
export function planningOf(
  world: MissionWorld,
  { terms, actions, votesExpireHours }: Planned,
  documents: readonly DrawnDocument[],
  mayGrant: boolean,
): Planning {
  return {
    terms: { ...terms, plan: documents[0]!.digest },
    actions,
    packet: documents[1]!.digest,
    now: instant(world),
    votesExpireAt: instant(world, votesExpireHours * HOUR_SECONDS),
    maxAttempts: ATTEMPTS_MAX,
    mayGrant,
  };
}

async function write(
  { world, desk }: Acting,
  state: MissionState,
  { planned, saidIn }: { readonly planned: Planned; readonly saidIn: SaidIn | undefined },
  mayGrant: boolean,
): Promise<Verdict<MissionState>> {
  const { bench, kit } = world;
  const words = saidIn === undefined ? [] : [wordsOf(saidIn)];
  const documents = await drawDocuments(bench, kit, [...planDocuments(planned), ...words]);
  const planning = planningOf(world, planned, documents, mayGrant);
  const names = namesFrom(bench.parts.ids);
  const revision = state.course?.revision ?? 0;
  const written = await desk.transact({
    documents,
    decide: (now) => {
      const course = now?.course;
      if (course?.revision !== revision) return refuse('revision_stale', { revision, expected: course?.revision ?? 0 });
      const { ledger_id: mission, roster } = now!;
      const unbegun = checkUnbegun(course, mission);
      if (unbegun.is === 'refused') return unbegun;
      const plan = () => accept(decidePlan(bench.parts.crypto, { mission, roster, course }, planning, names));
      return saidIn === undefined
        ? plan()
        : asSaid(now, { saidIn, words: documents[2]!, resolution: 'control' }, names, plan);
    },
    inProject: (project, after) => (mayGrant ? claimPaths : waitForPaths)(after)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}
