// What verified work is to cause, exactly: one branch, and on a forge the pull request and the comment that show it. The
// words are ours, and as code those that people approved in the plan: nothing an agent or a stranger wrote leaves the cell
// through a title or a body of ours.
import { courseOf } from '../../kernel/course/steps.ts';
import { COMMANDS } from '../../forge-text/commands.ts';
import { code } from '../../forge-text/shown.ts';
import { cellWords } from '../../kernel/cell/words.ts';
import type { Attempt } from '../../kernel/course/course.ts';
import type { Plan } from '../../kernel/course/plan.ts';
import type { EffectSpec } from '../../kernel/effect/spec.ts';
import { checksOf, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { workBranch } from './planning.ts';

export function deliveryOf({ effects, proposal, issue }: PlanDocument, state: MissionState): readonly EffectSpec[] {
  const { attempt, plan } = courseOf(state)!;
  const { commit } = attempt!.work!;
  const name = missionName(state.ledger_id);
  const branch = workBranch(state.ledger_id, attempt!.no);
  const verify = `Verify it alone: \`lazarus verify ${name}\``;
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
          body: pullRequestBody({ name, proposal, issue, plan: plan!, attempt: attempt!, commit, verify }),
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

type Delivered = Pick<PlanDocument, 'proposal' | 'issue'> & {
  readonly name: string;
  readonly plan: Plan;
  readonly attempt: Attempt;
  readonly commit: string;
  readonly verify: string;
};

/** Merged into the default branch it closes the issue. */
function pullRequestBody({ name, proposal, issue, plan, attempt, commit, verify }: Delivered): string {
  const cells = [...new Set(attempt.checks.map(cellWords))].join('; ');
  const checks = checksOf(proposal).map(({ shellText }) => `- ${code(shellText, COMMAND_CHARACTERS_MAX)}: exit 0`);
  const here =
    issue === null
      ? []
      : [
          `Closes #${issue}, which has who approved it, what it cost, and a receipt for every effect.`,
          `If something else is wanted: ${code(COMMANDS.followup.usage)} in #${issue} goes on from this branch.`,
        ];
  return [
    code(proposal.goal),
    ...here.slice(0, 1),
    `Mission ${name}, attempt ${attempt.no} of the plan \`${plan.plan_digest.slice(0, 12)}\`. In fresh cells (${cells}), on ${commit}:`,
    checks.join('\n'),
    ...here.slice(1),
    `${verify}\n`,
  ].join('\n\n');
}

/** All of them together stay below what a forge takes. */
const COMMAND_CHARACTERS_MAX = 1000;
