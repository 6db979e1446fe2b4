// The hooks of a clone, run by git itself: what a tired hand does to a ledger works without them and is refused with them,
// and everything else goes on as before.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, scratch } from '../support/repos.ts';
import { ANA } from '../support/people.ts';
import { aProject, benchAt, note, people } from '../support/project.ts';
import { taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';
import { lazarus } from '../support/cli.ts';
import { ok } from '../support/workshop.ts';
import { clone, placeHooks, typed, type Clone } from './clone.ts';

type Accident = readonly [what: string, args: readonly string[], says: RegExp];

const HERE: readonly Accident[] = [
  ['moves a ledger back', ['branch', '-f', 'lazarus/project', 'HEAD~1'], /only grows/],
  ['moves it aside', ['update-ref', 'refs/heads/lazarus/project', 'aside'], /only grows/],
  ['deletes it', ['branch', '-D', 'lazarus/project'], /not deleted/],
  ['deletes it where it is', ['update-ref', '-d', 'refs/heads/lazarus/project', 'main'], /not deleted/],
  ['gives it another name', ['branch', '-m', 'lazarus/project', 'old'], /not deleted/],
  ['fetches over it', ['fetch', '-q', '.', '+aside:lazarus/project'], /only grows/],
];

const THERE: readonly Accident[] = [
  ['pushes a ledger', ['push', '-q', 'origin', 'lazarus/project'], /next: lazarus ledger push origin project/],
  ['rewrites one', ['push', '-q', 'origin', '+aside:refs/heads/lazarus/project'], /--no-verify/],
  ['deletes one', ['push', '-q', 'origin', ':refs/heads/lazarus/project'], /is a ledger/],
  ['pushes all branches', ['push', '-q', '--all', 'origin'], /is a ledger/],
  ['deletes artifacts', ['push', '-q', 'origin', ':refs/lazarus/artifacts/project'], /beside a ledger/],
];

/** A ledger that has grown here, artifacts beside it, and a commit that goes on from neither. */
function grown(): Clone {
  const one = clone();
  const { folder } = one;
  git(folder, ['branch', 'aside', git(folder, ['commit-tree', '-m', 'aside', 'HEAD^{tree}'])]);
  git(folder, ['push', '-q', 'origin', 'aside:refs/lazarus/artifacts/project']);
  git(folder, ['commit', '-q', '--allow-empty', '-m', 'three']);
  git(folder, ['branch', '-f', 'lazarus/project', 'main']);
  return one;
}

describe('a hand that slips', () => {
  it.each(HERE)('%s in its clone: refused', async (_, args, says) => {
    const [bare, guarded] = [grown(), grown()];
    await guarded.placeHooks();
    expect(bare.git(...args).code).toBe(0);
    expect(bare.at('lazarus/project')).not.toBe(bare.at('main'));

    const before = git(guarded.folder, ['for-each-ref']);
    const { code, says: said } = guarded.git(...args);
    expect({ code, said }).toEqual({ code: expect.not.stringMatching(/^0$/), said: expect.stringMatching(says) });
    expect(code).not.toBe(0);
    expect(said).toMatch(/ {2}next: lazarus /);
    expect(git(guarded.folder, ['for-each-ref'])).toBe(before);
  });

  it.each(THERE)('%s: refused', async (_, args, says) => {
    const [bare, guarded] = [grown(), grown()];
    await guarded.placeHooks();
    const there = (one: Clone) => git(one.remote, ['for-each-ref']);
    const before = there(bare);
    expect(bare.git(...args).code).toBe(0);
    expect(there(bare)).not.toBe(before);

    const untouched = there(guarded);
    const { code, says: said } = guarded.git(...args);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(says) });
    expect(there(guarded)).toBe(untouched);
    // Whoever means it has git's own word for it.
    expect(guarded.git(args[0]!, '--no-verify', ...args.slice(1)).code).toBe(0);
  });

  it('commits to a ledger: refused', async () => {
    const { git: type, placeHooks, at } = clone();
    await placeHooks();
    type('switch', '-q', 'lazarus/project');
    const head = at('lazarus/project');
    expect(type('commit', '--allow-empty', '-m', 'by hand')).toEqual({
      code: 1,
      says: expect.stringMatching(/is a ledger: a commit by hand would break it\n.*lazarus ledger append project/),
    });
    expect(at('lazarus/project')).toBe(head);
  });

  it('shows no password of an address', async () => {
    const { git: type, placeHooks } = clone();
    await placeHooks();
    const { says } = type('push', 'https://ana:hunter2@127.0.0.1:1/x.git', 'lazarus/project');
    expect(says).not.toMatch(/lazarus:.*hunter2/);
  });

  it.each([
    'lazarus/$(touch${IFS}mark)',
    'lazarus/`touch${IFS}mark`',
    "lazarus/a';touch${IFS}mark;'",
    'lazarus/"&&touch${IFS}mark&&"',
    'lazarus/--help',
    'lazarus/-n',
    'lazarus/%s%n',
  ])('%s: a name is a name, and runs nothing', async (ledger) => {
    const { folder, git: type, at, placeHooks } = clone(ledger);
    await placeHooks();
    const head = at(ledger);
    expect(type('update-ref', '-d', `refs/heads/${ledger}`)).toEqual({
      code: 128,
      says: expect.stringContaining(`refs/heads/${ledger} is a ledger, and is not deleted`),
    });
    const { code, says } = type('push', 'origin', `+refs/heads/main~1:refs/heads/${ledger}`);
    expect({ code, says }).toEqual({ code: 1, says: expect.stringContaining(`refs/heads/${ledger} is a ledger`) });
    expect([at(ledger), existsSync(join(folder, 'mark'))]).toEqual([head, false]);
  });
});

describe('everything else goes on', () => {
  it('commits, pushes, fetches, rebases, deletes and packs what is no ledger', async () => {
    const { folder, git: type, placeHooks, at } = grown();
    await placeHooks();
    for (const args of [
      ['switch', '-q', '-c', 'lazarus-like'],
      ['commit', '-q', '--allow-empty', '-m', 'mine'],
      ['push', '-q', 'origin', 'lazarus-like'],
      ['commit', '-q', '--amend', '--allow-empty', '-m', 'mine again'],
      ['push', '-q', '--force', 'origin', 'lazarus-like'],
      ['push', '-q', 'origin', ':lazarus-like'],
      ['rebase', '-q', 'aside'],
      ['tag', 'v1'],
      ['fetch', '-q', 'origin', '+refs/heads/*:refs/remotes/origin/*'],
      ['switch', '-q', '--detach'],
      ['commit', '-q', '--allow-empty', '-m', 'on no branch'],
      ['branch', '-q', '-D', 'lazarus-like'],
    ])
      expect(type(...args)).toEqual({ code: 0, says: expect.any(String) });
    // Upkeep moves ledgers into a pack, and an older git calls that a deletion of their files.
    expect(type('pack-refs', '--all', '--prune')).toEqual({ code: 0, says: '' });
    expect(existsSync(join(folder, '.git/refs/heads/lazarus/project'))).toBe(false);
    expect(type('gc', '-q')).toEqual({ code: 0, says: '' });
    expect(type('branch', '-D', 'lazarus/project').code).not.toBe(0);
    expect(at('lazarus/project')).toBe(at('main'));
  });

  it('takes a ledger over from elsewhere, and lets it grow', async () => {
    const { git: type, placeHooks, at } = grown();
    await placeHooks();
    expect(type('fetch', '-q', 'origin', 'main:lazarus/m-000000000001').code).toBe(0);
    expect(at('lazarus/m-000000000001')).not.toBe(at('main'));
    expect(type('fetch', '-q', '.', 'main:lazarus/m-000000000001').code).toBe(0);
    expect(at('lazarus/m-000000000001')).toBe(at('main'));
  });

  it('is nothing to lazarus itself: it appends, pushes and pulls as before', async () => {
    const { bench, path } = await aProject(people(ANA));
    git(path, ['commit', '-q', '--allow-empty', '-m', 'begin']);
    const remote = join(scratch('remote'), 'there.git');
    git(path, ['init', '-q', '--bare', remote]);
    await placeHooks(path);
    const mission = await aMission(bench);
    taken(await note(bench, mission, ANA));
    await ok(lazarus(['ledger', 'push', remote], { cwd: path }));
    expect(git(remote, ['for-each-ref', '--format=%(refname)', 'refs/heads'])).toBe(
      [mission, 'refs/heads/lazarus/project'].join('\n'),
    );
    taken(await note(await benchAt(path), mission, ANA));
    await ok(lazarus(['ledger', 'push', remote], { cwd: path }));
    expect(git(remote, ['rev-parse', mission])).toBe(git(path, ['rev-parse', mission]));
  });

  it('works in a linked work tree, and where somebody pushes into the clone', async () => {
    const { folder, git: type, placeHooks, at } = grown();
    await placeHooks();
    const linked = join(scratch('linked'), 'tree');
    type('worktree', 'add', '-q', linked, 'aside');
    expect(typed(linked, ['branch', '-f', 'lazarus/project', 'aside']).says).toMatch(/only grows/);
    const other = clone();
    writeFileSync(join(other.folder, 'a'), '');
    expect(other.git('push', folder, '+main:lazarus/project').says).toMatch(/only grows/);
    expect(at('lazarus/project')).toBe(at('main'));
  });
});
