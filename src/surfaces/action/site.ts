// Where a job works: a fresh repository of its own beside the forge's, with the ledgers brought there and verified from the
// project's first event on. One key, by job; the runner's own stays in a file of the runner's user.
import type { GateDesk } from '../../app/gate/desk.ts';
import type { Setting } from '../../app/mission/planning.ts';
import type { Acting } from '../../app/mission/world.ts';
import type { Running } from '../../app/mission/run.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Executors } from '../../ports/effects.ts';
import type { Job, JobCircumstances } from './circumstances.ts';

export type Site = {
  desk(): Promise<GateDesk>;
  actOn(mission: string): Promise<Acting>;
  settingOf(state: MissionState): Setting;
  executors(): Promise<Executors>;
  running(): Promise<Running>;
  /** Missions that are not over, of those that the forge has. */
  openMissions(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export async function openSite(at: JobCircumstances, env: NodeJS.ProcessEnv, role: Job): Promise<Site> {
  const { openJobSite } = await import('../../compose-job.ts');
  return openJobSite(at, env, role === 'reconcile' ? 'gate' : role);
}
