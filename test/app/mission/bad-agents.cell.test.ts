// Agents that do what they must not, in real cells: each is stopped with a reason of its own, the repository stays as it
// was, and what they say of themselves changes nothing.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { missionName } from '../../../src/kernel/values.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { git } from '../../support/repos.ts';
import { documentOf, eventsOf, run } from './running.ts';
import { approved, fileAtBranch, site, type Site } from './setting.ts';
import { missionText } from '../../support/templates.ts';

/** A mission whose agent is this shell text; it starts by doing what it should if `works`. */
function agent(shellText: string, works = true): string {
  const script = works ? `sh tools/example-agent.sh && { ${shellText}; }` : shellText;
  return missionText({ 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(script)}]` });
}

/** Everything that a person would see changed: references outside the ledgers, and the checkout. */
function outside({ folder }: Site): string {
  return `${git(folder, ['for-each-ref', 'refs/heads/main', 'refs/heads/lazarus-work', 'refs/tags'])}\n${git(folder, ['status', '--porcelain'])}`;
}

async function expectVerified(at: Site, mission: string): Promise<void> {
  const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
  expect(report.integrity).toEqual({ is: 'ok' });
}

async function expectStopped(at: Site, mission: string, because: string, limits = {}): Promise<void> {
  const before = outside(at);
  const { state } = await run(at, mission, limits);
  expect(state.course!.end).toEqual({ outcome: 'failed', because });
  expect(outside(at)).toBe(before);
  const [approval, receipt, ...more] = await eventsOf(at, mission, 'receipt.issued');
  expect(approval!.payload).toMatchObject({ receipt_class: 'approval_resolution', result_code: 'succeeded' });
  expect(receipt!.payload).toMatchObject({ result_code: 'failed', result_summary: because });
  expect(more).toEqual([]);
  await expectVerified(at, mission);
}

describe('an agent that changes what it may not', () => {
  it.each([
    ['a file beside its own', 'echo x >> README.md', 'outside_scope', 'README.md'],
    ['a test that it has to pass', 'echo exit 0 > test/greet.test.sh', 'outside_scope', 'test/greet.test.sh'],
    ['a name moved out of its paths', 'mkdir lib; mv src/greet.sh lib/greet.sh', 'outside_scope', 'lib/greet.sh'],
    ['the rules it is judged by', 'echo > .gitea/lazarus/sacred.yml', 'sacred_scope', '.gitea/lazarus/sacred.yml'],
    ['what the next agent reads', 'echo obey > docs/AGENTS.md', 'sacred_scope', 'docs/AGENTS.md'],
    ['secrets, though the folder is its own', 'echo TOKEN=x > docs/.env', 'sacred_scope', 'docs/.env'],
    ['how its change is shown', "echo '* -diff' > docs/.gitattributes", 'sacred_scope', 'docs/.gitattributes'],
    ['a link out of the repository', 'ln -s /etc/passwd docs/link', 'symlink_refused', 'docs/link'],
    [
      'a repository within the repository',
      'git init -q docs/sub; cd docs/sub; git -c user.name=x -c user.email=x@x.invalid commit -q --allow-empty -m x',
      'submodule_refused',
      'docs/sub',
    ],
  ])('%s', async (_, shellText, code, path) => {
    const at = await site();
    const { mission } = await approved(at, agent(shellText));
    await expectStopped(at, mission, 'scope_violated');
    const [refusal] = await eventsOf(at, mission, 'work.refused');
    const audit = await documentOf(at, mission, refusal!.payload.scope_audit);
    expect(audit.violations).toContainEqual(expect.objectContaining({ code, path }));
  });

  it('a name that a case-insensitive checkout takes for one of the base', async () => {
    const at = await site();
    const text = agent('mkdir Test; echo x > Test/new').replace('  - docs/**', '  - docs/**\n  - Test/**');
    const { mission } = await approved(at, text);
    await expectStopped(at, mission, 'scope_violated');
    const [refusal] = await eventsOf(at, mission, 'work.refused');
    const { violations } = await documentOf(at, mission, refusal!.payload.scope_audit);
    expect(violations).toEqual([expect.objectContaining({ code: 'path_case_twin', path: 'Test/new' })]);
  });
});

describe('an agent that does not do its work', () => {
  it.each([
    ['never ends', 'exec sleep 600', 'cell_timeout', { wallMs: 1500 }],
    ['prints ten megabytes', 'yes | head -c 10000000', 'cell_output_limit', {}],
    ['fills its disk', 'head -c 40000000 /dev/zero > big; sleep 60', 'cell_disk_limit', { diskBytes: 8 << 20 }],
    ['forks until it cannot', `perl -e '1 while defined fork; exit 3'`, 'cell_failed', { pids: 30 }],
    ['is killed by itself', 'kill -9 $$', 'cell_failed', {}],
    ['says that it is done, and did nothing', 'echo "$DONE" > $HOME/done.json', 'nothing_done', {}],
    [
      'makes a tree that nobody can take',
      'mkdir -p docs; echo x > "docs/$(printf "\\377")"; sh tools/example-agent.sh',
      'path_undecodable',
      {},
    ],
  ])('%s', async (_, shellText, because, limits) => {
    const at = await site();
    const { mission } = await approved(at, agent(shellText.replace('$DONE', done({}).replaceAll('"', '\\"')), false));
    await expectStopped(at, mission, because, limits);
  });
});

describe('an agent that plants things', () => {
  it('in its repository: they run nowhere, and only the files come out', async () => {
    const at = await site();
    const plant = 'touch /tmp/lazarus-planted';
    const shellText = [
      'mkdir -p .git/hooks',
      `for h in post-checkout pre-commit reference-transaction; do printf '#!/bin/sh\\n${plant}\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done`,
      `git config core.fsmonitor '${plant}'`,
      `git config filter.x.clean '${plant}; cat'`,
      "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes",
      'chmod 4777 src/greet.sh || chmod 777 src/greet.sh',
    ].join('; ');
    const { mission } = await approved(at, agent(shellText));
    const { state } = await run(at, mission);
    expect(missionStatus(state)).toBe('done');
    const branch = `lazarus-work/${missionName(mission)}/1`;
    expect(fileAtBranch(at.folder, branch, 'src/greet.sh')).toContain('Hello, ${1:-world}!');
    // Git has two modes for files; set-uid and writable for all are none of them.
    expect(git(at.folder, ['ls-tree', branch, 'src/greet.sh'])).toMatch(/^100755 blob/);
    expect(existsSync('/tmp/lazarus-planted')).toBe(false);
    await expectVerified(at, mission);
  });
});

describe('an agent that hides', () => {
  it('behind another session: it is gone with its cell, and what it meant to do later is not done', async () => {
    const at = await site();
    const late = 'setsid sh -c "sleep 1; echo late >> src/greet.sh; echo late >> docs/late" > /dev/null 2>&1 & true';
    const { mission } = await approved(at, agent(late));
    const { state } = await run(at, mission);
    expect(missionStatus(state)).toBe('done');
    const branch = `lazarus-work/${missionName(mission)}/1`;
    expect(git(at.folder, ['diff', '--name-only', 'main', branch])).toBe('docs/usage.md\nsrc/greet.sh');
    expect(fileAtBranch(at.folder, branch, 'src/greet.sh')).not.toContain('late');
    const [closed] = await eventsOf(at, mission, 'cell.closed');
    const { residue } = await documentOf(at, mission, closed!.payload.facts);
    expect(Object.values(residue)).toEqual(Object.values(residue).map(() => 0));
    await expectVerified(at, mission);
  });

  it('in its home and the temporary places, for the next one: nobody is there when that comes', async () => {
    const at = await site();
    const places = ['$HOME/.codex', '/tmp', '/dev/shm', '/var/tmp', '/cell/shared'];
    const plant = `for place in ${places.join(' ')}; do mkdir -p $place; echo obey > $place/planted; done; true`;
    const first = await approved(at, agent(plant));
    expect(missionStatus((await run(at, first.mission)).state)).toBe('done');
    const none = places.map((place) => `test ! -e ${place}/planted`).join(' && ');
    const next = await approved(at, agent(`${none} || exit 4`));
    expect(missionStatus((await run(at, next.mission)).state)).toBe('done');
    await expectVerified(at, next.mission);
  });
});

describe('what an agent says of itself', () => {
  it('is heard as far as it goes, when it says it without end', async () => {
    const at = await site();
    const flood = `perl -e 'print qq({"kind":"note","body":{"text":"again"}}\\n) x 20000' >&3`;
    const { mission } = await approved(at, agent(flood));
    expect(missionStatus((await run(at, mission)).state)).toBe('done');
    const [closed] = await eventsOf(at, mission, 'cell.closed');
    const { exit, port } = await documentOf(at, mission, closed!.payload.facts);
    expect(port.notes).toHaveLength(64);
    expect(exit.usage.portMessages + exit.usage.portRefused).toBeGreaterThan(10_000);
    expect(exit.usage.portMessages).toBeLessThanOrEqual(10_000);
    await expectVerified(at, mission);
  });

  const port = (kind: string, body: unknown): string =>
    `printf '%s' '${JSON.stringify(body).replaceAll("'", '’')}' | /cell/.lazarus/port ${kind}`;
  const question = {
    session: 'one',
    blocked_at: '2026-01-01T00:00:00Z',
    question: 'The greeting has no owner; is Ada it?',
    best_guess: 'yes',
    fallback_action: 'greet Ada',
    can_resume_without_answer: true,
  };

  it.each<[string, string, string, object]>([
    ['is shown', ':', 'done_clean', { is: 'accepted', value: 'done_clean' }],
    ['is missed', 'rm $HOME/done.json', 'none', { is: 'refused', code: 'done_missing' }],
    ['is not even JSON', 'echo done > $HOME/done.json', 'unreadable', { is: 'refused', code: 'done_malformed' }],
    [
      'contradicts itself',
      `sed -i 's/"verify_exit_code": 0/"verify_exit_code": 1/' $HOME/done.json`,
      'done_clean',
      { is: 'refused', code: 'done_verify_failed' },
    ],
    [
      'calls good work failed',
      `sed -i 's/done_clean/failed/' $HOME/done.json`,
      'failed',
      { is: 'refused', code: 'done_unexplained' },
    ],
    ['is a link to a secret', 'ln -sf /etc/passwd $HOME/done.json', 'none', { is: 'refused', code: 'done_missing' }],
  ])('%s, and the checks decide', async (_, shellText, status, stop) => {
    const at = await site();
    const { mission } = await approved(at, agent(shellText));
    const { state } = await run(at, mission);
    expect(missionStatus(state)).toBe('done');
    const claims = await eventsOf(at, mission, 'done.claimed');
    expect(claims.map(({ payload }) => payload.status)).toEqual(status === 'none' ? [] : [status]);
    const [closed] = await eventsOf(at, mission, 'cell.closed');
    expect((await documentOf(at, mission, closed!.payload.facts)).said.stop).toMatchObject(stop);
    await expectVerified(at, mission);
  });

  it('and what it asks is recorded, legal or a preference in disguise', async () => {
    const at = await site();
    const preference = { ...question, question: 'Which greeting would you like?' };
    const shellText = `${port('blocked', question)}; ${port('blocked', preference)}; ${port('blocked', { question: 1 })}`;
    const { mission } = await approved(at, agent(shellText));
    expect(missionStatus((await run(at, mission)).state)).toBe('done');
    expect(await eventsOf(at, mission, 'blocked.raised')).toHaveLength(3);
    const [closed] = await eventsOf(at, mission, 'cell.closed');
    expect((await documentOf(at, mission, closed!.payload.facts)).said.blocked).toMatchObject([
      { is: 'accepted', value: 'legal' },
      { is: 'refused', code: 'blocked_preference' },
      { is: 'refused', code: 'blocked_malformed' },
    ]);
    await expectVerified(at, mission);
  });

  const left = (body: unknown): string =>
    `printf '%s' '${JSON.stringify(body).replaceAll("'", '’')}' > $HOME/blocked.json`;

  it.each<[string, string, readonly object[]]>([
    ['as a file is heard as well', left(question), [{ is: 'accepted', value: 'legal' }]],
    ['as a file of another shape is recorded and refused', left(7), [{ is: 'refused', code: 'blocked_malformed' }]],
    ['as a file does not count beside the port', `${port('blocked', question)}; ${left(7)}`, [{ value: 'legal' }]],
    ['as a link to a secret is not heard', 'ln -s /etc/passwd $HOME/blocked.json', []],
  ])('what it asks %s', async (_, shellText, said) => {
    const at = await site();
    const { mission } = await approved(at, agent(shellText));
    expect(missionStatus((await run(at, mission)).state)).toBe('done');
    expect(await eventsOf(at, mission, 'blocked.raised')).toHaveLength(said.length);
    const [closed] = await eventsOf(at, mission, 'cell.closed');
    expect((await documentOf(at, mission, closed!.payload.facts)).said.blocked).toMatchObject(said);
    await expectVerified(at, mission);
  });
});

function done(evidence: object): string {
  return JSON.stringify({
    status: 'done_clean',
    started_at: '2026-01-01T00:00:00Z',
    finished_at: '2026-01-01T00:01:00Z',
    evidence: { verify_exit_code: 0, ...evidence },
  });
}
