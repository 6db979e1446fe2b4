// One event of the forge, answered: a form becomes a planned mission, a comment's commands are carried out in order, and
// whoever is not on the roster may ask, gets one answer otherwise, and leaves no trace. Nothing that came from the forge is
// believed beyond who wrote a new comment, by numeric id. Issues that are no proposals get silence, whoever writes there.
import type { CommentReading, Command } from '../../forge-text/grammar.ts';
import { isProposer } from '../../kernel/course/proposers.ts';
import { askedOf } from '../../kernel/approval/asked.ts';
import type { Refused } from '../../kernel/verdict.ts';
import { ledgerName } from '../../ledger/names.ts';
import { missionState } from '../mission/world.ts';
import { answer, type To } from './answers.ts';
import type { CommentRead, IssueRead } from './before.ts';
import { isForAnybody, isStopping, obey, show, stopping, type Obeyed } from './commands.ts';
import { memberOf, personOf, type GateDesk } from './desk.ts';
import type { HeardComment } from './heard.ts';
import { bring, propose, type Listened } from './propose.ts';
import { showStatus } from './show.ts';

export async function listen(desk: GateDesk, read: IssueRead | CommentRead): Promise<Listened> {
  const from = read.is === 'issue' ? read.senderId : read.authorId;
  if (from === desk.ownId) return { decision: 'stop', reasonCode: 'ignored_bot' };
  return read.is === 'issue' ? onIssue(desk, read) : onComment(desk, read);
}

async function onIssue(desk: GateDesk, read: IssueRead): Promise<Listened> {
  const by = personOf(desk, read.senderId);
  const known = await desk.missionOf(read.issue);
  if (by !== undefined) return propose(desk, { ...read, adopter: read.senderId }, known);
  // Filed by a stranger: one answer, no branch. Edited by one: the mission goes on as it was, and says so.
  if (read.action === 'opened') await answer(desk, { is: 'stranger', issue: read.issue, to: read.issue });
  if (read.action === 'edited' && known !== undefined) {
    const acting = await bring(desk, known, read.issue);
    return shown(desk, read.issue, { decision: 'stop', reasonCode: 'not_authorised', acting });
  }
  return { decision: 'stop', reasonCode: 'not_authorised' };
}

async function onComment(desk: GateDesk, read: CommentRead): Promise<Listened> {
  const { issue, comment, reading } = read;
  const by = personOf(desk, read.authorId);
  const known = await desk.missionOf(issue);
  if (known === undefined && read.form.is === 'no_proposal')
    return { decision: 'stop', reasonCode: 'ignored_not_proposal' };
  if (by === undefined) return onOutsider(desk, read, known);
  const acting = known === undefined ? undefined : await bring(desk, known, issue);
  let last: Obeyed = { decision: 'stop', reasonCode: 'shown', ...(acting === undefined ? {} : { acting }) };
  if (reading.is !== 'accepted') {
    const misread = reading.is === 'refused' ? reading : FURTHER_DOWN;
    await say(desk, { issue, to: comment }, last, misread);
    return { decision: 'stop', reasonCode: misread.code };
  }
  for (const [n, command] of reading.value.entries()) {
    const to = nth(read, n);
    last = await obey(desk, { ...read, by, to }, command, last);
    if (last.refused !== undefined) await say(desk, { issue, to }, last, last.refused, command);
  }
  // What opened the comment counted; whoever typed more below it is told that it did not.
  if (reading.hasMoreBelow) await say(desk, { issue, to: `${comment}.below` }, last, FURTHER_DOWN);
  return shown(desk, issue, last);
}

const FURTHER_DOWN: Refused = { is: 'refused', code: 'command_further_down', facts: {} };

/** Anybody may ask about a mission; a proposal that waits has said so already. What else they type is answered once. */
async function onOutsider(desk: GateDesk, heard: CommentRead, known: string | undefined): Promise<Listened> {
  const { reading } = heard;
  const nothing: Listened = { decision: 'stop', reasonCode: 'not_authorised' };
  if (known === undefined || reading.is === 'further_down') return nothing;
  // A word that is nearly a command is as likely a path, or another bot's.
  if (reading.is === 'refused' && reading.code === 'unknown_verb') return nothing;
  const proposer = await asProposer(desk, heard, known, reading);
  if (proposer !== undefined) return proposer;
  const questions = reading.is === 'accepted' ? reading.value.filter(isForAnybody) : [];
  if (reading.is === 'refused' || questions.length < reading.value.length) {
    await answer(desk, { is: 'outsider', issue: heard.issue, to: heard.comment });
    return nothing;
  }
  let last: Obeyed = { decision: 'stop', reasonCode: 'shown', acting: await bring(desk, known, heard.issue) };
  // The list of commands stands in an issue once, however many ask for it.
  for (const question of questions) last = await show(desk, { issue: heard.issue, to: 'outsider' }, question, last);
  return shown(desk, heard.issue, last);
}

/** Whoever asked for it may call it off or hold it without being on the roster; of anything else they type nothing comes. */
async function asProposer(
  desk: GateDesk,
  heard: HeardComment,
  known: string,
  reading: CommentReading,
): Promise<Listened | undefined> {
  const command = reading.is === 'accepted' ? reading.value.find(isStopping) : undefined;
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
  const last = await stopping(desk, { ...heard, by }, command, { acting, state });
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

/** With the digest that waits now, for whoever typed none or an old one. */
async function say(
  desk: GateDesk,
  at: To,
  { acting, state: known }: Partial<Obeyed>,
  refused: Refused,
  command?: Command,
): Promise<void> {
  const state = known ?? (acting === undefined ? undefined : await missionState(acting));
  const waits = state === undefined ? undefined : askedOf(state)?.approval.digest;
  await answer(desk, {
    is: 'refusal',
    ...at,
    mission: acting === undefined ? null : ledgerName(acting.ref),
    refused,
    waits,
    verb: command?.verb,
  });
}
