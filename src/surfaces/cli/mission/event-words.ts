// What an event says, in words: for whoever reads a mission's story without knowing event types. Every word comes from the
// event itself; texts of people and agents stand elsewhere and are named by digest.
import type { ReadEvent } from '../../../kernel/read.ts';
import { PLACES } from '../../../kernel/event.ts';
import { shortDigest } from '../../../next-line.ts';
import { spentWords } from '../../../forge-text/status-words.ts';
import { cellWords } from '../../../kernel/cell/words.ts';
import { expiredWords } from '../../../kernel/lease/words.ts';

function reachWords(reach: readonly string[]): string {
  return reach.length === 0 ? '' : `, which reaches ${reach.join(', ')}`;
}

type Spent = Extract<ReadEvent, { event_type: 'cell.closed' }>['payload']['spent'][number];

function spentIn({ tokens_in: tokensIn, tokens_out: tokensOut, ...line }: Spent): string {
  return `; spent on ${spentWords({ ...line, tokensIn, tokensOut })}`;
}

export function eventWords(event: ReadEvent): string {
  switch (event.event_type) {
    case 'mission.opened':
      return `opened the mission, grown out of the project at size ${event.payload.grew_from.size}`;
    case 'artifact.recorded':
      return `kept a document: ${event.payload.bytes} bytes of ${event.payload.media_type}`;
    case 'ingress.recorded':
      return `wrote in by ${event.payload.source_channel}: ${event.payload.resolution}`;
    case 'mission.proposed':
      return `proposed it, revision ${event.payload.revision}`;
    case 'plan.computed': {
      const { plan_digest, tier, quorum, policy } = event.payload;
      return `planned it as ${shortDigest(plan_digest)}: tier ${tier}, ${quorum} to approve, policy ${policy.revision}`;
    }
    case 'action.requested': {
      const { kind, action_class, target_resources } = event.payload;
      return `asked for ${kind ?? action_class} on ${target_resources.join(' ')}`;
    }
    case 'policy.evaluated': {
      const { result, reasons, risk } = event.payload;
      return `policy says ${result} (rules ${reasons.join(', ') || 'none'}; risk ${risk})`;
    }
    case 'approval.requested':
      return `asked people to approve the ${event.payload.approval_type} ${shortDigest(event.payload.digest)}`;
    case 'vote.cast': {
      const { choice, digest, forge } = event.payload;
      return `voted to ${choice} ${shortDigest(digest)}, ${forge === null ? 'signed' : 'in a comment'}`;
    }
    case 'vote.withdrawn':
      return 'took the vote back';
    case 'approval.granted':
      return `approved: ${event.payload.votes.length} ${event.payload.votes.length === 1 ? 'vote' : 'votes'}${event.payload.self_approved ? ', SELF-APPROVED' : ''}`;
    case 'grant.issued':
      return `granted ${event.payload.action_class} on ${event.payload.resource_scope.join(' ')}, once, until ${event.payload.expires_at}`;
    case 'lease.acquired':
      return `took the lease, fence ${event.payload.fence}, until ${event.payload.expires_at}`;
    case 'lease.released':
      return `let go of the lease: ${event.payload.because}`;
    case 'lease.expired':
      return `gave its holder up: ${expiredWords(event.payload)}`;
    case 'cell.spawned':
      if (event.payload.purpose === 'prepare')
        return `prepares an environment in a cell: ${event.payload.backend}, ${cellWords(event.payload)}${reachWords(event.payload.reach)}`;
      return event.payload.purpose === 'agent'
        ? `started the agent in a cell: ${event.payload.backend}, ${cellWords(event.payload)}${reachWords(event.payload.reach)}`
        : `started check ${event.payload.check ?? 0} in a cell: ${event.payload.backend}, ${cellWords(event.payload)}`;
    case 'cell.closed':
      return `closed the cell: ${event.payload.because}${event.payload.exit_code === null ? '' : `, exit ${event.payload.exit_code}`}${event.payload.spent.map(spentIn).join('')}`;
    case 'done.claimed':
      return `passed on what the agent claims: ${event.payload.status}`;
    case 'blocked.raised':
      return 'passed on a question of the agent';
    case 'work.proposed':
      return `handed over commit ${event.payload.commit.slice(0, 12)}, ${event.payload.changed_paths} paths changed, all of them owned`;
    case 'work.refused':
      return `refused the work: ${event.payload.because}`;
    case 'verification.recorded': {
      const { verdict, checks, revision } = event.payload;
      const exits = checks.map(({ exit_code }) => exit_code ?? 'none').join(', ');
      return `checked ${revision.slice(0, 12)} in fresh cells: ${verdict} (exit ${exits})`;
    }
    case 'effects.computed':
      return `computed ${event.payload.effects.length} effects: ${shortDigest(event.payload.effects_digest)}`;
    case 'effect.intended':
      return `is about to ${event.payload.kind} ${event.payload.target}`;
    case 'effect.observed':
      return `saw the effect: ${event.payload.outcome} (${event.payload.reason})`;
    case 'decision.recorded':
      return `settled what became of effect ${event.payload.subject_ref.slice(0, 8)}: ${event.payload.outcome}`;
    case 'receipt.issued': {
      const { receipt_class, result_code, result_summary } = event.payload;
      return `receipt ${event.entity_id}: ${receipt_class} ${result_code} (${result_summary})`;
    }
    case 'attempt.created':
      return `began attempt ${event.payload.attempt_no}`;
    case 'attempt.failed':
      return `the attempt failed: ${event.payload.because}`;
    case 'mission.cancelled':
      return `called the mission off, ${event.payload.forge === null ? 'signed' : 'in a comment'}`;
    case 'mission.held':
      return `held the mission, ${event.payload.forge === null ? 'signed' : 'in a comment'}`;
    case 'mission.unheld':
      return `let the mission go on, ${event.payload.forge === null ? 'signed' : 'in a comment'}`;
    case 'mission.ended':
      return `the mission is over: ${event.payload.outcome} (${event.payload.because})`;
    default:
      return event.event_type.replace('.', ' ').replaceAll('_', ' ');
  }
}

/** Documents that the event names: what it rests on, to be read with `lazarus artifact show`. */
export function evidenceIn(event: ReadEvent): readonly string[] {
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/^sha256:[0-9a-f]{64}$/.test(value)) found.push(value);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  look(event.payload);
  return [...new Set(found)];
}

/** Who says it, and the roles that entitle to that; a gate's key may speak for a person of the forge. */
export function speakerWords({ actor_id, signer, principal_scope, event_type }: ReadEvent): string {
  const through = signer.principal_id === actor_id ? '' : ` through ${signer.principal_id}`;
  const roles = principal_scope.roles.filter((role) => PLACES[event_type].by.includes(role));
  return `${actor_id}${through} (${roles.join(', ')})`;
}
