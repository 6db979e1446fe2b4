// What people are told when an attempt comes to nothing: which paths, which command, what was in the way, what the failing
// check printed last, and how long it all took.
import { describe, expect, it } from 'vitest';
import type { FailureView } from '../../../src/forge-text/status-view.ts';
import { statusComment } from '../../../src/forge-text/sticky.ts';
import { failureRows } from '../../../src/forge-text/failure-words.ts';
import { seen } from '../../support/markdown.ts';
import { missionText } from '../../support/templates.ts';
import { run } from './running.ts';
import { approved, site, viewOf, type Site } from './setting.ts';

const VERIFY = 'verify_command: sh test/greet.test.sh';

async function failed(at: Site, shellText: string, edits: Readonly<Record<string, string>> = {}) {
  const agent = { 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(shellText)}]` };
  const { mission } = await approved(at, missionText({ ...agent, ...edits }));
  await run(at, mission);
  const view = await viewOf(at, mission);
  return { view, attempt: view.attempt!, failure: view.attempt!.failure! };
}

const NOTHING: FailureView = { paths: [], commands: [], known: [], printed: null, kept: null };
const WORKS = 'sh tools/example-agent.sh';

describe('a failed attempt', () => {
  it('names the paths that its work may not change, and an agent’s names for them do nothing on the page', async () => {
    const evil = '@all `#1` ](http:evil.example).md';
    const { view, failure } = await failed(
      await site(),
      `${WORKS} && echo x > '${evil}' && for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo > README.$n; done`,
    );
    expect(view.because?.code).toBe('scope_violated');
    expect(failure).toMatchObject({ commands: [], known: [], printed: null, kept: expect.anything() });
    expect(failure.paths).toHaveLength(13);
    expect(failure.paths).toContainEqual({ path: evil, because: 'outside_scope' });
    const text = statusComment(view);
    const page = seen(text);
    expect(text).toContain('… and 3 more paths');
    expect({ links: page.links, images: page.images }).toEqual({ links: [], images: 0 });
    expect(page.prose).not.toMatch(/@all|evil/);
  });

  it('names the checks that failed, how they ended, and what the first of them printed last', async () => {
    const { view, failure, attempt } = await failed(await site(), `${WORKS}; echo 'echo Hi' > src/greet.sh`, {
      'grep -q greet.sh docs/usage.md': 'exit 7',
    });
    expect(view.because?.code).toBe('verify_failed');
    expect(failure).toEqual({
      ...NOTHING,
      commands: [
        { command: 'sh test/greet.test.sh', how: 'exit 1' },
        { command: 'exit 7', how: 'exit 7' },
        { command: 'test "$(sh src/greet.sh Ada)" = "Hello, Ada!"', how: 'exit 1' },
      ],
      printed: { by: 'sh test/greet.test.sh', lines: ["expected 'Hello, Ada!', got 'Hi'"] },
      kept: expect.anything(),
    });
    expect(attempt.took.map(({ what }) => what)).toEqual(['waiting', 'agent', 'taking the work', 'checks']);
    expect(statusComment(view)).toContain("expected 'Hello, Ada!', got 'Hi'");
  });

  it.each([
    ['exit 3', 'cell_failed', 'the agent ended with exit code 3'],
    ['kill -SEGV $$', 'cell_failed', 'the agent ended with exit code 139: signal 11 ended what it had started'],
    ['no-such-program', 'attempts_exhausted', 'the agent ended with exit code 127'],
  ])('of an agent that ends by `%s` says so', async (shellText, because, known) => {
    const { view, failure } = await failed(await site(), shellText);
    expect(view.because?.code).toBe(because === 'attempts_exhausted' ? 'agent_missing' : because);
    expect(failure).toEqual({ ...NOTHING, known: [known] });
    expect(failureRows(failure)).toEqual([['known', known]]);
  });

  it('whose check floods or hides what it says shows whole last lines, and no control character', async () => {
    const flood = 'i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; printf "\\\\033[2Jlast\\\\n"; exit 1';
    const { view, failure } = await failed(await site(), WORKS, { [VERIFY]: `verify_command: '${flood}'` });
    expect(failure.printed!.lines).toHaveLength(20);
    expect(failure.printed!.lines.slice(-2)[0]).toBe('line 2999');
    expect(failure.printed!.lines.at(-1)).toMatch(/last$/);
    expect(statusComment(view)).not.toContain('\u001b');
  });
});

it('an attempt that went well tells how long its parts took, and no failure', async () => {
  const at = await site();
  const { mission } = await approved(at);
  await run(at, mission);
  const { attempt } = await viewOf(at, mission);
  expect(attempt).toMatchObject({ no: 1, failure: null });
  expect(attempt!.took.map(({ what }) => what)).toEqual([
    'waiting',
    'agent',
    'taking the work',
    'checks',
    'delivering',
  ]);
});
