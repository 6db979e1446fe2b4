// What missions need of their project's past, folded and kept: which heads it had, which rosters and cut-offs came with
// them. So a long project is verified since its pin, and a mission can still be held to any head that it cites.
import { z } from 'zod';
import { CutOff, RosterUpdate } from '../kernel/project/events.ts';
import { Count, Index, ObjectName, RootHash } from '../kernel/values.ts';
import { PROJECT_REF } from '../ledger/names.ts';
import { ProjectView } from './adoption.ts';
import { folded } from './folded.ts';
import type { Fold } from './folding.ts';
import type { Watch, Workbench } from './workbench.ts';

const Known = z.strictObject({
  heads: z.array(z.tuple([Index, RootHash, ObjectName, Count])),
  changes: z.array(
    z.discriminatedUnion('is', [
      z.strictObject({ is: z.literal('roster'), update: RosterUpdate }),
      z.strictObject({ is: z.literal('cut_off'), cutOff: CutOff }),
    ]),
  ),
});

const PROJECT: Fold<ProjectView> = {
  name: 'project',
  version: 1,
  kind: 'project',
  start: () => new ProjectView(),
  take: (view, step) => view.add(step),
  write: (view) => view.known(),
  read: (kept) => {
    const known = Known.safeParse(kept);
    return known.success ? new ProjectView(known.data) : undefined;
  },
};

/** The project ledger, verified since this clone last did. */
export async function knownProject(
  bench: Workbench,
  options: Watch & { readonly genesis?: string } = {},
): Promise<ProjectView> {
  const { value, verified } = await folded(bench, PROJECT_REF, PROJECT, options);
  value.standAt(verified.tip);
  return value;
}
