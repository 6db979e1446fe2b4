// A cell's life as the ledger tells it: lease and birth before anything runs, hand-over or failure after.
import { CANCELLED, isVerdict } from '../attempt/blame.ts';
import { agentCellOf } from '../course/course.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { EventOf } from '../event.ts';
import { inAttempt, underWay, within, type Drafts, type Names, type UnderWay } from './about.ts';
import { runReceipt } from './receipts.ts';

/** What a cell turned out to be on this machine, before it is born. */
export type Probed = Pick<EventOf<'cell.spawned'>['payload'], 'backend' | 'level' | 'limits' | 'uid'>;

/** A cell that prepares one environment: its entry's key, and what it reaches for that. */
export type Preparing = Probed & { readonly cell: string; readonly key: string; readonly reach: readonly string[] };

export type Birth = Omit<EventOf<'cell.spawned'>['payload'], 'check' | 'fence' | 'grant_id' | 'purpose'> & {
  readonly cell: string;
  readonly holder: string;
  readonly leaseUntil: string;
  readonly workspace: string;
  /** The brief and what goes with it, an artifact. */
  readonly context: string;
  /** Born before the agent, in the same decision: whatever is prepared is prepared for it. */
  readonly prepares: readonly Preparing[];
};

/** `birth` is asked with the fence and the grant, for both stand in the manifest that it names. */
export function decideSpawn(state: MissionState | undefined, birth: Birth, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, task } = at.value;
  const ready = readyToRun(course);
  if (ready.is === 'refused') return ready;
  const fence = course.fence + 1;
  const { cell, holder, leaseUntil, workspace, context, prepares, ...payload } = birth;
  const started: Drafts = state!.tasks[task] === 'ready' ? [within('task.started', task, task, {})] : [];
  return accept([
    inAttempt('lease.acquired', names('lease'), at.value, {
      expires_at: leaseUntil,
      fence,
      holder_principal_id: holder,
      mode: 'isolated',
      workspace_id: workspace,
    }),
    // By whoever holds the lease, and nobody before.
    ...started,
    ...prepares.map((one) => preparing(at.value, one, fence)),
    inAttempt('context.compiled', at.value.attempt, at.value, { context_pack_ref: context }),
    inAttempt('cell.spawned', cell, at.value, {
      ...payload,
      check: null,
      fence,
      grant_id: ready.value,
      purpose: 'agent',
    }),
  ]);
}

function preparing(at: UnderWay, { cell, key, reach, ...probed }: Preparing, fence: number): Drafts[number] {
  return inAttempt('cell.spawned', cell, at, {
    ...NOBODY,
    ...probed,
    check: null,
    environment: [key],
    fence,
    purpose: 'prepare',
    reach: [...reach],
  });
}

/** The grant to run, or why there is none yet. */
export function readyToRun(course: UnderWay['course']): Verdict<string> {
  if (course.cancelled !== null) return refuse('mission_cancelled', { by: course.cancelled.by });
  if (course.held !== null) return refuse('mission_held', { by: course.held.by });
  if (course.lease !== null) return refuse('lease_held', { holder: course.lease.holder, fence: course.lease.fence });
  const { attempt } = course;
  if (attempt === null || attempt.work !== null) return refuse('work_exists', { attempt: attempt?.id ?? '' });
  const grant = Object.entries(course.grants).find(([, one]) => one.action_class === 'execute_command');
  if (grant !== undefined) return accept(grant[0]);
  const approval = Object.values(course.approvals).find((one) => one.type === 'plan');
  if (approval?.granted === true) return refuse('grant_missing', { because: 'path_claimed' });
  return refuse('quorum_missing', { digest: approval?.digest ?? '' });
}

/** The cell it came out of, and the fence it was born under. */
export type BornUnder = { readonly cell: string; readonly fence: number };

type Failing = {
  readonly because: string;
  readonly audit: string | null;
  /** The machine’s fault, before there was anything to judge: another attempt may do better. */
  readonly isOfRunner: boolean;
};

type Closed = Omit<EventOf<'cell.closed'>['payload'], 'fence'>;
/** How a cell that prepared something ended. */
export type Ended = { readonly cell: string; readonly closed: Closed };

export type HandOver = {
  /** The cells that were to prepare for the agent, in their order. */
  readonly prepared: readonly Ended[];
  readonly claim: Omit<EventOf<'done.claimed'>['payload'], 'fence'> | undefined;
  readonly blocked: readonly string[];
  readonly closed: Closed;
} & (
  | { readonly failure: Failing }
  /** The work, and the cells that the plan's checks are going to run in, in their order. */
  | {
      readonly failure: undefined;
      readonly work: Omit<EventOf<'work.proposed'>['payload'], 'fence'>;
      readonly checks: readonly (Probed & { readonly cell: string; readonly environment: readonly string[] })[];
      /** What has to be prepared anew for them. */
      readonly prepares: readonly Preparing[];
    }
);

/**
 * What came out of the agent's cell. With work the checks are born in the same decision, and the lease goes on; without,
 * the attempt is over. A supervisor that slept while somebody took over must not hand its work over as that of the cell
 * that runs now.
 */
export function decideHandOver(
  state: MissionState | undefined,
  born: BornUnder,
  out: HandOver,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  if (agentCellOf(course) !== born.cell || course.fence !== born.fence)
    return refuse('lease_lost', { fence: born.fence, current: course.fence });
  const { fence } = course;
  const said: Drafts = [
    ...out.prepared.map(({ cell, closed }) => inAttempt('cell.closed', cell, at.value, { ...closed, fence })),
    ...out.blocked.map((document, n) =>
      inAttempt('blocked.raised', names(`blocked ${n}`), at.value, { document, fence }),
    ),
    ...(out.claim === undefined ? [] : [inAttempt('done.claimed', names('claim'), at.value, { ...out.claim, fence })]),
  ];
  const closed = inAttempt('cell.closed', born.cell, at.value, { ...out.closed, fence });
  const { failure } = out;
  if (course.cancelled !== null) return accept([...said, closed, ...givenUp(at.value, out.closed, names)]);
  if (failure === undefined)
    return accept([
      ...said,
      inAttempt('work.proposed', names('work'), at.value, { ...out.work, fence }),
      closed,
      ...out.prepares.map((one) => preparing(at.value, one, fence)),
      ...out.checks.map(({ cell, environment, ...probed }, check) =>
        inAttempt('cell.spawned', cell, at.value, {
          ...NOBODY,
          ...probed,
          check,
          environment: [...environment],
          fence,
          purpose: 'check',
          reach: [],
        }),
      ),
    ]);
  const { because, audit } = failure;
  return accept([
    ...said,
    closed,
    inAttempt('work.refused', names('refusal'), at.value, { because, fence, scope_audit: audit }),
    ...failing(at.value, failure, out.closed, names),
    released(at.value, because, fence, names),
  ]);
}

/** No seed lives in a cell that checks or prepares, and nobody's grant is used for it. */
const NOBODY = {
  epoch: 0,
  grant_id: null,
  manifest: null,
  manifest_hash: null,
  role: 'executor',
  seed_id: null,
} as const;

/** How each cell ended, those that prepared for the checks and theirs, and what that comes to. */
export type Results = {
  readonly ended: readonly Ended[];
  /** Undefined where not all of them could be run. */
  readonly verification: Omit<EventOf<'verification.recorded'>['payload'], 'fence'> | undefined;
  readonly failure: Failing | undefined;
};

export function decideResults(
  state: MissionState | undefined,
  { fence }: Pick<BornUnder, 'fence'>,
  { ended, verification, failure }: Results,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  if (
    course.fence !== fence ||
    course.lease?.fence !== fence ||
    ended.some(({ cell }) => course.cells[cell] === undefined)
  )
    return refuse('lease_lost', { fence, current: course.fence });
  const closed = ended.map(({ cell, closed }) => inAttempt('cell.closed', cell, at.value, { ...closed, fence }));
  if (course.cancelled !== null) return accept([...closed, ...givenUp(at.value, undefined, names)]);
  return accept([
    ...closed,
    ...(verification === undefined
      ? []
      : [inAttempt('verification.recorded', names('verification'), at.value, { ...verification, fence })]),
    ...(failure === undefined ? [] : failing(at.value, failure, undefined, names)),
    released(at.value, failure?.because ?? 'handed_over', fence, names),
  ]);
}

/** Called off meanwhile: whatever came of it goes nowhere, and whoever may end the mission does. */
function givenUp(at: UnderWay, closed: HandOver['closed'] | undefined, names: Names): Drafts {
  return [
    ...runReceipt(at, names('receipt run'), { result_code: 'failed', result_summary: CANCELLED }, closed),
    released(at, CANCELLED, at.course.fence, names),
  ];
}

/**
 * An agent that makes it look like the runner's fault gets no other try for it. `closed`: how the agent's cell is closed, in
 * the same transaction; left out, it was closed before.
 */
function failing(
  at: UnderWay,
  { because, isOfRunner }: Failing,
  closed: HandOver['closed'] | undefined,
  names: Names,
): Drafts {
  return [
    ...runReceipt(at, names('receipt run'), { result_code: 'failed', result_summary: because }, closed),
    inAttempt('attempt.failed', at.attempt, at, {
      because: isOfRunner || isVerdict(because) ? because : 'cell_failed',
    }),
  ];
}

function released(at: UnderWay, because: string, fence: number, names: Names): Drafts[number] {
  return inAttempt('lease.released', at.course.lease?.id ?? names('lease'), at, { because, fence });
}
