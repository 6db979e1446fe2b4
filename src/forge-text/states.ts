// The states of a mission in the words people see, with the label and the commit status of each. Labels and statuses show
// a state and never are one. Knows nothing of how a state comes about.
import type { MissionStatus } from '../kernel/mission/status.ts';
import { visible } from './hidden.ts';
import { cut } from './shown.ts';

/** `invalid`: no mission at all, an issue whose form could not be read. */
export type ShownState = MissionStatus | 'invalid' | 'rolled_back';

type Shown = {
  readonly says: string;
  readonly color: string;
  readonly check: 'pending' | 'success' | 'failure' | 'warning';
};

const STATES: Readonly<Record<Exclude<ShownState, 'opened'>, Shown>> = {
  proposed: { says: 'proposed', color: 'bfd4f2', check: 'pending' },
  invalid: { says: 'not readable', color: 'd93f0b', check: 'failure' },
  awaiting: { says: 'awaiting approval', color: 'fbca04', check: 'pending' },
  rejected: { says: 'rejected', color: 'b60205', check: 'failure' },
  approved: { says: 'approved', color: '0e8a16', check: 'pending' },
  queued: { says: 'queued', color: 'c2e0c6', check: 'pending' },
  running: { says: 'running', color: '1d76db', check: 'pending' },
  verifying: { says: 'verifying', color: '5319e7', check: 'pending' },
  blocked: { says: 'blocked', color: 'e99695', check: 'pending' },
  held: { says: 'held', color: 'f9d0c4', check: 'pending' },
  done: { says: 'done', color: '006b75', check: 'success' },
  failed: { says: 'failed', color: 'b60205', check: 'failure' },
  cancelled: { says: 'cancelled', color: 'cccccc', check: 'failure' },
  expired: { says: 'expired', color: 'cccccc', check: 'failure' },
  rolled_back: { says: 'rolled back', color: '666666', check: 'warning' },
};

export function stateWords(state: ShownState): string {
  return shownOf(state).says;
}

export type Label = {
  readonly name: string;
  /** Six hex digits. */
  readonly color: string;
  readonly description: string;
  /** An issue has one label of a scope at a time. */
  readonly exclusive: boolean;
};

export const LABELS: readonly Label[] = [
  ...(Object.keys(STATES) as (keyof typeof STATES)[]).map((state) => ({
    name: stateLabel(state),
    color: STATES[state].color,
    description: `lazarus shows the mission’s state: ${STATES[state].says}`,
    exclusive: true,
  })),
  ...['read only', 'branch and pull request', 'merge or release', 'infrastructure or secrets'].map((risk, tier) => ({
    name: `tier/${tier}`,
    color: ['c2e0c6', 'fef2c0', 'f9d0c4', 'e99695'][tier] ?? '',
    description: `Risk tier ${tier}: ${risk}`,
    exclusive: true,
  })),
];

export function stateLabel(state: ShownState): string {
  return `mission/${(state === 'opened' ? 'proposed' : state).replace('_', '-')}`;
}

export function tierLabel(tier: number): string {
  return `tier/${tier}`;
}

/** A display, not evidence: whoever may write code may post any status. */
export type CommitStatus = {
  readonly context: 'lazarus/mission' | 'lazarus/receipts' | 'lazarus/scope';
  readonly state: Shown['check'];
  readonly description: string;
};

/** `missing`: the one thing it waits for. */
export function missionStatusCheck(state: ShownState, missing: string): CommitStatus {
  const { says, check } = shownOf(state);
  return status('lazarus/mission', check, missing === '' ? says : `${says}: ${missing}`);
}

export function receiptsCheck(mission: string, receipts: number, isVerified: boolean): CommitStatus {
  const says = `${receipts} receipt${receipts === 1 ? '' : 's'} of ${mission}`;
  return isVerified
    ? status('lazarus/receipts', 'success', `${says}; check them: lazarus verify ${mission}`)
    : status('lazarus/receipts', 'pending', `${says}; the verification is not over`);
}

export function scopeCheck(changed: number, violations: readonly string[]): CommitStatus {
  const [first] = violations;
  return first === undefined
    ? status(
        'lazarus/scope',
        'success',
        `${changed} changed file${changed === 1 ? '' : 's'}, all of them owned by the mission`,
      )
    : status(
        'lazarus/scope',
        'failure',
        `${violations.length} of ${changed} outside the mission’s files, first: ${first}`,
      );
}

const DESCRIPTION_CHARACTERS_MAX = 140;

function status(context: CommitStatus['context'], state: CommitStatus['state'], says: string): CommitStatus {
  return { context, state, description: cut(visible(says), DESCRIPTION_CHARACTERS_MAX) };
}

function shownOf(state: ShownState): Shown {
  return STATES[state === 'opened' ? 'proposed' : state];
}
