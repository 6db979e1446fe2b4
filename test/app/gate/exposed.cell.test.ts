// A runner whose keys its jobs can read: people read that in the plan before they approve it and in the status once it ran, and
// a policy that wants a supervisor has nothing run without one.
import { expect, it } from 'vitest';
import { projectState } from '../../../src/app/mission/world.ts';
import { hex } from '../../../src/format/bytes.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { ANA } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';
import { RULES } from '../../support/templates.ts';
import { gateSite, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, writer } from './jobs.ts';

const MINUTE_SECONDS = 60;

/** Puts the shipped policy in force with this in it. */
async function adopt(at: GateSite, added: string): Promise<void> {
  const text = `${RULES.policy}${added}`;
  at.commitToMain('.gitea/lazarus/policy.yml', text);
  const { project_id: id, policy } = projectState((await at.gate()).world);
  const digest = hex(at.bench.parts.crypto.hash('sha256', new TextEncoder().encode(text)));
  const payload = { policy: `sha256:${digest}`, revision: 2, sacred: policy!.sacred };
  const about = { entity_type: 'project', entity_id: id, task_id: id } as const;
  const session = at.bench.session(PROJECT_REF, ANA);
  taken(await session.submit({ decide: () => accept([{ event_type: 'policy.revised', ...about, payload }]) }));
  await at.bench.place.upToDate();
}

const keysLine = async (at: GateSite, issue: number) =>
  /^\| Keys of the runner \| `(.*)` \|$/m.exec((await at.ours(issue))[0]!)![1];

it('is told before people approve, and as it was after the run', async () => {
  const at = await gateSite();
  const { issue, mission } = await approved(at);
  expect(await keysLine(at, issue)).toBe('exposed: repository writers (policy asks for no supervisor)');
  await cell(at, mission);
  await writer(at, mission);
  expect((await at.ours(issue))[0]).toContain(`### ${mission} · done`);
  expect(await keysLine(at, issue)).toBe('exposed: repository writers (by the runner’s word)');
});

it('runs nothing where policy wants a supervisor, and the mission goes on once there is one', async () => {
  const at = await gateSite();
  await adopt(at, 'runner: { supervised: true }\n');
  const { issue, mission } = await approved(at);
  expect(await keysLine(at, issue)).toBe('with a supervisor, apart from jobs (policy asks for it)');
  await expect(cell(at, mission)).rejects.toMatchObject({ code: 'runner_exposed' });
  await writer(at, mission);
  expect((await at.ours(issue))[0]).toMatch(
    /\*\*Because\*\* `runner_exposed`: .* Attempt 1 of 3\.` Next: `.*keeps its keys from jobs`/,
  );
  expect(branches(at)).toBe('');
  at.clock.aheadSeconds = 6 * MINUTE_SECONDS;
  expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
  expect((await cell(at, mission, { exposedTo: null })).outcome).toMatchObject({ next: 'writer' });
  await writer(at, mission);
  expect((await at.ours(issue))[0]).toContain(`### ${mission} · done`);
  expect(await keysLine(at, issue)).toBe('with a supervisor, apart from jobs (by the runner’s word)');
});
