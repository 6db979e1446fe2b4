// How far a job of a forge takes one mission: what its role may do, which job comes next, and who else is to be woken. What
// a turn is about is for others to say.
import { Failure } from '../../failure.ts';
import type { Outcome } from '../../forge-text/outcome.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import type { Silent } from '../../kernel/decide/recover.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import type { ReasonCode } from '../../reasons.ts';
import { advance, type DueKind } from '../mission/advance.ts';
import { planDocumentOf } from '../mission/documents.ts';
import { freedFor } from '../mission/waiting.ts';
import { dueNow, missionState, projectState, type Acting } from '../mission/world.ts';
import { settingOf, type GateDesk } from './desk.ts';
import type { Site } from './site.ts';

export type Turn = {
  readonly outcome: Outcome;
  readonly view: StatusView | null;
  /** Why the attempt came to nothing in this turn. Nothing follows from it: whoever looks at jobs sees it. */
  readonly failed?: ReasonCode | undefined;
};

const STEPS: Readonly<Record<'gate' | 'cell' | 'writer', ReadonlySet<DueKind>>> = {
  gate: new Set<DueKind>(['plan', 'grant', 'ask', 'recover', 'end', 'expire', 'over']),
  cell: new Set<DueKind>(['cell']),
  writer: new Set<DueKind>(['deliver', 'observe', 'end', 'over']),
};

/** Whoever lets go of paths names who waited for them: they are not to wait for a schedule as well. */
export async function wakingOthers(site: Site, take: (desk: GateDesk) => Promise<Turn>): Promise<Turn> {
  const desk = await site.desk();
  const before = projectState(desk.world).missions;
  const turn = await take(desk);
  return { ...turn, outcome: { ...turn.outcome, wake: [...turn.outcome.wake, ...(await freed(site, desk, before))] } };
}

export function freed(
  site: Site,
  { world }: GateDesk,
  before: Parameters<typeof freedFor>[1],
): Promise<readonly string[]> {
  return freedFor(world, before, (mission) => site.actOn(mission));
}

/** Whatever keeps it from going on: people see how far it came. */
export async function asFarAsItGoes(
  site: Site,
  acting: Acting,
  role: 'gate' | 'writer',
  silent?: Silent,
): Promise<{ readonly state: MissionState; readonly stuck: Failure | undefined }> {
  try {
    return { state: await goOn(site, acting, role, silent), stuck: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { state: await missionState(acting), stuck: error };
  }
}

export async function goOn(
  site: Site,
  acting: Acting,
  role: keyof typeof STEPS,
  silent?: Silent,
): Promise<MissionState> {
  const may = STEPS[role];
  const issue = await issueOf(acting, await missionState(acting));
  const advanced = await advance(acting, {
    may,
    setting: settingOf(issue ?? 0),
    executors: await site.executors(),
    isAlone: false,
    ...(silent === undefined ? {} : { silent }),
    ...(may.has('cell') ? { running: await site.running() } : {}),
  });
  if (advanced.is === 'refused') throw new Failure(advanced.code, advanced.facts);
  return advanced.value.state;
}

/** The plan says which one it is about; before the first command nothing else does. */
export async function issueOf(acting: Acting, { course }: MissionState): Promise<number | null> {
  if (course === undefined || course.anchor !== null || course.plan === null) return course?.anchor?.issue ?? null;
  return (await planDocumentOf(acting, { course })).issue;
}

export type Said = Pick<Outcome, 'decision' | 'reasonCode'>;

export function outcomeOf(said: Said, acting: Acting, state: MissionState, view: StatusView | null): Outcome {
  const next = view?.state === 'blocked' ? 'none' : nextOf(acting, state);
  return {
    decision: next === 'none' ? said.decision : 'continue',
    reasonCode: said.reasonCode,
    next,
    mission: missionName(state.ledger_id),
    digest: state.course?.plan?.plan_digest ?? null,
    seq: view?.seq ?? null,
    receipts: view?.receipts.map(({ id }) => id) ?? [],
    wake: [],
  };
}

function nextOf({ world }: Acting, state: MissionState): Outcome['next'] {
  switch (dueNow(world, state).is) {
    case 'cell':
      return 'cell';
    case 'deliver':
    case 'observe':
    case 'end':
      return 'writer';
    default:
      return 'none';
  }
}
