// The roots' judgement on what a cut-off key signed in one ledger: from which event to which, accepted or rejected.
import type { AnnotationDocument } from '../../kernel/trust/events.ts';
import { rosterDigest } from '../../kernel/roster/roster.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Tip } from '../../ledger/tip.ts';
import type { ProjectView } from '../adoption.ts';
import { refuseFlawed, type Workbench } from '../workbench.ts';

export type Judging = {
  readonly fingerprint: string;
  readonly judgement: AnnotationDocument['judgement'];
  /** Left out: everything of the key that is disowned and not judged yet. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
};

export async function annotation(
  bench: Workbench,
  project: ProjectView,
  ref: string,
  { fingerprint, judgement, from, until }: Judging,
): Promise<Verdict<{ readonly document: AnnotationDocument; readonly tip: Tip }>> {
  const { report, tip } = await bench.verify(ref, 'since-pin', { project, skipsProject: true });
  refuseFlawed(report);
  const waiting = report.trust.disowned.filter((run) => run.fingerprint === fingerprint);
  // Named from where to where, it may be a second thought: the later judgement counts.
  const isNamed = from !== undefined && until !== undefined;
  if (waiting.length === 0 && !isNamed) return refuse('nothing_disowned', { ledger: ledgerName(ref), fingerprint });
  const document = {
    fingerprint,
    from: from ?? Math.min(...waiting.map((run) => run.from)),
    judgement,
    ledger_id: report.state!.ledger_id,
    // The annotation's transaction adopts the project's newest roster first, so that one judges.
    roster: rosterDigest(bench.parts.crypto, project.tip.state!.roster),
    until: until ?? Math.max(...waiting.map((run) => run.until)),
  };
  return accept({ document, tip });
}
