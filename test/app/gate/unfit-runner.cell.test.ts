// A cell that cannot begin where a runner picked it up: people read why in the status comment and what to do, another
// attempt follows once somebody had time to do it, and not for ever.
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import type { Turn } from '../../../src/app/gate/going.ts';
import { LEDGER_REFS } from '../../../src/ledger/names.ts';
import type { Cells } from '../../../src/ports/cells.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import type { ReasonCode } from '../../../src/reasons.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { verifications } from '../../support/verifications.ts';
import { gateSite, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, writer, type Machine } from './jobs.ts';

const MINUTE_SECONDS = 60;
const WITHOUT_BUBBLEWRAP: Machine = {
  cells: (cells) => ({
    ...cells,
    probe: () => Promise.resolve({ is: 'unfit', backend: 'process', code: 'sandbox_missing', why: 'no bwrap' }),
  }),
};

function failing(code: ReasonCode): Machine {
  return { cells: (cells): Cells => ({ ...cells, spawn: () => Promise.reject(new Failure(code)) }) };
}

/** As the workflow has it: the writer comes after the cell, whatever became of that. */
async function tried(at: GateSite, mission: string, machine?: Machine): Promise<string> {
  const ran = await cell(at, mission, machine).then(
    ({ outcome }) => `${outcome.decision} ${outcome.reasonCode}`,
    ({ code }: Failure) => `failure ${code}`,
  );
  await writer(at, mission);
  return ran;
}

/** How long ago the attempt failed is known of what was verified anyway. */
async function healedOnce(at: GateSite, mission: string): Promise<Turn['outcome']> {
  const seen = verifications();
  let repository: Repository;
  at.between.wrap = (one) => (repository = seen.wrap(one));
  at.between.parts = { crypto: seen.crypto };
  const { outcome } = await heal(at);
  delete at.between.wrap;
  delete at.between.parts;
  const head = await repository!.resolve(`${LEDGER_REFS}${mission}`);
  expect(Math.max(...(await seen.of(repository!, head!)).values())).toBe(1);
  return outcome;
}

async function status(at: GateSite, issue: number): Promise<string> {
  return (await at.ours(issue))[0]!;
}

describe('a runner that cannot make a cell', () => {
  it('says so where people look, and the mission goes on when it was put right', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    expect(await tried(at, mission, WITHOUT_BUBBLEWRAP)).toBe('failure sandbox_missing');
    const said = await status(at, issue);
    expect(said).toContain(`### ${mission} · queued`);
    expect(said).toMatch(
      /\*\*Because\*\* `sandbox_missing`: `.* Attempt 1 of 3\.` Next: `whoever keeps the runner types at its terminal: apt install bubblewrap`/,
    );
    expect(said).toContain('`command_execution`: `refused`');
    expect(said).toContain('an attempt failed: sandbox_missing (runner)');
    expect(await healedOnce(at, mission)).toMatchObject({ next: 'none' });
    at.clock.aheadSeconds = 6 * MINUTE_SECONDS;
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
    expect(await tried(at, mission)).toBe('continue work_handed_over');
    expect(await status(at, issue)).toContain(`### ${mission} · done`);
    expect(branches(at)).toMatch(new RegExp(`refs/heads/lazarus-work/${mission}/2\n?$`));
  });

  it('spoils no more attempts than there are, each later than the one before', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const again: string[] = [];
    for (const minutes of [6, 12, 70, 140, 1000]) {
      await tried(at, mission, WITHOUT_BUBBLEWRAP);
      at.clock.aheadSeconds = minutes * MINUTE_SECONDS;
      again.push((await heal(at)).outcome.next);
    }
    expect(again).toEqual(['cell', 'none', 'cell', 'none', 'none']);
    expect(await status(at, issue)).toContain('**Because** `attempts_exhausted`');
    expect((await status(at, issue)).match(/an attempt failed: sandbox_missing/g)).toHaveLength(3);
    expect(await at.labels(issue)).toEqual(['mission/failed', 'tier/1']);
    expect(branches(at)).toBe('');
    // Its paths are free again.
    const { missions } = projectState((await at.gate()).world);
    expect(Object.values(missions).flatMap(({ claims }) => claims)).toEqual([]);
  });

  it('ends the mission by the next look after the last of them: nobody is told to try again where there is nothing left to try', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    for (const minutes of [6, 70]) {
      await tried(at, mission, WITHOUT_BUBBLEWRAP);
      expect(await status(at, issue)).toContain('/retry');
      at.clock.aheadSeconds = minutes * MINUTE_SECONDS;
      await heal(at);
    }
    await tried(at, mission, WITHOUT_BUBBLEWRAP);
    expect(await status(at, issue)).toContain('Attempt 3 of 3.');
    expect(await status(at, issue)).not.toMatch(/\/retry|another attempt then begins/);
    // Without waiting for somebody to put right what cannot be tried again.
    await heal(at);
    expect(await status(at, issue)).toContain(`### ${mission} · failed`);
    expect(await status(at, issue)).toContain('**Because** `attempts_exhausted`');
  });

  it.each<ReasonCode>(['cell_start_failed', 'cell_prepare_failed', 'level_unmet'])(
    'where it fails as late as %s, it is the same',
    async (code) => {
      const at = await gateSite();
      const { issue, mission } = await approved(at);
      expect(await tried(at, mission, failing(code))).toBe(`failure ${code}`);
      expect(await status(at, issue)).toContain(`### ${mission} · queued\n`);
      expect(await status(at, issue)).toContain(`**Because** \`${code}\``);
      at.clock.aheadSeconds = 6 * MINUTE_SECONDS;
      expect((await heal(at)).outcome).toMatchObject({ next: 'cell' });
    },
  );

  it('or has no room on its disk, is named as that, however early it is found', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const full: Machine = { cells: (cells) => ({ ...cells, probe: () => writeFile('/dev/full', 'x') as never }) };
    expect(await tried(at, mission, full)).toBe('failure ENOSPC');
    expect(await status(at, issue)).toContain(`### ${mission} · queued\n`);
    expect(await status(at, issue)).toContain('**Because** `disk_full`');
  });

  it('or has not the agent’s program, is named as that', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const without: Machine = {
      cells: (cells) => ({
        ...cells,
        spawn: (spec) => cells.spawn({ ...spec, command: { argv: ['an-agent-that-is-not-here'] } }),
      }),
    };
    expect(await tried(at, mission, without)).toBe('failure agent_missing');
    expect(await status(at, issue)).toContain('**Because** `agent_missing`');
    at.clock.aheadSeconds = 6 * MINUTE_SECONDS;
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell' });
  });

  it('says nothing over a cell that is at work elsewhere', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await cell(at, mission, {
      onPoint: () => {
        throw new Error('the machine is gone');
      },
    }).catch(() => undefined);
    const before = at.refs();
    await tried(at, mission, WITHOUT_BUBBLEWRAP);
    expect(at.refs()).toBe(before);
    expect(await status(at, issue)).toContain('· running');
  });
});

describe('a runner without any key', () => {
  it('leaves its words to the writer, and is not asked for ever', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await writer(at, mission);
    expect(await status(at, issue)).toMatch(
      /\*\*Because\*\* `runner_silent`: .* Next: `look into the log of the cell job/,
    );
    for (const minutes of [6, 70, 140]) {
      at.clock.aheadSeconds = minutes * MINUTE_SECONDS;
      await heal(at);
      await writer(at, mission);
    }
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    // Nobody ever began it.
    expect(await at.labels(issue)).toEqual(['mission/cancelled', 'tier/1']);
    expect(await status(at, issue)).toContain('**Because** `attempts_exhausted`');
  });
});

describe('the job in which an attempt fails', () => {
  it('says so of itself; the one that only writes down what follows does not', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at, { acceptance: 'exit 9' });
    const ran = await cell(at, mission);
    expect(ran).toMatchObject({ failed: 'verify_failed', outcome: { decision: 'continue', next: 'writer' } });
    expect(ran.view?.attempt?.failure?.commands).toEqual([{ command: 'exit 9', how: 'exit 9' }]);
    expect((await writer(at, mission)).failed).toBeUndefined();
    expect(await status(at, issue)).toContain('- the check `exit 9`: `exit 9`');
    // Run again, it finds nothing to do.
    expect((await cell(at, mission)).failed).toBeUndefined();
  });

  it('is the writer’s where the cell’s left nothing', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    expect((await writer(at, mission)).failed).toBe('runner_silent');
  });

  it('is none where the mission was called off', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    await at.comment('ana', issue, '/cancel');
    expect((await cell(at, mission)).failed).toBeUndefined();
    expect((await writer(at, mission)).failed).toBeUndefined();
  });
});
