// The status comment: what it says in which order, and that nothing of what others wrote does anything in it.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readComment } from '../../src/forge-text/grammar.ts';
import { statusComment } from '../../src/forge-text/sticky.ts';
import type { StatusView } from '../../src/forge-text/status-view.ts';
import { LABELS, stateLabel, tierLabel } from '../../src/forge-text/states.ts';
import { hostile } from '../support/hostile.ts';
import { seen } from '../support/markdown.ts';
import { AWAITING } from '../support/status.ts';

const bytes = (text: string) => Buffer.byteLength(text);

/** In this order, with anything between them. */
function expectInOrder(text: string, parts: readonly string[]): void {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    expect(found, `“${part}” after position ${at} in:\n${text}`).toBeGreaterThanOrEqual(at);
    at = found + part.length;
  }
}

describe('the status comment', () => {
  it('begins with its mark: mission, sequence and head', () => {
    const [first] = statusComment(AWAITING).split('\n');
    expect(first).toBe(`<!-- lazarus:status v1 mission=m-0123456789ab seq=37 head=${AWAITING.head} -->`);
  });

  it('says state, what is needed, from whom, and the exact line to paste', () => {
    expectInOrder(statusComment(AWAITING), [
      '### m-0123456789ab · awaiting approval · 1 of 2',
      'Fix the rounding of totals',
      'Still needed',
      '1 of: `@ben` `@chi`',
      '`@dev` cannot: `proposer`',
      '`3f9c1a2b4d5e` (revision 3, policy 18, base `main` at `9ab12cd00000`)',
      'Approved | `@ana` (via: forge, `10:02`)',
      'Proposed | `dev` (via: forge)',
      '`repo:push-branch`, `pr:open` · `process` level 2 · 30 min',
      'Changed since revision 2 (`77ab03c1d2e4`) | `+ path src/**`, `minutes 20 → 30`',
      '```text\n/approve 3f9c1a2b4d5e\n```',
      '<summary>Effects (1)</summary>',
      '<summary>History (1)</summary>',
      'tiers 0 and 1 only',
      '[Run 512 attempt 1](http://127.0.0.1:3000/alice/m1/actions/runs/512)',
      '`lazarus verify m-0123456789ab`',
    ]);
  });

  it('gives a line that the parser of comments obeys; itself it is obeyed by nobody', () => {
    const paste = (view: StatusView) =>
      seen(statusComment(view)).code.find((code) => /^\/[a-z]+( |\n)/.test(code)) ?? '';
    expect(readComment(paste(AWAITING))).toMatchObject({
      value: [{ verb: 'approve', digest: '3f9c1a2b4d5e' }],
    });
    const effects: StatusView = { ...AWAITING, state: 'verifying', asked: { ...AWAITING.asked!, scope: 'effects' } };
    expect(readComment(paste(effects))).toMatchObject({ value: [{ verb: 'approve', digest: '3f9c1a2b4d5e' }] });
    expect(readComment(paste({ ...AWAITING, state: 'rejected', asked: null }))).toMatchObject({
      value: [{ verb: 'withdraw' }],
    });
    expect(readComment(paste({ ...AWAITING, state: 'proposed', asked: null, plan: null }))).toMatchObject({
      value: [{ verb: 'plan' }],
    });
    expect(readComment(statusComment(AWAITING))).toEqual({ is: 'no_command' });
  });

  it('has no line to paste where nothing is asked of people', () => {
    for (const state of ['queued', 'running', 'done', 'failed', 'expired'] as const)
      expect(statusComment({ ...AWAITING, state, asked: null })).not.toContain('/approve');
  });

  it('marks what only a roster of one allows, and votes on the effects', () => {
    const text = statusComment({
      ...AWAITING,
      votes: [{ login: 'ana', choice: 'approve', scope: 'effects', how: 'signed', at: '10:02', isSelf: true }],
    });
    expect(text).toContain('`@ana` (signed, `10:02`, effects, **self-approved**)');
  });

  it('shows what was edited since, and that nothing followed', () => {
    const text = statusComment({
      ...AWAITING,
      edits: [
        { is: 'comment', comment: 12, of: 'mallory', what: 'edited' },
        { is: 'form', revision: 3 },
      ],
    });
    expect(text).toContain(
      '- Comment 12 with the vote of `mallory` was edited afterwards. The vote counts as it was typed first; `/withdraw` takes it back.',
    );
    expect(text).toContain('- The form was edited after revision 3 was read from it, and nothing followed.');
  });

  it('shows what moved since the plan was made, and what follows from that', () => {
    const [planned, now] = ['9ab12cd'.padEnd(40, '0'), '77ab03c'.padEnd(40, '0')];
    const text = statusComment({
      ...AWAITING,
      drift: [
        { is: 'base', base: 'main', planned, now, goesOn: true },
        { is: 'base', base: 'dev', planned, now, goesOn: false },
        { is: 'policy', planned: 18, now: 19 },
        { is: 'roster', planned: 2, now: 3, lost: ['ana'] },
      ],
    });
    expect(text).toContain(
      '- The base `main` moved from `9ab12cd00000` to `77ab03c00000`. The work still begins at the planned commit.',
    );
    expect(text).toContain(
      '- The base `dev` moved from `9ab12cd00000` to `77ab03c00000`. The planned commit is no longer',
    );
    expect(text).toContain(
      '- The policy was revised from 18 to 19 since the plan: nothing runs before there is a new one.',
    );
    expect(text).toContain('- The roster changed from 2 to 3 since the plan. The vote of `ana` no longer counts.');
  });

  it('ends with receipts and the pull request', () => {
    const text = statusComment({
      ...AWAITING,
      state: 'done',
      asked: null,
      receipts: [{ id: '4f1c', action: 'push_branch', outcome: 'applied' }],
      pullRequest: 7,
    });
    expectInOrder(text, [
      '· done',
      '[7](http://127.0.0.1:3000/alice/m1/pulls/7)',
      'Receipts (1)',
      '`4f1c` `push_branch`: `applied`',
    ]);
  });

  it('says why it is where it is', () => {
    expect(
      statusComment({ ...AWAITING, state: 'failed', because: { code: 'outside_scope', says: 'A file too many.' } }),
    ).toContain('**Because** `outside_scope`: `A file too many.`');
  });

  it('names nobody where nobody can give what is missing', () => {
    expect(statusComment({ ...AWAITING, asked: { ...AWAITING.asked!, from: [] } })).toContain(
      'nobody on the roster can give it',
    );
  });
});

describe('the size of the status comment', () => {
  const many = <T>(item: T, count: number) => Array.from({ length: count }, () => item);
  const long = '`|\\<'.repeat(5_000);
  const huge: StatusView = {
    ...AWAITING,
    goal: long,
    because: { code: long, says: long },
    plan: {
      ...AWAITING.plan!,
      agent: long,
      paths: many(long, 500),
      acceptance: many(long, 500),
      verifyCommand: long,
      told: many({ title: 'Purpose', text: long }, 6),
      baseRef: long,
    },
    asked: { ...AWAITING.asked!, from: many(long, 500), role: long, cannot: many({ login: long, because: long }, 500) },
    proposed: { by: many(long, 500), how: 'forge' },
    votes: many({ ...AWAITING.votes[0]!, login: long, at: long }, 500),
    effects: many({ what: long, target: long, state: 'refused', because: long }, 500),
    changed: { since: 1, digest: long, items: many(long, 500) },
    history: many({ at: long, what: long }, 500),
    receipts: many({ id: long, action: long, outcome: long }, 500),
    drift: many({ is: 'base', base: long, planned: long, now: long, goesOn: false }, 500),
    edits: many({ is: 'comment', comment: 1, of: long, what: 'deleted' }, 500),
  };

  it('stays within 60 kB, says what it leaves out, and keeps what people need', () => {
    const text = statusComment(huge);
    expect(bytes(text)).toBeLessThanOrEqual(60_000);
    expect(text).toMatch(/… and \d+ more/);
    expect(text).toContain('/approve 3f9c1a2b4d5e');
    const wide = statusComment({
      ...huge,
      goal: '日'.repeat(9_000),
      history: many({ at: '日'.repeat(900), what: '語'.repeat(900) }, 50),
    });
    expect(bytes(wide)).toBeLessThanOrEqual(60_000);
  });

  it.each([
    [
      { keep: 'encrypted', excerpt: 'checks', readers: [] },
      'only as a digest: nobody on the roster has a key to encrypt to',
    ],
    [{ keep: 'digest', excerpt: 'none', readers: ['ana'] }, 'only as a digest; nothing in clear'],
    [
      { keep: 'encrypted', excerpt: 'all', readers: ['ana', 'bo'] },
      'for ana, bo; in clear the last lines of what fails',
    ],
  ] as const)('says how what is printed is kept: %j', (output, said) => {
    expect(statusComment({ ...AWAITING, plan: { ...AWAITING.plan!, output } })).toContain(`| Printed | \`${said}`);
  });

  it('says what the agent reaches, what it spent, and what it was refused, with the words that would allow it', () => {
    const reached = {
      ...AWAITING,
      plan: { ...AWAITING.plan!, reach: ['hosts/docs.example.org:443', 'routes/openai'], environment: ['node'] },
      environment: [`sha256:${'4b'.repeat(32)}`],
      spent: [{ route: 'openai', calls: 3, guessed: 1, tokensIn: 1200, tokensOut: 80 }],
      refused: [{ host: 'evil.example.org', port: 8443, because: 'host_not_listed' }],
    };
    const text = statusComment(reached);
    expect(text).toContain('| Environment | `node` |');
    expect(text).toContain(`| Prepared | \`sha256:${'4b'.repeat(6)}\` |`);
    expect(text).toContain('| Printed | `for ana; in clear the last lines of checks that fail` |');
    expect(text).toContain('| Reaches | `hosts/docs.example.org:443`, `routes/openai` |');
    expect(text).toContain('| Spent | `openai: 3 calls, 1200 tokens in, 80 out (guessed for 1 of them)` |');
    expect(text).toContain('policy could allow it: hosts: ["evil.example.org:8443"]');
    const wanted = [
      { folder: 'gen', environment: null },
      { folder: 'node_modules/.x', environment: 'npm' },
      { folder: null, environment: null },
    ];
    const readOnly = statusComment({ ...AWAITING, readOnly: wanted });
    expect(readOnly).toContain('`gen, for a check; policy could allow it: checks: {writable: [gen]}`');
    expect(readOnly).toContain('policy could allow it: environment: {npm: {writable: [node_modules/.x]}}`');
    expect(readOnly).toContain('it may write in $TMPDIR');
    const many = Array.from({ length: 5000 }, (_, n) => ({ ...reached.refused[0]!, host: `h${n}.example.org` }));
    expect(bytes(statusComment({ ...reached, refused: many }))).toBeLessThanOrEqual(60_000);
  });

  it('leaves nothing out where there is room', () => {
    const text = statusComment({ ...AWAITING, effects: many(AWAITING.effects[0]!, 90) });
    expect(text).not.toContain('more');
    expect(text.split('push branch')).toHaveLength(91);
  });
});

describe('hostile text in the status comment', () => {
  const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
  const view: fc.Arbitrary<StatusView> = fc.record({
    mission: hostile,
    seq: fc.nat(),
    head: hostile,
    state: fc.constantFrom('awaiting', 'rejected', 'running', 'done', 'failed', 'opened', 'rolled_back', 'invalid'),
    because: fc.option(fc.record({ code: hostile, says: hostile })),
    stopped: fc.option(fc.record({ by: hostile, since: hostile, who: list(hostile) })),
    held: fc.option(
      fc.record({
        by: hostile,
        how: fc.constantFrom('forge', 'signed'),
        at: hostile,
        who: list(hostile),
        isSigned: fc.boolean(),
      }),
    ),
    waitsFor: fc.option(hostile),
    follows: fc.option(hostile),
    cancelled: fc.option(fc.record({ by: hostile, how: fc.constantFrom('forge', 'signed'), at: hostile })),
    goal: hostile,
    tier: fc.nat(3),
    revision: fc.nat(),
    plan: fc.option(
      fc.record({
        digest: hostile,
        policy: fc.nat(),
        tierAsked: fc.nat(3),
        baseRef: hostile,
        baseCommit: hostile,
        agent: hostile,
        capabilities: list(hostile as fc.Arbitrary<'pr:open'>),
        reach: list(hostile),
        environment: list(hostile),
        output: fc.record({
          keep: fc.constantFrom('encrypted', 'digest'),
          excerpt: fc.constantFrom('checks', 'all', 'none'),
          readers: list(hostile),
        }),
        backend: hostile,
        level: fc.nat(4),
        budgetMinutes: fc.nat(),
        ttlMinutes: fc.nat(),
        paths: list(hostile),
        acceptance: list(hostile),
        verifyCommand: hostile,
        told: list(fc.record({ title: fc.constant('Purpose'), text: hostile })),
      }),
    ),
    environment: list(hostile),
    spent: list(
      fc.record({ route: hostile, calls: fc.nat(), guessed: fc.nat(), tokensIn: fc.nat(), tokensOut: fc.nat() }),
    ),
    refused: list(fc.record({ host: hostile, port: fc.nat(), because: hostile })),
    readOnly: list(fc.record({ folder: fc.option(hostile), environment: fc.option(hostile) })),
    earlier: list(fc.record({ no: fc.nat(), because: hostile })),
    late: list(fc.record({ attempt: fc.nat(), until: hostile, by: hostile, line: hostile })),
    attempt: fc.option(
      fc.record({
        no: fc.nat(),
        took: list(fc.record({ what: hostile, seconds: fc.nat() })),
        failure: fc.option(
          fc.record({
            paths: list(fc.record({ path: hostile, because: hostile })),
            commands: list(fc.record({ command: hostile, how: hostile })),
            known: list(hostile),
            printed: fc.option(fc.record({ by: hostile, lines: list(hostile) })),
            kept: fc.option(fc.record({ commit: hostile, until: hostile, line: hostile })),
          }),
        ),
      }),
    ),
    exposed: fc.option(
      fc.record({
        to: fc.constantFrom('repository_writers', null),
        by: fc.constantFrom('policy', 'runner'),
      }),
    ),
    asked: fc.option(
      fc.record({
        scope: fc.constantFrom('plan', 'effects'),
        digest: hostile,
        quorum: fc.constant(2),
        missing: fc.nat(2),
        possible: fc.nat(2),
        from: list(hostile),
        role: hostile,
        cannot: list(fc.record({ login: hostile, because: hostile })),
        rejecting: list(hostile),
        expiresAt: fc.option(hostile),
      }),
    ),
    proposed: fc.option(fc.record({ by: list(hostile), how: fc.constantFrom('forge', 'signed') })),
    votes: list(
      fc.record({
        login: hostile,
        choice: fc.constantFrom('approve', 'reject'),
        scope: fc.constantFrom('plan', 'effects'),
        how: fc.constantFrom('forge', 'signed'),
        at: hostile,
        isSelf: fc.boolean(),
      }),
    ),
    effects: list(
      fc.record({
        what: hostile,
        target: hostile,
        state: fc.constantFrom('applied', 'unknown_outcome'),
        because: fc.option(hostile),
      }),
    ),
    changed: fc.option(fc.record({ since: fc.nat(), digest: hostile, items: list(hostile) })),
    history: list(fc.record({ at: hostile, what: hostile })),
    drift: list(
      fc.oneof(
        fc.record({
          is: fc.constant('base'),
          base: hostile,
          planned: hostile,
          now: hostile,
          goesOn: fc.boolean(),
        }),
        fc.record({ is: fc.constant('roster'), planned: fc.nat(), now: fc.nat(), lost: list(hostile) }),
      ),
    ),
    edits: list(
      fc.record({
        is: fc.constant('comment'),
        comment: fc.nat(),
        of: hostile,
        what: fc.constantFrom('edited', 'deleted'),
      }),
    ),
    receipts: list(fc.record({ id: hostile, action: hostile, outcome: hostile })),
    work: fc.option(fc.record({ commit: hostile, changed: fc.nat() })),
    pullRequest: fc.option(fc.nat()),
    review: fc.option(
      fc.record({
        state: fc.constantFrom('open', 'merged', 'closed'),
        mergedBy: fc.option(hostile),
        changesBy: list(hostile),
      }),
    ),
    run: fc.option(fc.record({ id: fc.nat(), attempt: fc.nat() })),
    // Our own configuration, but it may be badly written.
    home: fc.oneof(
      hostile.filter((text) => !text.startsWith('http')),
      fc.constant(AWAITING.home),
    ),
    custody: fc.constantFrom('actions', 'daemon', 'people'),
  });

  it('is code and nothing but code: no link, image, mention, reference or HTML besides our own', () => {
    fc.assert(
      fc.property(view, (given) => {
        const text = statusComment(given);
        const { prose, links, images, html } = seen(text);
        expect(images).toBe(0);
        for (const address of links)
          expect(address).toMatch(/^http:\/\/127\.0\.0\.1:3000\/alice\/m1\/(?:actions\/runs|pulls)\/\d+$/);
        const [mark, ...others] = html;
        expect(mark).toBe(text.split('\n')[0]);
        expect(mark).toMatch(/^<!-- lazarus:status v1 mission=[\w.:-]+ seq=\d+ head=[\w.:-]+ -->$/);
        for (const one of others)
          expect(one).toMatch(/^(?:<details><summary>[A-Za-z]+(?: and checks| \(\d+\))<\/summary>|<\/details>)$/);
        expect(prose).not.toMatch(/@|#\d|![\d[]|EVIL|https?:|www\.|\$\{\{/);
        expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
        expect(bytes(text)).toBeLessThanOrEqual(60_000);
      }),
      { numRuns: 400 },
    );
  });
});

describe('the labels', () => {
  it('are one per state and tier, exclusive in their scope, and one for drift', () => {
    const names = LABELS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith('mission/')).toSorted()).toEqual(
      [
        'approved',
        'awaiting',
        'blocked',
        'cancelled',
        'done',
        'expired',
        'failed',
        'held',
        'invalid',
        'proposed',
        'queued',
        'rejected',
        'rolled-back',
        'running',
        'verifying',
      ].map((state) => `mission/${state}`),
    );
    expect(names.filter((name) => name.startsWith('tier/'))).toEqual(['tier/0', 'tier/1', 'tier/2', 'tier/3']);
    for (const { name, color, description, exclusive } of LABELS) {
      expect(color).toMatch(/^[0-9a-f]{6}$/);
      expect(description.length).toBeLessThanOrEqual(140);
      expect(exclusive, name).toBe(true);
    }
    expect([stateLabel('opened'), stateLabel('rolled_back'), tierLabel(3)]).toEqual([
      'mission/proposed',
      'mission/rolled-back',
      'tier/3',
    ]);
    expect(names).toEqual(expect.arrayContaining([stateLabel('awaiting'), stateLabel('rolled_back'), tierLabel(0)]));
  });
});
