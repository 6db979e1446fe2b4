// A mission run for real: the agent in a bubblewrap cell, its work checked and run again, delivered as a branch, receipted.
import { courseOf } from '../../../src/kernel/course/steps.ts';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { DueKind } from '../../../src/app/mission/advance.ts';
import { planDocumentOf } from '../../../src/app/mission/documents.ts';
import { auditIncoming } from '../../../src/app/mission/audit-work.ts';
import { projectState } from '../../../src/app/mission/world.ts';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { missionName } from '../../../src/kernel/values.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { run, tryToRun } from './running.ts';
import { approved, LAPTOP, site } from './setting.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

describe('a mission that runs', () => {
  it('ends done, with a branch that has only the owned files changed, and a ledger that verifies', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const { state, took } = await run(at, mission);
    expect(took).toEqual(['cell', 'deliver']);
    expect(missionStatus(state)).toBe('done');
    const branch = `lazarus-work/${missionName(mission)}/1`;
    const changed = execFileSync('git', ['diff', '--name-only', 'main', branch], { cwd: at.folder, encoding: 'utf8' });
    expect(changed.trim().split('\n')).toEqual(['docs/usage.md', 'src/greet.sh']);
    expect(projectState(at.world).missions[mission]).toBeUndefined();
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
  });

  it.each([
    ['writes outside its paths', "[/bin/sh, -c, 'echo x >> README.md; echo x > src/greet.sh']", 'scope_violated'],
    ['does nothing', "['/bin/true']", 'nothing_done'],
    ['ends with an error', "['/bin/false']", 'cell_failed'],
    ['breaks what it was to make', "[/bin/sh, -c, 'echo exit 1 > src/greet.sh']", 'verify_failed'],
  ])('ends failed when its agent %s', async (_, agent, because) => {
    const at = await site();
    const { mission } = await approved(at, missionText({ 'agent: example': `agent: ${agent}` }));
    const { state } = await run(at, mission);
    expect(state.course!.end).toEqual({ outcome: 'failed', because });
    expect(projectState(at.world).missions[mission]).toBeUndefined();
    const branches = execFileSync('git', ['branch', '--list', 'lazarus-work/*'], { cwd: at.folder, encoding: 'utf8' });
    expect(branches).toBe('');
  });
});

describe('a writer', () => {
  it('does not take a runner’s word for it: work outside the paths does not leave, whoever signed that it may', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const { state: handed } = taken(await tryToRun(at, mission, {}, { may: new Set<DueKind>(['cell']) }));
    const acting = at.as(LAPTOP, mission);
    const document = await planDocumentOf(acting, handed);
    expect(await auditIncoming(acting, document, handed)).toMatchObject({ verdict: 'inside', changed: 2 });
    // What a thief of the runner's key would have handed over: another tree under the same names.
    const work = courseOf(handed)!.attempt!.work!;
    const forged = execFileSync(
      'git',
      ['commit-tree', '-p', work.base_commit, '-m', 'forged', treeWith(at.folder, work.commit, 'README.md')],
      { cwd: at.folder, encoding: 'utf8', env: { ...process.env, ...WHO } },
    ).trim();
    const tree = execFileSync('git', ['rev-parse', `${forged}^{tree}`], { cwd: at.folder, encoding: 'utf8' }).trim();
    Object.assign(work, { commit: forged, tree });
    expect(await auditIncoming(acting, document, handed)).toMatchObject({
      verdict: 'violated',
      violations: [{ code: 'outside_scope', path: 'README.md' }],
    });
    // Nor may history ride along behind a tree that is fine.
    Object.assign(work, { tree: '0'.repeat(40) });
    await expect(auditIncoming(acting, document, handed)).rejects.toMatchObject({ code: 'work_refused' });
  });
});

const WHO = {
  GIT_AUTHOR_NAME: 'm',
  GIT_AUTHOR_EMAIL: 'm@example.test',
  GIT_COMMITTER_NAME: 'm',
  GIT_COMMITTER_EMAIL: 'm@example.test',
};

/** The commit's tree with one file more. */
function treeWith(folder: string, commit: string, path: string): string {
  const env = { ...process.env, GIT_INDEX_FILE: `${folder}/.git/forged-index` };
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env, input }).trim();
  git(['read-tree', commit]);
  git(['update-index', '--add', '--cacheinfo', `100644,${git(['hash-object', '-w', '--stdin'], 'stolen\n')},${path}`]);
  return git(['write-tree']);
}
