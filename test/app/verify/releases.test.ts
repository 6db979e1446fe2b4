// Why claims were released, held against the mission that held them: the liar here is a person with a valid key who lets go
// of what others need.
import { oneStep } from '../../support/course/asked.ts';
import { pathsOf } from '../../../src/kernel/course/plan.ts';
import { describe, expect, it } from 'vitest';
import type { Release } from '../../../src/app/verify/project-record.ts';
import { ReleaseAudit } from '../../../src/app/verify/releases.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import { courseAt, type Stage } from '../../support/course.ts';

/** One head per stage: approved at size 10, and so on. */
const COURSE: readonly Stage[] = ['voted', 'granted', 'spawned', 'verified', 'ended'];
const HEADS = COURSE.map((stage, i) => at(courseAt(stage), 10 * (i + 1)));
const CLAIMS = pathsOf(HEADS[0]!.state.course!.plan!);

function at(state: MissionState, size: number) {
  return { size, root: String(size).padStart(64, '0'), oid: String(size).padStart(40, '0'), state };
}

function release(size: number, because: Release['because'], changes: Partial<Release> = {}): Release {
  const { root, oid } = at(HEADS[0]!.state, size);
  return { mission_id: 'm', after: { size, root, oid }, because, claims: CLAIMS, index: size, ...changes };
}

function judged(releases: readonly Release[], heads = HEADS): string[] {
  const audit = new ReleaseAudit(releases);
  for (const head of heads) audit.see(head);
  return audit.judged().map(({ is }) => is);
}

describe('a release of claims', () => {
  it('is founded at the head that ended the mission', () => {
    expect(judged([release(50, 'ended')])).toEqual(['founded']);
  });

  it.each([20, 30, 40])('is unfounded while the mission needs them (size %i), whatever it says', (size) => {
    for (const because of ['ended', 'withdrawn', 'revised'] as const)
      expect(judged([release(size, because)])).toEqual(['unfounded']);
  });

  it('is unfounded at a head from before the claims: the mission held nothing then, and it is no reason', () => {
    expect(judged([release(10, 'withdrawn')])).toEqual(['unfounded']);
  });

  it('is unfounded at a head that the mission does not have', () => {
    const { after } = release(50, 'ended');
    for (const other of [{ oid: 'ab'.repeat(20) }, { root: 'ab'.repeat(32) }, { size: 45 }])
      expect(judged([release(50, 'ended', { after: { ...after, ...other } })])).toEqual(['unfounded']);
  });

  it('is founded where the vote was taken back, and once only for that', () => {
    const back = at(courseAt('awaiting'), 30);
    const heads = [HEADS[0]!, HEADS[1]!, back, at(courseAt('granted'), 40)];
    expect(judged([release(30, 'withdrawn')], heads)).toEqual(['founded']);
    expect(judged([release(30, 'withdrawn'), release(30, 'withdrawn')], heads)).toEqual(['founded', 'unfounded']);
  });

  it('is founded where the plan asks for other paths now', () => {
    expect(judged([release(30, 'revised', { claims: ['elsewhere/**'] })], HEADS.slice(0, 3))).toEqual(['unfounded']);
    const revised = courseAt('granted');
    const plan = { ...revised.course!.plan!, steps: oneStep(['other/**']) };
    const after = at({ ...revised, course: { ...revised.course!, plan } }, 30);
    expect(judged([release(30, 'revised')], [HEADS[0]!, HEADS[1]!, after])).toEqual(['founded']);
  });

  it('is unconfirmed where the ledger at hand does not reach so far', () => {
    expect(judged([release(50, 'ended')], HEADS.slice(0, 3))).toEqual(['unconfirmed']);
    expect(judged([release(50, 'ended')], [])).toEqual(['unconfirmed']);
  });
});
