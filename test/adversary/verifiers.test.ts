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
import { emptyMission, type Tip } from '../../src/ledger/tip.ts';
import { proofOf } from '../support/forge/proof.ts';
import { KEYS, MISSION } from './cast.ts';
import { walkOf } from './walk.ts';
import { foundation, type World } from './world.ts';

const WALKS = 12;

it('whatever a walk came to, all verifiers agree', async () => {
  for (let seed = 1; seed <= WALKS; seed++) await expectAgreement(walkOf(seed).world);
});

async function expectAgreement(world: World): Promise<void> {
  const { bench, project } = foundation();
  const tips: Tip[] = [];
  let tip = emptyMission(nodeCrypto, project);
  const cited = { size: project.size, root: project.root, oid: project.oid! };
  for (const { by, events } of world.transactions) {
    tip = bench.honest(tip, KEYS[by], events, { project: cited });
    tips.push(tip);
  }
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
  const genesis = project.state!.project_genesis;
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
