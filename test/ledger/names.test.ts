// Where things lie in a ledger: a path says which event it is, and no path can say it wrongly.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEDGER_EVENTS_MAX } from '../../src/kernel/limits.ts';
import {
  eventFile,
  eventIndexOf,
  hotDirectory,
  ledgerName,
  missionRef,
  PROJECT_REF,
  segmentOf,
} from '../../src/ledger/names.ts';
import { MISSION } from '../support/given.ts';

function hotPath(index: number): string {
  return `hot-${pad(Math.floor(index / 256), 6)}/${pad(index, 9)}.json`;
}

function filedPath(index: number): string {
  const segment = Math.floor(index / 256);
  return `seg/${pad(Math.floor(segment / 64), 5)}/${pad(segment, 6)}/${pad(index, 9)}.json`;
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

describe('the path of an event', () => {
  it('is read back at every index that a ledger can have', () => {
    const index = fc.oneof(
      fc.nat(LEDGER_EVENTS_MAX - 1),
      fc.constantFrom(0, 255, 256, 16_383, 16_384, LEDGER_EVENTS_MAX - 1),
    );
    fc.assert(
      fc.property(index, (i) => {
        expect(eventIndexOf(hotPath(i))).toBe(i);
        expect(eventIndexOf(filedPath(i))).toBe(i);
        expect(`${hotDirectory(segmentOf(i))}/${eventFile(i)}`).toBe(hotPath(i));
      }),
    );
  });

  it('keeps its place in the order of names up to the largest index', () => {
    const last = filedPath(LEDGER_EVENTS_MAX - 1);
    expect(last).toBe('seg/15624/999999/255999999.json');
    expect(filedPath(LEDGER_EVENTS_MAX - 257) < last).toBe(true);
  });

  it.each([
    'hot-000000/000000256.json',
    'hot-000001/000000255.json',
    'seg/00000/000001/000000000.json',
    'seg/00001/000000/000000000.json',
    'seg/00001/000001/000000256.json',
    'hot-0/0.json',
    'hot-000000/000000000.JSON',
    'hot-000000/000000000.json\n',
    'hot-000000/x/000000000.json',
    'hot/000000000.json',
    'roster.json',
    'seg',
    '',
  ])('is not %j', (path) => {
    expect(eventIndexOf(path)).toBeUndefined();
  });
});

describe('a ledger’s name', () => {
  it('is what follows the common start of its reference', () => {
    expect(ledgerName(PROJECT_REF)).toBe('project');
    expect(ledgerName(missionRef(MISSION))).toMatch(/^m-[0-9a-f]{12}$/);
    expect(ledgerName('refs/heads/main')).toBe('refs/heads/main');
  });
});
