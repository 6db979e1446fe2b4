// What a ledger's events add up to: plain, bounded data, so that it can stand in the tree as a snapshot.
import type { AnnotationDocument } from './trust/events.ts';
import type { CutOffDocument } from './project/events.ts';
import type { Roster } from './roster/roster.ts';
import type { Course } from './mission/course.ts';
import type { TaskStatus } from './task/evolve.ts';
import type { TreeHead } from './values.ts';

type Common = {
  readonly ledger_id: string;
  readonly project_id: string;
  /** SHA-256 of the project's first event: the fingerprint that trust starts from. */
  readonly project_genesis: string;
  readonly roster: Roster;
  readonly cut_offs: readonly CutOffDocument[];
  readonly annotations: readonly AnnotationDocument[];
  readonly sealed: boolean;
};

type RegisteredMission = { readonly genesis: string; readonly claims: readonly string[] };

export type ProjectState = Common & {
  readonly kind: 'project';
  readonly halted: boolean;
  /** Missions that are registered and not over. */
  readonly missions: Readonly<Record<string, RegisteredMission>>;
  /** Left out until a policy is recorded: a state has one spelling, and older ledgers keep theirs. */
  readonly policy?: { readonly revision: number; readonly policy: string; readonly sacred: string };
};

export type MissionState = Common & {
  readonly kind: 'mission';
  readonly grew_from: TreeHead;
  readonly proposal: string | null;
  readonly tasks: Readonly<Record<string, TaskStatus>>;
  readonly notes: number;
  readonly artifacts: { readonly recorded: number; readonly erased: number };
  /** Left out until something is proposed. */
  readonly course?: Course;
};

export type State = ProjectState | MissionState;
