// What one job of a forge's CI works with, whatever it is made of: the ledgers brought here and verified, one key, and
// the means that go with its role.
import type { Executors } from '../../ports/effects.ts';
import type { Acting } from '../mission/world.ts';
import type { Running } from '../mission/run.ts';
import type { GateDesk } from './desk.ts';

export type Site = {
  desk(): Promise<GateDesk>;
  actOn(mission: string): Promise<Acting>;
  executors(): Promise<Executors>;
  running(): Promise<Running>;
  /** Missions that may not be over, of those that the forge has. */
  openMissions(): Promise<readonly string[]>;
};
