// What was done in a week, by whom and when: the people's words as they were typed, and everything that went wrong on purpose.
// The judge has this and what the forge shows in the end, and nothing else.
import type { Manner } from './agent.ts';
import type { Name } from './town.ts';

export type Said = {
  readonly id: number;
  readonly by: Name;
  /** As it was first written. */
  readonly text: string;
  readonly atMs: number;
  /** The forge was made to lose its event. */
  readonly isLost: boolean;
  /** Whether the issue was closed then. */
  readonly isClosed: boolean;
  edited?: string;
};

/** As its label has it. */
export type End = 'done' | 'failed' | 'cancelled' | 'expired' | 'held' | 'rejected';

export type MissionLog = {
  readonly no: number;
  readonly story: string;
  readonly note: string;
  readonly manner: Manner;
  readonly issue: number;
  /** Whoever filed it, and who adopted it or revised it. */
  readonly proposers: Name[];
  readonly said: Said[];
  /** What may come of it, whatever goes wrong; before the weekend, when whoever still waits runs out of time. */
  readonly ends: readonly End[];
  /** Faults that hit it, by name. */
  readonly hits: string[];
  /** As its issue names it first. */
  name?: string;
};

type Fault = {
  readonly what: string;
  readonly how: string;
  /** The numbers of the missions that it hit. */
  readonly hit: readonly number[];
  readonly atMs: number;
};

export type WeekLog = {
  readonly seed: number;
  readonly missions: MissionLog[];
  readonly faults: Fault[];
  /** The project was stopped, and nothing went on any more that had begun before; by the clock of the week. */
  readonly stops: { readonly fromMs: number; toMs?: number }[];
  /** Who came onto the roster in the middle of it. */
  readonly joined: { readonly name: Name; readonly atMs: number }[];
  /** What could not be done although somebody should have been able to. */
  readonly odd: string[];
  readonly beganMs: number;
};
