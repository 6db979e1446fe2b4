// Who may sign what: the table itself, written out so that changing it is a decision, and every cell of it tried.
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, PLACES, type EventType } from '../../src/kernel/event.ts';
import type { LedgerKind } from '../../src/kernel/traits.ts';
import type { Role } from '../../src/kernel/principal.ts';
import { exampleOf } from '../support/examples.ts';
import { CAST, openedMission, openedProject, ROLES, when } from '../support/given.ts';

const TABLE = `
  type                   in                by
  project.opened         project           root
  roster.updated         project           root
  key.cut_off            project           root
  mission.registered     project           gate person
  claims.released        project           gate person writer
  tree_head.recorded     project           root
  halt.declared          project           person root
  halt.lifted            project           person root
  policy.revised         project           root
  mission.opened         mission           gate person
  roster.adopted         mission           gate person root runner writer
  cut_off.adopted        mission           gate person root runner writer
  ingress.recorded       mission           gate person
  mission.proposed       mission           gate person
  plan.computed          mission           gate
  mission.cancelled      mission           gate person
  mission.held           mission           gate person
  mission.unheld         mission           gate person
  mission.ended          mission           gate writer
  projection.anchored    mission           gate writer
  step.created           mission           gate
  attempt.created        mission           gate
  context.compiled       mission           runner
  attempt.succeeded      mission           writer
  attempt.failed         mission           gate runner writer
  attempt.cancelled      mission           gate person writer
  attempt.superseded     mission           gate
  action.requested       mission           gate runner writer
  policy.evaluated       mission           gate writer
  approval.requested     mission           gate writer
  vote.cast              mission           gate person
  vote.withdrawn         mission           gate person
  approval.granted       mission           gate person
  approval.denied        mission           gate person
  approval.expired       mission           gate writer
  approval.invalidated   mission           gate person writer
  grant.issued           mission           gate person writer
  grant.revoked          mission           gate person writer
  lease.acquired         mission           runner writer
  lease.released         mission           runner writer
  lease.expired          mission           gate writer
  cell.spawned           mission           runner
  cell.closed            mission           gate runner
  done.claimed           mission           runner
  blocked.raised         mission           runner
  work.proposed          mission           runner
  work.refused           mission           runner
  verification.recorded  mission           runner
  effects.computed       mission           writer
  effect.intended        mission           writer
  effect.observed        mission           writer
  decision.recorded      mission           person
  receipt.issued         mission           gate person runner writer
  task.created           mission           gate person
  task.readied           mission           gate person
  task.started           mission           runner
  task.blocked           mission           gate runner writer
  task.unblocked         mission           gate person runner
  task.paused            mission           gate person runner
  task.resumed           mission           gate person
  task.completed         mission           writer
  task.failed            mission           gate writer
  task.cancelled         mission           gate person writer
  task.rolled_back       mission           writer
  note.recorded          mission           gate person runner writer
  artifact.recorded      mission           gate person runner writer
  artifact.erased        mission           gate person root
  ledger.repaired        mission project   root
  ledger.sealed          mission project   root
  trust.annotated        mission project   root
`;

const rows = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [type, kinds, by] = line.trim().split(/ {2,}/) as [EventType, string, string];
    return { type, kinds: kinds.split(' ') as LedgerKind[], by: by.split(' ') as Role[] };
  });

function byType<T extends { type: string }>(table: readonly T[]): T[] {
  return table.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

describe('the table of rights', () => {
  it('is the one written here', () => {
    const actual = Object.entries(PLACES).map(([type, right]) => ({
      type,
      kinds: right.in.toSorted(),
      by: right.by.toSorted(),
    }));
    expect(byType(actual)).toEqual(byType(rows));
  });

  it('has a row for every event type', () => {
    expect(Object.keys(PLACES).toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });
});

describe.each(rows)('$type', ({ type, by, kinds }) => {
  it.each(ROLES)('signed by a %s alone', (role) => {
    const { given, event, at } = exampleOf(type, CAST[role]);
    const verdict = when(given, event, CAST[role], at);
    if (by.includes(role)) expect(verdict).toMatchObject({ is: 'accepted' });
    else expect(verdict).toMatchObject({ is: 'refused', code: 'role_not_allowed' });
  });

  it.each(['project', 'mission'] as const)('in a %s ledger', (kind) => {
    const { event } = exampleOf(type, CAST.root);
    const state = kind === 'project' ? openedProject() : openedMission();
    const verdict = when(state, event, CAST.root);
    const misplaced = verdict.is === 'refused' && verdict.code === 'event_type_misplaced';
    expect(misplaced).toBe(!kinds.includes(kind));
  });
});
