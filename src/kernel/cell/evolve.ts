// A cell in the course of a mission: born under a lease and a grant, closed by its supervisor or found dead.
import { useGrant } from '../grant/evolve.ts';
import type { EventOf, EventType } from '../event.ts';
import { enforced } from '../enforced.ts';
import { attemptOf, onAttempt, underLease, type InCourse } from '../course/in-course.ts';
import { runRequest, without, type Course } from '../course/course.ts';
import { PREPARES_PER_ATTEMPT_MAX } from '../limits.ts';
import { isForPreparing, routeWord } from '../network/hosts.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { overCourse, type Rules } from '../rule.ts';

function spawnCell(at: InCourse, event: EventOf<'cell.spawned'>): Verdict<Course> {
  const { course } = at;
  const { fence, level, backend, purpose } = event.payload;
  const lease = underLease(at, event, fence);
  if (lease.is === 'refused') return lease;
  if (lease.value.mode !== 'isolated') return refuse('lease_lost', { fence, mode: lease.value.mode });
  const plan = course.plan!;
  if (backend !== plan.backend || level < plan.level)
    return refuse('level_unmet', { level, asked: plan.level, backend });
  if (purpose === 'agent') return spawnAgent(at, event);
  return purpose === 'check' ? spawnCheck(at, event) : spawnPrepare(at, event);
}

function spawnAgent(at: InCourse, event: EventOf<'cell.spawned'>): Verdict<Course> {
  const { course } = at;
  const { backend, check, epoch, grant_id, level, manifest, manifest_hash, reach, role, seed_id } = event.payload;
  const open = Object.entries(course.cells).find(([, one]) => one.purpose !== 'prepare');
  if (open !== undefined) return refuse('cell_open', { cell: open[0] });
  if (check !== null || manifest === null || manifest_hash === null || seed_id === null)
    return refuse('event_malformed', { event_type: event.event_type, at: 'payload.purpose' });
  const planned = course.plan!.steps[course.step!.place]!.role;
  if (role !== planned) return refuse('role_unplanned', { role, planned });
  const grant = grant_id === null ? undefined : course.grants[grant_id];
  if (grant_id === null || grant?.action_class !== 'execute_command')
    return refuse('grant_missing', { grant: grant_id ?? 'none' });
  // Agreed to for one kind of cell, it is not agreed to for another.
  if (enforced('birth_as_probed') && !grant.scope.includes(cellsOf(backend)))
    return refuse('grant_mismatch', { grant: grant_id, scope: grant.scope, backend });
  const beyond = reach.find((one) => isForPreparing(one) || !grant.scope.includes(one));
  if (enforced('reach_as_granted') && beyond !== undefined)
    return refuse('grant_mismatch', { grant: grant_id, scope: grant.scope, reach: beyond });
  const used = useGrant(at, grant_id, event.occurred_at);
  if (used.is === 'refused') return used;
  const cell = { purpose: 'agent' as const, seed: seed_id, epoch, level, manifest_hash, reach };
  const run = { request: grant.request, grant: grant_id, approval: grant.approval, closed: null, receipt: null };
  const births = (course.attempt?.births ?? 0) + 1;
  const runs = { ...course.runs, [event.entity_id]: run };
  const cells = { ...course.cells, [event.entity_id]: cell };
  return onAttempt(event, { ...used.value, cells, runs }, 'executing', { births });
}

/** All before the first of them ends: a runner that knows one result must not decide what else is run. */
function spawnCheck(at: InCourse, event: EventOf<'cell.spawned'>): Verdict<Course> {
  const { course } = at;
  const { check, epoch, grant_id, level, limits, manifest, manifest_hash, reach, seed_id } = event.payload;
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  const { work, verdict, checks, id } = attempt.value;
  if (check === null || [grant_id, manifest, manifest_hash, seed_id].some((one) => one !== null))
    return refuse('event_malformed', { event_type: event.event_type, at: 'payload.purpose' });
  if (reach.length > 0) return refuse('event_malformed', { event_type: event.event_type, at: 'payload.reach' });
  if (work === null) return refuse('nothing_done', { attempt: id });
  if (verdict !== null) return refuse('verdict_exists', { attempt: id });
  const agent = Object.entries(course.cells).find(([, one]) => one.purpose === 'agent');
  if (agent !== undefined) return refuse('cell_open', { cell: agent[0] });
  const planned = course.plan!.checks;
  if (course.cells[event.entity_id] !== undefined) return refuse('cell_open', { cell: event.entity_id });
  if (
    enforced('checks_as_planned') &&
    (check !== checks.length || check >= planned.length || checks.some(({ ended }) => ended))
  )
    return refuse('checks_not_planned', { check, expected: checks.length, planned: planned.length });
  const cells = { ...course.cells, [event.entity_id]: { purpose: 'check' as const, epoch, level } };
  const born = { cell: event.entity_id, level, limits, exit_code: null, ended: false };
  return onAttempt(event, { ...course, cells }, 'observing', { checks: [...checks, born] });
}

/**
 * What prepares dependencies: for the agent before it is born, under the grant that it is going to use, or for the checks of
 * work that brought another lock file along. It opens what was asked for preparing, and nothing that is the agent's.
 */
function spawnPrepare(at: InCourse, event: EventOf<'cell.spawned'>): Verdict<Course> {
  const { course } = at;
  const { check, environment, epoch, grant_id, level, manifest, manifest_hash, reach, seed_id } = event.payload;
  const attempt = attemptOf(course, event);
  if (attempt.is === 'refused') return attempt;
  const { work, verdict, checks, id, prepares, status } = attempt.value;
  if ([check, grant_id, manifest, manifest_hash, seed_id].some((one) => one !== null) || environment.length !== 1)
    return refuse('event_malformed', { event_type: event.event_type, at: 'payload.purpose' });
  const agent = Object.entries(course.cells).find(([, one]) => one.purpose === 'agent');
  if (agent !== undefined) return refuse('cell_open', { cell: agent[0] });
  if (course.cells[event.entity_id] !== undefined) return refuse('cell_open', { cell: event.entity_id });
  if (verdict !== null || checks.some(({ ended }) => ended)) return refuse('verdict_exists', { attempt: id });
  const grants = Object.values(course.grants).filter(({ action_class }) => action_class === 'execute_command');
  // Behind the run there is work, or nothing to prepare for.
  if (work === null && grants.length === 0) return refuse('grant_missing', { attempt: id });
  const scope = work === null ? grants.flatMap((grant) => grant.scope) : (runRequest(course)?.[1].targets ?? []);
  const beyond = reach.find((one) => !isForPreparing(one) || !scope.includes(one));
  if (enforced('reach_as_granted') && beyond !== undefined) return refuse('grant_mismatch', { scope, reach: beyond });
  if (prepares >= PREPARES_PER_ATTEMPT_MAX)
    return refuse('limit_reached', { prepares_per_attempt_max: PREPARES_PER_ATTEMPT_MAX });
  const cells = { ...course.cells, [event.entity_id]: { purpose: 'prepare' as const, epoch, level } };
  return onAttempt(event, { ...course, cells }, status, { prepares: prepares + 1 });
}

function closeCell({ course, signer }: InCourse, event: EventOf<'cell.closed'>): Verdict<Course> {
  const { entity_id: id } = event;
  if (course.cells[id] === undefined) return refuse('cell_unknown', { cell: id });
  // While a lease lasts its holder closes, be it late; afterwards whoever finds what a dead one left open.
  const { fence, exit_code, outcome, facts, output, spent } = event.payload;
  const { lease, attempt } = course;
  if (lease !== null && lease.fence !== fence) return refuse('fence_stale', { fence, expected: lease.fence });
  if (lease !== null && lease.holder !== signer.principal_id) return refuse('lease_held', { holder: lease.holder });
  const checks = attempt?.checks.map((one) => (one.cell === id ? { ...one, exit_code, ended: true } : one));
  const cell = course.cells[id];
  const open = cell.purpose === 'agent' ? cell.reach : [];
  const unopened = spent.find(({ route }, n) => !open.includes(routeWord(route)) || isAgain(spent, n));
  if (unopened !== undefined) return refuse('route_not_open', { cell: id, route: unopened.route });
  const beyond = spent.find(({ calls, guessed }) => guessed > calls);
  if (beyond !== undefined)
    return refuse('guessed_beyond_calls', { route: beyond.route, guessed: beyond.guessed, calls: beyond.calls });
  const run = course.runs[id];
  const closed = { outcome, facts, output };
  return accept({
    ...course,
    cells: without(course.cells, id),
    runs: run === undefined ? course.runs : { ...course.runs, [id]: { ...run, closed } },
    attempt: attempt === null ? null : { ...attempt, checks: checks ?? [] },
  });
}

/** A second line for one route would be counted twice by whoever adds them up. */
function isAgain(spent: readonly { readonly route: string }[], n: number): boolean {
  return spent.findIndex(({ route }) => route === spent[n]!.route) < n;
}

/** What a grant to run in cells of this kind has in its scope. */
export function cellsOf(backend: string): string {
  return `cells/${backend}`;
}

export const cellRules = {
  'cell.spawned': overCourse(spawnCell),
  'cell.closed': overCourse(closeCell),
} satisfies Partial<Rules<EventType>>;
