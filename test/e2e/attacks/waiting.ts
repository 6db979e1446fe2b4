// Attacks between approval and start, and while an agent works: missions that people approved wait for a runner, and meanwhile
// somebody changes what they agreed to. The runner comes last, and has to notice by itself.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createGitea } from '../../../src/adapters/gitea/server.ts';
import { registerKey } from '../../../src/app/init/forge/public-keys.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';
import { encodeCommit, signedCommit } from '../../../src/format/git/commit.ts';
import type { RunnerOptions } from '../../support/gitea/runner.ts';
import type { PatientAgent } from '../../support/patient-agent.ts';
import { testKey } from '../../support/people.ts';
import { git } from '../../support/repos.ts';
import { AT, proposalText, type Filed, type Person, type Place } from './place.ts';

/** A machine on which nobody makes a namespace: cells cannot be had. */
const WITHOUT_NAMESPACES: readonly string[] = [
  'unshare',
  '--user',
  '--map-current-user',
  '--keep-caps',
  '/bin/sh',
  '-c',
  'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --ambient-caps=-all "$@"',
  'sh',
];
export const FOR_CELLS: RunnerOptions = { labels: ['lazarus-cell:host'] };
/** What holds a mission up must not be that another one has its path. */
const own = (name: string): { readonly paths: string } => ({ paths: `docs/${name}/**` });
/** What the example agent changes, and no more: others wait for paths below the same folder. */
const GREETING = { paths: 'src/greet.sh\r\ndocs/usage.md' };
const POLL_MS = 100;
const BEGUN = ['cell.spawned', 'effect.intended'];

export function waiting(at: () => Place, addCells: () => Promise<unknown>, agent: PatientAgent): void {
  describe('a runner that cannot isolate', () => {
    it('runs nothing without a sandbox: the issue says which machine lacks what', async () => {
      const { team, approved, over, ours, eventsOf, typed } = at();
      const unfit = await team.addRunner({ ...FOR_CELLS, within: WITHOUT_NAMESPACES });
      const { issue, mission } = await approved(own('unfit'));
      await over();
      await unfit.stop();
      expect((await ours(issue))[0]).toMatch(/\*\*Because\*\* `sandbox_(unfit|missing)`/);
      expect(eventsOf(mission)).not.toContain('cell.spawned');
      await typed(team.ana, issue, '/cancel');
    });
  });

  describe('what people approved, changed before a runner came', () => {
    let missions: Readonly<Record<'revised' | 'moved' | 'unvoted' | 'forged' | 'taken', Filed>>;

    it('is approved: five missions wait', async () => {
      const { approved, finn, dora, labels } = at();
      await dora.api('POST', `${AT}/branches`, { new_branch_name: 'next', old_ref_name: 'main' });
      missions = {
        revised: await approved(own('revised')),
        moved: await approved({ ...own('moved'), base: 'next' }),
        unvoted: await approved(own('unvoted'), finn),
        forged: await approved(own('forged')),
        taken: await approved(GREETING),
      };
      for (const { issue } of Object.values(missions)) expect(await labels(issue)).toContain('mission/queued');
    });

    it('is changed: the form, the base, the roster, the ledger, the branch of the work', async () => {
      const { team, dora, heard, type, folder, refs } = at();
      const { ana } = team;
      const { revised, forged, taken } = missions;
      await heard(async () => {
        const body = proposalText({ goal: 'Something else', ...own('revised') });
        await ana.api('PATCH', `${AT}/issues/${revised.issue}`, { body });
      });
      const as = (by: Person) => team.cloneUrl.replace('://', `://${by.name}:${by.token}@`);
      git(folder, ['clone', '-q', as(dora), 'dora']);
      const work = `${folder}/dora`;
      const other = git(work, ['commit-tree', '-m', 'another past', 'origin/next^{tree}']);
      git(work, ['push', '-q', '--force', 'origin', `${other}:refs/heads/next`]);
      await type(['roster', 'remove', 'finn', '--yes', '--remote', 'origin']);

      // As ben, long ago, under a signature that the forge takes for good.
      const ref = `refs/heads/lazarus/${forged.mission}`;
      git(work, ['fetch', '-q', 'origin', `${ref}:refs/forged`]);
      const unsigned = git(work, ['rev-parse', 'refs/forged~1']);
      expect(() => git(work, ['push', '-q', '--force', 'origin', `${unsigned}:${ref}`])).toThrow(/rejected/);
      expect(() => git(work, ['push', '-q', 'origin', `:${ref}`])).toThrow(/rejected/);
      const forgery = await forgedCommit(at(), work);
      git(work, ['push', '-q', 'origin', `${forgery}:${ref}`]);
      expect(refs(ref)).toContain(forgery);

      git(work, ['push', '-q', 'origin', `origin/next:refs/heads/lazarus-work/${taken.mission}/1`]);
    });

    it('runs nowhere once a runner comes; the issue says what changed, and who is asked', async () => {
      const { team, over, ours, eventsOf, refs, verify, typed, mirror } = at();
      const { revised, moved, unvoted, forged } = missions;
      await addCells();
      await over();
      expect((await ours(revised.issue))[0]).toContain('awaiting approval · 0 of 1');
      expect((await ours(moved.issue))[0]).toContain('**Because** `ref_moved`');
      expect((await ours(unvoted.issue))[0]).toContain('**Because** `quorum_missing`');
      for (const { mission } of [revised, moved, unvoted]) {
        for (const begun of BEGUN) expect(eventsOf(mission)).not.toContain(begun);
        expect(await verify(mission)).toMatchObject({ code: 0 });
      }
      await typed(team.ben, forged.issue, forged.line);
      expect((await ours(forged.issue))[0]).toContain('its ledger cannot be read');
      mirror();
      expect(await verify(forged.mission)).toMatchObject({ code: 6 });
      for (const { mission } of [revised, moved, unvoted, forged])
        expect(refs(`refs/heads/lazarus-work/${mission}/*`)).toBe('');
    });

    it('and what somebody put in the place of the work is not offered for merging', async () => {
      const { team, ours, refs } = at();
      const { issue, mission } = missions.taken;
      const [status] = await ours(issue);
      expect(status).toContain(`### ${mission} · failed`);
      const pulls: readonly { readonly head: { readonly ref: string } }[] = await team.ana.api(
        'GET',
        `${AT}/pulls?state=all&limit=50`,
      );
      expect(pulls.filter(({ head }) => head.ref.startsWith('lazarus-work/'))).toEqual([]);
      expect(refs(`refs/heads/lazarus-work/${mission}/1`)).not.toBe('');
    });
  });

  describe('a base that is rewritten while the agent works', () => {
    it('keeps the work from being delivered', async () => {
      const { team, approved, over, ours, refs, folder, eventsOf, typed } = at();
      const { issue, mission } = await approved({ ...GREETING, goal: 'slowly', base: 'next' });
      await agent.atWork();
      while (!eventsOf(mission).includes('cell.spawned')) await pause(POLL_MS);
      const work = `${folder}/dora`;
      const other = git(work, ['commit-tree', '-m', 'one more past', 'origin/main^{tree}']);
      git(work, ['push', '-q', '--force', 'origin', `${other}:refs/heads/next`]);
      agent.letGo();
      await over();
      expect((await ours(issue))[0]).toMatch(/\*\*Because\*\* `ref_moved`/);
      expect(refs(`refs/heads/lazarus-work/${mission}/*`)).toBe('');
      await typed(team.ana, issue, '/cancel');
      await over();
      expect((await ours(issue))[0]).toContain('· cancelled');
    });
  });
}

/** The head's own tree once more, by ben and years ago, as far as author and date go; signed with a key of dora's. */
async function forgedCommit({ team, dora }: Place, work: string): Promise<string> {
  const key = testKey('dora');
  const now = Math.floor(Date.now() / 1000);
  await registerKey(createGitea({ url: team.gitea.url, token: dora.token }), key, now);
  const payload = encodeCommit({
    tree: git(work, ['rev-parse', 'refs/forged^{tree}']),
    parents: [git(work, ['rev-parse', 'refs/forged'])],
    author: { name: 'ben', email: 'ben@example.invalid', atSeconds: 1_500_000_000 },
    message: `${git(work, ['log', '-1', '--format=%B', 'refs/forged']).trimEnd()}\n`,
  });
  const signature = armor('SIGNATURE', await key.sign(payload, now));
  return git(work, ['hash-object', '-t', 'commit', '--stdin', '-w'], signedCommit(payload, signature));
}
