// The task state machine, to the letter of the specification: which state may follow which, and on which event.
import { enforced } from '../enforced.ts';
import type { EventOf } from '../event.ts';
import type { Lease } from '../course/course.ts';
import type { Role } from '../principal.ts';
import type { Member } from '../roster/roster.ts';
import { refuse, accept, type Verdict } from '../verdict.ts';
import { TASKS_PER_MISSION_MAX } from '../limits.ts';
import { overMission, type Rules } from '../rule.ts';
import { taskEvents } from './events.ts';
import type { MissionState } from '../state.ts';

export type TaskStatus =
  | 'created'
  | 'ready'
  | 'running'
  | 'blocked'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'rolled_back';

type Move = { readonly from: readonly TaskStatus[]; readonly to: TaskStatus };

const TASK_MOVES = {
  'task.readied': { from: ['created'], to: 'ready' },
  'task.started': { from: ['ready'], to: 'running' },
  'task.blocked': { from: ['running'], to: 'blocked' },
  'task.unblocked': { from: ['blocked'], to: 'running' },
  'task.paused': { from: ['running'], to: 'paused' },
  'task.resumed': { from: ['paused'], to: 'ready' },
  'task.completed': { from: ['running'], to: 'completed' },
  'task.failed': { from: ['running'], to: 'failed' },
  'task.cancelled': { from: ['ready', 'running', 'blocked', 'paused'], to: 'cancelled' },
  'task.rolled_back': { from: ['completed', 'failed'], to: 'rolled_back' },
} as const satisfies Record<string, Move>;

export type TaskMove = keyof typeof TASK_MOVES;

function moveTask(status: TaskStatus, event: TaskMove): Verdict<TaskStatus> {
  const move: Move = TASK_MOVES[event];
  if (!move.from.includes(status)) return refuse('task_transition_illegal', { event, status, allowed_from: move.from });
  return accept(move.to);
}

function createTask(state: MissionState, event: EventOf<'task.created'>): Verdict<MissionState> {
  if (event.entity_id !== event.task_id)
    return refuse('event_malformed', { event_type: event.event_type, at: 'entity_id' });
  if (state.tasks[event.task_id] !== undefined || event.task_id === state.ledger_id)
    return refuse('task_exists', { task: event.task_id });
  if (Object.keys(state.tasks).length >= TASKS_PER_MISSION_MAX)
    return refuse('limit_reached', { tasks_max: TASKS_PER_MISSION_MAX });
  return accept({ ...state, tasks: { ...state.tasks, [event.task_id]: 'created' } });
}

function moveOneTask(state: MissionState, event: EventOf<TaskMove>, signer: Member): Verdict<MissionState> {
  const status = state.tasks[event.task_id];
  if (status === undefined || event.entity_id !== event.task_id) return refuse('task_unknown', { task: event.task_id });
  const step = Object.values(state.course?.steps ?? {}).find(({ task }) => task === event.task_id);
  const mover = checkMover(event, signer, step?.lease ?? null);
  if (mover.is === 'refused') return mover;
  if (step !== undefined && event.event_type === 'task.completed' && step.attempt?.status !== 'succeeded')
    return refuse('receipt_missing', { task: event.task_id, attempt: step.attempt?.status ?? 'none' });
  const moved = moveTask(status, event.event_type);
  return moved.is === 'refused' ? moved : accept({ ...state, tasks: { ...state.tasks, [event.task_id]: moved.value } });
}

/** Who may sign each, as its event type says. */
const BY = new Map<string, readonly Role[]>(taskEvents.map(({ type, place }) => [type, place.by]));

/** A move that the signer may make only as a runner is its own only while it holds the lease. */
function checkMover(event: EventOf<TaskMove>, signer: Member, lease: Lease | null): Verdict<undefined> {
  const isOtherwise = (BY.get(event.event_type) ?? []).some((role) => role !== 'runner' && signer.roles.includes(role));
  if (isOtherwise || !enforced('task_moves_under_lease')) return accept(undefined);
  if (lease === null) return refuse('lease_lost', { holder: 'none', signer: signer.principal_id });
  if (lease.holder !== signer.principal_id) return refuse('lease_held', { holder: lease.holder, fence: lease.fence });
  return event.occurred_at > lease.expires_at
    ? refuse('lease_lost', { fence: lease.fence, expired_at: lease.expires_at })
    : accept(undefined);
}

const moved = overMission<EventOf<TaskMove>>((state, event, at) => moveOneTask(state, event, at.signer!));

export const taskRules = {
  'task.created': overMission(createTask),
  'task.readied': moved,
  'task.started': moved,
  'task.blocked': moved,
  'task.unblocked': moved,
  'task.paused': moved,
  'task.resumed': moved,
  'task.completed': moved,
  'task.failed': moved,
  'task.cancelled': moved,
  'task.rolled_back': moved,
} satisfies Rules<'task.created' | TaskMove>;
