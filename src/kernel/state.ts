// What a ledger's events add up to: plain data in which every list has a bound, so that it can be kept and taken up again.
// Nobody signs it: another verifier may add up the same events into another shape.
import type { AnnotationDocument } from './trust/events.ts';
import type { CutOffDocument } from './project/events.ts';
import type { Roster } from './roster/roster.ts';
import type { Heard } from './ingress/heard.ts';
import type { Hearing } from './ingress/evolve.ts';
import type { MissionCourse } from './course/course.ts';
import type { TaskStatus } from './task/evolve.ts';
import type { TreeHead } from './values.ts';

/** Raised whenever the same events add up to something else: states kept under another number are not taken up. */
export const STATE_VERSION = 6;

/** What causes are checked against: of everything that is still open, the event that opened or last moved it. */
type Memory = {
  /** By the id of the thing; by event type where only the latest of its kind is still open. */
  readonly moved: Readonly<Record<string, string>>;
  /** That of the ingress which asked for the revision at hand. */
  readonly correlation_id?: string;
};

export const NOTHING_MOVED: Memory = { moved: {} };

type Common = {
  readonly causes: Memory;
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
  /** Who stopped it, and when by their own clock; null while it goes on. */
  readonly halt: { readonly by: string; readonly since: string; readonly root: boolean } | null;
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
  readonly course?: MissionCourse;
  /** Left out until something came through a forge. */
  readonly heard?: Heard;
  /** Left out where nothing came in, and where a word rests on what did. */
  readonly hearing?: Hearing;
};

export type State = ProjectState | MissionState;
