// Promises about whose work it is: one agent under one lease, in the cell that was agreed to, checked as it was planned.
import { promise, whenever, type Promised } from './promise.ts';
import type { EventOf } from '../../../src/kernel/event.ts';
import type { Said, Story } from '../story.ts';
import { holderOf, planNow } from './agreement.ts';

function leaseOf(story: Story): Said<'lease.acquired'> | undefined {
  const lease = story.last('lease.acquired');
  const isOver = [...story.all('lease.released'), ...story.all('lease.expired')].some(
    ({ at }) => at > (lease?.at ?? 0),
  );
  return isOver ? undefined : lease;
}

/** By what its author vouches for: the last beacon under this very lease, long enough ago. */
function wasSilent(lease: Said<'lease.acquired'> | undefined, event: EventOf<'lease.expired'>): boolean {
  const at = event.payload.silence?.beacon.at;
  if (lease === undefined || at === undefined || lease.event.payload.mode !== 'isolated') return false;
  return at >= lease.event.occurred_at && Date.parse(event.occurred_at) - Date.parse(at) > 179_000;
}

/** A runner and nothing else: who has another role may have another reason. */
function isRunner(story: Story, name: string): boolean {
  return story.member(name)?.roles.join() === 'runner';
}

const RUNNERS_FAULT =
  /^(agent_missing|backend_unmet|cell_prepare_failed|cell_start_failed|disk_full|environment_altered|environment_failed|environment_missing|git_failed|git_missing|interrupted|level_unmet|login_not_a_key|runner_exposed|runner_lost|runner_silent|sandbox_missing|sandbox_unfit|secret_exposed|secret_missing|secret_unusable|vault_unreadable|grant_expired)$/;

export const WORK: readonly Promised[] = [
  promise(
    'one agent',
    'What was asked for is run once in an attempt: under one grant, for one cell.',
    (story, { event }) => {
      if (event.event_type === 'cell.spawned' && event.payload.purpose === 'agent') {
        const births = story
          .all('cell.spawned')
          .filter((one) => one.event.attempt_id === event.attempt_id && one.event.payload.purpose === 'agent');
        return births.length > 0 ? 'a second agent' : undefined;
      }
      if (event.event_type !== 'grant.issued' || event.payload.action_class !== 'execute_command') return undefined;
      if (event.payload.max_uses > 1) return `for ${event.payload.max_uses} cells`;
      const isUsed = story
        .all('cell.spawned')
        .some((one) => one.event.attempt_id === event.attempt_id && one.event.payload.purpose === 'agent');
      return isUsed ? 'granted again after it was used' : undefined;
    },
  ),
  promise(
    'in the cell agreed to',
    'An agent runs in the kind of cell that the plan names, that was asked for and that was granted.',
    whenever(['cell.spawned'], ({ payload }, story) => {
      if (payload.purpose !== 'agent') return undefined;
      const grant = story.of('grant.issued', payload.grant_id)?.event.payload;
      const request = story.of('action.requested', grant?.action_request_ref ?? null)?.event.payload;
      const cells = `cells/${payload.backend}`;
      if (planNow(story)?.backend !== payload.backend) return 'another kind than planned';
      if (grant?.resource_scope.includes(cells) !== true) return 'another kind than granted';
      return request?.target_resources.includes(cells) === true ? undefined : 'another kind than asked for';
    }),
  ),
  promise(
    'reaches what was granted',
    'A cell opens no host and no route but what the request named that people agreed to; what is for preparing no agent opens.',
    whenever(['cell.spawned'], ({ payload, attempt_id }, story) => {
      const asked = story
        .all('action.requested')
        .filter(({ event }) => event.attempt_id === attempt_id && event.payload.action_class === 'execute_command')
        .flatMap(({ event }) => event.payload.target_resources);
      const unasked = payload.reach.find((one) => !asked.includes(one));
      if (unasked !== undefined) return `${unasked}, which nobody asked for`;
      const isPreparing = payload.purpose === 'prepare';
      return payload.reach.find((one) => one.startsWith('prepare/') !== isPreparing);
    }),
  ),
  promise(
    'spends where it may',
    'What is said to have been spent went by a route that the cell had, and is said once.',
    whenever(['cell.closed'], ({ payload, entity_id }, story) => {
      const reach = story.of('cell.spawned', entity_id)?.event.payload.reach ?? [];
      const routes = payload.spent.map(({ route }) => route);
      if (new Set(routes).size < routes.length) return 'twice for one route';
      return routes.find((route) => !reach.includes(`routes/${route}`));
    }),
  ),
  promise(
    'checked as planned',
    'A verdict names the plan’s checks, all of them, in its order, each with what the cell that was born for it ended with.',
    whenever(['verification.recorded'], ({ payload, attempt_id }, story) => {
      const kinds = planNow(story)?.checks ?? [];
      if (payload.checks.map(({ check }) => check).join() !== kinds.join()) return 'other checks than planned';
      const births = story.all('cell.spawned').filter(({ event }) => event.attempt_id === attempt_id);
      const told = payload.checks.findIndex(({ cell, exit_code, n }, place) => {
        const isBorn = births.some(({ event }) => event.entity_id === cell && event.payload.check === n);
        const end = story.of('cell.closed', cell);
        return n !== place || !isBorn || end?.event.payload.exit_code !== exit_code;
      });
      return told === -1 ? undefined : `check ${told} is told otherwise than it went`;
    }),
  ),
  promise(
    'checked unseen',
    'All checks are born before the first of them ends: nobody chooses the next by the result of the last.',
    whenever(['cell.spawned'], ({ payload, attempt_id }, story) => {
      if (payload.purpose !== 'check') return undefined;
      const checks = story
        .all('cell.spawned')
        .filter(({ event }) => event.attempt_id === attempt_id && event.payload.purpose === 'check');
      const isOver = checks.some(({ event }) => story.of('cell.closed', event.entity_id) !== undefined);
      return isOver ? 'born after another had ended' : undefined;
    }),
  ),
  promise(
    'own lease',
    'Only who holds the lease works, and nobody ends another’s before its time, but for a runner of which a gate says that it was silent for three minutes after a beacon.',
    (story, entry) => {
      const { event, by } = entry;
      const lease = leaseOf(story);
      const isInTime = lease?.by === by && event.occurred_at <= lease.event.payload.expires_at;
      switch (event.event_type) {
        case 'lease.acquired':
          return lease === undefined ? undefined : 'taken while another holds it';
        case 'lease.released':
          return lease?.by === by ? undefined : 'let go by somebody else';
        case 'lease.expired':
          if (lease !== undefined && event.occurred_at > lease.event.payload.expires_at) return undefined;
          return wasSilent(lease, event) ? undefined : 'ended before its time';
        case 'context.compiled':
        case 'cell.spawned':
        case 'work.proposed':
        case 'work.refused':
        case 'blocked.raised':
        case 'verification.recorded':
        case 'done.claimed':
        case 'effect.intended':
        case 'effect.observed':
          return isInTime ? undefined : 'without the lease';
        case 'cell.closed':
          return lease === undefined || lease.by === by ? undefined : 'closed by somebody else';
        case 'task.started':
        case 'task.blocked':
        case 'task.paused':
        case 'task.unblocked':
          return isRunner(story, by) && !isInTime ? 'a runner without the lease moved the task' : undefined;
        default:
          return undefined;
      }
    },
  ),
  promise(
    'blamed rightly',
    'A runner that holds nothing fails an attempt only for its own fault, or because nobody can begin it any more.',
    whenever(['attempt.failed'], ({ payload }, story, { by }) =>
      isRunner(story, by) && leaseOf(story) === undefined && !RUNNERS_FAULT.test(payload.because)
        ? `failed as ${payload.because}`
        : undefined,
    ),
  ),
  promise(
    'no more than granted',
    'A grant that ran out, was taken back or used up is used no more.',
    whenever(['cell.spawned', 'effect.intended'], ({ payload, occurred_at }, story) => {
      const { grant_id } = payload;
      if (grant_id === null) return undefined;
      const grant = story.of('grant.issued', grant_id)?.event.payload;
      if (grant === undefined) return 'never granted';
      const uses = [...story.all('cell.spawned'), ...story.all('effect.intended')];
      const used = uses.filter(({ event }) => event.payload.grant_id === grant_id).length;
      if (used >= grant.max_uses) return 'used up';
      if (story.of('grant.revoked', grant_id) !== undefined) return 'taken back';
      return occurred_at > grant.expires_at ? 'ran out' : undefined;
    }),
  ),
  promise(
    'nothing begins once called off',
    'After a mission was called off nothing begins in it any more.',
    (story, { event }) => {
      if (story.last('mission.cancelled') === undefined) return undefined;
      const isAgent = event.event_type === 'cell.spawned' && event.payload.purpose === 'agent';
      return isAgent || BEGINS.test(event.event_type) ? `${event.event_type} after it` : undefined;
    },
  ),
  promise('nothing begins while held', 'While somebody holds a mission nothing begins in it.', (story, { event }) => {
    if (holderOf(story) === undefined) return undefined;
    switch (event.event_type) {
      case 'cell.spawned':
        return event.payload.purpose === 'agent' ? 'an agent was started' : undefined;
      case 'attempt.created':
        return event.payload.attempt_no > 1 ? 'another attempt' : undefined;
      default:
        return STARTS.test(event.event_type) ? event.event_type : undefined;
    }
  }),
];

const STARTS = /^(grant\.issued|lease\.acquired|effect\.intended|attempt\.succeeded)/;

const BEGINS =
  /^(mission\.proposed|plan\.|approval\.requested|vote\.cast|approval\.granted|grant\.issued|attempt\.created|lease\.acquired|work\.proposed|effect\.intended|attempt\.succeeded)/;
