// What the rules accepted, written as real commits, is accepted by every way of verifying: from the beginning, since any
// head on the way, and from a proof alone.
import { expect, it } from 'vitest';
import { createMemoryRepository } from '../../src/adapters/memory/memory-repository.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { ProjectView } from '../../src/app/adoption.ts';
import { verifyLedger } from '../../src/app/verify/verify-ledger.ts';
import { jcs } from '../../src/format/jcs.ts';
import { checkBundle } from '../../src/ledger/bundle.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import { emptyMission, headOf, type Tip } from '../../src/ledger/tip.ts';
import { proofOf } from '../support/forge/proof.ts';
import { KEYS, MISSION, type Succession } from './cast.ts';
import { walkOf } from './walk.ts';
import { foundation } from './project.ts';
import type { World } from './world.ts';

const WALKS = Number(process.env['LAZARUS_VERIFIERS'] ?? 12);

it('whatever a walk came to, all verifiers agree', async () => {
  for (let seed = 1; seed <= WALKS; seed++) {
    const { world, temper } = walkOf(seed);
    if (world.log.length > 0) await expectAgreement(world, temper.succession);
  }
});

async function expectAgreement(world: World, succession: Succession): Promise<void> {
  const [first, ...later] = world.transactions;
  const tips: Tip[] = [];
  const {
    bench,
    opened,
    tips: standing,
  } = foundation(succession, (at, from) => {
    const tip = at.honest(emptyMission(nodeCrypto, from), KEYS[first!.by], first!.events, { project: headOf(from) });
    tips.push(tip);
    return tip.oid!;
  });
  const project = standing.at(-1)!;
  for (const { by, events, under } of later)
    tips.push(bench.honest(tips.at(-1)!, KEYS[by], events, { project: headOf(standing[under!]!) }));
  const tip = tips.at(-1)!;
  const ref = missionRef(MISSION);
  const repository = createMemoryRepository();
  const updates = [
    { ref: PROJECT_REF, old: undefined, next: project.oid },
    { ref, old: undefined, next: tip.oid },
  ];
  await repository.commit({ objects: [...bench.objects.values()], updates });
  const view = new ProjectView();
  const common = { crypto: nodeCrypto, reader: repository };
  await verifyLedger({ ...common, ref: PROJECT_REF, mode: 'full', onCommit: (seen) => view.add(seen) });
  const genesis = opened.state!.project_genesis;
  const known = { ...common, ref, genesis, project: view.history };
  const full = await verifyLedger({ ...known, mode: 'full' });
  expect(full.report).toMatchObject({ integrity: { is: 'ok' }, trust: { is: 'confirmed' }, events: world.log.length });
  expect(jcs(full.tip.state)).toBe(jcs(world.state));
  for (const head of [tips[0]!, tips[Math.floor(tips.length / 2)]!]) {
    const { pin } = await verifyLedger({ ...known, mode: 'full', head: head.oid! });
    const since = await verifyLedger({ ...known, mode: 'since-pin', pin });
    expect(since.report.integrity).toEqual({ is: 'ok' });
    expect(jcs(since.tip.state)).toBe(jcs(world.state));
  }
  const proof = proofOf(bench, { ledger: 'course', good: tips[0]!, head: tip.oid! });
  expect(checkBundle(nodeCrypto, proof, { genesis })).toMatchObject({ is: 'accepted' });
}
