import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMissionFile } from '../../src/documents/mission-file.ts';
import { briefOf } from '../../src/kernel/proposal/brief-of.ts';
import { parseProposal, proposalBytes, type Proposal } from '../../src/kernel/proposal/proposal.ts';
import { renderBrief } from '../../src/kernel/contract/brief-text.ts';
import { Brief } from '../../src/kernel/contract/brief.ts';
import { sectionsOf } from '../support/brief-text.ts';
import type { Facts } from '../../src/reasons.ts';

const TEMPLATE = readFileSync(new URL('../../templates/mission.yaml', import.meta.url), 'utf8');
const ID = '3f2b7c1e-8a4d-4c5e-9b6f-0123456789ab';

function proposal(text = TEMPLATE): Proposal {
  const read = readMissionFile(text, 'mission.yaml');
  if (read.is === 'refused') throw new Error(JSON.stringify(read));
  return read.value;
}

function refusal(text: string): Facts {
  const read = readMissionFile(text, 'mission.yaml');
  expect(read).toMatchObject({ is: 'refused', code: 'mission_file_invalid', facts: { file: 'mission.yaml' } });
  return read.is === 'refused' ? read.facts : {};
}

/** The template with one line replaced. */
function changed(line: RegExp, by: string): string {
  const text = TEMPLATE.replace(line, by);
  expect(text).not.toBe(TEMPLATE);
  return text;
}

describe('the shipped mission', () => {
  it('is a proposal', () => {
    expect(proposal()).toMatchObject({
      target: null,
      base: 'main',
      verifyCommand: 'sh test/greet.test.sh',
      paths: ['docs/**', 'src/greet.sh'],
      tier: 1,
      agent: { name: 'example' },
    });
  });

  it('makes a brief with all ten sections', () => {
    const brief = briefOf(proposal(), ID);
    expect(Brief.parse(brief)).toEqual(brief);
    expect(sectionsOf(renderBrief(brief))).toMatchObject({
      Mission: proposal().goal,
      'Files in Scope': '- docs/**\n- src/greet.sh',
      'Relevant Memories': '',
    });
  });
});

describe('a mission file', () => {
  it.each([
    ['a goal that is too long', /^goal: .*$/m, `goal: ${'x'.repeat(201)}`, 7, 'goal'],
    ['a tier that is none', /^tier: 1 /m, 'tier: 5 ', 7, 'tier'],
    ['a capability that is none', /^capabilities: \[\]/m, 'capabilities: [net:everything]', 16, 'capabilities.0'],
    ['a path that climbs out', / {2}- src\/greet.sh/, '  - ../src/greet.sh', 5, 'files_owned.0'],
    ['a letter that looks like !', / {2}- src\/greet.sh/, '  - ǃsrc/secrets/**', 5, 'files_owned.0'],
    ['a letter that looks like *', / {2}- src\/greet.sh/, '  - src/∗', 5, 'files_owned.0'],
    ['a letter that looks like /', / {2}- src\/greet.sh/, '  - src∕greet.sh', 5, 'files_owned.0'],
    ['a letter that looks like .', / {2}- src\/greet.sh/, '  - src/greet․sh', 5, 'files_owned.0'],
    ['Cyrillic among Latin letters', / {2}- src\/greet.sh/, '  - srс/greet.sh', 5, 'files_owned.0'],
    ['a home folder', / {2}- src\/greet.sh/, '  - ~/.ssh/**', 5, 'files_owned.0'],
    ['braces in a glob', / {2}- docs\/\*\*/, '  - docs/{a,b}', 5, 'files_owned.1'],
    ['a base that git reads as an option', /^base: main/m, 'base: --upload-pack=x', 7, 'base'],
    ['a budget that is text', /^budget_minutes: 5/m, 'budget_minutes: five', 17, 'budget_minutes'],
    ['a budget that is no whole number', /^budget_minutes: 5/m, 'budget_minutes: 0.5', 17, 'budget_minutes'],
    ['a cell that is closed before the agent is done', /^ttl_minutes: 15/m, 'ttl_minutes: 4', 14, 'ttl_minutes'],
    ['an agent that is neither name nor command', /^agent: example/m, 'agent: 7', 8, 'agent'],
    ['an empty command', /^agent: example/m, 'agent: []', 1, 'agent'],
    ['a broken argument in a command', /^agent: example/m, 'agent: [sh, "a\\0b"]', 13, 'agent.1'],
    ['a hidden character in the goal', /^goal: .*$/m, 'goal: tidy\u200b up', 7, 'goal'],
  ])('with %s is refused at its line and column', (_, line, by, column, path) => {
    const text = changed(line, by);
    const at = text.split('\n').findIndex((one) => one.startsWith(by)) + 1;
    expect(refusal(text)).toMatchObject({ line: at, column, at: path, why: expect.any(String) });
  });

  it('whose agent may work longer than the cell lives is refused with both numbers, where one was written', () => {
    const why = 'the cell is closed after 60 minutes, before the 90 minutes of the agent are over';
    const text = changed(/^budget_minutes: 5/m, 'budget_minutes: 90').replace(/^ttl_minutes: 15\n/m, '');
    expect(refusal(text)).toMatchObject({ line: 26, column: 17, why });
    expect(proposal(changed(/^ttl_minutes: 15/m, 'ttl_minutes: 5'))).toMatchObject({ budgetMinutes: 5, ttlMinutes: 5 });
  });

  it('that owns nothing is refused, whether it names no path or only takes paths away', () => {
    for (const paths of ['[]', "['!src/**']"]) {
      const text = TEMPLATE.replace(/^files_owned:\n(?: +- .*\n)+/m, `files_owned: ${paths}\n`);
      expect(refusal(text)).toMatchObject({ at: 'files_owned', why: 'says nowhere what may change' });
    }
  });

  it('shows the line it complains about, and the other problems too', () => {
    const facts = refusal(changed(/^tier: 1 /m, 'tier: 9 ').replace('backend: process', 'backend: cloud'));
    expect(facts).toMatchObject({ line: 23, shown: expect.stringContaining('tier: 9') });
    expect(facts['others']).toEqual([expect.stringContaining('25:10 backend expected one of')]);
  });

  it.each([
    [/^files_owned:/m, 'file_owned:', 'did you mean files_owned?'],
    [/^verify_command:/m, 'verify-command:', 'did you mean verify_command?'],
    [/^ {2}whats_done:/m, '  what_done:', 'did you mean whats_done?'],
    [/^goal:/m, 'objective:', 'known are version, goal'],
  ])('with an unknown key %s → %s says what was meant', (line, by, hint) => {
    const facts = refusal(changed(line, by));
    expect([facts['why'], facts['others']].flat().join('\n')).toContain(hint);
  });

  it.each(['purpose', 'context', 'whats_done', 'current_task', 'done_criteria', 'key_decisions', 'relevant_memories'])(
    'without the section %s is refused by name',
    (section) => {
      const lines = TEMPLATE.split('\n');
      const from = lines.findIndex((line) => line.startsWith(`  ${section}:`));
      const length = lines.slice(from + 1).findIndex((line) => !line.startsWith('    ')) + 1;
      lines.splice(from, length);
      expect(refusal(lines.join('\n'))).toMatchObject({ at: `brief.${section}`, why: 'is missing' });
    },
  );

  it.each([
    ['a key twice', `${TEMPLATE}\ngoal: another\n`],
    ['a second document', `${TEMPLATE}\n---\ngoal: another\n`],
    ['an anchor', changed(/^goal: /m, 'goal: &a ')],
    ['a tag', changed(/^goal: /m, 'goal: !!js/function ')],
    ['a merge key', `${TEMPLATE}\n<<: {tier: 0}\n`],
    ['a broken bracket', changed(/^capabilities: \[\]/m, 'capabilities: [')],
    ['a list at the top', '- a\n'],
    ['nothing', ''],
    ['a key that is a list', `${TEMPLATE}\n? [a, b]\n: 1\n`],
    ['a key that every object has', `${TEMPLATE}\n__proto__: {tier: 0}\n`],
    ['nesting of dashes', '- '.repeat(30_000)],
    ['nesting of keys', 'a: '.repeat(20_000)],
    ['brackets that would exhaust the parser', '{'.repeat(60_000)],
    ['brackets in the place of a value', `${TEMPLATE}\na: ${'['.repeat(60_000)}`],
    ['endless nesting', `a: ${'['.repeat(500)}${']'.repeat(500)}`],
  ])('with %s is refused', (_, text) => {
    expect(refusal(text)).toHaveProperty('why');
  });

  it('of any damage is refused or read, never thrown at', () => {
    const piece = fc.constantFrom(
      '[',
      '{',
      '"',
      "'",
      ':',
      '- ',
      '? ',
      '&a ',
      '*a',
      '!!x ',
      '|',
      '\n',
      '  ',
      '#',
      '%',
      '\u0000',
      '---\n',
    );
    const damage = fc.record({ at: fc.nat(TEMPLATE.length), take: fc.nat(40), put: fc.array(piece, { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        let text = TEMPLATE;
        for (const { at, take, put } of damages) text = text.slice(0, at) + put.join('') + text.slice(at + take);
        const read = readMissionFile(text, 'mission.yaml');
        if (read.is === 'accepted') return;
        expect(read.code).toBe('mission_file_invalid');
        expect(read.facts['line']).toBeLessThanOrEqual(text.split('\n').length);
      }),
      { numRuns: 200 },
    );
  });

  it('names a wrong key before the right one that is missing', () => {
    expect(refusal(changed(/^goal:/m, 'gaol:'))).toMatchObject({
      line: 6,
      column: 1,
      why: 'unknown key gaol; did you mean goal?',
      others: ['4:1 goal is missing'],
    });
  });

  it('with many keys on one line is not nested', () => {
    const many = Array.from({ length: 50 }, (_, i) => `k${i}: 1`).join(', ');
    expect(refusal(`${TEMPLATE}\nextra: {${many}}\n`)['why']).toContain('unknown key extra');
  });

  it('shows no character that changes how its complaint is read', () => {
    expect(refusal(`${TEMPLATE}\n\u202edab: 1\n`)).toMatchObject({ shown: '\ufffddab: 1' });
  });

  it('that unfolds into a gigantic value is refused before it does', () => {
    const laughs = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i++)
      laughs.push(`b${i}: &b${i} [${Array.from({ length: 9 }, () => `*${i === 1 ? 'a' : `b${i - 1}`}`).join()}]`);
    expect(refusal(laughs.join('\n'))['why']).toMatch(/anchors|aliases/);
    expect(refusal('x'.repeat(300_000))['why']).toContain('longer than');
  });

  it('says the same in another order or with a folder in short', () => {
    const other = changed(/ {2}- src\/greet.sh\n {2}- docs\/\*\*/, '  - docs/\n  - src/greet.sh\n  - docs/**');
    expect(proposalBytes(proposal(other))).toEqual(proposalBytes(proposal()));
  });

  it('names a repository of the forge, or a command instead of an agent', () => {
    const text = changed(/^agent: example/m, 'agent: [sh, tools/a.sh, ""]').replace(
      'base: main',
      'base: main\ntarget: acme/shop',
    );
    expect(proposal(text)).toMatchObject({
      agent: { argv: ['sh', 'tools/a.sh', ''] },
      target: { owner: 'acme', repo: 'shop' },
    });
  });
});

describe('a proposal', () => {
  it('is read back from its bytes, and from no others', () => {
    const bytes = proposalBytes(proposal());
    expect(parseProposal(bytes)).toEqual({ is: 'accepted', value: proposal() });
    const text = Buffer.from(bytes).toString();
    for (const other of [
      `${text}\n`,
      text.replace('"tier":1', '"tier":1.0'),
      text.replace('{', '{"a":1,'),
      '{}',
      '\xff',
    ])
      expect(parseProposal(Buffer.from(other, 'latin1'))).toMatchObject({ code: 'proposal_malformed' });
  });

  it('has one spelling: what is unsorted or said twice is refused', () => {
    for (const paths of [['b', 'a'], ['a', 'a'], ['a/']])
      expect(parseProposal(proposalBytes({ ...proposal(), paths }))).toMatchObject({
        code: 'proposal_malformed',
        facts: { at: 'paths' },
      });
  });

  it('opens the auth surface only together with its audit gate', () => {
    const opened = (auditGates: string[]) =>
      parseProposal(proposalBytes({ ...proposal(), allowances: ['auth_surface'], auditGates }));
    expect(opened([])).toMatchObject({ code: 'proposal_malformed', facts: { at: 'allowances' } });
    expect(opened(['secaudit']).is).toBe('accepted');
  });
});
