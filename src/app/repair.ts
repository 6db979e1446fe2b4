// A ledger that a stranger wedged: finds the last head that verifies, says what lies behind it, and appends the one commit
// that goes on from there. Foreign commits stay in history, named and counted; nothing is rewritten, nothing is forced.
import { parentsOf } from '../format/git/any-object.ts';
import { objectId, type Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import type { LedgerKind } from '../kernel/traits.ts';
import { rosterDigest } from '../kernel/roster/roster.ts';
import type { RootSignature } from '../kernel/roster/threshold.ts';
import type { RepairDocument } from '../kernel/trust/events.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { emptyProject, headOf, type Tip } from '../ledger/tip.ts';
import { readCommit } from '../ledger/verify-commit.ts';
import type { Signer } from '../ports/keys.ts';
import type { ProjectView } from './adoption.ts';
import { conclude, type Concluded } from './conclude.ts';
import { readCosignatures, validCosignatures } from './cosign.ts';
import { chain } from './verify/chain.ts';
import { verifyLedger } from './verify/verify-ledger.ts';
import { refuseRepairOfValid, walk, type Flaw } from './verify/walk.ts';
import type { Workbench } from './workbench.ts';

export type Damage = {
  readonly ref: string;
  /** Where the ledger goes on from. */
  readonly tip: Tip;
  readonly foreignTip: Oid;
  readonly foreignCount: number;
  /** Why the first commit behind the tip was refused. */
  readonly because: Pick<Flaw, 'code' | 'oid' | 'index'>;
};

/** `project` is undefined for the project ledger itself. */
export async function findDamage(
  bench: Workbench,
  ref: string,
  project: ProjectView | undefined,
): Promise<Verdict<Damage>> {
  const { crypto, repository, pins } = bench.parts;
  const foreignTip = await bench.place.head(ref);
  if (foreignTip === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(ref) });
  const pin = await pins.read(ledgerName(ref));
  const verified = await verifyLedger({
    crypto,
    reader: repository,
    ref,
    head: foreignTip,
    mode: 'full',
    pin,
    project: project?.history,
  });
  const { integrity } = verified.report;
  if (integrity.is === 'ok') return refuse('repair_needless', { ledger: ledgerName(ref) });
  const flaw = refuse(integrity.code, { ...integrity.facts, ledger: ledgerName(ref), commit: integrity.oid });
  // Every commit verifies and yet it is not the ledger we know (rolled back, forked): no garbage, so nothing to repair.
  if (verified.tip.oid === foreignTip || NEWER.has(integrity.code) || LOST.has(integrity.code)) return flaw;
  const tip = await lastValid(bench, { ref, head: foreignTip, verified: verified.tip });
  if (tip.oid === undefined || tip.state === undefined)
    return refuse('repair_no_valid_head', { ledger: ledgerName(ref) });
  // A merge may hide the newest commits and show old ones: what was seen before must be among what is kept.
  const cosigned = validCosignatures(crypto, tip, await readCosignatures(repository, ref));
  if (Math.max(pin?.head.size ?? 0, ...cosigned.map(({ size }) => size)) > tip.size) return flaw;
  const foreign = { validHead: tip.oid, tip: foreignTip };
  const refused = await refuseRepairOfValid(tip, foreign, { crypto, reader: repository });
  if (refused !== undefined) return refused;
  const foreignCount = await repository.countBetween(tip.oid, foreignTip);
  return accept({ ref, tip, foreignTip, foreignCount, because: integrity });
}

export function repairDocument(bench: Workbench, { tip, foreignTip, foreignCount }: Damage): RepairDocument {
  const { ledger_id, roster } = tip.state!;
  return {
    foreign_count: foreignCount,
    foreign_tip: foreignTip,
    ledger_id,
    roster: rosterDigest(bench.parts.crypto, roster),
    valid_head: headOf(tip),
  };
}

export async function repairLedger(
  bench: Workbench,
  damage: Damage,
  signed: { readonly repair: RepairDocument; readonly signatures: readonly RootSignature[] },
  { signer, project }: { readonly signer: Signer; readonly project: ProjectView | undefined },
): Promise<Verdict<Concluded>> {
  const { ref, tip, foreignTip } = damage;
  const { ledger_id } = tip.state!;
  if (signed.repair.foreign_tip !== foreignTip || signed.repair.foreign_count !== damage.foreignCount)
    return refuse('repair_mismatch', { named: signed.repair.foreign_tip, found: foreignTip });
  const payload = { repair: signed.repair, signatures: [...signed.signatures] };
  const drafts = [
    { event_type: 'ledger.repaired', entity_type: 'ledger', entity_id: ledger_id, task_id: ledger_id, payload },
  ] as const;
  return conclude(bench, { ref, tip, old: foreignTip, drafts, signer, because: 'repaired', project });
}

/** Absent or altered on this disk alone, perhaps: a fetch may bring it, and a repair would throw away what others have. */
const LOST: ReadonlySet<string> = new Set(['object_missing', 'object_corrupt', 'object_too_large']);

/** Whoever wrote these knows more than we do: not garbage. */
const NEWER: ReadonlySet<string> = new Set(['format_newer', 'event_version_newer', 'event_type_unknown']);

/**
 * The longest history below `head` that verifies. Usually the walk along first parents has found it; a merge may have
 * put the ledger on another parent, so all of them are looked at.
 */
async function lastValid(bench: Workbench, at: { ref: string; head: Oid; verified: Tip }): Promise<Tip> {
  const { crypto, repository: reader } = bench.parts;
  const kind = at.ref === PROJECT_REF ? 'project' : 'mission';
  const empty = emptyProject(crypto);
  let best = at.verified.kind === kind ? at.verified : empty;
  for (const { oid, size } of await claimants(bench, kind, at.head, best.oid)) {
    if (size <= best.size) break;
    const links = await chain(reader, oid);
    // Going on from the best tip, a forged claimant costs one look at its own commits and not at the whole ledger.
    const known = best.oid === undefined ? -1 : links.findIndex((link) => link.object.oid === best.oid);
    const walked = await walk(known === -1 ? empty : best, links.slice(known + 1), {
      crypto,
      reader,
      kind,
      onCommit: () => undefined,
    });
    if (walked.tip.kind === kind && walked.tip.size > best.size) best = walked.tip;
  }
  return best;
}

/** Commits below `head`, on any parent and not below `known`, that claim to be of a ledger; the largest claim first. */
async function claimants(
  bench: Workbench,
  kind: LedgerKind,
  head: Oid,
  known: Oid | undefined,
): Promise<readonly { oid: Oid; size: number }[]> {
  const { crypto, repository } = bench.parts;
  const found: { oid: Oid; size: number }[] = [];
  const seen = new Set(known === undefined ? [] : [known]);
  let next = [head];
  while (next.length > 0) {
    const parents = new Set<Oid>();
    for await (const object of repository.read(next)) {
      if (objectId(crypto, object.type, object.body) !== object.oid)
        throw new Failure('object_corrupt', { oid: object.oid });
      const read = readCommit(crypto, object);
      // Only missions cite a project head; a mission's history goes on into the project's, which is not looked for here.
      if (read.is === 'accepted' && (read.value.claims.project !== undefined) === (kind === 'mission'))
        found.push({ oid: object.oid, size: read.value.claims.size });
      for (const parent of parentsOf(object)) if (!seen.has(parent)) parents.add(parent);
    }
    for (const parent of parents) seen.add(parent);
    next = [...parents];
  }
  return found.sort((a, b) => b.size - a.size);
}
