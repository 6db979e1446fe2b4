// The cut-off of a compromised key: for every ledger in which it signed, up to which head it is still believed, and what
// that leaves disowned. Reads the ledgers; decides nothing that the roots do not sign.
import { Failure } from '../../failure.ts';
import type { CutOffDocument } from '../../kernel/project/events.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import { rosterDigest } from '../../kernel/roster/roster.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { ledgerName, PROJECT_REF } from '../../ledger/names.ts';
import { headOf } from '../../ledger/tip.ts';
import type { ProjectView } from '../adoption.ts';
import { SignerRuns } from '../../ledger/trust.ts';
import type { Workbench } from '../workbench.ts';

export type Suspicion = {
  readonly fingerprint: string;
  /** Per ledger name the size up to which the key is believed; a ledger not named is believed as it stands today. */
  readonly trusted: ReadonlyMap<string, number>;
  /** Ledgers not named are not believed at all. */
  readonly distrustOthers: boolean;
};

export type Consequence = {
  readonly ledger: string;
  readonly trusted: number;
  readonly disowned: readonly { readonly from: number; readonly until: number }[];
};

export type CutOffPlan = { readonly document: CutOffDocument; readonly consequences: readonly Consequence[] };

export async function planCutOff(bench: Workbench, project: ProjectView, suspicion: Suspicion): Promise<CutOffPlan> {
  const { roster, project_id } = project.tip.state!;
  const { fingerprint } = suspicion;
  const heads: CutOffDocument['heads'] = [];
  const consequences: Consequence[] = [];
  for (const ref of await bench.ledgers()) {
    const { ledgerId, signed, past } = await traceOf(bench, ref, project, fingerprint);
    // Where the key signed nothing, there is nothing to believe or to disown.
    if (ledgerId === undefined || signed.length === 0) continue;
    const head = trustedHead(past, ledgerName(ref), suspicion);
    // There is room for so many. A final head that the project keeps is trusted without being named.
    await project.history.bring({ ledgers: [ledgerId] });
    const finals = project.history.record.finalsOf(ledgerId);
    const isKept = finals.some(
      (final) => final.because === 'sealed' && final.by !== fingerprint && final.head.oid === head?.oid,
    );
    if (head !== undefined && !isKept) heads.push({ head, ledger_id: ledgerId });
    const trusted = head?.size ?? 0;
    const after = signed.map(({ from, until }) => ({ from: Math.max(from, trusted), until }));
    consequences.push({ ledger: ledgerName(ref), trusted, disowned: after.filter((run) => run.from < run.until) });
  }
  heads.sort((a, b) => (a.ledger_id < b.ledger_id ? -1 : 1));
  return {
    document: { fingerprint, heads, project_id, roster: rosterDigest(bench.parts.crypto, roster) },
    consequences,
  };
}

/** The fingerprint of a key of the roster, from its beginning or from its only principal's name. */
export function rosterFingerprint(roster: Roster, typed: string): string {
  const keys = roster.members.flatMap((member) => member.keys.map(({ fingerprint }) => ({ fingerprint, member })));
  const wanted = typed.toUpperCase();
  const found = keys.filter(
    ({ fingerprint, member }) => fingerprint.startsWith(wanted) || member.principal_id === typed,
  );
  const [first, second] = found;
  if (first === undefined) throw new Failure('key_not_found', { wanted: typed });
  if (second !== undefined)
    throw new Failure('key_ambiguous', { wanted: typed, candidates: found.map(({ fingerprint }) => fingerprint) });
  return first.fingerprint;
}

/** The newest head that is not larger than the trusted size: sizes inside a transaction have no head. */
function trustedHead(past: readonly TreeHead[], ledger: string, suspicion: Suspicion): TreeHead | undefined {
  const size = suspicion.trusted.get(ledger) ?? (suspicion.distrustOthers ? 0 : Number.POSITIVE_INFINITY);
  return past.findLast((head) => head.size <= size);
}

async function traceOf(bench: Workbench, ref: string, project: ProjectView, fingerprint: string) {
  const runs = new SignerRuns();
  const past: TreeHead[] = [];
  const kind = ref === PROJECT_REF ? 'project' : 'mission';
  const { tip } = await bench.verify(ref, 'full', {
    project,
    onCommit: (seen) => {
      if (seen.ledger !== kind) return;
      runs.add(seen.signer.key.fingerprint, seen.claims.prevSize, seen.claims.size);
      past.push(headOf({ ...seen.tip, oid: seen.oid }));
    },
  });
  return { ledgerId: tip.kind === kind ? tip.state?.ledger_id : undefined, signed: runs.of(fingerprint), past };
}
