// The first commit of a mission's ledger: what the project's registry remembers a mission by, and its seeds descend from.
import { Failure } from '../../failure.ts';
import { hex } from '../../format/bytes.ts';
import type { GitObject } from '../../format/git/object.ts';
import type { MissionState } from '../../kernel/state.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Workbench } from '../workbench.ts';

/** `state` is the verified one: it names the project commit that the first one has as parent. */
async function genesisOf(bench: Workbench, ref: string, state: MissionState): Promise<GitObject> {
  const { repository } = bench.parts;
  const head = await bench.place.head(ref);
  let first: GitObject | undefined;
  if (head !== undefined) for await (const commit of repository.history(head, state.grew_from.oid)) first = commit;
  if (first === undefined) throw new Failure('ledger_not_opened', { ledger: ledgerName(ref) });
  return first;
}

/** What a mission's own seeds name as their parent's hash. */
export async function genesisHash(bench: Workbench, ref: string, state: MissionState): Promise<string> {
  return hex(bench.parts.crypto.hash('sha256', (await genesisOf(bench, ref, state)).body));
}
