// A merged policy that nobody adopted: told once in an issue, which names its digest; told there again when it counts; and
// what cannot be read is no news.
import { expect, it } from 'vitest';
import { POLICY_PATH } from '../../../src/app/init/policy-files.ts';
import { fileDigest } from '../../../src/app/rules-kept.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import type { Issue } from '../../../src/ports/forge.ts';
import { ANA } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';
import { RULES } from '../../support/templates.ts';
import { gateSite, type GateSite } from './gate-site.ts';
import { heal } from './jobs.ts';

const MERGED = RULES.policy.replace('budget_minutes_max: 120', 'budget_minutes_max: 60');
const DIGEST = fileDigest(nodeCrypto, utf8(MERGED));

async function announced({ forge }: GateSite): Promise<readonly Issue[]> {
  return (await forge.newestIssues(50)).filter(({ title }) => title.startsWith('lazarus: a merged policy'));
}

async function adopt(at: GateSite): Promise<void> {
  const { project_id: id, policy } = projectState((await at.gate()).world);
  const payload = { policy: DIGEST, revision: policy!.revision + 1, sacred: policy!.sacred };
  const about = { entity_type: 'project', entity_id: id, task_id: id } as const;
  const session = at.bench.session(PROJECT_REF, ANA);
  taken(await session.submit({ decide: () => accept([{ event_type: 'policy.revised', ...about, payload }]) }));
}

it('says once what was merged, who may adopt it and by which line, and there that it counts', async () => {
  const at = await gateSite();
  await heal(at);
  expect(await announced(at)).toEqual([]);
  at.commitToMain(POLICY_PATH, MERGED);
  await heal(at);
  await heal(at);
  const [issue, ...more] = await announced(at);
  expect(more).toEqual([]);
  expect(issue!.body).toContain(`- policy \`${DIGEST}\``);
  expect(issue!.body).toContain(`lazarus policy adopt ${DIGEST.slice('sha256:'.length, 19)} --remote origin`);
  expect(issue!.body).toContain('A root (`@ana`)');
  expect(await at.ours(issue!.number)).toEqual([]);

  await adopt(at);
  await heal(at);
  await heal(at);
  expect(await at.ours(issue!.number)).toEqual(['It is in force now, as revision 2. This issue can be closed.']);
});

it('says nothing of what nobody could adopt', async () => {
  const at = await gateSite();
  at.commitToMain(POLICY_PATH, RULES.policy.replace('version: 1', 'version: [1'));
  expect((await heal(at)).skipped).toEqual([]);
  expect(await announced(at)).toEqual([]);
});
