// What every transport to a remote must do alike. Each host is a real server over a folder of bare repositories.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRemote, type RemoteOptions } from '../../src/adapters/git-remote/open-remote.ts';
import { openRepository } from '../../src/adapters/git/repository.ts';
import type { Remote } from '../../src/ports/remote.ts';
import { createBareRepository } from '../support/http-server.ts';
import { git, scratch, scratchRepository } from '../support/repos.ts';
import { nextStep, steps, type Step } from '../support/transactions.ts';

export type RemoteHost = {
  /** The folder that holds the bare repositories it serves. */
  readonly root: string;
  url(repository: string): string;
  readonly env: Readonly<Record<string, string>>;
  /** Nothing serves a path: the hooks of that folder are not run. */
  readonly isPath?: boolean;
  close(): Promise<void>;
};

const X = 'refs/heads/lazarus/x';
const Y = 'refs/heads/lazarus/y';

let names = 0;

type Open = (at: { cwd: string; where: { url: string }; env: RemoteHost['env'] }) => Promise<Remote>;

export function remoteContract(transport: string, start: () => Promise<RemoteHost>, open: Open = openTestRemote): void {
  describe(`a remote over ${transport}`, () => {
    let host: RemoteHost;
    beforeAll(async () => {
      host = await start();
    });
    afterAll(async () => host.close());

    async function served(): Promise<{ bare: string; remote: Remote; local: string }> {
      const name = `r${names++}.git`;
      const bare = createBareRepository(host.root, name);
      const local = scratchRepository();
      const remote = await open({ cwd: local, where: { url: host.url(name) }, env: host.env });
      return { bare, remote, local };
    }

    async function servedWith(ref: string, step: Step): Promise<{ bare: string; remote: Remote; local: string }> {
      const all = await served();
      const created = await all.remote.push({
        objects: step.objects,
        updates: [{ ref, old: undefined, next: step.oid }],
      });
      expect(created).toEqual({ is: 'landed' });
      return all;
    }

    const tip = (bare: string, ref: string): string => git(bare, ['for-each-ref', '--format=%(objectname)', ref]);

    it('creates a reference and moves it forward, with objects that git finds sound', async () => {
      const [one, two] = steps(2, 'sound') as [Step, Step];
      const { bare, remote } = await servedWith(X, one);
      const moved = await remote.push({ objects: two.objects, updates: [{ ref: X, old: one.oid, next: two.oid }] });
      expect(moved).toEqual({ is: 'landed' });
      expect(tip(bare, X)).toBe(two.oid);
      git(bare, ['fsck', '--strict', '--full']);
    });

    it('pushes several transactions at once', async () => {
      const one = nextStep(undefined, 'one');
      const more = steps(20, 'more', one);
      const { bare, remote } = await servedWith(X, one);
      const last = more.at(-1) as Step;
      const objects = more.flatMap((step) => step.objects);
      expect(await remote.push({ objects, updates: [{ ref: X, old: one.oid, next: last.oid }] })).toEqual({
        is: 'landed',
      });
      expect(git(bare, ['rev-list', '--count', X])).toBe('21');
      git(bare, ['fsck', '--strict', '--full']);
    });

    it('tells a writer who lost the race, and leaves the winner in place', async () => {
      const one = nextStep(undefined, 'one');
      const { bare, remote } = await servedWith(X, one);
      const [mine, theirs] = [nextStep(one, 'mine'), nextStep(one, 'theirs')];
      await remote.push({ objects: theirs.objects, updates: [{ ref: X, old: one.oid, next: theirs.oid }] });
      const lost = await remote.push({ objects: mine.objects, updates: [{ ref: X, old: one.oid, next: mine.oid }] });
      expect(lost).toEqual({ is: 'moved' });
      expect(tip(bare, X)).toBe(theirs.oid);
    });

    it('lets exactly one of two writers win who push at the same moment', async () => {
      const one = nextStep(undefined, 'one');
      const { bare, remote, local } = await servedWith(X, one);
      const other = await open({ cwd: local, where: { url: remote.displayUrl }, env: host.env });
      const rivals = [nextStep(one, 'left'), nextStep(one, 'right')] as const;
      const change = (step: Step) => ({ objects: step.objects, updates: [{ ref: X, old: one.oid, next: step.oid }] });
      const outcomes = await Promise.all([remote.push(change(rivals[0])), other.push(change(rivals[1]))]);
      expect(outcomes.map((outcome) => outcome.is).toSorted()).toEqual(['landed', 'moved']);
      expect(tip(bare, X)).toBe(rivals[outcomes[0]?.is === 'landed' ? 0 : 1].oid);
    });

    it('does not create over a reference that exists, nor move one that does not', async () => {
      const [one, other] = [nextStep(undefined, 'one'), nextStep(undefined, 'other')];
      const { bare, remote } = await servedWith(X, one);
      const over = { objects: other.objects, updates: [{ ref: X, old: undefined, next: other.oid }] };
      expect(await remote.push(over)).toEqual({ is: 'moved' });
      const absent = { objects: other.objects, updates: [{ ref: Y, old: one.oid, next: other.oid }] };
      expect(await remote.push(absent)).toEqual({ is: 'moved' });
      expect(tip(bare, 'refs/')).toBe(one.oid);
    });

    it('takes a reference that another process holds locked for a lost race', async () => {
      const [one, two] = steps(2, 'locked') as [Step, Step];
      const { bare, remote } = await servedWith(X, one);
      writeFileSync(join(bare, `${X}.lock`), '');
      const change = { objects: two.objects, updates: [{ ref: X, old: one.oid, next: two.oid }] };
      expect(await remote.push(change)).toEqual({ is: 'moved' });
      rmSync(join(bare, `${X}.lock`));
      expect(await remote.push(change)).toEqual({ is: 'landed' });
    });

    it('moves two references together, or neither when one of them is stale', async () => {
      const [one, two, three] = steps(3, 'both') as [Step, Step, Step];
      const { bare, remote } = await served();
      const both = (old: Step | undefined, next: Step, staleY?: Step) => ({
        objects: next.objects,
        updates: [
          { ref: X, old: old?.oid, next: next.oid },
          { ref: Y, old: (staleY ?? old)?.oid, next: next.oid },
        ],
      });
      expect(await remote.push(both(undefined, one))).toEqual({ is: 'landed' });
      expect(await remote.push(both(one, two))).toEqual({ is: 'landed' });
      expect(await remote.push(both(two, three, one))).toEqual({ is: 'moved' });
      expect([tip(bare, X), tip(bare, Y)]).toEqual([two.oid, two.oid]);
    });

    it('deletes only what is where it was thought to be', async () => {
      const [one, two] = steps(2, 'deleted') as [Step, Step];
      const { bare, remote } = await servedWith(X, one);
      const deletion = (old: Step) => ({ objects: [], updates: [{ ref: X, old: old.oid, next: undefined }] });
      expect(await remote.push(deletion(two))).toEqual({ is: 'moved' });
      expect(await remote.push(deletion(one))).toEqual({ is: 'landed' });
      expect(tip(bare, 'refs/')).toBe('');
    });

    it('passes on the words of a hook that says no, where something serves it, without what would drive a terminal', async () => {
      const [one, two] = steps(2, 'hook') as [Step, Step];
      const { bare, remote } = await servedWith(X, one);
      const hook = join(bare, 'hooks', 'pre-receive');
      writeFileSync(hook, '#!/bin/sh\nprintf "\\033]0;owned\\007\\033[31mnot on \\342\\200\\256sundays" >&2\nexit 1\n');
      chmodSync(hook, 0o755);
      const outcome = await remote.push({ objects: two.objects, updates: [{ ref: X, old: one.oid, next: two.oid }] });
      if (host.isPath === true) return expect(outcome).toEqual({ is: 'landed' });
      expect(outcome).toMatchObject({ is: 'refused', ref: X });
      const why = outcome.is === 'refused' ? outcome.why : '';
      expect(why).toContain('pre-receive hook declined');
      expect(why).toMatch(/not on +sundays/);
      expect(why).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      return expect(tip(bare, X)).toBe(one.oid);
    });

    it('tells heads by their exact names, and by patterns', async () => {
      const one = nextStep(undefined, 'heads');
      const { bare, remote } = await servedWith(X, one);
      // git itself would also tell this one when asked for X.
      git(bare, ['update-ref', `refs/elsewhere/${X}`, one.oid]);
      expect(await remote.heads([X, Y])).toEqual(new Map([[X, one.oid]]));
      git(bare, ['update-ref', Y, one.oid]);
      expect([...(await remote.heads(['refs/heads/lazarus/*'])).keys()]).toEqual([X, Y]);
      expect(await remote.heads([])).toEqual(new Map());
    });

    it('brings history under the given name, and shows it when the remote was rewritten', async () => {
      const [one, two, three] = steps(3, 'fetched') as [Step, Step, Step];
      const { bare, remote, local } = await servedWith(X, one);
      await remote.push({
        objects: [...two.objects, ...three.objects],
        updates: [{ ref: X, old: one.oid, next: three.oid }],
      });
      await remote.fetch(['refs/heads/lazarus/*'], 'refs/lazarus/remotes/origin');
      const tracked = 'refs/lazarus/remotes/origin/heads/lazarus/x';
      expect(git(local, ['rev-list', '--count', tracked])).toBe('3');
      git(bare, ['update-ref', X, two.oid]);
      await remote.fetch([X], 'refs/lazarus/remotes/origin/');
      expect(git(local, ['rev-parse', tracked])).toBe(two.oid);
      expect(git(local, ['for-each-ref', '--format=%(refname)'])).toBe(tracked);
    });

    it('says by name that a reference or a repository is not there', async () => {
      const { remote, local } = await servedWith(X, nextStep(undefined, 'missing'));
      await expect(remote.fetch([Y], 'refs/lazarus/remotes/origin')).rejects.toMatchObject({
        code: 'remote_ref_missing',
      });
      const nowhere = await open({ cwd: local, where: { url: host.url('nowhere.git') }, env: host.env });
      await expect(nowhere.heads([X])).rejects.toMatchObject({ code: 'remote_not_found' });
      const step = nextStep(undefined, 'nowhere');
      const change = { objects: step.objects, updates: [{ ref: X, old: undefined, next: step.oid }] };
      await expect(nowhere.push(change)).rejects.toMatchObject({ code: 'remote_not_found' });
    });
  });
}

/** Opens a remote for the running test with an empty home, so that nobody's own settings take part. */
export async function openTestRemote(
  options: Omit<RemoteOptions, 'repository' | 'env'> & Partial<RemoteOptions>,
): Promise<Remote> {
  const repository = options.repository ?? (await openRepository(options.cwd));
  const env = { PATH: process.env['PATH'], HOME: scratch('home'), GIT_CONFIG_NOSYSTEM: '1', ...options.env };
  const remote = await openRemote({ ...options, repository, env });
  onTestFinished(async () => {
    await remote.close();
    await repository.close();
  });
  return remote;
}
