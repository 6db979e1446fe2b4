// What missions need of their project's past, folded and kept: which heads it had, which rosters and cut-offs came with
// them, what it recorded of its missions. So a long project is verified since its pin, and a mission can still be held to any head that it cites.
import { z } from 'zod';
import { AdoptedFrom } from '../kernel/mission/events.ts';
import { ClaimsReleased, CutOff, RosterUpdate, TreeHeadRecorded } from '../kernel/project/events.ts';
import { STATE_VERSION, type ProjectState } from '../kernel/state.ts';
import { Count, Index, Instant, KeyFingerprint, ObjectName, PathGlob, RootHash, Uuid } from '../kernel/values.ts';
import { PROJECT_REF } from '../ledger/names.ts';
import { ProjectView } from './adoption.ts';
import { folded } from './folded.ts';
import type { Fold } from './folding.ts';
import type { Watch, Workbench } from './workbench.ts';

const Kept = z.strictObject({
  heads: z.array(z.tuple([Index, RootHash, ObjectName, Count, z.boolean()])),
  record: z.strictObject({
    registered: z.record(
      Uuid,
      z.strictObject({
        genesis: ObjectName,
        held: z.array(z.strictObject({ from: Count, claims: z.array(PathGlob) })).min(1),
      }),
    ),
    finals: z.array(
      z.strictObject({
        ...TreeHeadRecorded.shape.payload.shape,
        by: KeyFingerprint,
        index: Index,
      }),
    ),
    releases: z.array(
      z.strictObject({ ...ClaimsReleased.shape.payload.shape, claims: z.array(PathGlob), index: Index }),
    ),
    cut_offs: z.record(KeyFingerprint, Index),
    stops: z.array(z.strictObject({ index: Index, at: Instant, until: Instant.nullable() })),
  }),
});
const Known = z.strictObject({
  history: Kept,
  /** States are not looked into: what is kept of one by another version of them is not taken up. */
  eras: z.array(z.tuple([Count, z.custom<ProjectState>((state) => typeof state === 'object' && state !== null)])),
  changes: z.array(
    z.discriminatedUnion('is', [
      z.strictObject({ is: z.literal('roster'), update: RosterUpdate, from: AdoptedFrom }),
      z.strictObject({ is: z.literal('cut_off'), cutOff: CutOff, from: AdoptedFrom }),
    ]),
  ),
});

const PROJECT: Fold<ProjectView> = {
  name: 'project',
  // Beside its own, that of the states in it.
  version: 1000 * STATE_VERSION + 6,
  kind: 'project',
  start: () => new ProjectView(),
  take: (view, step) => view.add(step),
  // Missions grew from what is known already all the same.
  pass: (view, { tip }) => view.history.addGround(tip),
  write: (view) => view.known(),
  read: (kept) => {
    const known = Known.safeParse(kept);
    return known.success ? new ProjectView(known.data) : undefined;
  },
};

/** A clone may hold a mission without the project's own branch. */
export async function knownProjectIfHere(bench: Workbench): Promise<ProjectView | undefined> {
  return (await bench.ledgers()).includes(PROJECT_REF) ? knownProject(bench) : undefined;
}

/** The project ledger, verified since this clone last did. */
export async function knownProject(
  bench: Workbench,
  options: Watch & { readonly genesis?: string } = {},
): Promise<ProjectView> {
  const { value, verified } = await folded(bench, PROJECT_REF, PROJECT, options);
  value.standAt(verified.tip);
  return value;
}
