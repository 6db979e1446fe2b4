// Carries roster changes of the project into its open missions at once. For a removal or a cut-off this is a barrier:
// behind it, nothing that the removed key signs is accepted, whatever old project head it cites.
import { Failure } from '../../failure.ts';
import { accept, refuse } from '../../kernel/verdict.ts';
import type { ReasonCode } from '../../reasons.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import type { ProjectView } from '../adoption.ts';
import { missionsKnown } from '../bring.ts';
import type { Submission } from '../ledger-session.ts';
import type { Workbench } from '../workbench.ts';

export type Adopted = { readonly ledger: string; readonly is: 'adopted' | ReasonCode };

/** One line per mission that is not over: adopted, or why not. One that cannot be reached does not hold up the others. */
export async function adoptEverywhere(
  bench: Workbench,
  project: ProjectView,
  signer: Signer,
): Promise<readonly Adopted[]> {
  const done: Adopted[] = [];
  for (const ref of await missionsKnown(bench, project)) {
    const is = await adoptIn(bench, ref, project, signer);
    // Up to date, over, or begun under another project that shares this repository.
    if (!SETTLED.has(is)) done.push({ ledger: ledgerName(ref), is });
  }
  return done;
}

/** The adoptions are the whole transaction; where none is owed there is nothing to append. */
function adoption(): Submission {
  return {
    decide: (state, { adopts }) => {
      if (state?.kind !== 'mission') return refuse('ledger_not_opened');
      if (state.sealed) return refuse('ledger_sealed', { ledger: state.ledger_id });
      if (!adopts) return refuse('nothing_to_adopt', { roster: state.roster.n });
      return accept([]);
    },
  };
}

const SETTLED: ReadonlySet<string> = new Set(['nothing_to_adopt', 'ledger_sealed', 'mission_other_project']);

async function adoptIn(bench: Workbench, ref: string, project: ProjectView, signer: Signer): Promise<Adopted['is']> {
  try {
    const landed = await bench.session(ref, signer, project).submit(adoption());
    return landed.is === 'refused' ? landed.code : 'adopted';
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}
