import { AgentDefinition } from '../../../src/kernel/policy/agent.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ActionClass } from '../../../src/kernel/course/classes.ts';
import { actionEvents } from '../../../src/kernel/action/events.ts';
import { evaluatePolicy, type PolicyRequest, type PolicyResult } from '../../../src/kernel/policy/evaluate.ts';
import { PolicyProfile, PolicyRule } from '../../../src/kernel/policy/profile.ts';
import { policyTerms } from '../../../src/kernel/policy/terms.ts';
import { readProposal, type Proposal } from '../../../src/kernel/proposal/proposal.ts';

const VERSION = `sha256:${'a'.repeat(64)}`;
const RUN: PolicyRequest = {
  actionClass: 'execute_command',
  resources: ['cell'],
  reversibility: 'reversible',
  tier: 1,
};
const PUSH: PolicyRequest = {
  actionClass: 'vcs_mutation',
  resources: ['lazarus-work/m-1/1'],
  reversibility: 'reversible',
  tier: 1,
};

function profile(rules: readonly unknown[], more: Record<string, unknown> = {}): PolicyProfile {
  return PolicyProfile.parse({ version: 1, profile: 'p', rules, ...more });
}
function ask(rules: readonly unknown[], request: PolicyRequest, more: Record<string, unknown> = {}): PolicyResult {
  return evaluatePolicy({ profile: profile(rules, more), version: VERSION }, request);
}
const rule = (name: string, answer: string, more: Record<string, unknown> = {}) => ({
  name,
  actions: ['vcs_mutation'],
  answer,
  ...more,
});

describe('policy', () => {
  it('denies what no rule speaks of, and says so', () => {
    expect(ask([], RUN)).toMatchObject({ result: 'deny', reasons: ['no_rule_allows'], profileVersion: VERSION });
    expect(ask([rule('push', 'allow')], RUN)).toMatchObject({ result: 'deny', reasons: ['no_rule_allows'] });
  });

  it('denies an action class it does not know', () => {
    const everything = [
      { name: 'all', actions: ActionClass.options.filter((one) => one !== 'payment_or_spending'), answer: 'allow' },
    ];
    for (const actionClass of ['launch_rocket', '', 'constructor', 'Execute_Command'])
      expect(ask(everything, { ...RUN, actionClass })).toMatchObject({
        result: 'deny',
        reasons: ['action_class_unknown'],
        riskSummary: 'critical',
      });
  });

  it('denies payment whatever the profile says', () => {
    expect(PolicyRule.safeParse({ name: 'pay', actions: ['payment_or_spending'], answer: 'allow' }).success).toBe(
      false,
    );
    const forged = {
      ...profile([]),
      rules: [{ name: 'pay', actions: ['payment_or_spending'], resources: ['**'], answer: 'allow' }],
    };
    expect(
      evaluatePolicy(
        { profile: forged as PolicyProfile, version: VERSION },
        { ...RUN, actionClass: 'payment_or_spending' },
      ),
    ).toMatchObject({ result: 'deny', reasons: ['payment_always_denied'] });
  });

  it('answers by the strictest rule that speaks, and names it', () => {
    const allow = rule('a', 'allow');
    const gate = rule('b', 'require_approval', { resources: ['lazarus-work/**'] });
    const never = rule('c', 'deny', { resources: ['lazarus-work/m-1/*'] });
    expect(ask([allow], PUSH)).toMatchObject({ result: 'allow', reasons: ['a'] });
    expect(ask([allow, gate], PUSH)).toMatchObject({ result: 'require_approval', reasons: ['b'] });
    expect(ask([never, allow, gate], PUSH)).toMatchObject({ result: 'deny', reasons: ['c'] });
    expect(ask([allow, never], { ...PUSH, resources: ['lazarus-work/m-2/1'] })).toMatchObject({ result: 'allow' });
  });

  it('covers every resource of a request or denies it', () => {
    const gate = rule('work', 'require_approval', { resources: ['lazarus-work/**', '!lazarus-work/keep/**'] });
    expect(ask([gate], { ...PUSH, resources: ['lazarus-work/a/1', 'main'] })).toMatchObject({ result: 'deny' });
    expect(ask([gate], { ...PUSH, resources: ['lazarus-work/keep/1'] })).toMatchObject({ result: 'deny' });
    expect(ask([gate], { ...PUSH, resources: [] })).toMatchObject({ result: 'deny' });
    expect(ask([rule('any', 'require_approval')], { ...PUSH, resources: [] })).toMatchObject({
      result: 'require_approval',
    });
  });

  it('names the lesser action of a downgrade, which still has to be asked for', () => {
    const down = rule('draft', 'downgrade', { to: 'write_local' });
    expect(ask([down, rule('a', 'allow')], PUSH)).toMatchObject({
      result: 'downgrade',
      rewritten: { ...PUSH, actionClass: 'write_local' },
    });
    expect(ask([down], { ...PUSH, actionClass: 'write_local' })).toMatchObject({ result: 'deny' });
  });

  it('looks again at what may have changed, unless the profile waives it', () => {
    const anything = { name: 'all', actions: ['vcs_mutation', 'execute_command'], answer: 'allow' };
    expect(ask([anything], PUSH).witnessRequired).toBe(true);
    expect(ask([anything], RUN).witnessRequired).toBe(false);
    expect(ask([anything], PUSH, { waive_witness: ['vcs_mutation'] }).witnessRequired).toBe(false);
  });

  it.each([
    ['read_local', 'reversible', 0, 'low'],
    ['execute_command', 'reversible', 1, 'low'],
    ['vcs_mutation', 'reversible', 1, 'moderate'],
    ['publication', 'partly_reversible', 1, 'high'],
    ['publication', 'irreversible', 1, 'critical'],
    ['vcs_mutation', 'reversible', 3, 'high'],
  ] as const)('%s, %s, at tier %i is of %s risk', (actionClass, reversibility, tier, risk) => {
    expect(ask([], { actionClass, reversibility, tier, resources: [] }).riskSummary).toBe(risk);
  });

  it('answers in what an event can hold', () => {
    const rules = Array.from({ length: 40 }, (_, i) => rule(`rule_${i}`, 'require_approval'));
    const { result, reasons, riskSummary, witnessRequired } = ask(rules, PUSH);
    const payload = {
      action_request_ref: '3f2b7c1e-8a4d-4c5e-9b6f-0123456789ab',
      policy: { digest: VERSION, revision: 1 },
      reasons,
      result,
      risk: riskSummary,
      witness_required: witnessRequired,
    };
    const [, policyEvaluated] = actionEvents;
    expect(policyEvaluated.shape.payload.safeParse(payload).success).toBe(true);
  });
});

const rules = fc
  .array(
    fc.record({
      actions: fc.subarray(['vcs_mutation', 'publication', 'execute_command'], { minLength: 1 }),
      resources: fc.subarray(['**', 'lazarus-work/**', 'main', '!main'], { minLength: 1 }),
      answer: fc.constantFrom('allow', 'require_approval', 'deny'),
    }),
    { maxLength: 6 },
  )
  .map((list) => list.map((one, i) => ({ ...one, name: `rule_${i}` })));
const request = fc.record({
  actionClass: fc.constantFrom('vcs_mutation', 'publication', 'execute_command', 'network_write'),
  resources: fc.subarray(['main', 'lazarus-work/a', 'other']),
  reversibility: fc.constantFrom('reversible', 'irreversible', 'unknown'),
  tier: fc.integer({ min: 0, max: 3 }),
}) as fc.Arbitrary<PolicyRequest>;
const strictness = ({ result }: PolicyResult) => ['allow', 'require_approval', 'downgrade', 'deny'].indexOf(result);

describe('laws of policy', () => {
  it('the order of rules does not matter', () => {
    fc.assert(
      fc.property(rules, request, (list, one) => {
        expect(ask([...list].reverse(), one)).toEqual(ask(list, one));
      }),
    );
  });

  it('a rule that denies never loosens an answer, and one resource more never does', () => {
    fc.assert(
      fc.property(rules, request, (list, one) => {
        const before = strictness(ask(list, one));
        const deny = { name: 'deny', actions: ['vcs_mutation', 'publication'], resources: ['**'], answer: 'deny' };
        expect(strictness(ask([...list, deny], one))).toBeGreaterThanOrEqual(before);
        fc.pre(one.resources.length > 0);
        expect(strictness(ask(list, { ...one, resources: [...one.resources, 'x'] }))).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('every answer names at least one rule', () => {
    fc.assert(fc.property(rules, request, (list, one) => ask(list, one).reasons.length > 0));
  });
});

describe('the terms of a mission', () => {
  const SHIPPED = { agents: { codex: ['codex', 'run'] }, backends: { process: 2 } };
  const plain = {
    schema: 'lazarus.proposal.v1',
    target: null,
    base: 'main',
    goal: 'Fix it',
    purpose: '',
    brief: {
      context: {},
      whatsDone: [],
      currentTask: '',
      doneCriteria: 'It works.',
      keyDecisions: [],
      relevantMemories: [],
    },
    acceptance: [],
    verifyCommand: 'true',
    paths: ['src/**'],
    allowances: [],
    auditGates: [],
    tier: 0,
    capabilities: [],
    backend: 'process',
    budgetMinutes: 30,
    ttlMinutes: 60,
    agent: { name: 'codex' },
  } satisfies Proposal;
  function proposal(changes: Partial<Proposal> = {}): Proposal {
    const read = readProposal({ ...plain, ...changes });
    if (read.is === 'refused') throw new Error(JSON.stringify(read));
    return read.value;
  }

  it('are tier, quorum, command, isolation and how long votes count', () => {
    expect(policyTerms(profile([], SHIPPED), proposal(), ['execute_command'])).toEqual({
      is: 'accepted',
      value: {
        agent: AgentDefinition.parse({ command: ['codex', 'run'] }),
        reach: [],
        tier: 0,
        quorum: 0,
        level: 2,
        votesExpireHours: 72,
      },
    });
  });

  it('raise the tier to what is asked for and to the floor, and never lower it', () => {
    const asked = ['execute_command', 'vcs_mutation'] as const;
    expect(policyTerms(profile([], SHIPPED), proposal(), asked)).toMatchObject({ value: { tier: 1, quorum: 1 } });
    expect(policyTerms(profile([], { ...SHIPPED, tier_floor: 2 }), proposal(), asked)).toMatchObject({
      value: { tier: 2, quorum: 2 },
    });
    expect(policyTerms(profile([], SHIPPED), proposal({ tier: 3 }), asked)).toMatchObject({ value: { tier: 3 } });
  });

  it.each([
    ['an agent nobody named', { agent: { name: 'other' } }, 'agent_unknown'],
    ['an agent named like a part of every object', { agent: { name: 'constructor' } }, 'agent_unknown'],
    ['a backend that is not allowed', { backend: 'remote' as const }, 'backend_not_allowed'],
    ['more minutes than there are', { budgetMinutes: 121 }, 'budget_too_large'],
    ['a cell that lives too long', { ttlMinutes: 241 }, 'ttl_too_large'],
    ['a cell that is closed before its agent’s time is over', { budgetMinutes: 60, ttlMinutes: 59 }, 'ttl_too_short'],
  ])('refuse %s', (_, change, name) => {
    expect(policyTerms(profile([], SHIPPED), proposal(change), [])).toMatchObject({
      code: 'policy_refused',
      facts: { rule: name },
    });
  });

  it('count what a run reaches: hosts read, routes called with somebody’s key', () => {
    const origin = { origin: 'https://api.example.org', key: 'env:MODEL_KEY', allow: ['POST /v1/responses'] };
    const codex = { command: ['codex'], routes: ['model'], hosts: ['docs.example.org'] };
    const node = { prepare: [['npm', 'ci']], hosts: ['registry.example.org:8443'], makes: ['node_modules'] };
    const reaching = { ...SHIPPED, agents: { codex }, routes: { model: origin }, environment: { node } };
    expect(policyTerms(profile([], reaching), proposal(), [])).toMatchObject({
      value: {
        tier: 1,
        reach: [
          {
            actionClass: 'network_read',
            resources: ['hosts/docs.example.org:443', 'prepare/registry.example.org:8443'],
          },
          { actionClass: 'credentialed_api_call', resources: ['routes/model'] },
        ],
      },
    });
    expect(policyTerms(profile([], { ...reaching, routes: {} }), proposal(), [])).toMatchObject({
      facts: { rule: 'route_unknown', route: 'model' },
    });
    const many = { ...codex, hosts: Array.from({ length: 32 }, (_, n) => `h${n}.example.org`) };
    expect(policyTerms(profile([], { ...reaching, agents: { codex: many } }), proposal(), [])).toMatchObject({
      facts: { rule: 'reach_too_wide' },
    });
  });

  it('take a command of the proposal’s own only where the profile says so', () => {
    const own = proposal({ agent: { argv: ['sh', 'x.sh'] } });
    expect(policyTerms(profile([], SHIPPED), own, [])).toMatchObject({ facts: { rule: 'own_command_not_allowed' } });
    expect(policyTerms(profile([], { ...SHIPPED, own_commands: true }), own, [])).toMatchObject({
      value: { agent: { command: ['sh', 'x.sh'] } },
    });
  });

  it('refuse an audit gate that nobody would run', () => {
    const gated = proposal({ auditGates: ['secaudit'] });
    expect(policyTerms(profile([], SHIPPED), gated, [])).toMatchObject({ facts: { rule: 'audit_gate_unavailable' } });
  });
});
