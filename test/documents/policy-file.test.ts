import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPolicyFile } from '../../src/documents/policy-file.ts';
import { readSacredFile } from '../../src/documents/sacred-file.ts';
import { judgeChanges } from '../../src/kernel/scope/ownership.ts';
import { SHIPPED_SACRED } from '../../src/kernel/scope/sacred.ts';

const POLICY = readFileSync(new URL('../../templates/policy.yml', import.meta.url), 'utf8');
const SACRED = readFileSync(new URL('../../templates/sacred.yml', import.meta.url), 'utf8');

function changed(text: string, line: RegExp, by: string): string {
  const after = text.replace(line, by);
  expect(after).not.toBe(text);
  return after;
}

describe('a policy file', () => {
  it('as it is shipped gates every change of the repository', () => {
    expect(readPolicyFile(POLICY, 'policy.yml')).toMatchObject({
      is: 'accepted',
      value: { profile: 'repo_mutation_gated', quorum: [0, 1, 2, 2], votes_expire_hours: 72, backends: { process: 2 } },
    });
  });

  it('whose limits let no cell live as long as an agent may work is refused at the limit that is too small', () => {
    const text = 'version: 1\nprofile: x\nrules: []\nbudget_minutes_max: 90\nttl_minutes_max: 30\n';
    expect(readPolicyFile(text, 'policy.yml')).toMatchObject({
      code: 'policy_unreadable',
      facts: { line: 5, column: 18, why: expect.stringContaining('after 30 minutes, before the 90 minutes') },
    });
  });

  it('that only says its name and rules has safe defaults', () => {
    expect(readPolicyFile('version: 1\nprofile: p\nrules: []\n', 'policy.yml')).toMatchObject({
      value: { agents: {}, own_commands: false, quorum: [0, 1, 2, 2], waive_witness: [], tier_floor: 0 },
    });
  });

  it.each([
    ['an action class that is none', /\[read_local\]/, '[read_everything]', 'rules.0.actions.0'],
    ['a resource that climbs out', /lazarus-work\/\*\*/, '../**', 'rules.2.resources.0'],
    ['an allowed payment', /\[read_local\]/, '[payment_or_spending]', 'rules.0.actions'],
    ['fewer approvals than a tier needs', /\[0, 1, 2, 2\]/, '[0, 1, 1, 2]', 'quorum.2'],
    ['a quorum for three tiers', /\[0, 1, 2, 2\]/, '[0, 1, 2]', 'quorum'],
    ['votes that never expire', /votes_expire_hours: 72/, 'votes_expire_hours: 0', 'votes_expire_hours'],
    ['a downgrade to nothing', /answer: allow/, 'answer: downgrade', 'rules.0.to'],
    ['a downgrade to something worse', /answer: allow/, 'answer: downgrade\n    to: publication', 'rules.0.to'],
    [
      'a command in one text',
      /\[\/bin\/sh, tools\/example-agent.sh\]/,
      '/bin/sh tools/example-agent.sh',
      'agents.example',
    ],
  ])('with %s is refused, at its place', (_, line, by, at) => {
    expect(readPolicyFile(changed(POLICY, line, by), 'policy.yml')).toMatchObject({
      is: 'refused',
      code: 'policy_unreadable',
      facts: { file: 'policy.yml', at, line: expect.any(Number), column: expect.any(Number) },
    });
  });

  it('with an unknown key says what was meant', () => {
    const text = changed(POLICY, /^ {4}answer: allow/m, '    awnser: allow');
    expect(JSON.stringify(readPolicyFile(text, 'policy.yml'))).toContain('did you mean answer?');
  });

  it('that is missing, or names two rules alike, allows nothing', () => {
    expect(readPolicyFile(undefined, 'policy.yml')).toMatchObject({ code: 'policy_unreadable' });
    const twice = changed(POLICY, /show_the_work/, 'run_in_a_cell');
    expect(readPolicyFile(twice, 'policy.yml')).toMatchObject({
      code: 'policy_unreadable',
      facts: { rule: 'run_in_a_cell' },
    });
  });
});

describe('a sacred file', () => {
  it('adds to what is shipped', () => {
    const sacred = readSacredFile(SACRED, 'sacred.yml');
    if (sacred.is === 'refused') throw new Error(JSON.stringify(sacred));
    expect(sacred.value.slice(0, SHIPPED_SACRED.length)).toEqual(SHIPPED_SACRED);
    const change = { path: 'LICENSE', oldMode: '100644', newMode: '100644', oldOid: 'a', newOid: 'b' };
    const scope = { filesOwned: ['**'], allowances: [] };
    expect(judgeChanges([change], { ...scope, sacred: sacred.value }).violations).toEqual([
      { path: 'LICENSE', code: 'sacred_scope', why: 'licence: the licence is a decision of people' },
    ]);
  });

  it.each([
    ['not there', undefined],
    ['broken', 'version: 1\nsacred: ['],
    ['of a newer form', 'version: 2\nsacred: []\n'],
    ['an attempt to open what is shipped', 'version: 1\nsacred: []\nremove: [environment]\n'],
    ['an entry without reason', 'version: 1\nsacred:\n  - name: a\n    paths: [b]\n    rule: never\n'],
    [
      'an entry that is no glob',
      'version: 1\nsacred:\n  - name: a\n    paths: ["../b"]\n    rule: never\n    why: c\n',
    ],
    ['an entry that takes away', 'version: 1\nsacred:\n  - name: a\n    paths: ["!b"]\n    rule: never\n    why: c\n'],
    [
      'an entry whose braces would match nothing',
      'version: 1\nsacred:\n  - name: a\n    paths: ["{b,c}"]\n    rule: never\n    why: c\n',
    ],
  ])('%s lets nothing change', (_, text) => {
    expect(readSacredFile(text, 'sacred.yml')).toMatchObject({ is: 'refused', code: 'sacred_unreadable' });
  });
});
