// What scripts read of a mission: `--json` of status and of all that prints one.
import { describe, expect, it } from 'vitest';
import { viewJson } from '../../../src/surfaces/cli/mission/view-text.ts';
import type { StatusView } from '../../../src/forge-text/status-view.ts';
import { courseAt } from '../../support/course.ts';
import { AWAITING } from '../../support/status.ts';

function json(changes: Partial<StatusView>): Record<string, unknown> {
  const state = courseAt('proposed');
  const status = { ...AWAITING, ...changes };
  return viewJson({ status, state, plan: undefined, step: { is: 'nothing' }, next: { type: null } } as never);
}

describe('--json of a mission', () => {
  it('has what became of the work: the commit, the pull request, and what people did with it', () => {
    const work = { commit: 'ab'.repeat(20), changed: 3 };
    const review = { state: 'merged', mergedBy: 'ana', changesBy: [] } as const;
    expect(json({ work, pullRequest: 14, review })).toMatchObject({
      work,
      pull_request: 14,
      review: { state: 'merged', merged_by: 'ana', changes_by: [] },
    });
  });

  it('has the attempts that failed before', () => {
    const earlier = [{ no: 1, because: 'the check exited with 1' }];
    expect(json({ earlier })).toMatchObject({ earlier });
  });

  it('names every field as scripts do, in small letters and with underscores', () => {
    const spent = [{ route: 'model', calls: 2, guessed: 1, tokensIn: 70, tokensOut: 9 }];
    const because = { code: 'checks_failed', says: 'A check failed.', isLast: true };
    const said = JSON.stringify(
      json({ because, spent, review: { state: 'open', mergedBy: null, changesBy: ['ben'] } }),
    );
    const names = [...said.matchAll(/"(\w+)":/g)].map(([, name]) => name!);
    expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });
});
