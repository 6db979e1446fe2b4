// One event of the forge, answered: a form becomes a planned mission, a comment's commands are carried out in order, and
// whoever is not on the roster gets one answer and leaves no trace. Nothing that came from the forge is believed beyond
// who wrote a new comment, by numeric id.
import { readForm } from '../../forge-text/form.ts';
import { readComment, type Command } from '../../forge-text/grammar.ts';
import { missionName } from '../../kernel/values.ts';
import type { Refused } from '../../kernel/verdict.ts';
import { missionState } from '../mission/world.ts';
import { answer, type To } from './answers.ts';
import { obey, type Obeyed } from './commands.ts';
import { personOf, type GateDesk } from './desk.ts';
import type { Heard, HeardComment, HeardIssue } from './heard.ts';
import { missionOfIssue } from './issue-index.ts';
import { bring, propose, refuse, type Listened } from './propose.ts';
import { showStatus } from './show.ts';

export async function listen(desk: GateDesk, heard: Heard): Promise<Listened> {
  if (heard.authorId === desk.ownId) return { decision: 'stop', reasonCode: 'ignored_bot' };
  return heard.is === 'issue' ? onIssue(desk, heard) : onComment(desk, heard);
}

async function onIssue(desk: GateDesk, heard: HeardIssue): Promise<Listened> {
  const reading = readForm(heard.body);
  if (reading.is === 'no_proposal') return { decision: 'stop', reasonCode: 'ignored_not_proposal' };
  const by = personOf(desk, heard.senderId);
  const known = await missionOfIssue(desk.world.bench, heard.issue);
  if (by === undefined) {
    // Filed by a stranger: one answer, no branch. Edited by one: the mission goes on as it was, and says so when looked at.
    if (heard.action === 'opened') await answer(desk, { is: 'stranger', issue: heard.issue, to: heard.issue });
    return { decision: 'stop', reasonCode: 'not_authorised' };
  }
  if (reading.is === 'refused') return refuse(desk, heard, known, reading);
  return propose(desk, { ...heard, adopter: heard.senderId }, known);
}

async function onComment(desk: GateDesk, heard: HeardComment): Promise<Listened> {
  const reading = readComment(heard.body);
  if (reading.is === 'no_command') return { decision: 'stop', reasonCode: 'ignored_not_command' };
  const by = personOf(desk, heard.authorId);
  const known = await missionOfIssue(desk.world.bench, heard.issue);
  if (by === undefined) {
    await answer(desk, { is: 'outsider', issue: heard.issue, to: heard.comment });
    return { decision: 'stop', reasonCode: 'not_authorised' };
  }
  if (reading.is === 'refused') return misread(desk, heard, known, reading);
  const acting = known === undefined ? undefined : await bring(desk, known, heard.issue);
  let last: Obeyed = { decision: 'stop', reasonCode: 'shown', ...(acting === undefined ? {} : { acting }) };
  for (const [n, command] of reading.value.entries()) {
    // Each command of a comment has its own answer.
    const to = n === 0 ? heard.comment : `${heard.comment}.${n + 1}`;
    last = await obey(desk, { ...heard, by, to }, command, last);
    if (last.refused !== undefined) await say(desk, { issue: heard.issue, to }, last, last.refused, command);
  }
  const mission = last.acting;
  if (mission === undefined) return last;
  const state = last.state ?? (await missionState(mission));
  const view = await showStatus(desk, { acting: mission, state, issue: heard.issue });
  return { ...last, state, view };
}

async function misread(
  desk: GateDesk,
  { issue, comment }: HeardComment,
  known: string | undefined,
  refused: Refused,
): Promise<Listened> {
  const mission = known === undefined ? null : missionName(known);
  await answer(desk, { is: 'refusal', issue, to: comment, mission, refused });
  return { decision: 'stop', reasonCode: refused.code };
}

async function say(
  desk: GateDesk,
  at: To,
  { acting, state }: Obeyed,
  refused: Refused,
  command: Command,
): Promise<void> {
  const mission = state === undefined ? undefined : missionName(state.ledger_id);
  const current = Object.values(state?.course?.approvals ?? {}).find(({ granted }) => !granted)?.digest;
  // The usual mistake is an old digest; the line that helps is the current one, to be read again and then typed.
  const paste =
    command.verb === 'approve' && refused.code === 'approval_stale' && current !== undefined
      ? `/approve ${current.slice(0, 12)}`
      : undefined;
  await answer(desk, {
    is: 'refusal',
    ...at,
    mission: mission ?? (acting === undefined ? null : acting.ref.split('/').at(-1)!),
    refused,
    ...(paste === undefined ? {} : { paste }),
  });
}
