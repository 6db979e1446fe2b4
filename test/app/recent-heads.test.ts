// A job asks its forge once: what was told a moment ago is not asked again, and a lost race is.
import { describe, expect, it } from 'vitest';
import { withRecentHeads } from '../../src/app/recent-heads.ts';
import type { PushOutcome, Remote } from '../../src/ports/remote.ts';

const [OLD, NEW, THEIRS] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];

function recent(outcome: PushOutcome) {
  const asked: string[] = [];
  const there = new Map([['refs/a', OLD]]);
  const time = { ms: 0 };
  const remote = {
    heads: (refs: readonly string[]) => {
      asked.push(refs.join(' '));
      return Promise.resolve(new Map(refs.flatMap((ref) => (there.has(ref) ? [[ref, there.get(ref)!]] : []))));
    },
    fetch: (refs: readonly string[], into: string) => {
      asked.push(`${into} ${refs.join(' ')}`);
      return Promise.resolve();
    },
    push: () => Promise.resolve(outcome),
  } as unknown as Remote;
  const pushed: number[] = [];
  return {
    asked,
    there,
    time,
    pushed,
    remote: withRecentHeads(remote, { nowMs: () => time.ms, onPush: (ms) => pushed.push(ms) }),
  };
}

const CHANGE = { objects: [], updates: [{ ref: 'refs/a', old: OLD, next: NEW }] };

describe('a remote with recent heads', () => {
  it('is asked once for what is there and for what is not, and again when that is old', async () => {
    const { remote, asked, time } = recent({ is: 'landed' });
    for (let n = 0; n < 2; n++) expect(await remote.heads(['refs/a', 'refs/b'])).toEqual(new Map([['refs/a', OLD]]));
    expect(await remote.heads(['refs/b'])).toEqual(new Map());
    expect(asked).toEqual(['refs/a refs/b']);
    time.ms += 60_000;
    await remote.heads(['refs/a']);
    expect(asked).toEqual(['refs/a refs/b', 'refs/a']);
  });

  it('knows what its own push moved', async () => {
    const { remote, asked, pushed } = recent({ is: 'landed' });
    await remote.push(CHANGE);
    expect(await remote.heads(['refs/a'])).toEqual(new Map([['refs/a', NEW]]));
    expect([asked, pushed]).toEqual([[], [0]]);
  });

  it.each<PushOutcome>([{ is: 'moved' }, { is: 'unknown', why: 'no answer' }])(
    'asks again after %j',
    async (outcome) => {
      const { remote, there } = recent(outcome);
      await remote.heads(['refs/a']);
      there.set('refs/a', THEIRS);
      await remote.push(CHANGE);
      expect(await remote.heads(['refs/a'])).toEqual(new Map([['refs/a', THEIRS]]));
    },
  );

  it('is asked once by two who ask the same at once, and again by whoever asks later', async () => {
    const { remote, asked } = recent({ is: 'landed' });
    const heads = Promise.all([remote.heads(['refs/a']), remote.heads(['refs/a'])]);
    expect(await heads).toEqual([new Map([['refs/a', OLD]]), new Map([['refs/a', OLD]])]);
    await Promise.all([remote.fetch(['refs/a'], 'refs/x/'), remote.fetch(['refs/a'], 'refs/x/')]);
    expect(asked).toEqual(['refs/a', 'refs/x/ refs/a']);
    await remote.fetch(['refs/a'], 'refs/x/');
    expect(asked).toEqual(['refs/a', 'refs/x/ refs/a', 'refs/x/ refs/a']);
  });

  it('does not take what was asked before a push for what is there after it', async () => {
    const { remote, there } = recent({ is: 'moved' });
    const before = remote.heads(['refs/a']);
    there.set('refs/a', THEIRS);
    await remote.push(CHANGE);
    expect(await Promise.all([before, remote.heads(['refs/a'])])).toEqual([
      new Map([['refs/a', OLD]]),
      new Map([['refs/a', THEIRS]]),
    ]);
  });

  it('asks a pattern every time: what it names may have become more', async () => {
    const { remote, asked } = recent({ is: 'landed' });
    await remote.heads(['refs/*']);
    await remote.heads(['refs/*']);
    expect(asked).toEqual(['refs/*', 'refs/*']);
  });
});
