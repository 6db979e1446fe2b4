// The message of a commit: what is written is read back, and nothing else is read at all.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeMessage, parseMessage, subject, type Claims } from '../../src/ledger/trailers.ts';
import { uuid } from '../support/events.ts';

const number = fc.nat(999_999_999);
const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const oid = fc.stringMatching(/^[0-9a-f]{40}$/);
const id = fc.string().map(uuid);
const claims: fc.Arbitrary<Claims> = fc
  .record({
    ledgerId: id,
    tx: id,
    prevSize: number,
    size: number,
    prevRoot: hash,
    root: hash,
    roster: fc.record({ n: number, digest: hash }),
    project: fc.option(fc.record({ size: number, root: hash, oid }), { nil: undefined }),
    repairs: fc.option(fc.record({ validHead: oid, foreign: number }), { nil: undefined }),
  })
  .map(({ project, repairs, ...always }) => ({ ...always, ...(project && { project }), ...(repairs && { repairs }) }));
const types = fc.array(fc.constantFrom('note.recorded', 'task.created', 'task.readied', 'ledger.sealed'), {
  minLength: 1,
});

describe('a message', () => {
  it('says what it was made of', () => {
    fc.assert(
      fc.property(claims, types, (made, eventTypes) => {
        expect(parseMessage(encodeMessage(made, eventTypes))).toEqual({ is: 'accepted', value: made });
      }),
    );
  });

  it('has one spelling: with any line taken out, doubled, moved or added it is refused', () => {
    const change = fc.record({
      made: claims,
      at: fc.nat(),
      to: fc.nat(),
      kind: fc.constantFrom('drop', 'double', 'swap', 'add'),
    });
    fc.assert(
      fc.property(change, ({ made, at, to, kind }) => {
        const lines = encodeMessage(made, ['note.recorded']).split('\n').slice(0, -1);
        const [i, j] = [1 + (at % (lines.length - 1)), 1 + (to % (lines.length - 1))];
        // Without a project head or a repair the message is that of another transaction, and whole.
        fc.pre(!(kind === 'drop' && /^Ledger-(?:Project|Repairs)/.test(lines[i]!)));
        fc.pre(!(kind === 'swap' && lines[i] === lines[j]));
        if (kind === 'drop') lines.splice(i, 1);
        if (kind === 'double') lines.splice(i, 0, lines[i]!);
        if (kind === 'swap') [lines[i], lines[j]] = [lines[j]!, lines[i]!];
        if (kind === 'add') lines.splice(i, 0, 'Signed-off-by: eve');
        expect(parseMessage(`${lines.join('\n')}\n`).is).toBe('refused');
      }),
    );
  });

  const GOOD = encodeMessage(
    {
      ledgerId: uuid('ledger'),
      tx: uuid('tx'),
      prevSize: 7,
      size: 8,
      prevRoot: 'ab'.repeat(32),
      root: 'cd'.repeat(32),
      roster: { n: 0, digest: 'ef'.repeat(32) },
    },
    ['note.recorded'],
  );

  it.each([
    ['text after the trailers', (good: string) => `${good}\nSee also: nothing\n`, 'trailers_malformed'],
    ['no final line feed', (good: string) => good.slice(0, -1), 'trailers_malformed'],
    ['a leading zero', (good: string) => good.replace('Size: 8', 'Size: 08'), 'trailers_malformed'],
    ['a plus sign', (good: string) => good.replace('Size: 8', 'Size: +8'), 'trailers_malformed'],
    ['a number past the limit', (good: string) => good.replace('Size: 8', 'Size: 1000000000'), 'trailers_malformed'],
    ['capital hex digits', (good: string) => good.replace('abab', 'ABAB'), 'trailers_malformed'],
    ['blanks at the end of a line', (good: string) => good.replace('Size: 8', 'Size: 8 '), 'trailers_malformed'],
    ['a folded line', (good: string) => good.replace('Roster: 0 ', 'Roster: 0\n '), 'trailers_malformed'],
    ['carriage returns', (good: string) => good.replaceAll('\n', '\r\n'), 'foreign_commit'],
    ['another subject', (good: string) => good.replace('ledger: ', 'fix: '), 'foreign_commit'],
    ['a subject of two lines', (good: string) => good.replace('\n', '\nmore\n'), 'foreign_commit'],
    ['no format', (good: string) => good.replace('Ledger-Format: 1\n', ''), 'foreign_commit'],
    ['a format with a leading zero', (good: string) => good.replace('Format: 1', 'Format: 01'), 'foreign_commit'],
    ['nothing of a ledger', () => 'Merge branch main\n', 'foreign_commit'],
    ['a newer format', (good: string) => good.replace('Format: 1', 'Format: 2'), 'format_newer'],
    [
      'a newer format with trailers nobody knows yet',
      (good: string) => good.replace('Format: 1', 'Format: 2\nLedger-New: x'),
      'format_newer',
    ],
    ['a format before the first', (good: string) => good.replace('Format: 1', 'Format: 0'), 'format_lowered'],
  ])('with %s is refused', (_, change, code) => {
    expect(parseMessage(GOOD).is).toBe('accepted');
    expect(parseMessage(change(GOOD))).toMatchObject({ is: 'refused', code });
  });
});

describe('a subject', () => {
  it.each([
    [['note.recorded'], 'ledger: 1 event 7 note.recorded'],
    [['a.a', 'a.a'], 'ledger: 2 events 7..8 a.a'],
    [['a.a', 'b.b', 'a.a', 'c.c'], 'ledger: 4 events 7..10 a.a b.b c.c'],
    [['a.a', 'b.b', 'c.c', 'd.d', 'e.e', 'd.d'], 'ledger: 6 events 7..12 a.a b.b c.c +2'],
  ])('of %j', (eventTypes, expected) => {
    expect(subject({ prevSize: 7, size: 7 + eventTypes.length }, eventTypes)).toBe(expected);
  });
});
