// What a plan says of a proposal, what it is to cause, and when people who approved one plan have approved the next one with it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { computePlan, type Setting } from '../../../src/app/mission/planning.ts';
import { readMissionFile } from '../../../src/documents/mission-file.ts';
import { readPolicyFile } from '../../../src/documents/policy-file.ts';
import { isShrunk, planDigest, type Plan } from '../../../src/kernel/course/plan.ts';
import type { Proposal } from '../../../src/kernel/proposal/proposal.ts';
import { SHIPPED_SACRED } from '../../../src/kernel/scope/sacred.ts';
import { LAPTOP_SETTING } from './setting.ts';
import { MISSION_FILE } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

const MISSION = '3f2b7c1e-8a4d-4c5e-9b6f-0123456789ab';
const POLICY = new URL('../../../templates/policy.yml', import.meta.url);
const ANY = `sha256:${'a'.repeat(64)}`;

const proposal = taken(readMissionFile(readFileSync(MISSION_FILE, 'utf8'), 'mission.yaml'));
const profile = taken(readPolicyFile(readFileSync(POLICY, 'utf8'), 'policy.yml'));
const rules = { policy: { profile, version: ANY }, revision: 1, sacred: SHIPPED_SACRED };

function planned(changes: Partial<Proposal>, setting: Setting) {
  const input = { mission: MISSION, proposal: { ...proposal, ...changes }, base: 'b'.repeat(40), rules };
  return computePlan(nodeCrypto, { ...input, setting, attemptNo: 1 });
}

function plan(changes: Partial<Proposal>): Plan {
  const { terms } = taken(planned(changes, LAPTOP_SETTING));
  const whole = { ...terms, plan: ANY, proposal: ANY, revision: 1, roster_n: 1 };
  return { ...whole, plan_digest: planDigest(nodeCrypto, MISSION, whole) };
}

const approved = plan({ paths: ['!src/secret/**', 'docs/**', 'src/**'] });

describe('an approval of one plan covers the next', () => {
  it('when it asks for fewer paths or less time', () => {
    expect(isShrunk(approved, plan({ paths: ['!src/secret/**', 'src/**'] }))).toBe(true);
    expect(isShrunk(approved, plan({ paths: ['!src/secret/**', 'docs/**', 'src/**'], budgetMinutes: 1 }))).toBe(true);
  });

  it.each<[string, Partial<Proposal>]>([
    ['another path', { paths: ['!src/secret/**', 'docs/**', 'lib/**', 'src/**'] }],
    ['what was taken away from the paths', { paths: ['docs/**', 'src/**'] }],
    ['less to be taken away from them', { paths: ['!src/secret/key', 'docs/**', 'src/**'] }],
    ['a sacred scope', { paths: ['!src/secret/**', 'src/**'], allowances: ['billing'] }],
    ['another command', { paths: ['!src/secret/**', 'src/**'], agent: { argv: ['sh', 'other.sh'] } }],
    ['another verify command', { paths: ['!src/secret/**', 'src/**'], verifyCommand: 'true' }],
  ])('never when it asks for %s', (_, changes) => {
    expect(isShrunk(approved, plan(changes))).toBe(false);
  });
});

describe('what leaves the cell', () => {
  const onForge: Setting = { forge: { issue: 7 }, tierMax: 1 };
  const effects = (changes: Partial<Proposal>, setting: Setting) =>
    taken(planned(changes, setting))
      .actions.slice(1)
      .map(({ kind, targets, reversibility }) => [kind, ...targets, reversibility]);
  const branch = 'lazarus-work/m-3f2b7c1e8a4d/1';

  it('is on a forge what was asked for, in the order in which it has to happen, and the branch that it needs', () => {
    expect(effects({ capabilities: ['issue:comment', 'pr:open'] }, onForge)).toEqual([
      ['push_branch', branch, 'reversible'],
      ['open_pull_request', `pulls/${proposal.base}`, 'partly_reversible'],
      ['post_comment', 'issues/7', 'partly_reversible'],
    ]);
    expect(effects({}, onForge)).toEqual([['push_branch', branch, 'reversible']]);
  });

  it('is without a forge a branch, and no more can be asked for', () => {
    expect(effects({}, LAPTOP_SETTING)).toEqual([['write_local_branch', branch, 'reversible']]);
    expect(planned({ capabilities: ['pr:open'] }, LAPTOP_SETTING)).toMatchObject({ code: 'capability_unavailable' });
  });

  it('is nothing that a capability of the network could name', () => {
    expect(planned({ capabilities: ['net:forge', 'pr:open'] }, onForge)).toMatchObject({
      code: 'capability_unavailable',
      facts: { capabilities: ['net:forge'] },
    });
  });
});
