// Known secrets are taken out in every spelling in which they get about by accident, and wherever a write splits them.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactor, redactText } from '../../../src/adapters/system/redact.ts';

const SECRET = 'gh_p4ss/word+x=';
const MARK = '***REDACTED***';

describe('spellings', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  test.each([
    ['as it is', SECRET],
    ['url-encoded', encodeURIComponent(SECRET)],
    ['url-encoded in lower case', encodeURIComponent(SECRET).replaceAll(/%\w\w/g, (code) => code.toLowerCase())],
    ['hex', Buffer.from(SECRET).toString('hex')],
    ['base64', base64(SECRET)],
    ['base64 behind a user name', base64(`user:${SECRET}`)],
    ['base64 behind one byte', base64(`x${SECRET}`)],
    ['base64 between others', base64(`ab${SECRET}tail`)],
    ['base64url', Buffer.from(SECRET).toString('base64url')],
  ])('%s', (_, spelling) => {
    const text = redactText(`before ${spelling} after`, [SECRET]);
    expect(text).toContain(MARK);
    expect(text).toMatch(/^before .* after$/);
    expect(text).not.toContain(spelling);
  });

  test('inside JSON', () => {
    const secret = 'line\nbreak"quote';
    expect(redactText(JSON.stringify({ secret }), [secret])).toBe(`{"secret":"${MARK}"}`);
  });
});

test('wherever the text is cut, the outcome is that of the whole', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(SECRET, SECRET.slice(0, 5), 'gh', 'x', '\u00fc', ' ')),
      fc.integer({ min: 1, max: 9 }),
      (parts, size) => {
        const bytes = Buffer.from(parts.join(''), 'utf8').toString('latin1');
        const whole = redactor([SECRET, 'gh_p4']);
        const expected = whole.push(bytes) + whole.end();
        const cut = redactor([SECRET, 'gh_p4']);
        let out = '';
        for (let at = 0; at < bytes.length; at += size) out += cut.push(bytes.slice(at, at + size));
        out += cut.end();
        expect(out).toBe(expected);
        expect(out).not.toContain(SECRET);
        expect(cut.count()).toBe(whole.count());
      },
    ),
  );
});

test('text that cannot be the beginning of a secret is passed on at once', () => {
  const stream = redactor([SECRET]);
  expect(stream.push('progress 10 %\n')).toBe('progress 10 %\n');
  expect(stream.push('gh')).toBe('');
  expect(stream.push('ost\n')).toBe('ghost\n');
});

test('without secrets nothing is held back', () => {
  const stream = redactor(['']);
  expect(stream.push('anything') + stream.end()).toBe('anything');
});
