// What was begun in a mission after its project was stopped, under a head that does not hold the stop: found by date, with
// room for clocks that differ, and only while the project was stopped.
import { describe, expect, it } from 'vitest';
import { RegistryAudit } from '../../../src/app/registry.ts';
import { ProjectRecord } from '../../../src/app/verify/project-record.ts';
import type { Event } from '../../../src/kernel/event.ts';
import { courseAt } from '../../support/course.ts';
import { grant, onAttempt } from '../../support/course/asked.ts';
import { memoryPages } from '../../support/kept-pages.ts';
import { CAST, fact, MISSION } from '../../support/given.ts';

const STOPPED = '2026-11-18T12:00:00.000Z';
const REF = `refs/heads/lazarus/m-${MISSION.replaceAll('-', '').slice(0, 12)}`;

async function stopped(until?: string): Promise<ProjectRecord> {
  const record = new ProjectRecord();
  record.take({ ...fact('halt.declared', {}, CAST.root), occurred_at: STOPPED }, 7, CAST.root.fingerprint);
  if (until !== undefined)
    record.take({ ...fact('halt.lifted', {}, CAST.root), occurred_at: until }, 8, CAST.root.fingerprint);
  // As a clone keeps it.
  return new ProjectRecord(await record.kept(memoryPages().writePage));
}

function found(record: ProjectRecord, cited: number, ...events: Event[]) {
  const audit = new RegistryAudit(record, [REF]);
  const tip = { state: courseAt('granted'), size: 40, root: 'aa'.repeat(32) };
  const project = { size: cited, root: 'bb'.repeat(32), oid: 'cc'.repeat(20) };
  audit.see(REF, { ledger: 'mission', oid: 'dd'.repeat(20), tip, claims: { project, prevSize: 30 }, events } as never);
  return audit.findings();
}

function at(event: Event, occurred_at: string): Event {
  return Object.assign({}, event, { occurred_at });
}

describe('a stop that was overlooked', async () => {
  const late = at(grant(), '2026-11-18T12:05:01.000Z');
  const released = onAttempt('lease.released', { because: 'finished', fence: 1 }, CAST.runner);

  it('is reported, with the place of what was begun', async () => {
    expect(found(await stopped(), 7, released, late)).toEqual([
      { ledger: REF.replace('refs/heads/lazarus/', ''), code: 'stop_overlooked', index: 31 },
    ]);
  });

  it('is none within what clocks may differ, before the stop, or once it was lifted', async () => {
    expect(found(await stopped(), 7, at(grant(), '2026-11-18T12:05:00.000Z'))).toEqual([]);
    expect(found(await stopped(), 7, at(grant(), '2026-11-18T11:00:00.000Z'))).toEqual([]);
    expect(found(await stopped('2026-11-18T12:05:01.000Z'), 7, late)).toEqual([]);
    expect(found(await stopped('2026-11-18T12:06:00.000Z'), 7, late)).toHaveLength(1);
  });

  it('is none where the head that is cited holds the stop, which the rule refuses, nor of what closes what was begun', async () => {
    expect(found(await stopped(), 8, late)).toEqual([]);
    expect(found(await stopped(), 7, at(released, '2026-11-18T13:00:00.000Z'))).toEqual([]);
  });
});
