// The events of a mission as a whole: its birth out of a project ledger, and the roster changes it adopts from there.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { PROPOSERS_MAX } from '../limits.ts';
import { ForgeOrigin } from '../ingress/events.ts';
import { CutOff, RosterUpdate } from '../project/events.ts';
import { Count, Digest, Index, ReasonWord, RootHash, Slug, TreeHead, Uuid } from '../values.ts';
import { Plan } from '../course/plan.ts';

const MissionOpened = defineEvent(
  'mission.opened',
  'mission',
  () =>
    z.strictObject({
      /** The project ledger commit this one grew from: its parent. */
      grew_from: TreeHead,
      mission_id: Uuid,
      project_id: Uuid,
      /** The proposal, an artifact; null while a ledger is opened by hand. */
      proposal: Digest.nullable(),
    }),
  { in: MISSION, about: 'ledger', by: ['gate', 'person'], inProofs: true, starts: true, follows: true },
);

/** The event of the project ledger that is adopted: its position there, and its leaf hash. */
export const AdoptedFrom = z.strictObject({ index: Index, leaf: RootHash });
export type AdoptedFrom = z.infer<typeof AdoptedFrom>;
export type Adoption = { readonly from: AdoptedFrom } & (RosterUpdate | CutOff);

/** Carries the threshold's own signatures: whoever appends next may bring it along. */
const ADOPTION = {
  in: MISSION,
  about: 'ledger',
  by: ['root', 'person', 'gate', 'runner', 'writer'],
  inProofs: true,
  carried: true,
  starts: true,
  aftercare: true,
} as const;
/**
 * A later roster, with the signatures that made it valid, so that a mission verifies alone. They alone are not enough:
 * roots who left could sign a roster that the project never had, hence `from`.
 */
const RosterAdopted = defineEvent(
  'roster.adopted',
  'roster',
  () => RosterUpdate.extend({ from: AdoptedFrom }),
  ADOPTION,
);
const CutOffAdopted = defineEvent('cut_off.adopted', 'roster', () => CutOff.extend({ from: AdoptedFrom }), ADOPTION);

/** Somebody who stands behind a proposal, and so may not approve it: a roster principal, a forge account, or both. */
export const Proposer = z
  .strictObject({ forge_user_id: Count.nullable(), principal_id: Slug.nullable() })
  .refine((one) => one.forge_user_id !== null || one.principal_id !== null);

/** A revision of what is asked for. Each one makes the plan and the votes before it worthless, unless it asks for less. */
const MissionProposed = defineEvent(
  'mission.proposed',
  'mission',
  () =>
    z.strictObject({
      ingress_id: Uuid,
      proposal: Digest,
      /** Everybody who had a hand in it: author, every editor, whoever adopted it. */
      proposers: z.array(Proposer).min(1).max(PROPOSERS_MAX),
      revision: z.int().min(1),
    }),
  {
    in: MISSION,
    about: 'ledger',
    by: ['gate', 'person'],
    because: ({ payload }) => ({ here: [payload.ingress_id], of: ['ingress.recorded'] }),
    untilCancelled: true,
  },
);

const PlanComputed = defineEvent('plan.computed', 'mission', () => Plan, {
  in: MISSION,
  about: 'ledger',
  by: ['gate'],
  because: () => ({ here: ['mission.proposed', 'ingress.recorded'], of: ['mission.proposed'] }),
  untilHalted: true,
  untilCancelled: true,
});

/** What somebody says who stops a mission, or lets it go on. */
const Stopping = z.strictObject({
  /** Null: signed by whoever says it. */
  forge: ForgeOrigin.nullable(),
  /** What was written with it, an artifact. */
  reason: Digest.nullable(),
});

/** Called off: nothing new begins. Its end comes when nothing of it runs any more. */
const MissionCancelled = defineEvent('mission.cancelled', 'mission', () => Stopping, {
  in: MISSION,
  about: 'ledger',
  by: ['gate', 'person'],
  because: () => ({ of: ['ingress.recorded'] }),
});

/** Put on hold: what runs comes to its end, and nothing else begins. Of a mission that was called off nobody says it. */
const MissionHeld = defineEvent('mission.held', 'mission', () => Stopping, {
  in: MISSION,
  about: 'ledger',
  by: ['gate', 'person'],
  because: () => ({ of: ['ingress.recorded'] }),
  untilCancelled: true,
});
const MissionUnheld = defineEvent('mission.unheld', 'mission', () => Stopping, {
  in: MISSION,
  about: 'ledger',
  by: ['gate', 'person'],
  because: () => ({ of: ['ingress.recorded'] }),
  untilCancelled: true,
});

const MissionEnded = defineEvent(
  'mission.ended',
  'mission',
  () => z.strictObject({ because: ReasonWord, outcome: z.enum(['done', 'failed', 'cancelled', 'expired']) }),
  // A runner hands over what came of its attempt; what that means for the mission is not its to say.
  {
    in: MISSION,
    about: 'ledger',
    by: ['gate', 'writer'],
    because: (_, { attempt }) => ({ of: [attempt] }),
    // Called off, it has one end.
    untilCancelled: ({ outcome }) => outcome !== 'cancelled',
  },
);

/** Where the status is shown: the comment that may be rewritten, known by its id and not by its text. */
const ProjectionAnchored = defineEvent(
  'projection.anchored',
  'mission',
  () => z.strictObject({ comment_id: Count, issue: Count, kind: z.enum(['status_comment']) }),
  { in: MISSION, about: 'ledger', by: ['gate', 'writer'], because: () => ({ of: ['ingress.recorded'] }) },
);

export const missionEvents = [
  MissionOpened,
  RosterAdopted,
  CutOffAdopted,
  MissionProposed,
  PlanComputed,
  MissionCancelled,
  MissionHeld,
  MissionUnheld,
  MissionEnded,
  ProjectionAnchored,
] as const;
