// One event of the forge, answered: a form becomes a planned mission, a comment's commands are carried out in order, and
// whoever is not on the roster gets one answer and leaves no trace. Nothing that came from the forge is believed beyond
// who wrote a new comment, by numeric id.
import { Failure } from '../../failure.ts';
import { utf8, hex } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { proposalOfForm } from '../../forge-text/form-proposal.ts';
import { readForm } from '../../forge-text/form.ts';
import { readComment, type Command } from '../../forge-text/grammar.ts';
import type { Outcome } from '../../forge-text/outcome.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import type { Refused, Verdict } from '../../kernel/verdict.ts';
import { missionRef } from '../../ledger/names.ts';
import { openMission } from '../mission/open.ts';
import { actOn, missionState, type Acting } from '../mission/world.ts';
import { answer } from './answers.ts';
import { obey, type Obeyed } from './commands.ts';
import { personOf, settingOf, type GateDesk } from './desk.ts';
import type { Heard, HeardComment, HeardIssue } from './heard.ts';
import { assertOfIssue, indexChange, missionOfIssue } from './issue-index.ts';
import { showStatus } from './show.ts';

export type Listened = Pick<Outcome, 'decision' | 'reasonCode'> & {
  /** The mission it was about, as it is now; undefined where there is none. */
  readonly acting?: Acting;
  readonly state?: MissionState;
};

/** Asked before anything is fetched or opened: most events are none of ours. */
export function ignored(heard: Heard): Listened | undefined {
  if (heard.is === 'issue')
    return readForm(heard.body).is === 'no_proposal'
      ? { decision: 'stop', reasonCode: 'ignored_not_proposal' }
      : undefined;
  if (heard.senderId !== heard.authorId) return { decision: 'stop', reasonCode: 'ignored_edited' };
  return readComment(heard.body).is === 'no_command'
    ? { decision: 'stop', reasonCode: 'ignored_not_command' }
    : undefined;
}

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
  if (reading.is === 'refused') return refuse(desk, heard.issue, heard.issue, known, reading);
  return propose(desk, { ...heard, adopter: heard.senderId }, known);
}

type Proposing = Pick<HeardIssue, 'issue' | 'authorId' | 'body'> & { readonly adopter: number };

/** Everybody who had a hand in it counts as proposer: the author, whoever edited it, whoever adopted it. */
export async function propose(desk: GateDesk, heard: Proposing, known: string | undefined): Promise<Listened> {
  const { world, signer } = desk;
  const { crypto } = world.bench.parts;
  const reading = readForm(heard.body);
  if (reading.is === 'no_proposal') return { decision: 'stop', reasonCode: 'ignored_not_proposal' };
  if (reading.is === 'refused') return refuse(desk, heard.issue, heard.issue, known, reading);
  const { target } = reading.value;
  if (target.owner !== desk.owner || target.repo !== desk.repository)
    return refuse(desk, heard.issue, heard.issue, known, {
      is: 'refused',
      code: 'capability_unavailable',
      facts: { target: `${target.owner}/${target.repo}`, here: `${desk.owner}/${desk.repository}` },
    });
  if (known !== undefined) await assertOfIssue(world.bench, known, heard.issue);
  const ids = [...new Set([heard.authorId, heard.adopter])];
  const opened = await openMission(world, signer, {
    ...(known === undefined ? {} : { mission: known }),
    proposal: proposalOfForm(reading.value),
    raw: utf8(heard.body),
    rawMediaType: 'text/markdown',
    proposers: ids.map((id) => ({ forge_user_id: id, principal_id: personOf(desk, id)?.principal_id ?? null })),
    forge: { body_sha256: bodyHash(crypto, heard.body), comment_id: null, issue: heard.issue, user_id: heard.adopter },
    channel: 'issue_form',
    setting: settingOf(heard.issue),
    ...(known === undefined
      ? { along: (mission: string) => Promise.resolve(indexChange(world.bench, heard.issue, mission)) }
      : {}),
  });
  if (opened.is === 'refused') return refuse(desk, heard.issue, heard.issue, known, opened);
  const { acting, state } = opened.value;
  await showStatus(desk, { acting, state, issue: heard.issue });
  return { decision: 'wait', reasonCode: 'proposed', acting, state };
}

async function onComment(desk: GateDesk, heard: HeardComment): Promise<Listened> {
  const reading = readComment(heard.body);
  if (reading.is === 'no_command') return { decision: 'stop', reasonCode: 'ignored_not_command' };
  const by = personOf(desk, heard.authorId);
  const known = await missionOfIssue(desk.world.bench, heard.issue);
  if (by === undefined) {
    await answer(desk, { is: 'stranger', issue: heard.issue, to: heard.comment });
    return { decision: 'stop', reasonCode: 'not_authorised' };
  }
  if (reading.is === 'refused') return refuse(desk, heard.issue, heard.comment, known, reading);
  if (known !== undefined) await assertOfIssue(desk.world.bench, known, heard.issue);
  const acting = known === undefined ? undefined : actOn(desk.world, missionRef(known), desk.signer);
  let last: Obeyed = { decision: 'stop', reasonCode: 'shown', ...(acting === undefined ? {} : { acting }) };
  for (const command of reading.value) {
    last = await obey(desk, { ...heard, by }, command, last);
    if (last.refused !== undefined) await say(desk, heard, last, last.refused, command);
  }
  const mission = last.acting;
  if (mission === undefined) return last;
  const state = last.state ?? (await missionState(mission));
  await showStatus(desk, { acting: mission, state, issue: heard.issue });
  return { ...last, state };
}

async function say(
  desk: GateDesk,
  heard: HeardComment,
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
    issue: heard.issue,
    to: heard.comment,
    mission: mission ?? (acting === undefined ? null : acting.ref.split('/').at(-1)!),
    refused,
    ...(paste === undefined ? {} : { paste }),
  });
}

async function refuse(
  desk: GateDesk,
  issue: number,
  to: number,
  known: string | undefined,
  refused: Refused,
): Promise<Listened> {
  const mission = known === undefined ? null : missionName(known);
  await answer(desk, { is: 'refusal', issue, to, mission, refused });
  return { decision: 'stop', reasonCode: refused.code };
}

export function bodyHash(crypto: Crypto, body: string): string {
  return `sha256:${hex(crypto.hash('sha256', utf8(body)))}`;
}

/** A rule's refusal and a failure of the place are told in the same words. */
export async function orRefused<T>(job: () => Promise<Verdict<T>>): Promise<Verdict<T>> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof Failure) || error.retry !== undefined) throw error;
    return { is: 'refused', code: error.code, facts: error.facts };
  }
}
