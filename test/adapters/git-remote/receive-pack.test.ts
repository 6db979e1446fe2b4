// The push request and its report as bytes, with every way a server can answer wrongly.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../src/adapters/git-remote/outcome.ts';
import { FLUSH, pktLine } from '../../../src/adapters/git-remote/pkt-line.ts';
import { assertUpdates, encodePushRequest, parseReport } from '../../../src/adapters/git-remote/receive-pack.ts';
import { Failure } from '../../../src/failure.ts';
import { concat, fromUtf8, utf8 } from '../../../src/format/bytes.ts';

const X = 'refs/heads/x';
const Y = 'refs/heads/y';
const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

const plain = (...lines: string[]): Uint8Array => concat([...lines.map((line) => pktLine(utf8(line))), FLUSH]);
const band = (number: number, bytes: Uint8Array): Uint8Array => pktLine(concat([Uint8Array.of(number), bytes]));

describe('a push request', () => {
  it('is the commands, the capabilities after the first, a flush and the pack', () => {
    const updates = [
      { ref: X, old: A, next: B },
      { ref: Y, old: undefined, next: B },
    ];
    const text = fromUtf8(encodePushRequest(updates, utf8('PACK')));
    const capabilities = 'report-status side-band-64k atomic object-format=sha1 agent=lazarus';
    expect(text).toBe(`00a7${A} ${B} ${X}\0 ${capabilities}0062${'0'.repeat(40)} ${B} ${Y}0000PACK`);
  });

  it.each([
    ['a line break that would add a command', [{ ref: `${X}\n${A} ${B} ${Y}`, old: A, next: B }]],
    ['a NUL that would add capabilities', [{ ref: `${X}\0 push-options`, old: A, next: B }]],
    ['a name outside refs/', [{ ref: 'HEAD', old: A, next: B }]],
    ['a refspec pattern', [{ ref: 'refs/heads/*', old: A, next: B }]],
    ['a short object name', [{ ref: X, old: 'abc', next: B }]],
    ['one reference twice', [{ ref: X, old: A, next: B }, { ref: X, old: B, next: A }]], // prettier-ignore
  ])('is never written with %s', (_case, updates) => {
    expect(() => assertUpdates(updates)).toThrow(Failure);
  });
});

describe('the report on a push', () => {
  it('is read plain and in side-bands, split anywhere', () => {
    const report = plain('unpack ok\n', `ok ${X}\n`, `ng ${Y} pre-receive hook declined\n`);
    const refs = new Map([[X, undefined], [Y, 'pre-receive hook declined']]); // prettier-ignore
    expect(parseReport(report, [X, Y])).toEqual({ unpack: 'ok', refs, said: '' });
    for (let cut = 1; cut < report.length; cut++) {
      const parts = [band(1, report.subarray(0, cut)), band(2, utf8('hello')), band(1, report.subarray(cut)), FLUSH];
      expect(parseReport(concat(parts), [X, Y])).toEqual({ unpack: 'ok', refs, said: 'hello' });
    }
  });

  it('counts a server that gives up aloud as refusing everything', () => {
    expect(parseReport(plain('ERR access denied'), [X]).refs.get(X)).toBe('access denied');
    expect(parseReport(concat([band(3, utf8('out of memory')), FLUSH]), [X]).refs.get(X)).toBe('out of memory');
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['a web page', utf8('<html>login</html>')],
    ['only a flush', FLUSH],
    ['no flush', pktLine(utf8('unpack ok'))],
    ['a huge packet', utf8('ffffunpack ok')],
    ['a packet longer than all bytes', utf8('0100unpack ok0000')],
    ['a length of three', utf8('0003')],
    ['a length with a sign', utf8('+00funpack ok\n0000')],
    ['no unpack line', plain(`ok ${X}`)],
    ['silence on the reference', plain('unpack ok')],
    ['another reference', plain('unpack ok', `ok ${Y}`)],
    ['the reference twice', plain('unpack ok', `ok ${X}`, `ng ${X} no`)],
    ['a third word', plain('unpack ok', `maybe ${X}`)],
    ['no without a reason', plain('unpack ok', `ng ${X}`)],
    ['yes with a reason', plain('unpack ok', `ok ${X} perhaps`)],
    ['bands and no bands mixed', concat([band(1, plain('unpack ok')), pktLine(utf8(`ok ${X}`)), FLUSH])],
    ['a band cut short', concat([band(1, utf8('000eunpack ok')), FLUSH])],
  ])('that is %s is not the git protocol', (_case, body) => {
    expect(() => parseReport(body, [X])).toThrow(expect.objectContaining({ code: 'remote_protocol' }));
  });

  it('never fails in another way than by name, whatever the bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.string()).map((lines) => plain(...lines)),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          parseReport(body, [X]);
        } catch (error) {
          expect(error).toMatchObject({ code: 'remote_protocol' });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the outcome of a push', () => {
  // Words of git 2.39, git 2.50, Gitea 1.27 and of the pushing side.
  it.each([
    ['failed to update ref', `error: cannot lock ref '${X}': is at ${A} but expected ${B}`],
    ['atomic transaction failed', `error: cannot lock ref '${X}': reference already exists`],
    ['atomic transaction failed', `error: cannot lock ref '${X}': unable to resolve reference '${X}'`],
    ['atomic transaction failed', `error: cannot lock ref '${X}': Unable to create '/r/${X}.lock': File exists.`],
    ['failed to update ref', ''],
    ['incorrect old value provided', ''],
    ['reference already exists', ''],
    ['stale info', ''],
    ['fetch first', ''],
    ['non-fast-forward', ''],
  ])('is a lost race when the server says: %s, %s', (why, said) => {
    expect(outcomeOf([{ ref: X, why }], said)).toEqual({ is: 'moved' });
  });

  it.each([
    ['pre-receive hook declined', ''],
    ['deletion prohibited', ''],
    ['missing necessary objects', ''],
    ['atomic transaction failed', `error: cannot lock ref '${X}': 'refs/heads' exists; cannot create '${X}'`],
    ['failed to update ref', 'error: unable to write file: No space left on device'],
  ])('is a refusal when the server says: %s, %s', (why, said) => {
    expect(outcomeOf([{ ref: X, why }], said)).toMatchObject({
      is: 'refused',
      ref: X,
      why: expect.stringContaining(why),
    });
  });

  it('names the reference that was at fault, not the one that had to follow', () => {
    const verdicts = [{ ref: X, why: 'atomic push failed' }, { ref: Y, why: 'hook declined' }]; // prettier-ignore
    expect(outcomeOf(verdicts, '')).toEqual({ is: 'refused', ref: Y, why: 'hook declined' });
  });

  it('is never success when only some references moved', () => {
    const verdicts = [{ ref: X, why: undefined }, { ref: Y, why: 'stale info' }]; // prettier-ignore
    expect(() => outcomeOf(verdicts, '')).toThrow(expect.objectContaining({ code: 'remote_not_atomic' }));
  });

  it('keeps a stranger’s words short', () => {
    const outcome = outcomeOf([{ ref: X, why: 'hook declined' }], 'x'.repeat(100_000));
    expect(outcome.is === 'refused' && outcome.why.length).toBeLessThanOrEqual(400);
  });
});
