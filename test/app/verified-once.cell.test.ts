// One process verifies what it finds of a ledger once, however often it looks and acts, and follows it from there.
import { describe, expect, it } from 'vitest';
import { fileFolds } from '../../src/adapters/state/file-folds.ts';
import { vote } from '../../src/app/mission/vote.ts';
import { actOn, missionState, worldAround } from '../../src/app/mission/world.ts';
import { planMission } from '../../src/app/mission/plan.ts';
import { knownProject } from '../../src/app/project-fold.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { desk } from '../support/desk.ts';
import { BEN } from '../support/people.ts';
import { taken } from '../support/taken.ts';
import { verifications, type Verifications } from '../support/verifications.ts';
import { workAt } from '../support/work.ts';
import { gateSite, lineOf } from './gate/gate-site.ts';
import { run } from './mission/running.ts';
import { LAPTOP, LAPTOP_SETTING, planned, proposed, site, type Site } from './mission/setting.ts';

/** As the next command has it: another process on the same clone. */
async function nextProcess({ folder, keyFolder }: Site): Promise<Site & { readonly seen: Verifications }> {
  const seen = verifications();
  const { crypto, wrap } = seen;
  const folds = fileFolds(`${folder}/.git/lazarus`);
  const at = await desk({ folder, keyFolder, wrap, parts: { crypto, folds } });
  const { bench, kit } = at;
  const world = worldAround({ bench, kit, project: await knownProject(bench), work: workAt(bench) });
  return { ...at, world, as: (key, mission) => actOn(world, missionRef(mission), key), seen };
}

async function expectOnce(seen: Verifications, repository: Repository, ref: string, found: number): Promise<void> {
  const head = await repository.resolve(ref);
  const times = [...(await seen.of(repository, head!)).values()];
  expect(Math.max(...times)).toBe(1);
  // What was there before was verified at all.
  expect(times.filter((n) => n === 1).length).toBeGreaterThanOrEqual(found);
}

describe('one process', () => {
  it('that plans, votes and runs a mission verifies what it found once, and walks back to no beginning', async () => {
    const home = await site();
    const mission = await proposed(home);
    const ref = missionRef(mission);
    const at = await nextProcess(home);
    const { repository } = at.bench.parts;
    const laptop = at.as(LAPTOP, mission);
    await missionState(laptop);
    at.seen.forget();

    const { course } = taken(await planMission(laptop, LAPTOP_SETTING));
    const digest = course!.plan!.plan_digest.slice(0, 12);
    taken(await vote(at.as(BEN, mission), { choice: 'approve', digest, voter: 'ben' }));
    expect((await run(at, mission)).next.is).toBe('over');
    await at.as(BEN, mission).desk.told();
    // Where one went further back than to where it was, it would come by all of it.
    expect(Math.max(0, ...at.seen.walks())).toBeLessThanOrEqual(1);
    await expectOnce(at.seen, repository, ref, 3);
    await expectOnce(at.seen, repository, PROJECT_REF, 2);
  });

  it('that runs a mission others approved verifies each commit of it and of its project once', async () => {
    const home = await site();
    const { mission, state } = await planned(home);
    const digest = state.course!.plan!.plan_digest.slice(0, 12);
    taken(await vote(home.as(BEN, mission), { choice: 'approve', digest, voter: 'ben' }));
    const at = await nextProcess(home);
    expect((await run(at, mission)).next.is).toBe('over');
    // Whoever delivers looks through the paths of the base again, and believes nothing of whoever ran the cell.
    const base = `${state.course!.plan!.base_commit} `;
    const trees = at.seen.trees().filter((tree) => tree !== base);
    expect(trees).toEqual([...new Set(trees)]);
    expect(trees.filter((tree) => tree.startsWith(base))).toHaveLength(2);
    await expectOnce(at.seen, at.bench.parts.repository, missionRef(mission), 5);
    await expectOnce(at.seen, at.bench.parts.repository, PROJECT_REF, 3);
  });
});

describe('one turn of a gate', () => {
  it('that hears an approval verifies each commit of the mission and of its project once', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const [status] = await at.ours(issue);
    const seen = verifications();
    at.between.wrap = seen.wrap;
    at.between.parts = { crypto: seen.crypto };
    const said = await at.comment('ben', issue, lineOf(status!));
    expect(said.reasonCode).toBe('approval_recorded');
    // Of the project from its head; of the mission there is one commit, which says itself what it grew from.
    expect(seen.walks().filter((commits) => commits > 1)).toHaveLength(1);
    const { bench } = said.acting!.world;
    await bench.place.upToDate();
    await expectOnce(seen, bench.parts.repository, said.acting!.ref, 3);
    await expectOnce(seen, bench.parts.repository, PROJECT_REF, 2);
  });
});
