// The line to paste after a vote without a digest or with an old one: the digest that waits now, to be read again and then
// typed. Knows no comment; says nothing where nothing waits.
import { pasteLine } from '../../forge-text/status-words.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Refused } from '../../kernel/verdict.ts';

export function pasteHere(
  state: MissionState | undefined,
  { code, facts }: Refused,
  verb: unknown = facts['command'],
): { readonly paste?: string } {
  const current = Object.values(state?.course?.approvals ?? {}).find(({ granted }) => !granted);
  if (current === undefined || (code !== 'digest_required' && code !== 'approval_stale')) return {};
  return { paste: pasteLine(current, verb === 'reject' ? 'reject' : 'approve') };
}
