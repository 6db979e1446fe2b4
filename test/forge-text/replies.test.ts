// The one reply a command may get: code first, what happened, the next line to paste; and nothing of a stranger's in it.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS, VERBS } from '../../src/forge-text/commands.ts';
import { readComment } from '../../src/forge-text/grammar.ts';
import {
  helpReply,
  refusalReply,
  replyMark,
  strangerReply,
  typeAgainReply,
  whyReply,
} from '../../src/forge-text/replies.ts';
import { nextLine } from '../../src/next-line.ts';
import { REASONS, type Facts, type ReasonCode } from '../../src/reasons.ts';
import { hostile } from '../support/hostile.ts';
import { seen } from '../support/markdown.ts';
import { AWAITING } from '../support/status.ts';

const TO = { mission: AWAITING.mission, to: 12 };

describe('a refusal', () => {
  it('says its code, what happened, the facts, and the line to paste', () => {
    const text = refusalReply(TO, {
      code: 'approval_stale',
      facts: { voted: '77ab03c1d2e4' },
      waits: '3f9c1a2b4d5e'.padEnd(64, '0'),
    });
    expect(text).toBe(
      [
        '<!-- lazarus:reply v1 mission=m-0123456789ab to=12 -->',
        `**\`approval_stale\`** ${REASONS.approval_stale.says}`,
        '',
        '- voted: `77ab03c1d2e4`',
        '',
        'Next:',
        '',
        '```text\n/approve 3f9c1a2b4d5e\n```',
      ].join('\n'),
    );
  });

  it('lists every problem of a form', () => {
    const text = refusalReply(
      { ...TO, mission: null },
      { code: 'form_invalid', facts: { problems: ['Goal: not filled in', 'Agent: not filled in'] } },
    );
    expect(text).toContain('mission=none');
    expect(seen(text).code).toEqual([
      'form_invalid',
      'Goal: not filled in',
      'Agent: not filled in',
      REASONS.form_invalid.next,
    ]);
  });

  it('of every code there is begins with the code and ends with the next step', () => {
    for (const code of Object.keys(REASONS) as ReasonCode[]) {
      const { code: shown, prose } = seen(refusalReply(TO, { code, facts: {} }));
      expect(shown[0]).toBe(code);
      expect(shown.at(-1)?.trim()).toBe(nextLine({ code, mission: TO.mission }, 'issue'));
      expect(shown.at(-1)).not.toMatch(/<mission>|^\s*lazarus (?:status|why|plan|roster show|reconcile)(?: |$)/);
      expect(prose.length).toBeGreaterThan(code.length);
    }
  });

  it('names what to type in the issue, not at a terminal, with what is known filled in', () => {
    const current = 'a34c9c6a2445'.padEnd(64, '0');
    const last = (code: ReasonCode, facts: Facts) => seen(refusalReply(TO, { code, facts })).code.at(-1)?.trim();
    expect(last('self_approval', {})).toBe('/status');
    expect(last('quorum_missing', { current })).toBe('/approve a34c9c6a2445');
    // What is no digest was said by somebody else.
    expect(last('quorum_missing', { current: '`/approve` everything' })).toBe('/approve <digest>');
    expect(last('artifact_erased', {})).not.toContain('<mission>');
  });

  it('says where in the ledger only to those who have to repair it', () => {
    const facts = { index: 22, principal: 'ana' };
    expect(refusalReply(TO, { code: 'self_approval', facts })).not.toContain('index');
    expect(refusalReply(TO, { code: 'signature_invalid', facts })).toContain('- index: `22`');
  });

  it('of what the parser refused carries the parser’s own words', () => {
    const reading = readComment('/aprove 3f9c1a2b4d5e');
    if (reading.is !== 'refused') throw new Error('not refused');
    expect(refusalReply(TO, reading)).toContain('- did you mean: `/approve`');
  });
});

describe('/why', () => {
  it('says what is missing, who can give it and who cannot, and the line', () => {
    const text = whyReply(TO, AWAITING);
    expect(text).toContain('**m-0123456789ab** is awaiting approval.');
    expect(text).toContain('Missing: 1 of: `@ben` `@chi` (role `person`). `@dev` cannot: `proposer`.');
    expect(seen(text).code.at(-1)).toBe('/approve 3f9c1a2b4d5e\n');
  });

  it('says so when nothing is missing, or what broke', () => {
    expect(whyReply(TO, { ...AWAITING, state: 'running', asked: null })).toContain('Nothing is missing from people.');
    const failed = whyReply(TO, {
      ...AWAITING,
      state: 'failed',
      asked: null,
      because: { code: 'nothing_done', says: 'x' },
    });
    expect(failed).toContain('**Because** `nothing_done`: `x`');
    expect(failed).not.toContain('Nothing is missing');
    const readOnly = [{ folder: 'gen', environment: null }];
    const wanted = whyReply(TO, { ...AWAITING, readOnly });
    expect(wanted).toContain('- read-only: `gen, for a check; policy could allow it: checks: {writable: [gen]}`');
  });
});

describe('/help', () => {
  it('is a table of every command: who may give it, when, and to what end', () => {
    const rows = helpReply(TO, null)
      .split('\n')
      .filter((line) => line.startsWith('| `/'));
    expect(rows).toEqual(
      VERBS.map((verb) => {
        const { usage, who, when, does } = COMMANDS[verb];
        return `| \`${usage}\` | ${who} | ${when} | ${does} |`;
      }),
    );
    // A cell of its own for each, whatever it says.
    for (const row of rows) expect(row.split('|')).toHaveLength(6);
  });

  it('explains one', () => {
    expect(helpReply(TO, 'approve')).toContain('casts one vote on exactly that digest');
    expect(helpReply(TO, 'unhold')).toContain('- Who: whoever held it, or who may approve it\n- When: held');
  });

  it('of every command shows a usage that the parser takes', () => {
    for (const verb of VERBS) {
      const line = COMMANDS[verb].usage
        .replace('<digest>', '3f9c1a2b4d5e')
        .replace(' [command]', ' why')
        .replace('[--final]', '--final')
        .replace('[attempt <n>]', 'attempt 2')
        .replace('<goal>', 'Greet people by their name');
      expect(readComment(line), line).toMatchObject({ is: 'accepted', value: [{ verb }] });
    }
  });
});

describe('the answer to a stranger', () => {
  it('says that nothing was begun, and how somebody on the roster adopts it', () => {
    const text = strangerReply({ ...TO, mission: null });
    expect(text).toContain('not on the roster');
    expect(seen(text).code.at(-1)).toBe('/plan\n');
  });
});

describe('a command that reconcile found', () => {
  it('is asked for again, and never repeated from what was fetched', () => {
    const lost = { by: 'ana', verbs: ['approve', 'EVIL'], home: AWAITING.home, issue: 5, comment: 99 };
    const text = typeAgainReply(TO, lost);
    expect(text).toContain(
      '[A comment](http://127.0.0.1:3000/alice/m1/issues/5#issuecomment-99) of `@ana` with `/approve` was heard by no run: the forge lost its event, or somebody put that into it afterwards.',
    );
    expect(text).not.toContain('EVIL');
    expect(readComment(text)).toEqual({ is: 'no_command' });
  });
});

describe('every reply', () => {
  it('begins with a mark, by which it is seen that it was given already', () => {
    const lost = { by: 'ana', verbs: [], home: AWAITING.home, issue: 5, comment: 99 };
    const replies = [strangerReply(TO), helpReply(TO, null), whyReply(TO, AWAITING), typeAgainReply(TO, lost)];
    for (const text of replies) expect(text.split('\n')[0]).toBe(replyMark(TO));
  });
});

describe('hostile text in a reply', () => {
  it('is code: no link, image, mention or HTML but our mark', () => {
    const facts = fc.dictionary(fc.constantFrom('because', 'path', 'ledger'), hostile);
    fc.assert(
      fc.property(facts, fc.array(hostile, { maxLength: 3 }), hostile, hostile, (given, problems, name, paste) => {
        const texts = [
          refusalReply(
            { mission: name, to: 1 },
            { code: 'parse_error', facts: { ...given, problems, instead: paste }, waits: paste, verb: name },
          ),
          refusalReply({ mission: name, to: 1 }, { code: 'approval_stale', facts: { current: paste }, waits: name }),
          typeAgainReply(
            { mission: name, to: 1 },
            { by: name, verbs: [paste], home: paste.replaceAll('http', ''), issue: 1, comment: 2 },
          ),
          whyReply(
            { mission: name, to: 1 },
            {
              ...AWAITING,
              mission: name,
              because: { code: name, says: paste },
              asked: { ...AWAITING.asked!, from: [name], role: paste },
            },
          ),
        ];
        for (const text of texts) {
          const { prose, links, images, html } = seen(text);
          expect({ links, images }).toEqual({ links: [], images: 0 });
          expect(html).toEqual([expect.stringMatching(/^<!-- lazarus:reply v1 mission=[\w.:-]+ to=1 -->$/)]);
          expect(prose).not.toMatch(/@|#\d|EVIL|https?:|www\./);
        }
      }),
    );
  });
});
