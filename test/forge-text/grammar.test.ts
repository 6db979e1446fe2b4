// Commands in comments: what is obeyed, what is ignored, what is refused; held against a real parser of Markdown.
import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { COMMANDS, VERBS } from '../../src/forge-text/commands.ts';
import { readComment, type Command } from '../../src/forge-text/grammar.ts';
import recorded from '../fixtures/gitea-1.27.3/issue_comment.created_by_nonowner.3.json' with { type: 'json' };

const DIGEST = '3f9c1a2b4d5e';
const APPROVE = `/approve ${DIGEST}`;
const approval: Command = { verb: 'approve', digest: DIGEST, scope: null, reason: '' };

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

const ignored = (body: string) => expect(readComment(body)).toEqual({ is: 'no_command' });

describe('a command', () => {
  it('is read from a comment as a real server sent it', () => {
    expect(commands(recorded.comment.body)).toEqual([approval]);
  });

  it.each<[string, Command]>([
    [`${APPROVE} --scope=effects`, { ...approval, scope: 'effects' }],
    [`${APPROVE}   `, approval],
    [`/lazarus ${APPROVE.slice(1)}`, approval],
    [`/approve ${'0123456789abcdef'.repeat(4)}`, { ...approval, digest: '0123456789abcdef'.repeat(4) }],
    [`/reject ${DIGEST} --reason="not \\"now\\""`, { verb: 'reject', digest: DIGEST, reason: 'not "now"' }],
    [`/reject ${DIGEST} --reason=budget`, { verb: 'reject', digest: DIGEST, reason: 'budget' }],
    ['/withdraw', { verb: 'withdraw', reason: '' }],
    ['/plan', { verb: 'plan' }],
    ['/status', { verb: 'status' }],
    ['/why', { verb: 'why' }],
    ['/help', { verb: 'help', about: null }],
    ['/help approve', { verb: 'help', about: 'approve' }],
    ['/help /reject', { verb: 'help', about: 'reject' }],
    ['/help toString', { verb: 'help', about: null }],
  ])('%s', (line, command) => {
    expect(commands(line)).toEqual([command]);
    expect(commands(`Thanks!\r\n\r\n${line}\r\n`)).toEqual([command]);
  });

  it('keeps what is written behind and below it as its reason, quotes and code left out', () => {
    const body = `Read it.\n${APPROVE} looks good\nGrüße 👋\n\n> not this\n\nSecond paragraph.\n\n\`\`\`\nnor this\n\`\`\``;
    expect(commands(body)).toEqual([{ ...approval, reason: 'looks good\nGrüße 👋\n\n\nSecond paragraph.' }]);
  });

  it('may stand below others, each with its own reason; their order is kept', () => {
    expect(commands(`/withdraw of the old one\n${APPROVE}\nfine now\n/status`)).toEqual([
      { verb: 'withdraw', reason: 'of the old one' },
      { ...approval, reason: 'fine now' },
      { verb: 'status' },
    ]);
    expect(commands('/status\n'.repeat(5))).toHaveLength(5);
  });
});

describe('a comment without a command is ignored', () => {
  it.each([
    ['plain talk', 'I would /approve this, or approve it.'],
    ['a path', '/usr/bin/env is missing\n/etc/passwd too'],
    ['another bot’s command', '/lgtm\n/cc @ana\n/assign me\n/octokit'],
    ['an indented line', `text\n\n ${APPROVE}`],
    ['a quote', `> ${APPROVE}`],
    ['a quote that goes on without its mark', `> somebody wrote\n${APPROVE}`],
    ['a fence', `\`\`\`\n${APPROVE}\n\`\`\``],
    ['a fence that never ends', `~~~ sh\n\n${APPROVE}`],
    ['a fence inside a longer one', `\`\`\`\`\n\`\`\`\n${APPROVE}\n\`\`\`\n\`\`\`\``],
    ['indented code', `    ${APPROVE}`],
    ['a code span over lines', `so \`\n${APPROVE}\n\` works`],
    ['an HTML comment', `<!--\n\n${APPROVE}\n-->`],
    ['a list', `- one\n${APPROVE}`],
    ['an item of a list', `- ${APPROVE}\n  ${APPROVE}`],
    ['a heading by its underline', `${APPROVE}\n===`],
    ['a heading', `# ${APPROVE}`],
    ['a link over lines', `[so\n${APPROVE}\nthere](https://example.org)`],
    ['an image over lines', `![so\n${APPROVE}\nthere](x.png)`],
    ['deleted text', `~~so\n${APPROVE}\nthere~~`],
    ['a table', `| a |\n|---|\n${APPROVE}`],
    ['the head of a table', `${APPROVE}|\n---|`],
    ['a definition', `[^1]: see\n${APPROVE}`],
    ['our own status comment', `<!-- lazarus:status v1 mission=m-1 seq=1 -->\n${APPROVE}`],
    ['a slash that is none', `／approve ${DIGEST}\n∕approve ${DIGEST}`],
    ['a hidden character before the slash', `\u200b${APPROVE}`],
    ['ten megabytes of talk', 'a /approve b\n'.repeat(800_000)],
  ])('%s', (_, body) => ignored(body));

  it.each([
    ['after a fence', `\`\`\`\nx\n\`\`\`\n${APPROVE}`],
    ['after a quote and a blank line', `> why?\n\n${APPROVE}`],
    ['after a list and a blank line', `1. a\n   \`\`\`\n   b\n   \`\`\`\n\n${APPROVE}`],
    ['below code in the same paragraph', `Ran \`npm test\` and \`\` \` \`\`.\n${APPROVE}`],
    ['below a link in the same paragraph', `See [the plan](https://example.org/a-b?c=1).\n${APPROVE}`],
    ['below an address', `<https://example.org>\n${APPROVE}`],
    ['below a rule', `---\n${APPROVE}`],
    ['after a comment', `<!-- hm --> x\n${APPROVE}`],
    ['above a table', `${APPROVE}\n\n| a |\n|---|`],
  ])('but not %s', (_, body) => expect(commands(body)[0]).toMatchObject({ verb: 'approve', digest: DIGEST }));
});

describe('a command that is not obeyed, and why', () => {
  it.each([
    ['/approve', { code: 'digest_required', command: 'approve' }],
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
    ['/approve --scope=plan', { code: 'digest_required', command: 'approve' }],
    [`${APPROVE} --scope=all`, { code: 'parse_error', because: '--scope is one of plan, effects, merge' }],
    [`${APPROVE} --scope`, { code: 'parse_error', because: '--scope needs a value' }],
    [`${APPROVE} --scope=plan --scope=merge`, { code: 'parse_error', because: '--scope stands twice' }],
    [`${APPROVE} --force`, { code: 'parse_error', because: 'it has no other options than --scope, --reason' }],
    [`${APPROVE} --constructor=x`, { code: 'parse_error' }],
    ['/status --now', { code: 'parse_error', because: 'it has no options' }],
    [`/reject ${DIGEST} --reason="never`, { code: 'parse_error' }],
    [`/reject ${DIGEST} --reason="a"b`, { code: 'parse_error' }],
    [`/reject ${DIGEST} "a\\b"`, { code: 'parse_error' }],
    [`${APPROVE} --`, { code: 'parse_error' }],
    [`/approve\t${DIGEST}`, { code: 'parse_error', because: expect.stringContaining('U+0009') }],
    [`/approve\u00a0${DIGEST}`, { code: 'parse_error', because: expect.stringContaining('U+00A0') }],
    [`${APPROVE} für alle`, { code: 'parse_error', because: expect.stringContaining('U+00FC') }],
    [`/app\u200brove ${DIGEST}`, { code: 'parse_error', because: expect.stringContaining('U+200B') }],
    [`${APPROVE}\n\n\u202e/reject`, { code: 'parse_error', because: expect.stringContaining('U+202E') }],
    [`${APPROVE}\ncafe\u0301`, { code: 'parse_error', because: expect.stringContaining('NFC') }],
    [`${APPROVE}\n${'x'.repeat(2001)}`, { code: 'parse_error', because: expect.stringContaining('2000') }],
    ['/status\n'.repeat(6), { code: 'parse_error', because: expect.stringContaining('more than 5') }],
    [`${APPROVE}\n${'x'.repeat(70_000)}`, { code: 'parse_error', because: expect.stringContaining('65536') }],
    [`<details>\n\n${APPROVE}\n\n</details>`, { code: 'parse_error', because: expect.stringContaining('HTML') }],
    [`a <b c="\n${APPROVE}\n">`, { code: 'parse_error', because: expect.stringContaining('HTML') }],
    [`$$\n\n${APPROVE}\n\n$$`, { code: 'parse_error', because: expect.stringContaining('HTML') }],
  ])('%j', (body, facts) => {
    expect(refusal(body)).toMatchObject(facts);
  });

  it.each(VERBS.filter((verb) => !COMMANDS[verb].available))(
    '/%s is named as not available yet, never ignored',
    (verb) => {
      expect(refusal(`/${verb}`)).toEqual({ code: 'command_unavailable', command: verb });
      expect(refusal(`/lazarus ${verb} a "b c"`)).toEqual({ code: 'command_unavailable', command: verb });
    },
  );

  it('takes every other command in the comment with it', () => {
    for (const wrong of ['/aprove', '/hold', '/approve', '/approve x', '/status --x'])
      for (const body of [`${APPROVE}\n${wrong}`, `${wrong}\n\n${APPROVE}`])
        expect(readComment(body).is).toBe('refused');
  });

  it('never says back what was typed', () => {
    const evil = '<img src=x onerror=alert(1)> @everyone [x](javascript:1) $(id) `id` ${{ secrets.A }}';
    for (const line of [
      `/lazarus ${evil}`,
      `/approve ${evil}`,
      `${APPROVE} --${evil}`,
      `${APPROVE} "${evil}`,
      `/aprove${evil}`,
    ]) {
      const reading = readComment(line);
      expect(JSON.stringify(reading)).not.toMatch(/onerror|everyone|javascript|\$\(|secrets/);
      expect(reading.is).not.toBe('accepted');
    }
  });
});

describe('hostile comments', () => {
  const markdown = new MarkdownIt('default', { html: true });
  /** Lines of top-level paragraphs that hold no code, link, image, deletion or HTML around them. */
  const plainLines = (body: string): string[] => {
    const tokens = markdown.parse(body, {});
    return tokens.flatMap((token, i) => {
      if (token.type !== 'inline' || token.level !== 1 || tokens[i - 1]?.type !== 'paragraph_open') return [];
      let depth = 0;
      let atStart = true;
      return (token.children ?? []).flatMap((child) => {
        depth += child.nesting;
        const begins = atStart && depth === 0 && child.type === 'text';
        atStart = child.type === 'softbreak' || child.type === 'hardbreak' || (atStart && child.content === '');
        return begins ? [child.content] : [];
      });
    });
  };
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(APPROVE, '/status', '/help') },
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        '',
        '',
        'text',
        '  text',
        '    text',
        '\ttext',
        '```',
        '  ```',
        '   ````',
        '~~~',
        '- ```',
        '> ```',
        '`',
        '``',
        'a ` b',
        '- a',
        '-',
        '1. a',
        '2. b',
        '10) c',
        '* * *',
        '---',
        '===',
        '  - b',
        '    - c',
        '# h',
        '  # h',
        '> q',
        '>',
        '> - a',
        '- > q',
        '<!--',
        '-->',
        '<!-- x -->',
        '<details>',
        '</details>',
        '<b',
        '>',
        '<br>',
        '<https://a.b>',
        '<?x',
        '?>',
        '[',
        ']',
        '](',
        ')',
        '[a](b)',
        '[a](b "',
        '")',
        '[a]: b',
        '![',
        '[^1]: n',
        '| a |',
        '|---|',
        'a | b',
        '- | -',
        '~~',
        '~~a~~',
        '\\',
        'a\\',
        '\\`',
        '*',
        '**',
        '+',
        '+ a',
        '\u00a0',
        '<a title="',
        '">',
        '&#10;',
        '_',
      ),
    },
  );

  it('are never obeyed where a reader of Markdown sees no plain line of a top-level paragraph', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (lines) => {
        const body = lines.join('\n');
        const reading = readComment(body);
        if (reading.is !== 'accepted') return;
        const plain = plainLines(body)
          .filter((line) => line.startsWith('/'))
          .map((line) => line.split(' ')[0]!.slice(1));
        for (const { verb } of reading.value) {
          const at = plain.indexOf(verb);
          if (at === -1) throw new Error(`obeyed /${verb} in:\n${body}`);
          plain.splice(0, at + 1);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('never crash the parser, whatever the bytes; and a verdict is one of three', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 20 }), (lines) => {
        expect(['accepted', 'refused', 'no_command']).toContain(readComment(lines.join('\n')).is);
      }),
    );
  });

  it.each([
    ['backticks', '`'.repeat(60_000)],
    ['backticks of every length', Array.from({ length: 340 }, (_, i) => '`'.repeat(i)).join(' ')],
    ['brackets', `${'['.repeat(30_000)}\n${APPROVE}`],
    ['blanks', `${' '.repeat(60_000)}x\n${APPROVE}`],
    ['slashes', '/\n'.repeat(30_000)],
    ['paths', '/approve x\n'.repeat(5_000)],
    ['options', `/approve ${' --a'.repeat(15_000)}`],
    ['quotes', `/reject ${DIGEST} ${'"\\" '.repeat(10_000)}`],
    ['tags', `${'<a '.repeat(20_000)}\n${APPROVE}`],
    ['tilde runs', `${'~ '.repeat(30_000)}\n${APPROVE}`],
    ['targets', `${']('.repeat(30_000)}\n${APPROVE}`],
  ])('%s by the ten thousand end in the time of a test', (_, body) => {
    expect(['accepted', 'refused', 'no_command']).toContain(readComment(body).is);
  });
});
