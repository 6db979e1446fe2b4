// What people decide on, kept so that it can be read again later: what would be done, what could go wrong, and how it
// could be taken back.
import { pathsOf } from '../../kernel/course/plan.ts';
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import type { Planned } from './planning.ts';

export function packetBytes({ document, terms, actions, votesExpireHours }: Planned): Uint8Array {
  const { proposal } = document;
  return utf8(
    jcs({
      schema: 'lazarus.approval-packet.v1',
      action_summary: proposal.goal,
      expected_effect: document.effects,
      impacted_resources: actions.flatMap(({ targets }) => targets),
      paths: [...pathsOf(terms)],
      risk_summary: actions.map(({ name, policy }) => ({ action: name, ...policy })),
      rollback: actions.map(({ name, reversibility }) => ({ action: name, reversibility })),
      state_witness: { base_commit: terms.base_commit, policy: terms.policy },
      votes_expire_hours: votesExpireHours,
    }),
  );
}
