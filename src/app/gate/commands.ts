// The commands of a comment, one after the other, each by the person whose account wrote it. What a command may do is for
// the kernel to say; here it is only brought there, with the words it came in.
import { utf8 } from '../../format/bytes.ts';
import type { Command } from '../../forge-text/grammar.ts';
import type { Member } from '../../kernel/roster/roster.ts';
import { missionName } from '../../kernel/values.ts';
import type { Refused } from '../../kernel/verdict.ts';
import { planMission } from '../mission/plan.ts';
import { vote, withdraw } from '../mission/vote.ts';
import { missionState } from '../mission/world.ts';
import { answer, type To } from './answers.ts';
import { settingOf, type GateDesk } from './desk.ts';
import type { HeardComment } from './heard.ts';
import { bodyHash } from './body-hash.ts';
import { orRefused, propose, type Listened } from './propose.ts';
import { anchorOf, viewOf } from './show.ts';

export type Obeyed = Listened & { readonly refused?: Refused };
type By = HeardComment & To & { readonly by: Member };

export async function obey(desk: GateDesk, heard: By, command: Command, before: Obeyed): Promise<Obeyed> {
  const { acting } = before;
  const about = acting === undefined ? {} : { acting, state: await missionState(acting) };
  switch (command.verb) {
    case 'help': {
      const mission = about.state === undefined ? null : missionName(about.state.ledger_id);
      await answer(desk, { is: 'help', issue: heard.issue, to: heard.to, mission, about: command.about });
      return { ...about, decision: 'stop', reasonCode: 'shown' };
    }
    case 'plan':
      return plan(desk, heard, about);
    case 'status':
    case 'why':
      return show(desk, heard, command.verb, about);
    case 'approve':
    case 'reject':
    case 'withdraw':
      return voting(desk, heard, command, about);
  }
}

async function plan(desk: GateDesk, heard: By, about: Partial<Obeyed>): Promise<Obeyed> {
  const { acting } = about;
  // A stranger's proposal, adopted: whoever does that is its proposer too.
  if (acting === undefined)
    return propose(
      desk,
      { issue: heard.issue, authorId: heard.issueAuthorId, body: heard.issueBody, adopter: heard.authorId },
      undefined,
    );
  const planned = await orRefused(() => planMission(acting, settingOf(heard.issue)));
  return planned.is === 'refused'
    ? refused(about, planned)
    : { acting, state: planned.value, decision: 'wait', reasonCode: 'proposed' };
}

async function show(desk: GateDesk, heard: By, verb: 'status' | 'why', about: Partial<Obeyed>): Promise<Obeyed> {
  const { acting, state } = about;
  if (acting === undefined || state === undefined) return refused(about, nothingHere(heard.issue));
  if (verb === 'why')
    await answer(desk, {
      is: 'why',
      issue: heard.issue,
      to: heard.to,
      view: await viewOf(desk, { acting, state }),
    });
  return { acting, state, decision: 'stop', reasonCode: 'shown' };
}

async function voting(
  desk: GateDesk,
  heard: By,
  command: Extract<Command, { verb: 'approve' | 'reject' | 'withdraw' }>,
  about: Partial<Obeyed>,
): Promise<Obeyed> {
  const { acting, state } = about;
  if (acting === undefined || state === undefined) return refused(about, nothingHere(heard.issue));
  const { crypto } = desk.world.bench.parts;
  const forge = {
    body_sha256: bodyHash(crypto, heard.body),
    comment_id: heard.comment,
    issue: heard.issue,
    user_id: heard.authorId,
  };
  const anchor = await anchorOf(desk, state, heard.issue);
  const who = { voter: heard.by.principal_id, forge, saidIn: { body: utf8(heard.body), anchor } };
  const voted = await orRefused(() =>
    command.verb === 'withdraw'
      ? withdraw(acting, who)
      : vote(acting, {
          ...who,
          choice: command.verb,
          digest: command.digest,
          reason: command.reason === '' ? undefined : utf8(command.reason),
        }),
  );
  if (voted.is === 'refused') return refused(about, voted);
  const reasonCode = command.verb === 'approve' ? 'approval_recorded' : 'vote_recorded';
  return { acting, state: voted.value, decision: 'wait', reasonCode };
}

function nothingHere(issue: number): Refused {
  return { is: 'refused', code: 'nothing_proposed', facts: { issue } };
}

function refused(about: Partial<Obeyed>, verdict: Refused): Obeyed {
  return { ...about, decision: 'stop', reasonCode: verdict.code, refused: verdict };
}
