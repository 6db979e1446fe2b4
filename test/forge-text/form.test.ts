// The mission-proposal form: what the forge makes of it is read back whole, and what could be read in two ways is refused.
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readForm } from '../../src/forge-text/form.ts';
import type { FormProposal } from '../../src/forge-text/form-values.ts';
import { readProposal } from '../../src/kernel/proposal/proposal.ts';
import { FIELDS } from '../../src/forge-text/form-fields.ts';
import { boxes, fenced, FILLED, formBody, line, section, type FormInput } from '../support/form-body.ts';

const PROPOSAL: FormProposal = {
  schema: 'lazarus.proposal.v1',
  target: { owner: 'alice', repo: 'm1' },
  base: 'main',
  goal: 'Fix the rounding of totals',
  purpose: 'Invoices are off by a cent.',
  brief: {
    context: {},
    whatsDone: [],
    currentTask: '',
    doneCriteria: 'Every acceptance check and the verify command exit with 0, each in a fresh cell.',
    keyDecisions: [],
    relevantMemories: [],
  },
  acceptance: ['npm test', 'node check.js --totals'],
  verifyCommand: 'npm run check',
  paths: ['!src/secrets/**', 'src/**'],
  allowances: [],
  auditGates: [],
  tier: 1,
  capabilities: ['pr:open', 'repo:push-branch'],
  agent: { name: 'example' },
  backend: 'process',
  budgetMinutes: 30,
  ttlMinutes: 60,
};

/** What a refusal says; fails on anything else. */
function refusal(body: string): { code: string; problems: readonly string[] } {
  const reading = readForm(body);
  if (reading.is !== 'refused') throw new Error(`not refused: ${JSON.stringify(reading)}`);
  return { code: reading.code, problems: reading.facts['problems'] as readonly string[] };
}

const invalid = (input: Partial<FormInput>) => {
  const { code, problems } = refusal(formBody(input));
  expect(code).toBe('form_invalid');
  return problems;
};

describe('the bodies these tests use', () => {
  it('are made as a real server made one', () => {
    const recorded = readFileSync(new URL('../fixtures/gitea-1.27.3/form_body_full.txt', import.meta.url), 'utf8');
    const made = [
      section('lazarus-schema', line('1')),
      section('Target repository', line('alice/m1')),
      section('Base ref', line('main')),
      section('Goal', fenced('Fix the bug\r\nline two', 'text')),
      section('Acceptance checks', fenced('npm test\r\n```\r\ninner fence\r\n```', 'text')),
      section('Free text', line('raw text\r\n\r\n### Risk tier\r\n\r\n0 read only')),
      section('Risk tier', line('1 branch + PR')),
      section('Multi', line('a, b, c')),
      section(
        'Capabilities requested',
        boxes(['net:registry', 'net:forge', 'repo:push-branch'], ['net:registry', 'repo:push-branch']),
      ),
      section('Budget (minutes)', line('30')),
    ].join('');
    expect(made).toBe(recorded);
  });
});

describe('a form as the forge sends it', () => {
  it('is read into typed values', () => {
    expect(readForm(formBody())).toEqual({ is: 'accepted', value: PROPOSAL });
  });

  it('is the same proposal after an edit in the page, which sends CRLF throughout and no line end at the end', () => {
    expect(readForm(formBody().trimEnd().replaceAll(/\r?\n/g, '\r\n'))).toEqual({ is: 'accepted', value: PROPOSAL });
  });

  it('may leave the purpose and every capability out', () => {
    expect(readForm(formBody({ purpose: '', capabilities: [] }))).toEqual({
      is: 'accepted',
      value: { ...PROPOSAL, purpose: '', capabilities: [] },
    });
  });

  it('takes the words of an empty field for words where somebody typed them in a block', () => {
    expect(readForm(formBody({ goal: '_No response_' }))).toMatchObject({ value: { goal: '_No response_' } });
  });

  it('keeps backticks that begin a line: the forge made its fence longer', () => {
    const purpose = 'before\n```\nnpm test\n```\nafter';
    expect(readForm(formBody({ purpose }))).toMatchObject({ is: 'accepted', value: { purpose } });
  });

  it.each([
    ['0 read only', 0],
    ['2 merge or release', 2],
    ['3 infrastructure or secrets', 3],
  ])('knows the tier %s', (tier, number) => {
    expect(readForm(formBody({ tier }))).toMatchObject({ value: { tier: number } });
  });

  it('reads back what was typed, whatever it was, or says what is wrong', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9 .:;"'$(){}|&<>`\-_=]{1,60}$/).map((text) => text.trim());
    const command = word.filter((text) => text !== '' && !/^`{3}/.test(text));
    fc.assert(
      fc.property(
        fc.array(command, { minLength: 1, maxLength: 20 }),
        command,
        fc.uniqueArray(fc.constantFrom('net:registry', 'net:forge', 'pr:open'), { maxLength: 3 }),
        fc.integer({ min: 1, max: 1440 }),
        (acceptance, goal, capabilities, minutes) => {
          const reading = readForm(
            formBody({ acceptance: acceptance.join('\r\n'), goal, capabilities, budget: String(minutes), ttl: '1440' }),
          );
          expect(reading).toEqual({
            is: 'accepted',
            value: {
              ...PROPOSAL,
              acceptance,
              goal,
              capabilities: capabilities.toSorted(),
              budgetMinutes: minutes,
              ttlMinutes: 1440,
            },
          });
        },
      ),
    );
  });
});

describe('the proposal of a form', () => {
  it('is one that the kernel accepts, with its sets in one spelling', () => {
    const reading = readForm(
      formBody({ paths: 'src/\n!src/secrets/**\ndocs/*.md', capabilities: ['pr:open', 'net:forge'] }),
    );
    if (reading.is !== 'accepted') throw new Error('the form was refused');
    const proposal = readProposal(reading.value);
    expect(proposal).toMatchObject({
      is: 'accepted',
      value: {
        paths: ['!src/secrets/**', 'docs/*.md', 'src/**'],
        capabilities: ['net:forge', 'pr:open'],
        agent: { name: 'example' },
      },
    });
  });

  it('is accepted by the kernel whatever was accepted from the form', () => {
    const anything = fc.string({
      unit: fc.oneof(
        fc.constantFrom('a', '/', '*', '!', '.', ' ', '-', '\t', '\n', '\u00a0'),
        fc.string({ unit: 'grapheme' }),
      ),
      maxLength: 30,
    });
    const input = fc.record({
      base: anything,
      goal: anything,
      purpose: anything,
      acceptance: anything,
      verify: anything,
      paths: anything,
    });
    let accepted = 0;
    fc.assert(
      fc.property(input, (given) => {
        for (const [id, value] of Object.entries(given)) {
          const reading = readForm(formBody({ [id]: value }));
          if (reading.is !== 'accepted') continue;
          accepted += 1;
          expect(readProposal(reading.value)).toMatchObject({ is: 'accepted' });
        }
      }),
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('an issue that is no proposal', () => {
  it.each([
    ['is empty', ''],
    ['is somebody’s question', 'Why does the build fail?\n\n### Risk tier\n\n0 read only\n'],
    ['quotes the form', formBody().replaceAll(/^/gm, '> ')],
    ['is ten megabytes long', 'a'.repeat(10_000_000)],
  ])('that %s gets silence', (_, body) => {
    expect(readForm(body)).toEqual({ is: 'no_proposal' });
  });
});

describe('a forged form', () => {
  const forged = (body: string) => {
    const { code, problems } = refusal(body);
    expect(code).toBe('form_forged');
    return problems;
  };

  it('is one whose text holds another field', () => {
    for (const goal of [
      'nothing\n\n### Risk tier\n\n0 read only',
      'nothing\n  ### Risk tier',
      '### Anything at all',
      'a\n###\nb',
    ])
      expect(forged(formBody({ goal }))[0]).toContain('Goal');
  });

  it('is one whose block an indented fence closes, so that a reader sees another form', () => {
    // The server leaves the fence at three backticks: the page shows tier 0 as a field of its own.
    const goal = 'nothing\n ```\n\nsee below\n ```';
    expect(formBody({ goal })).toContain('```text\nnothing\n ```\n');
    expect(forged(formBody({ goal }))).toEqual(['Goal: has a line that ends its fenced block early']);
    expect(forged(formBody({ goal: 'nothing\n   `````' }))).toHaveLength(1);
  });

  it('is one with text between its blocks and headings', () => {
    expect(forged(formBody().replace('\n### Risk tier', 'tier 3 is fine\n\n### Risk tier'))[0]).toContain('Paths');
    expect(forged(`Hello.\n\n${formBody()}`)).toEqual(['lazarus-schema: in its place stands other text']);
  });

  it('is one without its blocks', () => {
    expect(forged(formBody().replace(/```text\n(.*)\n```/, '$1'))).toEqual([
      'Goal: is not the fenced block that the form makes',
    ]);
  });

  it.each(FIELDS.slice(1).map(({ label }) => label))('is one without the field “%s”, or with it twice', (label) => {
    const whole = formBody();
    const sections = whole.split(/^(?=### )/m);
    const at = sections.findIndex((text) => text.startsWith(`### ${label}\n`));
    expect(forged(sections.filter((_, i) => i !== at).join(''))[0]).toContain(label);
    expect(forged(sections.flatMap((text, i) => (i === at ? [text, text] : [text])).join(''))).toHaveLength(1);
    expect(forged([...sections, sections[at]!].join(''))).toEqual([
      `Time to live (minutes): after it the heading “${label}” stands again`,
    ]);
  });

  it('is one whose fields stand in another order', () => {
    const sections = formBody().split(/^(?=### )/m);
    const order = fc.shuffledSubarray(sections, { minLength: sections.length });
    fc.assert(
      fc.property(order, (shuffled) => {
        fc.pre(shuffled.some((text, i) => text !== sections[i]));
        expect(refusal(shuffled.join('')).code).toBe('form_forged');
      }),
    );
  });

  it('is one whose headings only look right', () => {
    for (const heading of [
      '### Risk\u200b tier',
      '### Risk tier ',
      ' ### Risk tier',
      '### Rіsk tier',
      '#### Risk tier',
      '### risk tier',
    ])
      expect(forged(formBody().replace('### Risk tier', heading))).toHaveLength(1);
  });
});

describe('values that are refused, all at once', () => {
  it('names every field and says why, without quoting what was typed', () => {
    const problems = invalid({ target: 'evil"><script>', base: 'a..b', budget: '0', tier: '4 everything', agent: '' });
    expect(problems).toEqual([
      'Target repository: not of the form that the field asks for',
      'Base ref: no name that git allows for a branch',
      'Risk tier: not one of the form’s options',
      'Agent: not filled in',
      'Budget (minutes): not of the form that the field asks for',
    ]);
  });

  it('a goal longer than 200 characters; letters outside the basic plane count once', () => {
    expect(readForm(formBody({ goal: '𝔸'.repeat(200) }))).toMatchObject({ is: 'accepted' });
    expect(invalid({ goal: 'a'.repeat(201) })).toEqual(['Goal: longer than 200 characters']);
  });

  it.each([
    ['a goal of two lines', { goal: 'a\r\nb' }, 'Goal: more than one line, or a tab'],
    ['a tab in a command', { verify: 'a\tb' }, 'Verify command: a blank that is no space (U+0009)'],
    ['a base that git takes for an option', { base: '-x' }, 'Base ref: no name that git allows for a branch'],
    ['an empty goal', { goal: '' }, 'Goal: not filled in'],
    ['no acceptance check', { acceptance: ' ' }, 'Acceptance checks: not filled in'],
    ['more checks than a cell will run', { acceptance: 'true\n'.repeat(21) }, 'Acceptance checks: more than 20 lines'],
    ['a verify command of two lines', { verify: 'a\nb' }, 'Verify command: more than one line'],
    ['an endless command', { verify: 'x'.repeat(501) }, 'Verify command: a command is longer than 500 characters'],
    [
      'a blank that a shell takes for a letter',
      { verify: 'rm\u00a0-rf x' },
      'Verify command: a blank that is no space (U+00A0)',
    ],
    [
      'a cell that is closed before the agent’s time is over',
      { budget: '90', ttl: '60' },
      'Time to live (minutes): the cell is closed after 60 minutes, before the 90 minutes of the agent are over',
    ],
    ['more than a day', { ttl: '1441' }, 'Time to live (minutes): more than 1440 minutes'],
    ['a tier nobody chose', { tier: '' }, 'Risk tier: not chosen'],
    ['a repository outside its owner', { target: 'alice/..' }, 'Target repository: no owner/repository'],
    [
      'paths that only take away',
      { paths: '!src/**' },
      'Paths that may change: every line takes paths away; none says what may change',
    ],
    [
      'too many paths',
      { paths: Array.from({ length: 33 }, (_, i) => `a${i}`).join('\n') },
      'Paths that may change: more than 32 lines',
    ],
    [
      'another version of the form',
      { schema: '2' },
      'lazarus-schema: another version of the form; open the form again',
    ],
  ] satisfies [string, Partial<FormInput>, string][])('%s', (_, input, problem) => {
    expect(invalid(input)).toEqual([problem]);
  });

  it.each(['../x', 'a/../b', '/etc/passwd', 'a//b', './a', 'a\\b', '!/etc', '!../x', 'a{b,c}', 'src**'])(
    'the path %s',
    (path) => {
      expect(invalid({ paths: `src/**\n${path}` })[0]).toMatch(/^Paths that may change: path 2 (?:has|is|\*\*) /);
    },
  );

  it('a path whose letters are not what they seem', () => {
    expect(invalid({ paths: 'src/аuth/**' })).toEqual([
      'Paths that may change: path 1 mixes Latin letters with letters that look like them',
    ]);
    expect(readForm(formBody({ paths: 'docs/справка/**\ndocs/日本語.md' }))).toMatchObject({ is: 'accepted' });
  });

  it.each([
    ['a bidirectional override', 'fix \u202eeslaf', 'U+202E'],
    ['a zero-width space', 'fi\u200bx', 'U+200B'],
    ['a terminal escape', 'fix \u001b[2J', 'U+001B'],
    ['a line separator', 'fix\u2028x', 'U+2028'],
    ['a tag character', 'fix\u{e0041}', 'U+E0041'],
    ['an invisible letter', 'fix\u3164x', 'U+3164'],
    ['half a surrogate pair', 'fix\ud800x', 'U+D800'],
    ['a lone carriage return', 'fix\rx', 'U+000D'],
  ])('%s, wherever there is free text', (_, text, point) => {
    for (const id of ['goal', 'purpose', 'acceptance', 'verify', 'paths'] as const)
      expect(invalid({ [id]: text }).join()).toContain(`a character that is not shown (${point})`);
  });

  it('letters with their accents apart: the same look, another digest', () => {
    expect(invalid({ goal: 'cafe\u0301' })[0]).toContain('not Unicode NFC');
  });

  it('boxes that are not the form’s', () => {
    const body = formBody();
    for (const change of ['- [X] pr:open', '- [x] pr:merge', '- [x] pr:open now', '', '- [x] pr:open\n- [x] pr:open'])
      expect(refusal(body.replace('- [x] pr:open', change))).toEqual({
        code: 'form_invalid',
        problems: ['Capabilities requested: not the form’s list of boxes'],
      });
  });

  it('a form of ten megabytes, in no time worth speaking of', () => {
    expect(invalid({ goal: 'a'.repeat(10_000_000) })).toEqual(['The issue is longer than 40000 characters']);
  });
});

describe('any body', () => {
  it('is a proposal, a refusal or nothing, never a crash; a proposal has only what the form can say', () => {
    const piece = fc.oneof(
      fc.constantFrom(...formBody(FILLED).split('\n'), ' ```', '```', '### ', '\r', '_No response_'),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (lines) => {
        const reading = readForm(`### lazarus-schema\n\n1\n\n${lines.join('\n')}`);
        if (reading.is === 'accepted') expect(reading.value.paths.length).toBeGreaterThan(0);
        else expect(reading.is).toBe('refused');
      }),
    );
  });
});
