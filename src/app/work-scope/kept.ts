// What a work branch may change, as it was found out, kept in the clone until one of the two ledgers that say it moves. A
// cache beside the folds: who deletes it waits a little longer. Holds for hooks, which stop accidents, and for nothing else.
import { z } from 'zod';
import type { Oid } from '../../format/git/object.ts';
import { LEDGER_FORMAT } from '../../kernel/limits.ts';
import { Allowance, SacredEntry } from '../../kernel/scope/sacred.ts';
import { ObjectName, type TreeHead } from '../../kernel/values.ts';
import { LEDGER_REFS, PROJECT_REF } from '../../ledger/names.ts';
import type { Folds } from '../../ports/folds.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { VERSION } from '../../version.ts';

const WorkScope = z.object({
  base: ObjectName,
  filesOwned: z.array(z.string()),
  allowances: z.array(Allowance),
  sacred: z.array(SacredEntry),
});
export type WorkScope = Readonly<z.infer<typeof WorkScope>>;

/** `program`: another one may ship other sacred scopes. */
const Kept = z.object({ project: ObjectName, program: z.string(), scope: WorkScope });

const NAME = 'work-scope';
const KEPT_VERSION = 2;
const BRANCH = /^lazarus-work\/(m-[0-9a-f]{12})\/[1-9]\d{0,5}$/;

/** The mission that a branch is the work of; undefined for any other branch. */
export function missionOfBranch(branch: string): string | undefined {
  return BRANCH.exec(branch)?.[1];
}

export type Keeping = { readonly repository: Pick<RepositoryReader, 'resolve'>; readonly folds: Folds | undefined };

/** Undefined where nothing is kept, or where a ledger has moved since. */
export async function keptScope({ repository, folds }: Keeping, mission: string): Promise<WorkScope | undefined> {
  const kept = await folds?.read(mission, NAME);
  if (kept === undefined || kept.version !== KEPT_VERSION || kept.format !== LEDGER_FORMAT) return undefined;
  const value = Kept.safeParse(kept.value).data;
  if (value === undefined || value.program !== VERSION) return undefined;
  const [here, project] = await Promise.all([LEDGER_REFS + mission, PROJECT_REF].map((ref) => repository.resolve(ref)));
  return here === kept.head.oid && project === value.project ? value.scope : undefined;
}

export async function keepScope(
  { folds }: Pick<Keeping, 'folds'>,
  mission: string,
  { scope, head, project }: { readonly scope: WorkScope; readonly head: TreeHead; readonly project: Oid },
): Promise<void> {
  const value: z.infer<typeof Kept> = { project, program: VERSION, scope };
  await folds?.write?.(mission, NAME, { version: KEPT_VERSION, format: LEDGER_FORMAT, head, value });
}
