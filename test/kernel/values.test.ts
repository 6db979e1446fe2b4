// The value types of events: what each takes and what it must not. None of them can carry a sentence or an escape code.
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  Base64,
  Count,
  Digest,
  Index,
  Instant,
  KeyFingerprint,
  MediaType,
  missionName,
  ObjectName,
  PathGlob,
  ReasonWord,
  Slug,
  Uuid,
} from '../../src/kernel/values.ts';
import { LEDGER_EVENTS_MAX } from '../../src/kernel/limits.ts';

const CASES: readonly [name: string, type: z.ZodType, takes: readonly unknown[], refuses: readonly unknown[]][] = [
  [
    'uuid',
    Uuid,
    ['1b16b1df-538b-412d-a3f9-7edbb85caa70'],
    [
      '1B16B1DF-538B-412D-A3F9-7EDBB85CAA70',
      '1b16b1df-538b-112d-a3f9-7edbb85caa70',
      '1b16b1df538b412da3f97edbb85caa70',
      '',
    ],
  ],
  [
    'digest',
    Digest,
    [`sha256:${'0a'.repeat(32)}`],
    ['0a'.repeat(32), `sha256:${'0A'.repeat(32)}`, `sha1:${'0a'.repeat(20)}`],
  ],
  ['object name', ObjectName, ['0a'.repeat(20)], ['0A'.repeat(20), '0a'.repeat(32), `${'0a'.repeat(20)}\n`]],
  ['fingerprint', KeyFingerprint, ['0A'.repeat(20)], ['0a'.repeat(20)]],
  ['slug', Slug, ['ana', 'ana-bot.2_x', '7'], ['Ana', '-ana', 'ana@example.org', 'a b', 'ä', '', 'a'.repeat(64)]],
  [
    'media type',
    MediaType,
    ['text/plain', 'application/vnd.a+json'],
    ['text', 'text/plain; charset=utf-8', 'Text/plain'],
  ],
  ['reason word', ReasonWord, ['verify_failed'], ['Verify failed', 'because it did', '_x', '7x', 'a'.repeat(64)]],
  [
    'instant',
    Instant,
    ['2026-11-18T10:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    [
      '2026-11-18T10:00:00Z',
      '2026-11-18T10:00:00.000+01:00',
      '2026-13-18T10:00:00.000Z',
      '2026-11-18T24:00:00.000Z',
      '2026-11-18 10:00:00.000Z',
    ],
  ],
  ['count', Count, [0, Number.MAX_SAFE_INTEGER], [-1, 0.5, 2 ** 53, '1', Number.NaN]],
  ['index', Index, [0, LEDGER_EVENTS_MAX], [-1, LEDGER_EVENTS_MAX + 1]],
  ['base64', Base64, ['AAAA', 'AA=='], ['', 'A A=', 'AA===', 'AA-_', 'AA==\n']],
  [
    'path',
    PathGlob,
    ['src', 'src/**/*.ts', '.github/x', 'a/..b', 'ünï/😀', '...'],
    [
      '',
      '/etc/passwd',
      'a//b',
      'a/',
      './a',
      'a/../b',
      '..',
      'a\\b',
      'a\nb',
      'a\u0000',
      // Escape sequences for terminals: ESC, and CSI in one character.
      'a\u001b[2J',
      'a\u009b2J',
      // Line breaks that regular expressions know: they must hide nothing behind them.
      'a\u2028//b',
      'a\u2029/',
      '\ud800',
      'a'.repeat(201),
    ],
  ],
];

describe.each(CASES)('a %s', (_, type, takes, refuses) => {
  it.each(takes.map((value) => [value]))('may be %j', (value) => {
    expect(type.safeParse(value).success).toBe(true);
  });
  it.each(refuses.map((value) => [value]))('may not be %j', (value) => {
    expect(type.safeParse(value).success).toBe(false);
  });
});

describe('the name of a mission', () => {
  it('is the first twelve hex digits of its id', () => {
    expect(missionName('1b16b1df-538b-412d-a3f9-7edbb85caa70')).toBe('m-1b16b1df538b');
  });
});
