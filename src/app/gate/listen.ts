// One event of the forge, answered: a form becomes a planned mission, a comment's commands are carried out in order, and
// whoever is not on the roster may ask, gets one answer otherwise, and leaves no trace. Nothing that came from the forge is
// believed beyond who wrote a new comment, by numeric id. Issues that are no proposals get silence, whoever writes there.
import { readForm } from '../../forge-text/form.ts';
import { hasCommandFurtherDown, readComment, type Command, type CommentReading } from '../../forge-text/grammar.ts';
import { isProposer } from '../../kernel/course/proposers.ts';
import { missionName } from '../../kernel/values.ts';
import type { Refused } from '../../kernel/verdict.ts';
import { missionState } from '../mission/world.ts';
import { answer } from './answers.ts';
import { cancelling, isQuestion, obey, show, type Obeyed } from './commands.ts';
import { memberOf, personOf, type GateDesk } from './desk.ts';
import type { Heard, HeardComment, HeardIssue } from './heard.ts';
import { missionOfIssue } from './issue-index.ts';
import { pasteHere } from './paste.ts';
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
  if (known === undefined && readForm(heard.issueBody).is === 'no_proposal')
    return { decision: 'stop', reasonCode: 'ignored_not_proposal' };
  if (by === undefined) return onOutsider(desk, heard, known, reading);
  if (reading.is === 'further_down') return misread(desk, heard, known, FURTHER_DOWN);
  if (reading.is === 'refused') return misread(desk, heard, known, reading);
  const acting = known === undefined ? undefined : await bring(desk, known, heard.issue);
  let last: Obeyed = { decision: 'stop', reasonCode: 'shown', ...(acting === undefined ? {} : { acting }) };
  for (const [n, command] of reading.value.entries()) {
    const to = nth(heard, n);
    last = await obey(desk, { ...heard, by, to }, command, last);
    if (last.refused !== undefined) await say(desk, { issue: heard.issue, to }, last, last.refused, command);
  }
  // What opened the comment counted; whoever typed more below it is told that it did not.
  if (hasCommandFurtherDown(heard.body)) await misread(desk, heard, known, FURTHER_DOWN, `${heard.comment}.below`);
  return shown(desk, heard.issue, last);
}

const FURTHER_DOWN: Refused = { is: 'refused', code: 'command_further_down', facts: {} };

/** Anybody may ask about a mission; a proposal that waits has said so already. What else they type is answered once. */
async function onOutsider(
  desk: GateDesk,
  heard: HeardComment,
  known: string | undefined,
  reading: CommentReading,
): Promise<Listened> {
  const nothing: Listened = { decision: 'stop', reasonCode: 'not_authorised' };
  if (known === undefined || reading.is === 'no_command' || reading.is === 'further_down') return nothing;
  // A word that is nearly a command is as likely a path, or another bot's.
  if (reading.is === 'refused' && reading.code === 'unknown_verb') return nothing;
  const proposer = await asProposer(desk, heard, known, reading);
  if (proposer !== undefined) return proposer;
  const questions = reading.is === 'accepted' ? reading.value.filter(isQuestion) : [];
  if (reading.is === 'refused' || questions.length < reading.value.length) {
    await answer(desk, { is: 'outsider', issue: heard.issue, to: heard.comment });
    return nothing;
  }
  let last: Obeyed = { decision: 'stop', reasonCode: 'shown', acting: await bring(desk, known, heard.issue) };
  // The list of commands stands in an issue once, however many ask for it.
  for (const question of questions) last = await show(desk, { issue: heard.issue, to: 'outsider' }, question, last);
  return shown(desk, heard.issue, last);
}

/** Whoever asked for it may call it off without being on the roster; of anything else they type nothing comes. */
async function asProposer(
  desk: GateDesk,
  heard: HeardComment,
  known: string,
  reading: CommentReading,
): Promise<Listened | undefined> {
  const command = reading.is === 'accepted' ? reading.value.find((one) => one.verb === 'cancel') : undefined;
  if (command === undefined) return undefined;
  const acting = await bring(desk, known, heard.issue);
  const state = await missionState(acting);
  const { course, roster } = state;
  if (course === undefined) return undefined;
  const by = memberOf(desk, heard.authorId);
  const isTheirs =
    by === undefined
      ? course.proposers.some(({ forge_user_id }) => forge_user_id === heard.authorId)
      : isProposer(roster, course.proposers, by);
  if (!isTheirs) return undefined;
  const last = await cancelling(desk, { ...heard, by }, command, { acting, state });
  const at = { issue: heard.issue, to: heard.comment };
  if (last.refused !== undefined) await say(desk, at, last, last.refused, command);
  return shown(desk, heard.issue, last);
}

/** Each command of a comment has its own answer. */
function nth({ comment }: HeardComment, n: number): number | string {
  return n === 0 ? comment : `${comment}.${n + 1}`;
}

async function shown(desk: GateDesk, issue: number, last: Obeyed): Promise<Listened> {
  const { acting } = last;
  if (acting === undefined) return last;
  const state = last.state ?? (await missionState(acting));
  return { ...last, state, view: await showStatus(desk, { acting, state, issue }) };
}

async function misread(
  desk: GateDesk,
  { issue, comment }: HeardComment,
  known: string | undefined,
  refused: Refused,
  to: number | string = comment,
): Promise<Listened> {
  const mission = known === undefined ? null : missionName(known);
  const state = known === undefined ? undefined : await missionState(await bring(desk, known, issue));
  await answer(desk, { is: 'refusal', issue, to, mission, refused, ...pasteHere(state, refused) });
  return { decision: 'stop', reasonCode: refused.code };
}

async function say(
  desk: GateDesk,
  at: { readonly issue: number; readonly to: number | string },
  { acting, state }: Obeyed,
  refused: Refused,
  { verb }: Command,
): Promise<void> {
  const mission = state === undefined ? undefined : missionName(state.ledger_id);
  await answer(desk, {
    is: 'refusal',
    ...at,
    mission: mission ?? (acting === undefined ? null : acting.ref.split('/').at(-1)!),
    refused,
    ...pasteHere(state, refused, verb),
  });
}
