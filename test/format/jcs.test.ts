// Canonical JSON against the vectors of RFC 8785, and against the package `canonicalize` as an oracle.
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jcs, JSON_DEPTH_MAX, parseCanonical } from '../../src/format/jcs.ts';

// RFC 8785 appendix B: IEEE 754 bits and their text.
const NUMBERS: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

describe('the vectors of RFC 8785', () => {
  it.each(NUMBERS)('writes the number with the bits %s as %s', (bits, text) => {
    expect(jcs(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('writes the sample of section 3.2.4', () => {
    const sample = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
      "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
    expect(jcs(JSON.parse(sample))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('orders keys by UTF-16 code units, as in section 3.2.3', () => {
    const text = jcs({ '\u20ac': 4, '\r': 0, '\ufb33': 6, '1': 1, '\u{1f600}': 5, '\u0080': 2, '\u00f6': 3 });
    expect(text).toBe('{"\\r":0,"1":1,"\u0080":2,"\u00f6":3,"\u20ac":4,"\u{1f600}":5,"\ufb33":6}');
  });
});

describe('what has no canonical form', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const cases: readonly (readonly [string, unknown])[] = [
    ['NaN', Number.NaN],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate as a key', { '\udc00': 1 }],
    ['undefined', undefined],
    ['a field that is undefined', { field: undefined }],
    ['a hole in an array', Array.from({ length: 2 })],
    ['a function', { run: () => 1 }],
    ['a symbol', [Symbol('s')]],
    ['a bigint', 1n],
    ['a date', new Date(0)],
    ['bytes', new Uint8Array(2)],
    ['a circular value', circular],
  ];
  it.each(cases)('%s is refused', (_, value) => {
    expect(() => jcs(value)).toThrow(expect.objectContaining({ code: 'json_unrepresentable' }));
  });
});

describe('parseCanonical', () => {
  it.each([
    ['duplicate keys', '{"a":1,"a":2}'],
    ['unsorted keys', '{"b":1,"a":2}'],
    ['unsorted keys in depth', '[{"x":{"b":1,"a":2}}]'],
    ['integer-like keys in numeric order', '{"9":1,"10":1}'],
    ['white space', '{"a": 1}'],
    ['a trailing newline', '{}\n'],
    ['minus zero', '[-0]'],
    ['a number with an exponent', '[1E3]'],
    ['a float spelled long', '[1.0]'],
    ['a number past the largest', '[1e400]'],
    ['an integer that loses digits', '[9007199254740993]'],
    ['an escape that is not needed', String.raw`["\u0041"]`],
    ['an upper-case escape', String.raw`["\u001F"]`],
    ['an escaped slash', String.raw`["\/"]`],
    ['an escaped surrogate pair', String.raw`["\ud83d\ude00"]`],
    ['an escaped lone surrogate', String.raw`["\ud800"]`],
    ['a raw lone surrogate', '["\ud800"]'],
    ['a byte order mark inside', '["a",\ufeff1]'],
    ['a second spelling of __proto__', '{"__proto__":1,"__proto__":1}'],
  ])('refuses %s', (_, text) => {
    expect(() => parseCanonical(text)).toThrow(expect.objectContaining({ code: expect.stringMatching(/^json_/) }));
  });

  it('says malformed of what is no JSON, and keeps a stranger’s bytes out of the message', () => {
    const attempt = () => parseCanonical('{"a":\u001b[31mred');
    expect(attempt).toThrow(expect.objectContaining({ code: 'json_malformed' }));
    expect(attempt).not.toThrow(/red/);
  });

  it('answers a bomb of brackets with a refusal instead of an exhausted stack', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parseCanonical(deep(JSON_DEPTH_MAX))).toBeInstanceOf(Array);
    for (const levels of [JSON_DEPTH_MAX + 1, 30_000]) {
      expect(() => parseCanonical(deep(levels))).toThrow(expect.objectContaining({ code: 'json_not_canonical' }));
    }
  });

  it('takes the text of an own __proto__ key as data', () => {
    const value = parseCanonical('{"__proto__":{"polluted":true}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('takes an escaped backslash before ud800 as plain text', () => {
    expect(parseCanonical(String.raw`["\\ud800"]`)).toEqual([String.raw`\ud800`]);
  });
});

describe('properties', () => {
  // Keys that enumerate out of order, and strings of every kind.
  const value = fc.jsonValue({
    maxDepth: 5,
    stringUnit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom('\\ud8', '"', '1', '9')),
  });

  it('writes what the package canonicalize writes', () => {
    fc.assert(
      fc.property(value, (value) => jcs(value) === canonicalize(value)),
      { numRuns: 2000 },
    );
  });

  it('accepts its own text and gives the value back', () => {
    fc.assert(
      fc.property(value, (value) => {
        const text = jcs(value);
        expect(jcs(parseCanonical(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts a text exactly when the text is what jcs writes', () => {
    fc.assert(
      fc.property(value, fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, undefined, spaced ? 1 : 0);
        const canonical = canonicalize(JSON.parse(text)) === text;
        let accepted = true;
        try {
          parseCanonical(text);
        } catch {
          accepted = false;
        }
        expect(accepted).toBe(canonical);
      }),
      { numRuns: 2000 },
    );
  });
});
