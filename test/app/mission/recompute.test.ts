// A gate's key alone writes a plan that is not the one that follows: whoever would carry it out computes it again.
import { AgentDefinition } from '../../../src/kernel/policy/agent.ts';
import { describe, expect, it } from 'vitest';
import { drawDocuments } from '../../../src/app/artifacts/documents.ts';
import { planDocumentOf } from '../../../src/app/mission/documents.ts';
import { planDocuments, planFor, planningOf } from '../../../src/app/mission/plan.ts';
import type { Planned } from '../../../src/app/mission/planning.ts';
import { recomputePlan } from '../../../src/app/mission/recompute.ts';
import { missionState, namesFrom } from '../../../src/app/mission/world.ts';
import { decidePlan } from '../../../src/kernel/decide/plan.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { approved, LAPTOP, LAPTOP_SETTING, proposed, site, type Site } from './setting.ts';
import { taken } from '../../support/taken.ts';

/** Everything as the gate writes it, with a lie in what it computed. */
async function plannedWith(at: Site, lie: (honest: Planned) => Planned): Promise<MissionState> {
  const acting = at.as(LAPTOP, await proposed(at));
  const planned = lie(taken(await planFor(acting, await missionState(acting), LAPTOP_SETTING)));
  const documents = await drawDocuments(at.bench, at.kit, planDocuments(planned));
  const planning = planningOf(at.world, planned, documents, false);
  const names = namesFrom(at.bench.parts.ids);
  const { crypto } = at.bench.parts;
  const written = await acting.desk.transact({
    documents,
    decide: (now) =>
      accept(
        decidePlan(crypto, { mission: now!.ledger_id, roster: now!.roster, course: now!.course! }, planning, names),
      ),
  });
  return taken(written).state;
}

const recomputed = async (at: Site, state: MissionState) => recomputePlan(at.as(LAPTOP, state.ledger_id), state);

const OTHER = AgentDefinition.parse({ command: ['sh', '-c', 'true'] });

describe('a plan', () => {
  it('is the one that follows from its proposal and the policy at its base', async () => {
    const at = await site();
    const { state } = await approved(at);
    expect(await recomputed(at, state)).toEqual({ is: 'accepted', value: undefined });
  });

  it('is not carried out where a gate calls it tier 0 though it writes a branch', async () => {
    const at = await site();
    const state = await plannedWith(at, (honest) => ({
      ...honest,
      terms: { ...honest.terms, tier: 0, quorum: 0, asks: [] },
    }));
    expect(state.course?.plan).toMatchObject({ tier: 0, quorum: 0 });
    expect(await recomputed(at, state)).toMatchObject({
      code: 'plan_not_what_follows',
      facts: { differs: ['asks', 'quorum', 'tier'] },
    });
  });

  it('is not carried out where its document has another command than the policy gives the agent', async () => {
    const at = await site();
    const state = await plannedWith(at, (honest) => ({
      ...honest,
      document: { ...honest.document, agent: OTHER },
    }));
    expect((await planDocumentOf(at.as(LAPTOP, state.ledger_id), state)).agent).toEqual(OTHER);
    expect(await recomputed(at, state)).toMatchObject({ code: 'plan_not_what_follows', facts: { differs: ['plan'] } });
  });

  it('is not carried out where it claims other paths or a longer time', async () => {
    const at = await site();
    const state = await plannedWith(at, (honest) => ({
      ...honest,
      terms: { ...honest.terms, steps: [{ ...honest.terms.steps[0]!, footprint: ['**'] }], budget_minutes: 10_000 },
    }));
    expect(await recomputed(at, state)).toMatchObject({ facts: { differs: ['budget_minutes', 'steps'] } });
  });
});
