// How a set-up knows what a lazarus wrote and what people changed since, whichever version it was.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isNewer, marked, markOf, unmarked } from '../../src/forge-text/mark.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';

const LINES = 'name: lazarus\non: push\n';
const TEXT = marked(nodeCrypto, '0.9.1', LINES);

/** As set-ups wrote them before there were marks. */
const UNMARKED = new URL('../app/init/forge/unmarked/', import.meta.url);

describe('a marked file', () => {
  it('tells which lazarus wrote it, and that nobody changed it since', () => {
    expect(markOf(nodeCrypto, TEXT)).toEqual({ version: '0.9.1', isIntact: true });
    expect(unmarked(TEXT)).toBe(LINES);
    expect(markOf(nodeCrypto, marked(nodeCrypto, '1.0.0-rc.1', LINES))).toEqual({
      version: '1.0.0-rc.1',
      isIntact: true,
    });
  });

  it.each([
    ['a letter', TEXT.replace('push', 'pull')],
    ['a line at its end', `${TEXT}# ours\n`],
    ['an empty line below the mark', TEXT.replace('\n', '\n\n')],
    ['the ends of its lines', TEXT.replaceAll('\n', '\r\n')],
    ['all of it', TEXT.split('\n', 1)[0]!],
  ])('with %s changed is people’s', (_, text) => {
    expect(markOf(nodeCrypto, text)?.isIntact ?? false).toBe(false);
  });

  it('without its mark is people’s', () => {
    expect(markOf(nodeCrypto, LINES)).toBeUndefined();
    expect(markOf(nodeCrypto, `# ours\n${TEXT}`)).toBeUndefined();
    expect(markOf(nodeCrypto, '')).toBeUndefined();
  });
});

describe.each(readdirSync(UNMARKED))('%s, from before there were marks', (name) => {
  const text = readFileSync(new URL(name, UNMARKED), 'utf8');
  const pinned = text
    .replace(/uses: https:\S+/, `uses: http://127.0.0.1:3000/team/lazarus-action@${'a'.repeat(40)}`)
    .replace(/genesis: \S+/, `genesis: sha256:${'b'.repeat(64)}`);

  it('is known, whichever action and project it names', () => {
    for (const one of [text, pinned]) expect(markOf(nodeCrypto, one)).toEqual({ version: undefined, isIntact: true });
  });

  it('is people’s with one word of theirs', () => {
    expect(markOf(nodeCrypto, `${pinned}# ours\n`)).toBeUndefined();
  });
});

it.each([
  ['0.2.0', '0.1.9', true],
  ['0.1.10', '0.1.9', true],
  ['1.0.0', '0.9.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0-rc.1', '0.1.0', false],
  ['0.0.9', '0.1.0', false],
  ['0.9.9', '1.0.0', false],
])('%s is newer than %s: %s', (version, than, is) => {
  expect(isNewer(version, than)).toBe(is);
});
