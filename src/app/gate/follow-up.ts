// `/followup`: a mission that is over is gone on from in an issue of its own, whose form says what the other one's said, with
// another goal. Proposed by whoever typed it, who can so not approve it; approved by nobody yet. A comment makes one issue.
import { formBody } from '../../forge-text/form-body.ts';
import { readForm } from '../../forge-text/form.ts';
import { followUpTitle } from '../../forge-text/replies.ts';
import type { Command } from '../../forge-text/grammar.ts';
import { missionName } from '../../kernel/values.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import type { Issue } from '../../ports/forge.ts';
import { followUpOf, type Delivered } from '../mission/follow-up.ts';
import { planOf } from '../mission/plan.ts';
import { missionState, type Acting } from '../mission/world.ts';
import { answer, isAnswered, type To } from './answers.ts';
import { settingOf, type GateDesk } from './desk.ts';
import type { HeardComment } from './heard.ts';
import { checkTarget, propose, type Listened } from './propose.ts';

type FollowingUp = {
  readonly acting: Acting;
  readonly heard: HeardComment & To;
  readonly command: Extract<Command, { verb: 'followup' }>;
};

/** What came of it in the new issue; nothing new where the comment made that before. */
export async function followUp(
  desk: GateDesk,
  { acting, heard, command }: FollowingUp,
): Promise<Verdict<Listened['reasonCode']>> {
  const { issue, to } = heard;
  const from = missionName((await missionState(acting)).ledger_id);
  const replied = { issue, to, mission: from };
  if (await isAnswered(desk, replied)) return accept('already_heard');
  const isToBeMerged = async ({ pullRequest }: Delivered): Promise<boolean> =>
    pullRequest !== null && (await desk.forge.pullRequest(pullRequest))?.state === 'open';
  const wanted = await followUpOf(desk.world, acting, { ...command, isToBeMerged });
  if (wanted.is === 'refused') return wanted;
  const { proposal, follows } = wanted.value;
  const body = formBody(proposal);
  if (body.is === 'refused') return body;
  const form = readForm(body.value);
  if (form.is !== 'accepted') return form.is === 'refused' ? form : refuse('nothing_proposed', { issue });
  const target = checkTarget(desk, form.value.target);
  if (target.is === 'refused') return target;
  const mission = desk.fresh ?? desk.world.bench.parts.ids.next();
  // Before an issue is made of it: what cannot be planned is said where it was asked for.
  const trial = { mission, proposal: form.value, setting: settingOf(issue), attemptNo: 1 };
  const planned = await planOf(desk.world, trial);
  if (planned.is === 'refused') return planned;
  const title = followUpTitle({ goal: proposal.goal, from, comment: heard.comment });
  const made = (await madeBefore(desk, title)) ?? (await desk.forge.createIssue({ title, body: body.value }));
  const asked = {
    issue: made.number,
    repository: heard.repository,
    updatedAt: made.updatedAt,
    authorId: heard.authorId,
    body: body.value,
    form,
    adopter: heard.authorId,
    follows,
  };
  const known = await desk.missionOf(made.number);
  const opened = known === undefined ? await propose(desk, asked, undefined) : undefined;
  const name = known ?? (opened?.state === undefined ? null : missionName(opened.state.ledger_id));
  await answer(desk, { is: 'followed', ...replied, inIssue: made.number, by: name, home: desk.shown.home });
  return accept(opened?.reasonCode ?? 'proposed');
}

/** By a run that was broken off before it could say so. */
async function madeBefore({ forge, ownId }: GateDesk, title: string): Promise<Issue | undefined> {
  return (await forge.newestIssues(LOOKED_AT_MAX)).find((one) => one.author.id === ownId && one.title === title);
}

const LOOKED_AT_MAX = 50;
