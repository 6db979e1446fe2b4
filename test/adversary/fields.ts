// The places of an event, or of a state, where a value stands, and what a liar would rather have there: what else the history
// holds under that name, a word that means more, something near.
import type { Draw } from './draw.ts';
import type { World } from './world.ts';

export type Path = readonly (string | number)[];

/** Paths to every value, and to every list. */
export function leavesOf(value: unknown, path: Path = [], found: Path[] = []): Path[] {
  if (typeof value !== 'object' || value === null) {
    if (path.length > 0) found.push(path);
    return found;
  }
  const isList = Array.isArray(value);
  for (const [key, one] of Object.entries(value)) leavesOf(one, [...path, isList ? Number(key) : key], found);
  if (isList && path.length > 0) found.push(path);
  return found;
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, step) => (inside as Record<string | number, unknown> | null)?.[step], value);
}

export function replaced<T>(value: T, path: Path, change: (value: unknown) => unknown): T {
  const [step, ...rest] = path;
  if (step === undefined) return change(value) as T;
  // What stood there is gone already.
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one, n) => (n === step ? replaced(one, rest, change) : one)) as T;
  const record = value as Record<string | number, unknown>;
  if (!(step in record)) return value;
  return { ...record, [step]: replaced(record[step], rest, change) } as T;
}

/** Every value changed by the name of its field; what stands in a list has the list's. */
export function mapped<T>(value: T, change: (value: unknown, field: string, n: number) => unknown): T {
  const inside = (one: unknown, field: string, n: number): unknown => {
    if (Array.isArray(one)) return one.map((each, at) => inside(each, field, at));
    if (typeof one !== 'object' || one === null) return change(one, field, n);
    return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, inside(each, key, n)]));
  };
  return inside(value, '', 0) as T;
}

function valuesOf(value: unknown, field: string): unknown[] {
  return leavesOf(value)
    .filter((path) => fieldOf(path) === field)
    .map((path) => valueAt(value, path));
}

/** The name of the field that a path leads to. */
export function fieldOf(path: Path): string {
  return String(path.findLast((step) => typeof step === 'string'));
}

/** `beside`: what else is said with it. */
export function otherValue(
  world: World,
  path: Path,
  value: unknown,
  draw: Draw,
  beside: readonly { readonly payload: unknown }[] = [],
): unknown {
  const field = fieldOf(path);
  if (Array.isArray(value) && draw.percent(70)) return otherList(value, draw);
  const history = historyOf(world);
  const pools = [
    history.byField.get(field)?.filter((one) => Array.isArray(one) === Array.isArray(value)) ?? [],
    WORDS[field] ?? [],
    beside.flatMap(({ payload }) => valuesOf(payload, field)).filter((one) => one !== value && !Array.isArray(one)),
    thingsNamedBy(world, field),
    NAMES_A_THING.test(field) ? history.things : [],
    nearby(value),
    PEOPLE.test(field) ? world.roster.members.map((one) => one.principal_id) : [],
  ].filter((pool) => pool.length > 0);
  return pools.length === 0 ? value : draw.of(draw.of(pools));
}

/** Which kind of thing a field names, so that what is said elsewhere points at something here. */
const NAMED_BY: Readonly<Record<string, string>> = {
  approval_id: 'approval',
  approval_ref: 'approval',
  carries: 'approval',
  action_request_ref: 'action_request',
  requested_action_ref: 'action_request',
  capability_grant_ref: 'grant',
  grant_id: 'grant',
  policy_result_ref: 'policy_result',
  ingress_id: 'ingress',
};

/** The latest one last. */
export function thingsNamedBy({ log }: World, field: string): readonly string[] {
  const kind = NAMED_BY[field];
  if (kind === undefined) return [];
  return log.filter(({ event }) => event.entity_type === kind).map(({ event }) => event.entity_id);
}

function otherList(list: readonly unknown[], draw: Draw): unknown[] {
  const at = draw.below(Math.max(1, list.length));
  if (draw.percent(50)) return list.filter((_, n) => n !== at);
  return draw.of([[], [...list, ...list.slice(at, at + 1)], list.toReversed()]);
}

function nearby(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, Math.max(0, value - 1), 0, 2, 3, 16];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string' && HASH.test(value)) return ['0f'.repeat(value.length / 2)];
  if (typeof value === 'string' && value.startsWith('sha256:')) return [`sha256:${'0f'.repeat(32)}`];
  return [];
}

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const NAMES_A_THING = /(_id|_ref|^carries|^cell|^subject|^request|^grant|^approval|^intent)$/;
const PEOPLE = /principal(_id)?$|^holder$|^to$/;

/** What has been said here, gathered as the log grows. */
type History = { read: number; readonly things: string[]; readonly byField: Map<string, unknown[]> };
const histories = new WeakMap<World, History>();

function historyOf(world: World): History {
  const history = histories.get(world) ?? { read: 0, things: [], byField: new Map<string, unknown[]>() };
  histories.set(world, history);
  for (; history.read < world.log.length; history.read++) {
    const { event } = world.log[history.read]!;
    if (!history.things.includes(event.entity_id)) history.things.push(event.entity_id);
    for (const path of leavesOf(event.payload)) {
      const field = fieldOf(path);
      const known = history.byField.get(field) ?? [];
      const value = valueAt(event.payload, path);
      if (!known.includes(value)) known.push(value);
      history.byField.set(field, known);
    }
  }
  return history;
}

/** Words that a liar would like to say, by field: of events, and of the state that others decide by. */
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  tier: [0, 1, 2, 3],
  quorum: [0, 1, 2, 3, 16],
  max_uses: [2],
  result: ['allow', 'require_approval', 'deny'],
  result_code: ['succeeded', 'failed', 'refused', 'denied', 'unknown_outcome'],
  receipt_class: ['publish', 'command_execution', 'approval_resolution', 'observation_resolution'],
  outcome: ['applied', 'not_applied', 'refused', 'failed', 'unknown_outcome', 'done', 'cancelled', 'completed', 'lost'],
  because: [
    'verify_failed',
    'runner_lost',
    'sandbox_missing',
    'environment_failed',
    'verified',
    'cell_failed',
    'ref_moved',
    'grant_expired',
  ],
  kind: ['push_branch', 'open_pull_request', 'post_comment', 'write_local_branch', null],
  action_class: ['vcs_mutation', 'publication', 'execute_command', 'read_local'],
  approval_type: ['plan', 'effects'],
  type: ['plan', 'effects'],
  choice: ['approve', 'reject'],
  verdict: ['satisfied', 'unsatisfied', null],
  status: [
    'created',
    'awaiting_approval',
    'authorized',
    'executing',
    'observing',
    'receipt_pending',
    'succeeded',
    'failed',
  ],
  granted: [true, false],
  exit_code: [0, 1, null],
  backend: ['process', 'docker'],
  target_resources: ['cells/docker', 'cells/process', 'main', 'hosts/evil.example.org:443', 'routes/other'],
  resource_scope: ['cells/docker', 'cells/process', 'main', 'hosts/evil.example.org:443', 'routes/other'],
  reach: ['hosts/evil.example.org:443', 'routes/other', 'routes/model', 'prepare/registry.example.org:443'],
  route: ['other', 'model'],
  mode: ['isolated', 'mutable', 'readonly'],
  purpose: ['agent', 'check', 'prepare'],
  user_id: [11, 12, 13, 14, 99],
  forge_user_id: [11, 12, 13, 14, 99, null],
  approval_ref: [null],
  approval: [null],
  target: ['main', 'lazarus-work/m/1'],
  forge: [null],
  closed: [null],
  receipt: [null, 'succeeded', 'failed'],
  intent: [null],
};
