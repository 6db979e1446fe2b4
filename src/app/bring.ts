// Brings what a remote has of the project and of single missions here, verified, before somebody reads it or decides on it:
// what is read here is then what stands there. Takes forward steps only, and hides none that the remote went back.
import { Failure } from '../failure.ts';
import { fetchedRef, LEDGER_REFS, missionRef, PROJECT_REF } from '../ledger/names.ts';
import type { ProjectView } from './adoption.ts';
import { compareWithRemote, pullLedgers } from './sync.ts';
import { refuseFlawed, type Workbench } from './workbench.ts';

/** The genesis of the project on the remote, verified; nothing of it is taken over, and nothing remembered. */
export async function projectThere(bench: Workbench): Promise<string> {
  const [compared] = await compareWithRemote(bench, [PROJECT_REF]);
  if (compared?.there === undefined)
    throw new Failure('ledger_not_found', { ledger: 'project', remote: bench.parts.remote?.displayUrl ?? null });
  const { report } = await bench.verifyAt(PROJECT_REF, fetchedRef(PROJECT_REF), undefined);
  refuseFlawed(report);
  return report.state!.project_genesis;
}

/**
 * Ledgers of the remote, as new as it has them. `genesis`: what a person vouched for, where no pin says it yet. One that
 * was here and is gone there, or has less there than here, is refused by that name: it is no news that can wait.
 */
export async function bring(
  bench: Workbench,
  refs: readonly string[],
  { genesis }: { readonly genesis?: string | undefined } = {},
): Promise<void> {
  const stale = await staleOf(bench, refs);
  if (stale.length === 0) return;
  const synced = await pullLedgers(bench, stale, { genesis });
  for (const { ledger, relation, here, there } of synced) {
    if (relation === 'absent_there' && here === undefined) throw new Failure('ledger_not_found', { ledger });
    if (relation === 'absent_there' || relation === 'ahead')
      throw new Failure('remote_is_behind', { ledger, here: here ?? null, there: there ?? null });
  }
}

/** References of all missions on the remote and here. */
export async function missionsAnywhere(bench: Workbench): Promise<readonly string[]> {
  const all = new Set([...(await bench.ledgers()), ...(await bench.place.ledgers())]);
  all.delete(PROJECT_REF);
  return [...all].filter((ref) => ref.startsWith(`${LEDGER_REFS}m-`)).sort();
}

/**
 * With those that the project registered: one that was approved and is gone is missed by nothing else, and one that only
 * awaits its approval is in no registry.
 */
export async function missionsKnown(bench: Workbench, { tip: { state } }: ProjectView): Promise<readonly string[]> {
  const registered = state?.kind === 'project' ? Object.keys(state.missions).map(missionRef) : [];
  return [...new Set([...(await missionsAnywhere(bench)), ...registered])].sort();
}

async function staleOf({ parts, place }: Workbench, refs: readonly string[]): Promise<readonly string[]> {
  if (!place.isFar) return [];
  const heads = await parts.remote!.heads(refs);
  const here = await Promise.all(refs.map((ref) => parts.repository.resolve(ref)));
  return refs.filter((ref, i) => here[i] === undefined || heads.get(ref) !== here[i]);
}
