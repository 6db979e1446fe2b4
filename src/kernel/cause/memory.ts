// What a ledger remembers so that causes can be checked: of everything that is still open, the event that opened or last
// moved it. What is over is forgotten, so that this never grows with the history.
import type { MissionCourse, Step } from '../course/course.ts';
import { typesThat, type Event } from '../event.ts';
import type { MissionState, ProjectState, State } from '../state.ts';

/** The state with an event remembered that it has just accepted. */
export function remember<S extends State>(state: S, event: Event): S {
  if (LAID_BESIDE.has(event.event_type)) return state;
  const open = state.kind === 'project' ? openInProject(state) : openInMission(state);
  const moved: Record<string, string> = {};
  for (const [thing, mover] of Object.entries(state.causes.moved)) if (open.has(thing)) moved[thing] = mover;
  for (const thing of [event.entity_id, event.event_type]) if (open.has(thing)) moved[thing] = event.event_id;
  const asked = event.event_type === 'mission.proposed' ? { correlation_id: event.correlation_id } : {};
  return { ...state, causes: { ...state.causes, ...asked, moved } };
}

/** What changes nothing that is open. */
export const LAID_BESIDE = typesThat('beside');

function openInProject({ ledger_id, missions, halt }: ProjectState): ReadonlySet<string> {
  const open = new Set([ledger_id, 'roster.updated', 'key.cut_off', 'policy.revised', ...Object.keys(missions)]);
  return halt === null ? open : open.add('halt.declared');
}

function openInMission({ ledger_id, project_id, course }: MissionState): ReadonlySet<string> {
  const open = new Set([ledger_id, project_id, 'ingress.recorded']);
  if (course !== undefined && course.end === null) for (const thing of openInCourse(course)) open.add(thing);
  return open;
}

function openInCourse({ steps, approvals, cancelled }: MissionCourse): readonly string[] {
  return [
    'mission.proposed',
    'plan.computed',
    'receipt.issued',
    ...(cancelled === null ? [] : ['mission.cancelled']),
    ...Object.entries(approvals).flatMap(([id, { votes }]) => [id, ...votes.map((vote) => vote.id)]),
    ...Object.values(steps).flatMap(openInStep),
  ];
}

function openInStep({ id, task, attempt, lease, cells, requests, grants, effects }: Step): readonly string[] {
  return [
    ...(attempt === null || attempt.work === null ? [] : ['work.proposed']),
    ...(attempt === null || attempt.verdict === null ? [] : ['verification.recorded']),
    ...[id, task, attempt?.id, lease?.id].filter((one) => one !== undefined),
    ...Object.keys(cells),
    ...Object.entries(requests).flatMap(([request, { policy }]) =>
      policy === null ? [request] : [request, policy.ref],
    ),
    ...Object.keys(grants),
    ...Object.entries(effects).flatMap(([effect, { settled_by }]) =>
      settled_by === undefined ? [effect] : [effect, settled_by],
    ),
  ];
}
