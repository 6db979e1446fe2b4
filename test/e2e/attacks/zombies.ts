// A machine that is taken for dead and wakes up, as one does that was suspended: another attempt has done the work meanwhile.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LATER } from '../../support/gitea/later.ts';
import type { Runner } from '../../support/gitea/runner.ts';
import type { PatientAgent } from '../../support/patient-agent.ts';
import { AT, type Place } from './place.ts';

const POLL_MS = 100;

export function zombies(at: () => Place, cells: () => Runner, agent: PatientAgent): void {
  describe('a machine that wakes up after another one took over', () => {
    it(
      'changes nothing any more: its attempt is refused by its number, and the work is delivered once',
      { timeout: 300_000 },
      async () => {
        const { team, approved, reconcile, eventsOf, ours, over, refs, verify, mirror } = at();
        const { issue, mission } = await approved({ paths: 'src/greet.sh\r\ndocs/usage.md', goal: 'slowly' });
        await agent.atWork();
        while (!eventsOf(mission).includes('cell.spawned')) await pause(POLL_MS);
        const asleep = processesAt(cells().home);
        const signal = (name: NodeJS.Signals): void => {
          for (const pid of asleep) process.kill(pid, name);
        };
        let delivered = '';
        signal('SIGSTOP');
        try {
          await team.runner.stop();
          await team.addRunner({ env: LATER });
          await reconcile();
          await agent.atWork(2);
          agent.letGo();
          while (!(await ours(issue))[0]!.includes(`### ${mission} · done`)) await pause(POLL_MS);
          delivered = refs('refs/heads/*');
        } finally {
          signal('SIGCONT');
        }
        await over();
        expect(refs('refs/heads/*')).toBe(delivered);
        expect(refs(`refs/heads/lazarus-work/${mission}/*`)).toMatch(/^[0-9a-f]{40}\t\S+\/2$/);
        expect((await ours(issue))[0]).toContain('an attempt failed: runner_lost');
        const pulls: readonly { readonly head: { readonly ref: string } }[] = await team.ana.api(
          'GET',
          `${AT}/pulls?state=all&limit=50`,
        );
        expect(pulls.filter(({ head }) => head.ref.includes(mission))).toHaveLength(1);
        mirror();
        expect(await verify(mission)).toMatchObject({ code: 0 });
      },
    );
  });
}

/** The runner's own and those of its jobs; what runs in a cell waits for them. */
function processesAt(home: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).split('\0').includes(`HOME=${home}`))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return ''; // It ended by itself.
  }
}
