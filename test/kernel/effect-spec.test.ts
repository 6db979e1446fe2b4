// One exact effect: what an executor may be told to do, what its grant names, and the bytes that its digest is over.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { hex, utf8 } from '../../src/format/bytes.ts';
import { jcs } from '../../src/format/jcs.ts';
import { effectHash, effectsBytes, parseEffects, targetOf, type EffectSpec } from '../../src/kernel/effect/spec.ts';
import { refusal } from '../support/refusals.ts';

const COMMIT = '3c'.repeat(20);
const LOCAL: EffectSpec = { branch: 'work/1', commit: COMMIT, kind: 'write_local_branch' };
const PUSH: EffectSpec = { branch: 'work/1', commit: COMMIT, kind: 'push_branch' };
const PULL: EffectSpec = {
  base: 'main',
  body: '',
  branch: 'work/1',
  commit: COMMIT,
  kind: 'open_pull_request',
  title: 'Add a page',
};
const COMMENT: EffectSpec = { body: 'Done.', issue: 3, kind: 'post_comment' };
const ALL = [LOCAL, PUSH, PULL, COMMENT];

const notEffects = refusal('effect_unplanned', { why: 'not a list of effects' });

function parsed(effects: readonly object[], changes: object = {}) {
  return parseEffects(utf8(jcs({ effects, schema: 'lazarus.effects.v1', ...changes })));
}

describe('a list of effects', () => {
  it('is read as it was written, each kind of them', () => {
    expect(parseEffects(effectsBytes(ALL))).toEqual({ is: 'accepted', value: ALL });
    for (const one of ALL) expect(parsed([one])).toEqual({ is: 'accepted', value: [one] });
  });

  it('is canonical JSON of this schema, of 1 to 16 effects', () => {
    expect(effectsBytes([PUSH])).toEqual(utf8(jcs({ effects: [PUSH], schema: 'lazarus.effects.v1' })));
    expect(parsed([PUSH], { schema: 'lazarus.effects.v2' })).toEqual(notEffects);
    expect(parsed([PUSH], { more: true })).toEqual(notEffects);
    expect(parsed([])).toEqual(notEffects);
    expect(parsed(Array.from({ length: 16 }, () => PUSH))).toMatchObject({ is: 'accepted' });
    expect(parsed(Array.from({ length: 17 }, () => PUSH))).toEqual(notEffects);
  });

  it('that is none is refused with why', () => {
    expect(parseEffects(Uint8Array.of(0xff))).toEqual(refusal('effect_unplanned', { why: 'not UTF-8' }));
    expect(parseEffects(utf8('{'))).toEqual(refusal('effect_unplanned', { why: 'json_malformed' }));
    expect(parseEffects(utf8(` ${jcs({})}`))).toEqual(refusal('effect_unplanned', { why: 'json_not_canonical' }));
  });
});

describe('an effect', () => {
  it.each([
    ['of a kind that is none', { ...PUSH, kind: 'force_push' }],
    ['that lacks its commit', { branch: 'work/1', kind: 'push_branch' }],
    ['with a field more', { ...PUSH, force: true }],
    ['with a pull request’s field on a comment', { ...COMMENT, title: 'x' }],
    ['without a title', { ...PULL, title: '' }],
    ['with a title too long', { ...PULL, title: 'x'.repeat(201) }],
    ['with a body too long', { ...PULL, body: 'x'.repeat(60_001) }],
    ['that comments nothing', { ...COMMENT, body: '' }],
    ['with a comment too long', { ...COMMENT, body: 'x'.repeat(60_001) }],
  ])('%s is refused', (_, effect) => {
    expect(parsed([effect])).toEqual(notEffects);
  });

  it.each([
    [{ ...PULL, title: 'x'.repeat(200), body: 'x'.repeat(60_000) }],
    [{ ...PULL, title: 'x' }],
    [{ ...COMMENT, body: 'x'.repeat(60_000) }],
    [{ ...COMMENT, body: 'x' }],
  ])('at its limits is taken', (effect) => {
    expect(parsed([effect])).toMatchObject({ is: 'accepted' });
  });

  it('is named in a grant by what it reaches', () => {
    expect(ALL.map(targetOf)).toEqual(['work/1', 'work/1', 'pulls/main', 'issues/3']);
  });

  it('has the digest of its exact words, under a line of its own', () => {
    const bytes = utf8(`lazarus effect v1\n${jcs(PULL)}`);
    expect(effectHash(nodeCrypto, PULL)).toBe(hex(nodeCrypto.hash('sha256', bytes)));
    expect(new Set([...ALL, { ...PULL, body: ' ' }].map((one) => effectHash(nodeCrypto, one))).size).toBe(5);
  });
});
