// The commands of a comment, one after the other, each by the person whose account wrote it. What a command may do is for
// the kernel to say; here it is only brought there, with the words it came in.
import { utf8 } from '../../format/bytes.ts';
import { MANNERS, type VerbFrom } from '../../forge-text/commands.ts';
import type { Command } from '../../forge-text/grammar.ts';
import { courseOf } from '../../kernel/course/steps.ts';
import type { Member } from '../../kernel/roster/roster.ts';
import { missionName } from '../../kernel/values.ts';
import { accept, type Refused } from '../../kernel/verdict.ts';
import type { MissionState } from '../../kernel/state.ts';
import { advance, type DueKind } from '../mission/advance.ts';
import { cancel } from '../mission/cancel.ts';
import { diffOf } from '../mission/diff.ts';
import { hold } from '../mission/hold.ts';
import { planMission } from '../mission/plan.ts';
import { retry } from '../mission/retry.ts';
import type { SaidIn } from '../mission/said-in.ts';
import { vote, withdraw } from '../mission/vote.ts';
import { missionState, type Acting } from '../mission/world.ts';
import { answer, type To } from './answers.ts';
import { followUp } from './follow-up.ts';
import { settingOf, type GateDesk } from './desk.ts';
import type { CommentRead } from './before.ts';
import { bodyHash, type HeardComment } from './heard.ts';
import { orRefused, propose, type Listened } from './propose.ts';
import { anchorOf, viewOf } from './show.ts';

export type Obeyed = Listened & { readonly refused?: Refused };
type By = CommentRead & To & { readonly by: Member };

export async function obey(desk: GateDesk, heard: By, command: Command, before: Obeyed): Promise<Obeyed> {
  const { acting } = before;
  const about = acting === undefined ? {} : { acting, state: await missionState(acting) };
  const isBeginning = MANNERS[command.verb].is === 'beginning';
  // Whoever closes an issue wants nothing more of it; what stops or ends it, and questions, are heard there as ever.
  if (!heard.isOpen && isBeginning && (about.state?.course?.end ?? null) === null)
    return refused(about, { is: 'refused', code: 'issue_closed', facts: { command: command.verb } });
  switch (command.verb) {
    case 'plan':
      return plan(desk, heard, about);
    case 'retry':
      return retrying(desk, heard, about);
    case 'followup':
      return goingOn(desk, heard, command, about);
    case 'help':
    case 'status':
    case 'why':
      return show(desk, heard, command, about);
    case 'diff':
      return showDiff(desk, heard, command.attempt, about);
    case 'cancel':
    case 'hold':
    case 'unhold':
      return stopping(desk, heard, command, about);
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
      {
        issue: heard.issue,
        repository: heard.repository,
        updatedAt: heard.issueUpdatedAt,
        authorId: heard.issueAuthorId,
        body: heard.issueBody,
        form: heard.form,
        adopter: heard.authorId,
        adoption: await saidIn(desk, heard, undefined),
      },
      undefined,
    );
  const said = await saidIn(desk, heard, about.state);
  const planned = await orRefused(() => planMission(acting, settingOf(heard.issue), said));
  return planned.is === 'refused'
    ? refused(about, planned)
    : { acting, state: planned.value, decision: 'wait', reasonCode: 'proposed' };
}

/** The new mission is shown in its own issue; here is said which one that is. */
async function goingOn(
  desk: GateDesk,
  heard: By,
  command: Extract<Command, { verb: 'followup' }>,
  about: Partial<Obeyed>,
): Promise<Obeyed> {
  const { acting, state } = about;
  if (acting === undefined || state === undefined) return refused(about, nothingHere(heard.issue));
  const followed = await orRefused(() => followUp(desk, { acting, heard, command }));
  if (followed.is === 'refused') return refused(about, followed);
  return { acting, state, decision: 'wait', reasonCode: followed.value };
}

/** What it came to is said: another attempt, a question to people, or nothing to try again. */
async function retrying(desk: GateDesk, heard: By, about: Partial<Obeyed>): Promise<Obeyed> {
  const { acting, state } = about;
  if (acting === undefined || state === undefined) return refused(about, nothingHere(heard.issue));
  const wish = { setting: settingOf(heard.issue), isAlone: false, saidIn: await saidIn(desk, heard, state) };
  const tried = await orRefused(() => retry(acting, wish));
  if (tried.is === 'refused') return refused(about, tried);
  const now = { acting, state: tried.value };
  const { issue, to } = heard;
  await answer(desk, { is: 'retried', issue, to, view: await viewOf(desk, now), attempts: attemptsOf(tried.value) });
  return { ...now, decision: 'wait', reasonCode: 'retried' };
}

/** The attempt at hand, of how many. */
function attemptsOf(state: MissionState): { readonly no: number; readonly of: number } {
  const { attempt = null, step = null } = courseOf(state) ?? {};
  return { no: attempt?.no ?? 0, of: step?.max_attempts ?? 0 };
}

type Question = Extract<Command, { verb: 'help' | 'status' | 'why' }>;

/** What anybody may ask, whoever they are. */
export function isForAnybody(command: Command): command is Extract<Command, { verb: VerbFrom<'anybody'> }> {
  return MANNERS[command.verb].from === 'anybody';
}

/** Changes nothing; the status comment is made right by whoever calls. */
export async function show(
  desk: GateDesk,
  at: To,
  command: Question,
  { acting, state: known }: Partial<Obeyed>,
): Promise<Obeyed> {
  const state = known ?? (acting === undefined ? undefined : await missionState(acting));
  const about = acting === undefined || state === undefined ? undefined : { acting, state };
  const { issue, to } = at;
  if (command.verb === 'help') {
    const mission = state === undefined ? null : missionName(state.ledger_id);
    await answer(desk, { is: 'help', issue, to, mission, about: command.about });
  } else if (about === undefined) return refused({}, nothingHere(issue));
  else if (command.verb === 'why') await answer(desk, { is: 'why', issue, to, view: await viewOf(desk, about) });
  return { ...about, decision: 'stop', reasonCode: 'shown' };
}

/** Written by an agent, and perhaps refused: for members to look at, and never more than a comment may hold. */
async function showDiff(desk: GateDesk, heard: By, attempt: number | null, about: Partial<Obeyed>): Promise<Obeyed> {
  const { acting, state } = about;
  if (acting === undefined || state === undefined) return refused(about, nothingHere(heard.issue));
  const at = { world: desk.world, ref: acting.ref, state, told: await acting.desk.told() };
  const found = await orRefused(async () => accept(await diffOf(at, { no: attempt ?? undefined, how: 'patch' })));
  if (found.is === 'refused') return refused(about, found);
  const { bytes, ...changed } = found.value;
  const patch = desk.redacted(new TextDecoder().decode(bytes));
  const { issue, to } = heard;
  await answer(desk, { is: 'diff', issue, to, mission: missionName(state.ledger_id), ...changed, patch });
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
  const who = { voter: heard.by.principal_id, saidIn: await saidIn(desk, heard, state) };
  const voted = await orRefused(() =>
    command.verb === 'withdraw'
      ? withdraw(acting, who)
      : vote(acting, {
          ...who,
          choice: command.verb,
          isFinal: command.verb === 'reject' && command.isFinal,
          digest: command.digest,
          reason: command.reason === '' ? undefined : utf8(command.reason),
        }),
  );
  if (voted.is === 'refused') return refused(about, voted);
  const reasonCode = command.verb === 'approve' ? 'approval_recorded' : 'vote_recorded';
  return { acting, state: voted.value, decision: 'wait', reasonCode };
}

type Stopping = Extract<Command, { verb: VerbFrom<'proposer'> }>;

/** What whoever asked for a mission may say of it, on the roster or not. */
export function isStopping(command: Pick<Command, 'verb'>): command is Stopping {
  return MANNERS[command.verb].from === 'proposer';
}

/** `by`: left out for a proposer whom no roster has; then the gate passes the word on under its own name. */
export async function stopping(
  desk: GateDesk,
  heard: HeardComment & { readonly by: Member | undefined },
  { verb, reason }: Stopping,
  about: Partial<Obeyed>,
): Promise<Obeyed> {
  const { acting, state } = about;
  if (acting === undefined || state === undefined) return refused(about, nothingHere(heard.issue));
  const said = {
    actor: heard.by,
    reason: reason === '' ? undefined : utf8(reason),
    saidIn: await saidIn(desk, heard, state),
  };
  const stopped = await orRefused(() =>
    verb === 'cancel' ? cancel(acting, said) : hold(acting, { ...said, is: verb === 'hold' ? 'held' : 'unheld' }),
  );
  if (stopped.is === 'refused') return refused(about, stopped);
  const now = verb === 'unhold' ? await granted(acting, heard.issue) : stopped.value;
  return { acting, state: now, ...SAID[verb] };
}

/** Agreed to while it was held: what it needs to begin comes now. Where another mission has its paths it waits. */
async function granted(acting: Acting, issue: number): Promise<MissionState> {
  const means = { may: GRANT, setting: settingOf(issue), executors: {}, isAlone: false };
  const gone = await orRefused(() => advance(acting, means));
  return gone.is === 'accepted' ? gone.value.state : missionState(acting);
}

const GRANT: ReadonlySet<DueKind> = new Set<DueKind>(['grant']);

const SAID = {
  cancel: { decision: 'stop', reasonCode: 'mission_cancelled' },
  hold: { decision: 'stop', reasonCode: 'mission_held' },
  unhold: { decision: 'wait', reasonCode: 'mission_unheld' },
} as const satisfies Record<Stopping['verb'], Pick<Obeyed, 'decision' | 'reasonCode'>>;

/** The comment as the event had it, which counts once. */
async function saidIn(desk: GateDesk, heard: HeardComment, state: MissionState | undefined): Promise<SaidIn> {
  const forge = {
    body_sha256: bodyHash(desk.world.bench.parts.crypto, heard.body),
    comment_id: heard.comment,
    issue: heard.issue,
    repository: heard.repository,
    updated_at: null,
    user_id: heard.authorId,
  };
  const anchor = state === undefined ? null : await anchorOf(desk, state, heard.issue);
  return { body: utf8(heard.body), forge, anchor };
}

function nothingHere(issue: number): Refused {
  return { is: 'refused', code: 'nothing_proposed', facts: { issue } };
}

function refused(about: Partial<Obeyed>, verdict: Refused): Obeyed {
  // A run that is repeated, or an event that is: what it led to stands in the ledger, and the next job follows from that.
  if (verdict.code === 'already_heard') return { ...about, decision: 'wait', reasonCode: 'already_heard' };
  return { ...about, decision: 'stop', reasonCode: verdict.code, refused: verdict };
}
