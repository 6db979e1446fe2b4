// What happens to an agent that is at work, and to whoever watches over it: it dies, its machine dies, or its machine falls
// asleep and wakes up when another one has done the work. Each is handed the agent that it hits.
import { setTimeout as pause } from 'node:timers/promises';
import { OVER, shown, type Week } from './acts.ts';
import { asked } from './asked.ts';
import { kill, machineOf, suspended, type AtWork } from './at-work.ts';
import type { MissionLog } from './log.ts';

type Strike = (week: Week, mission: MissionLog, agent: AtWork) => Promise<string>;

/** Longer than a runner may be silent. */
const SILENT_MINUTES = 4;
const POLL_MS = 150;
const TAKEN_OVER_WITHIN_MS = 60_000;

export const STRIKES = {
  agent_killed: async (_week, _mission, agent) => {
    kill(agent);
    return '';
  },
  /** With all that runs on it. */
  runner_killed: async ({ town }, _mission, agent) => {
    const runner = machineOf(agent, town.runners);
    if (runner === undefined) throw new Error('its agent is on no machine');
    await runner.kill();
    town.clock.pass(SILENT_MINUTES);
    runner.again();
    await asked(town.schedule);
    return '';
  },
  runner_asleep: async (week, mission, agent) => {
    const { town } = week;
    const runner = machineOf(agent, town.runners);
    if (runner === undefined) throw new Error('its agent is on no machine');
    const wake = suspended(runner);
    try {
      town.clock.pass(SILENT_MINUTES);
      await asked(town.schedule);
      const deadline = Date.now() + TAKEN_OVER_WITHIN_MS;
      while (town.agents.atWork(mission.note).length < 2) {
        if (Date.now() > deadline) throw new Error('nobody took over from it');
        await pause(POLL_MS);
      }
      town.agents.letGo(mission.note);
      const told = await shown(week, mission, ({ state }) => OVER.has(state));
      return `and woke up when it was ${told === undefined ? 'not yet over' : told.state}`;
    } finally {
      wake();
    }
  },
} as const satisfies Record<string, Strike>;

export type StrikeName = keyof typeof STRIKES;
