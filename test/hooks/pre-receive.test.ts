// The hook for servers, on bare repositories: what harms a record gets through without it and is refused with it, by git
// and nothing else; what lazarus pushes passes.
import { chmodSync, copyFileSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { families } from '../docs/beside.ts';
import { CLI_MAIN } from '../support/build.ts';
import { lazarus } from '../support/cli.ts';
import { startGitHttpServer } from '../support/http-server.ts';
import { ANA } from '../support/people.ts';
import { aProject, benchAt, note, people } from '../support/project.ts';
import { taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';
import { git, scratch } from '../support/repos.ts';
import { ok } from '../support/workshop.ts';
import { clone, typed, type Clone } from './clone.ts';

const HOOK = new URL('../../hooks/pre-receive', import.meta.url).pathname;
const LEDGER = 'refs/heads/lazarus/project';

function guard(remote: string): void {
  copyFileSync(HOOK, join(remote, 'hooks/pre-receive'));
  chmodSync(join(remote, 'hooks/pre-receive'), 0o755);
}

const refs = (remote: string): string => git(remote, ['for-each-ref']);
const commit = (folder: string, ...parents: readonly string[]): string =>
  git(folder, ['commit-tree', '-m', `on ${parents.length}`, ...parents.flatMap((one) => ['-p', one]), 'HEAD^{tree}']);

/** A ledger, what stands beside it, and commits that go on from it, from nothing and from both. */
/** Of each family that comes and goes one. */
const PASSING = families()
  .filter(({ stays, isLocal }) => !stays && !isLocal)
  .map(({ name }) => name.replace(/<.*>/, '1'));

function recorded(): Clone {
  const one = clone();
  const { folder } = one;
  const aside = commit(folder);
  for (const [name, oid] of [
    ['aside', aside],
    ['next', commit(folder, 'main')],
    ['merge', commit(folder, 'main', aside)],
  ])
    git(folder, ['branch', name!, oid!]);
  const beside = ['artifacts/project', 'issues/7', 'cosign/project', 'snapshot/project', 'rules', ...PASSING];
  git(folder, ['push', '-q', 'origin', ...beside.map((name) => `aside:refs/lazarus/${name}`)]);
  git(folder, ['update-ref', 'refs/heads/other', git(folder, ['commit-tree', '-m', 'other', 'HEAD^{tree}'])]);
  return one;
}

describe('the hook for servers', () => {
  it.each<[what: string, refspec: string, says: RegExp]>([
    ['moves a ledger back', `+main~1:${LEDGER}`, /is a ledger and only grows/],
    ['moves it aside', `+aside:${LEDGER}`, /only grows/],
    ['deletes it', `:${LEDGER}`, /is not deleted/],
    ['merges into it', `merge:${LEDGER}`, /no commit of a ledger has two parents/],
    ['begins one with a merge', 'merge:refs/heads/lazarus/m-000000000001', /two parents/],
    ['deletes artifacts', ':refs/lazarus/artifacts/project', /is not deleted/],
    ['keeps artifacts in a history', '+next:refs/lazarus/artifacts/project', /without a parent/],
    ['keeps co-signatures in a history', '+next:refs/lazarus/cosign/project', /without a parent/],
    ['deletes co-signatures', ':refs/lazarus/cosign/project', /is not deleted/],
    ['deletes a snapshot', ':refs/lazarus/snapshot/project', /is not deleted/],
    ['deletes the rules in force', ':refs/lazarus/rules', /is not deleted/],
    ['gives an issue another mission', '+other:refs/lazarus/issues/7', /keeps its mission/],
    ['takes an issue its mission', ':refs/lazarus/issues/7', /is not deleted/],
  ])('refuses whoever %s', (_, refspec, says) => {
    const [open, guarded] = [recorded(), recorded()];
    guard(guarded.remote);
    const [before, untouched] = [refs(open.remote), refs(guarded.remote)];
    expect(open.git('push', '-q', 'origin', refspec).code).toBe(0);
    expect(refs(open.remote)).not.toBe(before);

    expect(guarded.git('push', 'origin', refspec)).toEqual({ code: 1, says: expect.stringMatching(says) });
    // Beside something harmless as well, which goes with it.
    expect(guarded.git('push', 'origin', refspec, 'other').code).toBe(1);
    expect(refs(guarded.remote)).toBe(untouched);
  });

  it('lets through what ledgers are for, and everything that is none of its business', () => {
    const { git: type, remote } = recorded();
    guard(remote);
    for (const refspec of [
      `next:${LEDGER}`,
      'next:refs/heads/lazarus/m-000000000001',
      '+other:refs/lazarus/artifacts/project',
      '+other:refs/lazarus/cosign/project',
      'other:refs/lazarus/issues/8',
      '+other:refs/lazarus/rules',
      ...PASSING.flatMap((name) => [`+other:refs/lazarus/${name}`, `:refs/lazarus/${name}`]),
      'merge:refs/heads/merged',
      '+aside:refs/heads/merged',
      ':refs/heads/merged',
      '+aside:refs/heads/main',
      'main:refs/tags/lazarus/project',
    ])
      expect([refspec, type('push', '-q', 'origin', refspec)]).toEqual([
        refspec,
        { code: 0, says: expect.any(String) },
      ]);
  });

  it.each(['lazarus/$(touch${IFS}mark)', "lazarus/a';touch${IFS}mark;'", 'lazarus/--help', 'lazarus/-n'])(
    '%s: a name is a name',
    (ledger) => {
      const { folder, git: type, remote } = clone(ledger);
      guard(remote);
      const before = refs(remote);
      const { code, says } = type('push', 'origin', `:refs/heads/${ledger}`);
      expect({ code, says }).toEqual({ code: 1, says: expect.stringContaining(`refs/heads/${ledger} is not deleted`) });
      expect(refs(remote)).toBe(before);
      git(folder, ['commit', '-q', '--allow-empty', '-m', 'more']);
      expect(type('push', '-q', 'origin', `HEAD:refs/heads/${ledger}`).code).toBe(0);
      expect(existsSync(join(remote, 'mark'))).toBe(false);
    },
  );

  it('lets lazarus push ledgers and what stands beside them, over HTTP', async () => {
    const { bench, path } = await aProject(people(ANA));
    const root = scratch('server');
    const remote = join(root, 'there.git');
    git(path, ['init', '-q', '--bare', remote]);
    git(remote, ['config', 'http.receivepack', 'true']);
    guard(remote);
    const server = await startGitHttpServer(root);
    onTestFinished(() => server.close());
    const push = () => ok(lazarus(['ledger', 'push', server.url('there.git')], { cwd: path }));

    const mission = await aMission(bench);
    await push();
    taken(await note(await benchAt(path), mission, ANA));
    await push();
    expect(git(remote, ['rev-parse', mission])).toBe(git(path, ['rev-parse', mission]));
    // The hook was there all along.
    const refused = typed(path, ['push', remote, `+${mission}~1:${mission}`]);
    expect(refused.says).toMatch(/only grows/);
  });
});

describe('told the genesis of its project', () => {
  it('verifies what is pushed before it counts', async () => {
    const { bench, path } = await aProject(people(ANA));
    const mission = await aMission(bench);
    const { state } = (await bench.project()).tip;
    const remote = join(scratch('server'), 'there.git');
    git(path, ['init', '-q', '--bare', remote]);
    guard(remote);
    const programs = scratch('programs');
    symlinkSync(CLI_MAIN, join(programs, 'lazarus'));
    const env = { PATH: `${programs}:${process.env['PATH']}`, LAZARUS_VERIFY: state!.project_genesis };
    const push = (refspec: string, more = {}) => typed(path, ['push', remote, refspec], { ...env, ...more });

    expect(push(LEDGER)).toEqual({ code: 0, says: expect.any(String) });
    expect(push(mission)).toEqual({ code: 0, says: expect.any(String) });
    taken(await note(await benchAt(path), mission, ANA));
    expect(push(mission).code).toBe(0);

    // Goes on from the ledger, has one parent, and nobody signed it.
    const forged = git(path, ['commit-tree', '-p', mission, '-m', 'forged', `${mission}^{tree}`]);
    const before = refs(remote);
    const refused = push(`${forged}:${mission}`);
    expect(refused).toEqual({ code: 1, says: expect.stringMatching(/remote: .*commit_unsigned|foreign_commit/) });
    expect(refused.says).toContain('what was pushed does not verify');
    const elsewhere = { LAZARUS_VERIFY: `sha256:${'0'.repeat(64)}` };
    taken(await note(await benchAt(path), mission, ANA));
    expect(push(mission, elsewhere).says).toMatch(/genesis_mismatch/);
    expect(refs(remote)).toBe(before);
    // Without being told to, the hook asks git alone.
    expect(push(`${forged}:${mission}`, { LAZARUS_VERIFY: '' }).code).toBe(0);
  });
});
