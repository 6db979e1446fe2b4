// What `/diff` answers, for any patch: bounded, and one block that nothing in it can end.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffReply, type ShownDiff } from '../../src/forge-text/diff-reply.ts';
import { hostile } from '../support/hostile.ts';
import { seen } from '../support/markdown.ts';

const ANSWERED = { mission: 'm-0123456789ab', to: 7 };
const SHOWN: ShownDiff = {
  mission: 'm-0123456789ab',
  attempt: 2,
  base: 'a'.repeat(40),
  commit: 'b'.repeat(40),
  by: null,
  patch: 'diff --git a/x b/x\n+one\n',
};

describe('the answer to /diff', () => {
  it('shows a whole patch, and the line that shows it in a clone', () => {
    const text = diffReply(ANSWERED, SHOWN);
    expect(text).toContain('```diff\ndiff --git a/x b/x\n+one\n```');
    expect(text).toMatch(/All of it, in a clone: `lazarus diff m-0123456789ab --attempt 2`$/);
    expect(diffReply(ANSWERED, { ...SHOWN, patch: '' })).toContain('changed nothing');
    expect(text).not.toContain('word of');
    expect(diffReply(ANSWERED, { ...SHOWN, by: 'ron' })).toContain('the word of `ron` alone');
  });

  it('stays below what a forge takes, however long the patch or a line of it', () => {
    const long = `+${'\u202e'.repeat(5000)}\n`.repeat(20_000);
    for (const patch of [long, `+${'x'.repeat(1_000_000)}`, '+\n'.repeat(100_000), '`'.repeat(200_000)]) {
      const text = diffReply(ANSWERED, { ...SHOWN, patch });
      expect(Buffer.byteLength(text)).toBeLessThan(60_000);
    }
    expect(diffReply(ANSWERED, { ...SHOWN, patch: '+\n'.repeat(1000) })).toContain('… and 600 more lines.');
  });

  it('has everything of an agent in one block, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 12 }), (lines) => {
        const { code, html, links, images, prose } = seen(
          diffReply(ANSWERED, { ...SHOWN, patch: `+${lines.join('\n')}` }),
        );
        expect(links).toEqual([]);
        expect(images).toBe(0);
        expect(html).toEqual(['<!-- lazarus:reply v1 mission=m-0123456789ab to=7 -->']);
        expect(prose).not.toContain('EVIL');
        expect(code).toHaveLength(4);
      }),
    );
  });
});
