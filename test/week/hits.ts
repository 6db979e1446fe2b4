// Which faults of a week hit which missions, by the words of the runbook, and a few that it has no word for.
import type { WeekLog } from './log.ts';

/** By its headings: what plays each of them. */
const PLAYED: Readonly<Record<string, readonly string[]>> = {
  'Dead agent': ['agent_killed'],
  'Dead runner': ['runner_killed'],
  'Forge down': ['forge_restarted', 'door_shut', 'door_slammed'],
  'Lost event': ['event_lost'],
  'Disk full': ['disk_full'],
  'Expired key': ['key_ended', 'keys_gone'],
  'Rolled-back branch': ['ledger_set_back', 'ledger_deleted'],
  'Edited approval': ['approval_edited'],
  'Drifted label': ['label_changed', 'status_edited'],
  'Stuck approval': ['approval_stuck'],
  'Zombie writer': ['runner_asleep'],
  'Exhausted budget': ['budget_exhausted'],
  'The project is stopped': ['stopped'],
  'A run is cancelled': ['run_cancelled'],
  'Another policy': ['policy_changed'],
};

export type Hits = { readonly lines: readonly string[]; readonly missed: readonly string[] };

export function hitsOf({ faults }: WeekLog): Hits {
  const rows = Object.entries(PLAYED).map(([name, played]) => {
    const met = faults.filter(({ what, hit }) => played.includes(what) && hit.length > 0);
    return { name, met: met.map(({ what, hit }) => `${what} (${hit.join(', ')})`) };
  });
  return {
    lines: rows.map(({ name, met }) => `${name.padEnd(24)}${met.length === 0 ? 'hit none' : met.join(', ')}`),
    missed: rows.filter(({ met }) => met.length === 0).map(({ name }) => name),
  };
}
