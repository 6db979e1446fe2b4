// What one job of a forge's CI works with, whatever it is made of: the ledgers brought here and verified, one key, and
// the means that go with its role.
import type { Executors } from '../../ports/effects.ts';
import type { Acting } from '../mission/world.ts';
import type { Running } from '../mission/run.ts';
import type { TakingUp } from '../mission/take-up.ts';
import type { GateDesk } from './desk.ts';

export type Site = {
  desk(): Promise<GateDesk>;
  actOn(mission: string): Promise<Acting>;
  executors(): Promise<Executors>;
  running(): Promise<Running>;
  /** Hand-overs that wait on this machine; for the job of a cell. */
  readonly waiting?: Pick<TakingUp, 'stow' | 'told'>;
  /** Missions that may not be over, of those that the forge has. */
  openMissions(): Promise<readonly string[]>;
};
