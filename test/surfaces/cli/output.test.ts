// Output and progress with streams and a clock in hand.
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printable, printableJson } from '../../../src/surfaces/cli/escape.ts';
import { aligned, createOutput, type OutputSettings } from '../../../src/surfaces/cli/output.ts';
import { createProgress } from '../../../src/surfaces/cli/progress.ts';

const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom('\u001b', '\u009b', '\u202e', '\ud800')),
});

function sink(isTTY = false) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

describe('escaping', () => {
  it('leaves nothing that a terminal obeys', () => {
    fc.assert(fc.property(anyText, (text) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(printable(text))));
  });

  it('leaves ordinary text of any script alone', () => {
    for (const text of ['naïve — “quotes” 日本 🙂 a\\b', ' ']) expect(printable(text)).toBe(text);
  });

  it('leaves the meaning of JSON alone', () => {
    fc.assert(fc.property(anyText, (text) => JSON.parse(printableJson(JSON.stringify({ text }))).text === text));
  });
});

describe('colour', () => {
  const line = { text: 'bad\u001b[0m', style: 'red' } as const;
  const RED = '\u001b[31mbad\\x1b[0m\u001b[0m\n';
  it.each<[string, OutputSettings['color'], Record<string, string>, boolean, boolean]>([
    ['a terminal', 'auto', {}, true, true],
    ['a pipe', 'auto', {}, false, false],
    ['a terminal with NO_COLOR', 'auto', { NO_COLOR: '1' }, true, false],
    ['a terminal with an empty NO_COLOR', 'auto', { NO_COLOR: '' }, true, true],
    ['a pipe with CLICOLOR_FORCE', 'auto', { CLICOLOR_FORCE: '1' }, false, true],
    ['a pipe with CLICOLOR_FORCE=0', 'auto', { CLICOLOR_FORCE: '0' }, false, false],
    ['a pipe with both', 'auto', { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false, false],
    ['a dumb terminal', 'auto', { TERM: 'dumb' }, true, false],
    ['a pipe with always', 'always', { NO_COLOR: '1' }, false, true],
    ['a terminal with never', 'never', { CLICOLOR_FORCE: '1' }, true, false],
  ])('on %s', (_, color, env, isTTY, colored) => {
    const stdout = sink(isTTY);
    createOutput({ json: false, quiet: false, verbose: false, color }, { stdout, stderr: sink() }, env).emit(
      [line],
      {},
    );
    expect(stdout.written.join('')).toBe(colored ? RED : 'bad\\x1b[0m\n');
  });
});

it('aligns rows by what is printed of them', () => {
  expect(aligned([['a\u001b', 'one'], ['abcdefgh', 'two'], ['c']])).toEqual([
    String.raw`a\x1b     one`,
    'abcdefgh  two',
    'c',
  ]);
});

describe('progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function watch(isTTY: boolean) {
    const stderr = sink(isTTY);
    return { stderr, progress: createProgress('checking', { sink: stderr, nowMs: () => performance.now() }) };
  }

  it('says nothing of quick work', () => {
    for (const isTTY of [true, false]) {
      const { stderr, progress } = watch(isTTY);
      progress.update(1, 9);
      vi.advanceTimersByTime(1_900);
      progress.update(9, 9);
      progress.end();
      vi.advanceTimersByTime(60_000);
      expect(stderr.written).toEqual([]);
    }
  });

  it('rewrites one line on a terminal and takes it away at the end', () => {
    const { stderr, progress } = watch(true);
    vi.advanceTimersByTime(2_000);
    expect(stderr.written.at(-1)).toBe('\r\u001b[Kchecking …');
    progress.update(5, 9);
    vi.advanceTimersByTime(100);
    expect(stderr.written.at(-1)).toBe('\r\u001b[Kchecking: 5 of 9');
    expect(stderr.written.join('')).not.toContain('\n');
    progress.end();
    expect(stderr.written.at(-1)).toBe('\r\u001b[K');
  });

  it('prints a plain line at most every five seconds elsewhere, also while nothing moves', () => {
    const { stderr, progress } = watch(false);
    for (let ms = 0; ms < 13_000; ms += 100) {
      vi.advanceTimersByTime(100);
      progress.update(ms);
    }
    expect(stderr.written).toHaveLength(3);
    vi.advanceTimersByTime(5_000);
    expect(stderr.written).toHaveLength(4);
    expect(stderr.written.join('')).not.toContain('\u001b');
    progress.end();
  });

  it('gives way to a message', () => {
    const stderr = sink(true);
    const out = createOutput(
      { json: false, quiet: false, verbose: false, color: 'never' },
      { stdout: sink(), stderr },
      {},
    );
    const progress = out.progress('pushing');
    vi.advanceTimersByTime(2_000);
    out.warn('careful');
    expect(stderr.written.slice(-2)).toEqual(['\r\u001b[K', 'careful\n']);
    progress.end();
  });

  it.each([{ json: true }, { quiet: true }])('is off with %j', (setting) => {
    const stderr = sink(true);
    const settings = { json: false, quiet: false, verbose: false, color: 'never' as const, ...setting };
    const progress = createOutput(settings, { stdout: sink(), stderr }, {}).progress('pushing');
    vi.advanceTimersByTime(10_000);
    progress.update(1);
    progress.end();
    expect(stderr.written).toEqual([]);
  });
});
