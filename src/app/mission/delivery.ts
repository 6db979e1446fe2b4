// What verified work is to cause, exactly: one branch, and on a forge the pull request and the comment that show it. The
// words are ours and fixed: nothing an agent or a stranger wrote leaves the cell through a title or a body of ours.
import { courseOf } from '../../kernel/course/steps.ts';
import { cellWords } from '../../kernel/cell/words.ts';
import type { EffectSpec } from '../../kernel/effect/spec.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { workBranch } from './planning.ts';

export function deliveryOf({ effects, proposal, issue }: PlanDocument, state: MissionState): readonly EffectSpec[] {
  const { attempt, plan } = courseOf(state)!;
  const { commit } = attempt!.work!;
  const name = missionName(state.ledger_id);
  const branch = workBranch(state.ledger_id, attempt!.no);
  const verify = `Verify it alone: \`lazarus verify ${name}\``;
  const cells = [...new Set(attempt!.checks.map(cellWords))].join('; ');
  return effects.map((kind): EffectSpec => {
    switch (kind) {
      case 'write_local_branch':
      case 'push_branch':
        return { kind, branch, commit };
      case 'open_pull_request':
        return {
          kind,
          base: proposal.base,
          branch,
          commit,
          title: `${name}: work of attempt ${attempt!.no}`,
          body: `Mission ${name}, attempt ${attempt!.no}, approved as \`${plan!.plan_digest.slice(0, 12)}\`.\n\nThe verify command and every acceptance check passed in fresh cells (${cells}) on ${commit}.\n\n${verify}\n`,
        };
      case 'post_comment':
        return {
          kind,
          issue: issue ?? 0,
          body: `Mission ${name} is done: \`${branch}\` at ${commit}.\n\n${verify}\n`,
        };
    }
  });
}
