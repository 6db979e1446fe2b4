// What runners write in the course of a mission: the lease, the cell, what came out of it and what a fresh cell made of it.
import type { EventOf, EventType } from '../../../src/kernel/event.ts';
import { uuid } from '../events.ts';
import { CAST, DIGEST, fact, TASK } from '../given.ts';
import type { TestKey } from '../people.ts';
import { BASE, ID, onAttempt, SOON, WORK } from './asked.ts';

type Payload<Type extends EventType> = EventOf<Type>['payload'];

export function leased(
  fence: number,
  holder: TestKey,
  mode: EventOf<'lease.acquired'>['payload']['mode'],
): EventOf<'lease.acquired'> {
  const payload: Payload<'lease.acquired'> = {
    expires_at: SOON,
    fence,
    holder_principal_id: holder.principalId,
    mode,
    workspace_id: uuid('workspace'),
  };
  return onAttempt('lease.acquired', payload, holder, { entity: mode === 'isolated' ? ID.cellLease : ID.effectLease });
}

export function leaseReleased(fence: number, holder: TestKey, entity: string): EventOf<'lease.released'> {
  return onAttempt('lease.released', { because: 'done', fence }, holder, { entity });
}

export function started(): EventOf<'task.started'> {
  return fact('task.started', {}, CAST.runner, { task: TASK });
}

export function spawned(changes: Partial<EventOf<'cell.spawned'>['payload']> = {}): EventOf<'cell.spawned'> {
  const payload: Payload<'cell.spawned'> = {
    backend: 'process',
    check: null,
    environment: [],
    epoch: 0,
    fence: 1,
    grant_id: ID.execGrant,
    level: 2,
    limits: HARD,
    manifest: DIGEST,
    manifest_hash: DIGEST,
    purpose: 'agent',
    reach: [],
    role: 'executor',
    seed_id: uuid('seed'),
    uid: 60_706,
    ...changes,
  };
  return onAttempt('cell.spawned', payload, CAST.runner, { entity: ID.cell });
}

export const HARD = { cpu: 'hard', memory: 'hard', processes: 'hard' } as const;

/** The cell of the plan's n-th check. */
export function checkBorn(
  n: number,
  changes: Partial<EventOf<'cell.spawned'>['payload']> = {},
): EventOf<'cell.spawned'> {
  const seedless = { grant_id: null, manifest: null, manifest_hash: null, seed_id: null };
  const { payload } = spawned({ ...seedless, check: n, purpose: 'check', ...changes });
  return onAttempt('cell.spawned', payload, CAST.runner, { entity: checkCell(n) });
}

function checkCell(n: number): string {
  return uuid(`cell of check ${n}`);
}

export function checkClosed(n: number, exit_code: number | null = 0): EventOf<'cell.closed'> {
  const outcome = exit_code === 0 ? 'completed' : 'failed';
  const payload = { ...cellClosed(1).payload, because: 'exited', exit_code, facts: null, outcome } as const;
  return onAttempt('cell.closed', payload, CAST.runner, { entity: checkCell(n) });
}

/** What the n-th check came to, as its cell has it. */
export function result(
  n: number,
  changes: Partial<EventOf<'verification.recorded'>['payload']['checks'][number]> = {},
): EventOf<'verification.recorded'>['payload']['checks'][number] {
  const check = n === 0 ? 'verify' : 'acceptance';
  return { cell: checkCell(n), check, exit_code: 0, level: 2, n, output: DIGEST, ...changes };
}

export function cellClosed(fence: number, who: TestKey = CAST.runner): EventOf<'cell.closed'> {
  const payload: Payload<'cell.closed'> = {
    because: 'agent_exited',
    exit_code: 0,
    facts: DIGEST,
    fence,
    output: DIGEST,
    outcome: 'completed',
    spent: [],
  };
  return onAttempt('cell.closed', payload, who, { entity: ID.cell });
}

export function claimed(fence = 1): EventOf<'done.claimed'> {
  const payload: Payload<'done.claimed'> = { claim: DIGEST, fence, status: 'done_clean' };
  return onAttempt('done.claimed', payload, CAST.runner, { entity: uuid('claim') });
}

export function worked(changes: Partial<EventOf<'work.proposed'>['payload']> = {}): EventOf<'work.proposed'> {
  const payload: Payload<'work.proposed'> = {
    base_commit: BASE,
    changed_paths: 2,
    commit: WORK,
    fence: 1,
    scope_audit: DIGEST,
    tree: '7e'.repeat(20),
    ...changes,
  };
  return onAttempt('work.proposed', payload, CAST.runner, { entity: uuid('work') });
}

export function verified(
  changes: Partial<EventOf<'verification.recorded'>['payload']> = {},
): EventOf<'verification.recorded'> {
  const checks = [result(0), result(1)];
  const payload = { checks, fence: 1, revision: WORK, verdict: 'satisfied' as const, ...changes };
  return onAttempt('verification.recorded', payload, CAST.runner, { entity: uuid('verification') });
}
