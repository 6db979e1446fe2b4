// A form that becomes a mission: proposed and planned under the gate's key, or refused with the reason. Everybody who had
// a hand in the issue counts as its proposer.
import { Failure } from '../../failure.ts';
import { equalBytes, utf8 } from '../../format/bytes.ts';
import type { FormProposal } from '../../forge-text/form-values.ts';
import type { FarCause } from '../../kernel/envelope.ts';
import type { FormReading } from '../../forge-text/form.ts';
import type { Outcome } from '../../forge-text/outcome.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import { proposalBytes, readProposal, type Proposal } from '../../kernel/proposal/proposal.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { accept, refuse as refusal, type Refused, type Verdict } from '../../kernel/verdict.ts';
import { missionRef } from '../../ledger/names.ts';
import { readDocument } from '../mission/documents.ts';
import { openMission } from '../mission/open.ts';
import type { SaidIn } from '../mission/said-in.ts';
import type { ReasonCode } from '../../reasons.ts';
import { actOn, missionState, type Acting } from '../mission/world.ts';
import { answer } from './answers.ts';
import { assertNotSetBack } from './broken-ledgers.ts';
import { memberOf, settingOf, type GateDesk } from './desk.ts';
import { bodyHash, type HeardIssue } from './heard.ts';
import { assertOfIssue, indexChange } from './issue-index.ts';
import { showStatus, statusCommentOf } from './show.ts';

export type Listened = Pick<Outcome, 'decision' | 'reasonCode'> & {
  /** The mission it was about, as it is now; undefined where there is none. */
  readonly acting?: Acting;
  readonly state?: MissionState;
  /** As it was shown. */
  readonly view?: StatusView;
};

type Proposing = Pick<HeardIssue, 'issue' | 'repository' | 'updatedAt' | 'authorId' | 'body'> & {
  readonly form: FormReading;
  readonly adopter: number;
  /** The comment by which a member adopts a stranger’s. */
  readonly adoption?: SaidIn;
  /** The end of the mission that it goes on from. */
  readonly follows?: FarCause;
};

/** Everybody who had a hand in it counts as proposer: the author, whoever edited it, whoever adopted it. */
export async function propose(desk: GateDesk, heard: Proposing, known: string | undefined): Promise<Listened> {
  const { world, signer } = desk;
  const { crypto } = world.bench.parts;
  const { form } = heard;
  if (form.is === 'no_proposal') return { decision: 'stop', reasonCode: 'ignored_not_proposal' };
  if (form.is === 'refused') return refuse(desk, heard, known, form);
  const proposal = readProposal(form.value);
  if (proposal.is === 'refused') return refuse(desk, heard, known, proposal);
  const target = checkTarget(desk, form.value.target);
  if (target.is === 'refused') return refuse(desk, heard, known, target);
  if (known !== undefined) {
    const acting = await bring(desk, known, heard.issue);
    const state = await missionState(acting);
    // A title, a space, the order of lines: what people approved is still what is asked for.
    if (state.course !== undefined && (await isSame(acting, state.course.proposal, proposal.value))) {
      await showStatus(desk, { acting, state, issue: heard.issue });
      return { decision: 'wait', reasonCode: 'shown', acting, state };
    }
  }
  // An issue that we made ourselves is proposed by whoever had us make it.
  const ids = [...new Set([heard.authorId, heard.adopter])].filter((id) => id !== desk.ownId);
  const wanted = {
    ...(known === undefined ? {} : { mission: known }),
    ...(desk.fresh === undefined ? {} : { fresh: desk.fresh }),
    proposal: proposal.value,
    raw: utf8(heard.body),
    rawMediaType: 'text/markdown',
    proposers: ids.map((id) => ({ forge_user_id: id, principal_id: memberOf(desk, id)?.principal_id ?? null })),
    forge: {
      body_sha256: bodyHash(crypto, heard.body),
      comment_id: null,
      issue: heard.issue,
      repository: heard.repository,
      updated_at: heard.updatedAt,
      user_id: heard.adopter,
    },
    adoption: heard.adoption,
    follows: heard.follows,
    channel: 'issue_form' as const,
    setting: settingOf(heard.issue),
    ...(known === undefined
      ? { along: (mission: string) => Promise.resolve(indexChange(world.bench, heard.issue, mission)) }
      : {}),
  };
  const opened = await orRefused(() => openMission(world, signer, wanted));
  if (opened.is === 'refused' && known !== undefined && WAS_HEARD.has(opened.code)) {
    const acting = await bring(desk, known, heard.issue);
    const state = await missionState(acting);
    const view = await showStatus(desk, { acting, state, issue: heard.issue });
    return { decision: 'wait', reasonCode: opened.code, acting, state, view };
  }
  if (opened.is === 'refused') return refuse(desk, heard, known, opened);
  const { acting, state } = opened.value;
  const isNew = known === undefined;
  const view = await showStatus(desk, { acting, state, issue: heard.issue, isNew });
  return { decision: 'wait', reasonCode: 'proposed', acting, state, view };
}

/** A job's token writes to its own repository alone. */
export function checkTarget({ owner, repository }: GateDesk, target: FormProposal['target']): Verdict<undefined> {
  if (target.owner === owner && target.repo === repository) return accept(undefined);
  return refusal('capability_unavailable', {
    target: `${target.owner}/${target.repo}`,
    here: `${owner}/${repository}`,
  });
}

/** An event that comes again, or late: newer words count, and nobody has to be told. */
const WAS_HEARD: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['already_heard', 'heard_too_old']);

async function isSame({ world, ref }: Acting, digest: string, proposal: Proposal): Promise<boolean> {
  return equalBytes(await readDocument(world.bench, ref, digest), proposalBytes(proposal));
}

/** The mission's ledger, verified and followed from here on, and about this issue. */
export async function bring(desk: GateDesk, mission: string, issue: number): Promise<Acting> {
  const { world, signer } = desk;
  const acting = actOn(world, missionRef(mission), signer);
  const state = await missionState(acting);
  await assertOfIssue(acting, state, issue);
  // Before anything is written to it: what goes on from a ledger that was set back is another history.
  await assertNotSetBack(acting, await statusCommentOf(desk, state, issue));
  return acting;
}

export async function refuse(
  desk: GateDesk,
  { issue, body }: Pick<HeardIssue, 'issue' | 'body'>,
  known: string | undefined,
  refused: Refused,
): Promise<Listened> {
  const mission = known === undefined ? null : missionName(known);
  // By the words: an edited form is answered anew, and no comment has such a number.
  const to = bodyHash(desk.world.bench.parts.crypto, body);
  await answer(desk, { is: 'refusal', issue, to, mission, refused });
  return { decision: 'stop', reasonCode: refused.code };
}

/** A rule's refusal and a failure of the place are told in the same words. */
export async function orRefused<T>(job: () => Promise<Verdict<T>>): Promise<Verdict<T>> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof Failure) || error.retry !== 'never') throw error;
    return { is: 'refused', code: error.code, facts: error.facts };
  }
}
