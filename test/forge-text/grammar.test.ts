// Commands in comments: what opens a comment is read to the letter, what stands below is why and is never read. Whatever a page
// shows or hides of a comment, a command further down is not obeyed.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS, VERBS } from '../../src/forge-text/commands.ts';
import { readComment, type Command } from '../../src/forge-text/grammar.ts';
import { statusComment } from '../../src/forge-text/sticky.ts';
import { AWAITING } from '../support/status.ts';
import recorded from '../fixtures/gitea-1.27.3/issue_comment.created_by_nonowner.3.json' with { type: 'json' };

const DIGEST = '3f9c1a2b4d5e';
const APPROVE = `/approve ${DIGEST}`;
const approval: Command = { verb: 'approve', digest: DIGEST, reason: '' };

function commands(body: string): readonly Command[] {
  const reading = readComment(body);
  if (reading.is !== 'accepted') throw new Error(`no commands: ${JSON.stringify(reading)}`);
  return reading.value;
}

function refusal(body: string) {
  const reading = readComment(body);
  if (reading.is !== 'refused') throw new Error(`not refused: ${JSON.stringify(reading)}`);
  return { code: reading.code, ...reading.facts };
}

describe('a command', () => {
  it('is read from a comment as a real server sent it', () => {
    expect(commands(recorded.comment.body)).toEqual([approval]);
  });

  it.each<[string, Command]>([
    [APPROVE, approval],
    [`${APPROVE}   `, approval],
    [`/lazarus ${APPROVE.slice(1)}`, approval],
    [`/approve ${'0123456789abcdef'.repeat(4)}`, { ...approval, digest: '0123456789abcdef'.repeat(4) }],
    [`/reject ${DIGEST}`, { verb: 'reject', isFinal: false, digest: DIGEST, reason: '' }],
    ['/withdraw', { verb: 'withdraw' }],
    [`/reject ${DIGEST} --final`, { verb: 'reject', isFinal: true, digest: DIGEST, reason: '' }],
    ['/cancel', { verb: 'cancel', reason: '' }],
    ['/hold', { verb: 'hold', reason: '' }],
    ['/unhold', { verb: 'unhold', reason: '' }],
    ['/retry', { verb: 'retry' }],
    ['/plan', { verb: 'plan' }],
    ['/status', { verb: 'status' }],
    ['/why', { verb: 'why' }],
    ['/diff', { verb: 'diff', attempt: null }],
    ['/diff attempt 2', { verb: 'diff', attempt: 2 }],
    ['/help', { verb: 'help', about: null }],
    ['/help approve', { verb: 'help', about: 'approve' }],
    ['/help /reject', { verb: 'help', about: 'reject' }],
    ['/help toString', { verb: 'help', about: null }],
  ])('%s', (line, command) => {
    expect(commands(line)).toEqual([command]);
    expect(commands(`${line}\r\n\r\n`)).toEqual([command]);
  });

  it.each([
    ['a sentence', 'Grüße 👋, it is fine.'],
    ['an emoji that is joined of several', 'Reviewed by 👩‍👩‍👧 and 🏳️‍🌈'],
    ['Persian with its joiners', 'می‌خواهم'],
    ['Hindi with its joiners', 'क्‍ष ठीक है'],
    ['Hebrew with marks of direction', '\u200fטוב\u200e'],
    ['letters and accents apart', 'cafe\u0301'],
    ['a tab and a table', 'a\tb\n\n| a |\n|---|'],
    ['a long one', 'because '.repeat(20_000).trim()],
  ])('keeps %s below it as its reason, as it was written', (_, why) => {
    expect(commands(`${APPROVE}\n\n${why}`)).toEqual([{ ...approval, reason: why }]);
  });

  it('may stand right below others, all with the one reason; their order is kept', () => {
    expect(commands(`/help\n${APPROVE}\n/status\nfine now`)).toEqual([
      { verb: 'help', about: null },
      { ...approval, reason: 'fine now' },
      { verb: 'status' },
    ]);
    expect(commands('/status\n'.repeat(5))).toHaveLength(5);
    expect(commands(`/lgtm\n${APPROVE}\n/cc @ana`)).toEqual([approval]);
  });
});

describe('a comment without a command is nobody’s business', () => {
  it.each([
    ['plain talk', 'I would /approve this, or approve it.'],
    ['a path', '/usr/bin/env is missing\n/etc/passwd too'],
    ['a folder that is nearly a command', '/home is full'],
    ['another bot’s command', '/lgtm\n/cc @ana\n/assign me\n/octokit'],
    ['commands that other bots have', '/ok\n/close\n/lock\n/grant\n/answer'],
    ['an indented line', ` ${APPROVE}`],
    ['a quote', `> ${APPROVE}`],
    ['our own status comment', statusComment(AWAITING)],
    ['a slash that is none', `／approve ${DIGEST}\n∕approve ${DIGEST}`],
    ['a hidden character before the slash', `\u200b${APPROVE}`],
    ['ten megabytes of talk', 'a /approve b\n'.repeat(800_000)],
    ['nothing', ''],
  ])('%s', (_, body) => {
    expect(readComment(body)).toEqual({ is: 'no_command' });
  });
});

describe('a command further down is not obeyed, whatever stands above it or hides it', () => {
  it.each([
    ['below a greeting', `Thanks!\n\n${APPROVE}`],
    ['below an empty line', `\n${APPROVE}`],
    ['folded away', `Log: <details>\n\n${APPROVE}\n\n</details>`],
    ['in an HTML comment', `<!--\n\n${APPROVE}\n-->`],
    ['in an HTML comment inside a quote', `> <!--\n\n${APPROVE}\n-->`],
    ['in the title of a tag', `a <title>\n\n${APPROVE}\n\n</title>`],
    ['in an attribute', `a <b c="\n${APPROVE}\n">`],
    ['in the title of a link reference', `[a]: b '\n${APPROVE}\n'`],
    ['in a footnote', `text[^1]\n\n[^1]: see\n\n${APPROVE}`],
    ['in a fence', `\`\`\`\n${APPROVE}\n\`\`\``],
    ['in a code span over lines', `so \`\n${APPROVE}\n\` works`],
    ['below a quote that goes on without its mark', `> somebody wrote\n${APPROVE}`],
    ['in a list', `- one\n${APPROVE}`],
    ['as a heading', `# x\n${APPROVE}\n===`],
    ['in a link over lines', `[so\n${APPROVE}\nthere](https://example.org)`],
    ['in a table', `| a |\n|---|\n${APPROVE}`],
    ['in mathematics', `$$\n\n${APPROVE}\n\n$$`],
    ['in a mail that was pasted without quoting', `See below.\n\nOn Monday ben wrote:\n${APPROVE}`],
    [
      'below the status comment, quoted with the forge’s own button',
      `${quoted(statusComment(AWAITING))}\n\n${APPROVE}`,
    ],
    ['below a path', `/usr/bin/env is missing\nso\n${APPROVE}`],
  ])('%s', (_, body) => {
    expect(readComment(body)).toEqual({ is: 'further_down' });
  });

  it('nor is one below a command that is', () => {
    const body = `/status\n\nor rather\n\n${APPROVE}`;
    expect(commands(body)).toEqual([{ verb: 'status' }]);
    expect(readComment(body)).toMatchObject({ hasMoreBelow: true });
    expect(readComment(`${APPROVE}\nor a/approve, or /lgtm`)).toMatchObject({ hasMoreBelow: false });
  });
});

describe('a command that is not obeyed, and why', () => {
  const MORE = expect.stringContaining('the reason goes on the lines below');
  it.each([
    ['/approve', { code: 'digest_required', command: 'approve' }],
    ['/reject\nno', { code: 'digest_required', command: 'reject' }],
    [`/aprove ${DIGEST}`, { code: 'unknown_verb', did_you_mean: '/approve' }],
    [`/APPROVE ${DIGEST}`, { code: 'unknown_verb', did_you_mean: '/approve' }],
    [`/аpprove ${DIGEST}`, { code: 'unknown_verb', did_you_mean: '/approve' }],
    [`/approve, ${DIGEST}`, { code: 'unknown_verb', did_you_mean: '/approve' }],
    ['/lazarus', { code: 'unknown_verb' }],
    ['/lazarus dance', { code: 'unknown_verb' }],
    ['/lazarus constructor', { code: 'unknown_verb' }],
    ['/approve 3F9C1A2B4D5E', { code: 'parse_error', command: 'approve' }],
    ['/approve 3f9c1a2b4d5', { code: 'parse_error', command: 'approve' }],
    [`/approve ${'a'.repeat(65)}`, { code: 'parse_error', command: 'approve' }],
    [`${APPROVE} looks good`, { code: 'parse_error', because: MORE, instead: APPROVE }],
    [`${APPROVE} 77ab03c1d2e4`, { code: 'parse_error', because: MORE, instead: APPROVE }],
    [`${APPROVE} -reason`, { code: 'parse_error', because: MORE, instead: APPROVE }],
    [`${APPROVE} | other`, { code: 'parse_error', because: MORE, instead: APPROVE }],
    [
      `${APPROVE} --scope=plan`,
      { code: 'parse_error', because: expect.stringContaining('no --scope'), instead: APPROVE },
    ],
    [
      '/approve --scope=plan',
      { code: 'parse_error', because: expect.stringContaining('--scope'), instead: '/approve <digest>' },
    ],
    [
      `/reject ${DIGEST} --reason="x"`,
      { because: expect.stringContaining('no --reason'), instead: `/reject ${DIGEST}` },
    ],
    [`${APPROVE} --force`, { code: 'parse_error', because: 'it has no options' }],
    [`${APPROVE} --`, { code: 'parse_error' }],
    ['/status --now', { code: 'parse_error', because: 'it has no options', instead: '/status' }],
    ['/withdraw my vote', { code: 'parse_error', because: MORE, instead: '/withdraw' }],
    ['/plan please', { code: 'parse_error', because: MORE }],
    ['/help me please', { code: 'parse_error', because: MORE }],
    [`/approve\t${DIGEST}`, { code: 'parse_error', because: expect.stringContaining('U+0009') }],
    [`/approve\u00a0${DIGEST}`, { code: 'parse_error', because: expect.stringContaining('U+00A0') }],
    [`${APPROVE} für alle`, { code: 'parse_error', because: expect.stringContaining('U+00FC') }],
    [`${APPROVE}\u2028/reject`, { code: 'parse_error', because: expect.stringContaining('U+2028') }],
    [`${APPROVE}\r/reject ${DIGEST}`, { code: 'parse_error', because: expect.stringContaining('U+000D') }],
    [`/app\u200brove ${DIGEST}`, { code: 'unknown_verb', did_you_mean: '/approve' }],
    ['/status\n'.repeat(6), { code: 'parse_error', because: expect.stringContaining('more than 5') }],
  ])('%j', (body, facts) => {
    expect(refusal(body)).toMatchObject(facts);
  });

  it('is any that changes something beside another that does: a comment counts once', () => {
    const beside = expect.stringContaining('more than one of its commands changes something');
    for (const body of [`/withdraw\n${APPROVE}`, `${APPROVE}\n${APPROVE}`, `/plan\n/status\n/reject ${DIGEST}`])
      expect(refusal(body)).toEqual({ code: 'parse_error', because: beside });
  });

  it.each(VERBS)('is /%s twice, unless that is a question', (verb) => {
    const line = COMMANDS[verb].usage
      .replace('<digest>', DIGEST)
      .replace('<goal>', 'Greet')
      .replace(/ \[.*\]$/, '');
    const isQuestion = ['status', 'why', 'diff', 'help'].includes(verb);
    expect(readComment(`${line}\n${line}`).is).toBe(isQuestion ? 'accepted' : 'refused');
  });

  it('takes every other command that opens the comment with it', () => {
    for (const wrong of ['/aprove', '/hold now', '/approve', '/approve x', '/status --x'])
      for (const body of [`${APPROVE}\n${wrong}`, `${wrong}\n${APPROVE}`]) expect(readComment(body).is).toBe('refused');
  });

  it('never says back what was typed', () => {
    const evil = '<img src=x onerror=alert(1)> @everyone [x](javascript:1) $(id) `id` ${{ secrets.A }}';
    for (const line of [
      `/lazarus ${evil}`,
      `/approve ${evil}`,
      `${APPROVE} --${evil}`,
      `${APPROVE} "${evil}`,
      `/help ${evil}`,
      `/aprove${evil}`,
    ]) {
      const reading = readComment(line);
      expect(JSON.stringify(reading)).not.toMatch(/onerror|everyone|javascript|\$\(|secrets/);
      expect(reading.is).not.toBe('accepted');
    }
  });
});

describe('whatever people write', () => {
  const opening = fc
    .tuple(
      fc.constantFrom(APPROVE, `/reject ${DIGEST}`, '/withdraw', '/plan', '/status'),
      fc.array(fc.constantFrom('/status', '/help', '/help why', '/why'), { maxLength: 4 }),
      fc.nat(4),
    )
    .map(([one, others, at]) => [...others.slice(0, at), one, ...others.slice(at)].join('\n'));
  const piece = fc.oneof(
    fc.constantFrom(
      APPROVE,
      '/status',
      '/aprove',
      '/hold',
      '```',
      '<!--',
      '-->',
      '<details>',
      '> q',
      '- a',
      '\r',
      '\u2028',
    ),
    fc.string({ unit: 'binary' }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((lines) => lines.join('\n'));
  /** All of a command but the words that say why. */
  const meant = (body: string) => commands(body).map((command) => ({ ...command, reason: '' }));

  it('below the commands never changes what was understood', () => {
    fc.assert(
      fc.property(opening, text, (lines, below) => {
        expect(meant(`${lines}\n\n${below}`)).toEqual(meant(lines));
        expect(meant(`${lines}\n ${below}`)).toEqual(meant(lines));
      }),
      { numRuns: 3_000 },
    );
  });

  it('above a command keeps it from being obeyed', () => {
    fc.assert(
      fc.property(text, opening, (above, lines) => {
        fc.pre(!above.startsWith('/'));
        const reading = readComment(`${above}\n${lines}`);
        expect(['no_command', 'further_down']).toContain(reading.is);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is obeyed only as whole lines of a verb, a digest and nothing else', () => {
    const words = fc.array(
      fc.constantFrom(
        '/approve',
        '/status',
        '/help',
        DIGEST,
        '77ab03c1d2e4',
        '--x',
        '-',
        '|',
        'é',
        'why',
        '\u00a0',
        ' ',
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 3 }), (lines) => {
        const body = lines.map((line) => line.join(' ')).join('\n');
        const reading = readComment(body);
        if (reading.is !== 'accepted') return;
        const obeyed = body
          .split('\n')
          .filter((line) => /^\/(?:approve [0-9a-f]{12}|status|help(?: \S+)?) *$/.test(line.replaceAll(/ +/g, ' ')));
        expect(reading.value.length).toBeLessThanOrEqual(obeyed.length);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['slashes', '/\n'.repeat(300_000)],
    ['paths', '/approve x\n'.repeat(50_000)],
    ['options', `/approve ${' --a'.repeat(150_000)}`],
    ['blanks', `/approve${' '.repeat(1_000_000)}x`],
    ['letters', `/${'a'.repeat(1_000_000)}`],
    ['line ends', '\r\n'.repeat(500_000)],
  ])('ends in the time of a test: %s by the hundred thousand', (_, body) => {
    expect(['accepted', 'refused', 'no_command', 'further_down']).toContain(readComment(body).is);
  });
});

/** As the forge's button does it: the sign of a quote before every line, our hidden mark included. */
function quoted(body: string): string {
  return body.replaceAll(/^/gm, '> ');
}
