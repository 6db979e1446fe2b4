// Work that was refused, or that its checks failed, can be looked at until its time is over; what holds a secret never can,
// and nothing waits for any of it.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { bringWork, sweepKept } from '../../../src/app/mission/kept.ts';
import { KEPT_REFS } from '../../../src/ledger/names.ts';
import { git } from '../../support/repos.ts';
import { missionText } from '../../support/templates.ts';
import { running, tryToRun } from './running.ts';
import { approved, site, viewOf, type Site } from './setting.ts';

const WORKS = 'sh tools/example-agent.sh';
const DAY_SECONDS = 24 * 3600;

function agent(shellText: string): string {
  return missionText({ 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(shellText)}]` });
}

function keptIn({ folder }: Site): string[] {
  return git(folder, ['for-each-ref', '--format=%(refname)', KEPT_REFS]).split('\n').filter(Boolean);
}

async function ran(at: Site, text: string, canaries: readonly string[] = []) {
  const { mission, state } = await approved(at, text);
  await tryToRun(at, mission, undefined, { running: { ...(await running(at)), canaries } });
  const { attempt, because } = await viewOf(at, mission);
  return { mission, attempt, id: Object.values(state.course!.steps)[0]!.attempt!.id, because: because?.code };
}

it.each([
  ['that was refused', `${WORKS} && echo x > README.md`, 'scope_violated', 'README.md\ndocs/usage.md\nsrc/greet.sh'],
  ['that its checks failed', `${WORKS}; echo 'echo no' > src/greet.sh`, 'verify_failed', 'docs/usage.md\nsrc/greet.sh'],
])('work %s stays, as the commit that people are told, and no branch moves', async (_, shellText, code, files) => {
  const at = await site();
  const { attempt, because } = await ran(at, agent(shellText));
  expect(because).toBe(code);
  const { commit, until, line } = attempt!.failure!.kept!;
  const [ref, ...more] = keptIn(at);
  expect(more).toEqual([]);
  expect(ref).toMatch(new RegExp(`^${KEPT_REFS}${until}\\.[0-9a-f-]{36}$`));
  expect(git(at.folder, ['rev-parse', ref!])).toBe(commit);
  expect(git(at.folder, ['diff', '--name-only', 'main', commit])).toBe(files);
  expect(line).toMatch(/^lazarus diff m-[0-9a-f]{12} --attempt 1$/);
  expect(git(at.folder, ['for-each-ref', 'refs/heads/lazarus-work', 'refs/lazarus/incoming'])).toBe('');
});

it('is taken away when its time is over, and nothing else is', async () => {
  let aheadSeconds = 0;
  const at = await site({ clock: { nowSeconds: () => Math.floor(Date.now() / 1000) + aheadSeconds } });
  await ran(at, agent(`${WORKS} && echo x > README.md`));
  const [ref] = keptIn(at);
  const stranger = `${KEPT_REFS}2001-01-01-of-somebody`;
  git(at.folder, ['update-ref', stranger, 'main']);
  aheadSeconds = 13 * DAY_SECONDS;
  await sweepKept(at.bench);
  expect(keptIn(at).toSorted()).toEqual([stranger, ref!].toSorted());
  aheadSeconds = 16 * DAY_SECONDS;
  await sweepKept(at.bench);
  expect(keptIn(at)).toEqual([stranger]);
});

it.each([
  ['holds a secret of the machine', `${WORKS} && printf canary-%s 0123456789 > README.md`, {}],
  ['was delivered', WORKS, {}],
  ['is nothing at all', 'true', {}],
  ['policy does not want kept', `${WORKS} && echo x > README.md`, { days: 0 }],
  ['is more than is kept', `${WORKS} && head -c 17000000 /dev/urandom > big`, {}],
])('work that %s is not', async (_, shellText, { days = 14 }: { days?: number }) => {
  const at = await site({ policy: (text) => `${text}\nkeep_failed_days: ${days}\n` });
  const { attempt } = await ran(at, agent(shellText), ['canary-0123456789']);
  expect(keptIn(at)).toEqual([]);
  expect(attempt!.failure?.kept ?? null).toBeNull();
  // Not even among the objects that nothing leads to.
  const all = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
    cwd: at.folder,
    maxBuffer: 1 << 28,
  });
  expect(all.includes('canary-0123456789')).toBe(false);
});

it('is found by its attempt and its commit alone: a reference that names another brings nothing', async () => {
  const at = await site();
  const { attempt, id } = await ran(at, agent(`${WORKS} && echo x > README.md`));
  const { commit } = attempt!.failure!.kept!;
  const wanted = { attempt: id, branch: 'lazarus-work/none/1' };
  expect(await bringWork(at.bench, { ...wanted, commit })).toBe(true);
  expect(await bringWork(at.bench, { ...wanted, commit: 'd'.repeat(40) })).toBe(false);
});
