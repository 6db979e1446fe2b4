// The board: what stands in it in which order, that the same rows give the same text, that nothing of what others wrote does
// anything in it, and that a thousand missions fit.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOARD_TITLE, boardText, isBoard, type Board } from '../../src/forge-text/board.ts';
import { readComment } from '../../src/forge-text/grammar.ts';
import { readForm } from '../../src/forge-text/form.ts';
import type { WaitingInIssue } from '../../src/forge-text/waiting.ts';
import { hostile } from '../support/hostile.ts';
import { seen } from '../support/markdown.ts';

const ROW: WaitingInIssue = {
  mission: 'm-0123456789ab',
  kind: 'asked',
  state: 'awaiting approval',
  because: null,
  goal: 'Fix the rounding of totals',
  tier: 1,
  waitsFor: ['ben', 'chi'],
  issue: 12,
  since: '2026-11-18T10:00:00.000Z',
  until: '2026-11-21T10:00:00.000Z',
  topic: 'x',
  type: '/approve 3f9c1a2b4d5e',
};
const BOARD: Board = {
  rows: [ROW],
  stopped: null,
  rules: null,
  home: 'http://127.0.0.1:3000/alice/m1',
  day: '2026-11-19',
  isPinned: true,
};

describe('the board', () => {
  it('says of each mission for whom, since when and until when, with its issue and the line', () => {
    expect(boardText(BOARD)).toContain(
      '| [12](http://127.0.0.1:3000/alice/m1/issues/12) | `m-0123456789ab` `Fix the rounding of totals` | awaiting approval | ' +
        '`@ben` `@chi` | `2026-11-18T10:00:00.000Z` | `2026-11-21T10:00:00.000Z` | `/approve 3f9c1a2b4d5e` |',
    );
  });

  it('puts what runs out soon first and what runs by itself last, each part with what ends soonest in front', () => {
    const named = (mission: string, change: Partial<WaitingInIssue>): WaitingInIssue => ({
      ...ROW,
      mission,
      ...change,
    });
    const text = boardText({
      ...BOARD,
      rows: [
        named('m-000000000001', { kind: 'running' }),
        named('m-000000000002', { kind: 'path' }),
        named('m-000000000003', { kind: 'still', because: 'cell_failed' }),
        named('m-000000000004', { kind: 'people', until: null }),
        named('m-000000000005', { until: '2026-11-22T10:00:00.000Z' }),
        named('m-000000000006', {}),
        named('m-000000000007', { kind: 'due' }),
        named('m-000000000008', { kind: 'broken', because: 'ledger_not_found', waitsFor: null }),
        named('m-000000000009', { kind: 'review' }),
      ],
    });
    const order = [...text.matchAll(/`m-0{11}(\d)`/g)].map(([, digit]) => digit).join('');
    expect(order).toBe('765493821');
    expect([...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Runs out soon (1)',
      'Waits for people (3)',
      'Changes are asked for (1)',
      'Stands still (2)',
      'Waits for a path of another one (1)',
      'Goes on by itself (1)',
    ]);
  });

  it('is the same text for the same rows, in whatever order they were seen', () => {
    const rows = Array.from({ length: 9 }, (_, i) => ({ ...ROW, mission: `m-00000000000${i}` }));
    expect(boardText({ ...BOARD, rows: rows.toReversed() })).toBe(boardText({ ...BOARD, rows }));
  });

  it('says that nothing waits, that the project is stopped, that a policy waits, and who pins it', () => {
    expect(boardText({ ...BOARD, rows: [] })).toContain('Nothing waits, and nothing runs.');
    const text = boardText({
      ...BOARD,
      stopped: { by: 'ana', since: '2026-11-18T10:00:00.000Z', who: ['ana'] },
      rules: { adopt: 'lazarus policy adopt 3f9c1a2b4d5e --remote origin', roots: ['ana'] },
      isPinned: false,
    });
    for (const part of ['```text\nlazarus unstop\n```', '\nlazarus policy adopt 3f9c1a2b4d5e', '*Pin*'])
      expect(text).toContain(part);
    expect(boardText(BOARD)).not.toContain('*Pin*');
  });

  it('shows a thousand missions within what a forge takes, and says how many more there are', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      ...ROW,
      mission: `m-${String(i).padStart(12, '0')}`,
      goal: 'x`|'.repeat(1000),
    }));
    const text = boardText({ ...BOARD, rows });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(text).toContain('### Waits for people (1000)');
    expect(text).toMatch(/… and \d+ more: `lazarus inbox --all`/);
  });

  it('is neither a proposal nor a command, and knows itself by its title or its first line', () => {
    const body = boardText(BOARD);
    expect(readForm(body)).toEqual({ is: 'no_proposal' });
    expect(readComment(body)).toEqual({ is: 'no_command' });
    expect(isBoard({ title: BOARD_TITLE, body: 'edited' })).toBe(true);
    expect(isBoard({ title: 'edited', body })).toBe(true);
    expect(isBoard({ title: 'mission: x', body: `### Goal\n\n${body}` })).toBe(false);
  });

  it('lets no text of others out of its code, whatever it is', () => {
    const outside = (change: Partial<WaitingInIssue>) => {
      const { prose, code: _code, ...rest } = seen(boardText({ ...BOARD, rows: [{ ...ROW, ...change }] }));
      return { prose: prose.replaceAll(/\(empty\)|\s/g, ''), ...rest };
    };
    const plain = outside({ because: 'y' });
    fc.assert(
      fc.property(hostile, hostile, hostile, (goal, because, who) => {
        expect(outside({ goal, because, waitsFor: [who] })).toEqual(plain);
      }),
    );
  });
});
