// Whose word a mission waits for, for people to see: what they are asked, and who may let go on what is held. Computed from
// the state alone.
import type { Said, StatusView } from '../../forge-text/status-view.ts';
import { askedOf } from '../../kernel/approval/asked.ts';
import { SIGNED_TIER } from '../../kernel/approval/voters.ts';
import type { Course } from '../../kernel/course/course.ts';
import { whoMayUnhold } from '../../kernel/mission/hold.ts';
import type { MissionState } from '../../kernel/state.ts';

export function askedView(state: MissionState): StatusView['asked'] {
  const asked = askedOf(state);
  if (asked === undefined) return null;
  const { approval, missing, from, possible, cannot, rejecting } = asked;
  return {
    scope: approval.type,
    digest: approval.digest,
    quorum: state.course!.plan!.quorum,
    missing,
    from,
    possible,
    role: 'person',
    cannot: cannot.map(({ principal, because }) => ({
      login: principal,
      because: because === 'self_approval' ? 'proposer' : because,
    })),
    rejecting,
    expiresAt: approval.expires_at,
  };
}

/** An account that no roster has is shown by its number: what it is called today somebody else may be called tomorrow. */
export function saidView({ roster }: MissionState, said: Course['cancelled']): Said | null {
  if (said === null) return null;
  const { by, account, at } = said;
  const member = roster.members.find(({ principal_id }) => principal_id === by);
  const isOwn = account === null || member?.forge_user_id === account;
  return { by: isOwn ? by : `the proposer, account ${account}`, how: account === null ? 'signed' : 'forge', at };
}

export function heldView(state: MissionState): StatusView['held'] {
  const { course, roster } = state;
  const said = saidView(state, course?.held ?? null);
  if (said === null || course === undefined) return null;
  const isSigned = (course.plan?.tier ?? 0) >= SIGNED_TIER;
  return { ...said, who: whoMayUnhold({ course, roster }), isSigned };
}
