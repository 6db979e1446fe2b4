// The ledgers of a week as stock git has them: the JSON of each event, and what can be counted there without knowing a rule.
// Imports nothing of lazarus, so that nobody judges himself.
import { execFileSync } from 'node:child_process';

export type Event = {
  readonly event_type: string;
  readonly entity_id: string;
  readonly occurred_at: string;
  readonly payload: any;
};

export type Vote = {
  readonly id: string;
  readonly choice: string;
  readonly digest: string;
  readonly comment: number | null;
  readonly user: number | null;
};

export type Ledger = {
  readonly tip: string;
  readonly commits: number;
  readonly events: readonly Event[];
};

export function ledgerAt(mirror: string, name: string): Ledger {
  const ref = `refs/heads/lazarus/${name}`;
  const git = (args: readonly string[], input?: string): string =>
    execFileSync('git', args, { cwd: mirror, encoding: 'utf8', input, maxBuffer: 1 << 28 });
  const paths = git(['ls-tree', '-r', '--name-only', ref])
    .split('\n')
    .filter((path) => /(?:^|\/)\d{9}\.json$/.test(path))
    .sort((a, b) => Number(a.slice(-14, -5)) - Number(b.slice(-14, -5)));
  const lines = git(['cat-file', '--batch'], paths.map((path) => `${ref}:${path}\n`).join(''))
    .split('\n')
    .filter((line) => line.startsWith('{'));
  return {
    tip: git(['rev-parse', ref]).trim(),
    commits: Number(git(['rev-list', '--count', ref])),
    events: lines.map((line) => JSON.parse(line) as Event),
  };
}

export function ofType({ events }: Ledger, type: string): readonly Event[] {
  return events.filter(({ event_type }) => event_type === type);
}

export function votesIn(ledger: Ledger): readonly Vote[] {
  return ofType(ledger, 'vote.cast').map(({ entity_id, payload }) => ({
    id: entity_id,
    choice: payload.choice,
    digest: payload.digest,
    comment: payload.forge?.comment_id ?? null,
    user: payload.forge?.user_id ?? null,
  }));
}

/** The votes that its latest plan was granted for: about the one before people were asked, and then asked anew. */
export function grantedBy({ events }: Ledger): ReadonlySet<string> {
  const isAsking = ({ event_type, payload }: Event): boolean =>
    event_type === 'approval.requested' && payload.approval_type === 'plan';
  const since = events.slice(Math.max(0, events.findLastIndex(isAsking)));
  const granted = since.filter(({ event_type }) => event_type === 'approval.granted');
  return new Set(granted.flatMap(({ payload }) => payload.votes as string[]));
}

/** Every comment that something stands in the ledger for. */
export function heardIn({ events }: Ledger): ReadonlySet<number> {
  return new Set(events.flatMap(({ payload }) => payload.forge?.comment_id ?? []));
}

export type Applied = {
  readonly kind: string;
  readonly target: string;
  readonly number: number | null;
  readonly oid: string | null;
};

export function appliedIn(ledger: Ledger): readonly Applied[] {
  const intended = new Map(ofType(ledger, 'effect.intended').map(({ entity_id, payload }) => [entity_id, payload]));
  return ofType(ledger, 'effect.observed')
    .filter(({ payload }) => payload.outcome === 'applied')
    .map(({ entity_id, payload }) => {
      const { kind, target } = intended.get(entity_id) ?? { kind: 'nothing', target: 'nobody intended it' };
      return { kind, target, number: payload.number, oid: payload.oid };
    });
}

export function endOf(ledger: Ledger): { readonly outcome: string; readonly because: string } | undefined {
  return ofType(ledger, 'mission.ended').at(-1)?.payload;
}
