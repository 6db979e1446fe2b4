// By whom a document is judged, and whether it still fits the ledger it is for. Asked before anybody signs, because a
// signature under a stale document is effort lost, and again before it is applied.
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { checkSuccession, rosterDigest } from '../../kernel/roster/roster.ts';
import type { RepairDocument } from '../../kernel/trust/events.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../ledger/names.ts';
import { basisOf, type Tip } from '../../ledger/tip.ts';
import type { ProjectView } from '../adoption.ts';
import { knownProject } from '../project-fold.ts';
import { findDamage, repairDocument, type Damage } from '../repair.ts';
import type { Workbench } from '../workbench.ts';
import { electorateOf, type Electorate } from './electorate.ts';
import type { Matter } from './threshold-draft.ts';

export type Judged = {
  readonly electorate: Electorate;
  /** The ledger that the document goes into. */
  readonly ref: string;
  /** Kept abreast by whoever writes to it; undefined when it is the project ledger itself that needs repair. */
  readonly project: ProjectView | undefined;
  /** A mission where it was verified just now: whoever writes to it goes on from there. */
  readonly tip?: Tip;
  /** On a repair: what was found. */
  readonly damage?: Damage;
};

export async function judge(bench: Workbench, matter: Matter): Promise<Verdict<Judged>> {
  if (matter.purpose === 'repair') return judgeRepair(bench, matter.document);
  const project = await knownProject(bench);
  const electorate = projectElectorate(project);
  const ref = 'ledger_id' in matter.document ? refOf(project, matter.document.ledger_id) : PROJECT_REF;
  const stale = staleness(bench.parts.crypto, electorate, matter);
  return stale.is === 'refused' ? stale : accept({ electorate, ref, project });
}

export function projectElectorate(project: ProjectView): Electorate {
  return electorateOf(project.tip.state!, project.tip.size);
}

function refOf(project: ProjectView, ledgerId: string): string {
  return ledgerId === project.tip.state!.ledger_id ? PROJECT_REF : missionRef(ledgerId);
}

/** What the kernel would refuse when it is applied, said before anybody signs. */
function staleness(
  crypto: Crypto,
  { roster, barred }: Electorate,
  matter: Exclude<Matter, { purpose: 'repair' }>,
): Verdict<unknown> {
  const { purpose, document } = matter;
  if (purpose === 'roster') return checkSuccession(crypto, roster, document, barred);
  if (document.roster !== rosterDigest(crypto, roster)) return refuse('statement_stale', { purpose });
  if (purpose === 'annotation' || purpose === 'seal') return accept(undefined);
  if (document.project_id !== roster.project_id)
    return refuse('roster_other_project', { project: document.project_id });
  const { fingerprint } = document;
  return barred(fingerprint) ? refuse('key_already_cut_off', { fingerprint }) : accept(undefined);
}

async function judgeRepair(bench: Workbench, document: RepairDocument): Promise<Verdict<Judged>> {
  const mission = missionRef(document.ledger_id);
  const ref = (await bench.place.head(mission)) === undefined ? PROJECT_REF : mission;
  const found = await judgeDamage(bench, ref);
  if (found.is === 'refused') return found;
  // Everything in the document follows from the ledger: anything else was made up, or has moved on since.
  return jcs(document) === jcs(repairDocument(bench, found.value.damage))
    ? found
    : refuse('statement_stale', { purpose: 'repair' });
}

/** A wedged ledger, and the roster in force at the head from which it will go on. */
export async function judgeDamage(
  bench: Workbench,
  ref: string,
): Promise<Verdict<Judged & { readonly damage: Damage }>> {
  const project = ref === PROJECT_REF ? undefined : await knownProject(bench);
  const damage = await findDamage(bench, ref, project);
  if (damage.is === 'refused') return damage;
  const { tip } = damage.value;
  // A mission may not have heard of a cut-off yet; those who know of it do not count that key's signature any more.
  const electorate = electorateOf(tip.state!, basisOf(tip, tip.project), project?.tip.state?.cut_offs);
  return accept({ electorate, ref, project, damage: damage.value });
}
