// `lazarus diff`: what an agent changed, as it was, in a clone whose settings and attributes would rather hide it.
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
let mission = '';
beforeAll(async () => {
  at = await workshop();
  const agent = "sh tools/example-agent.sh; printf 'tab\\there \\033[2K\\n' > README.md";
  const one = await at.propose({ 'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(agent)}]` });
  await at.approve(one);
  ({ mission } = one);
  await at.run(['run', mission]);
});
afterAll(() => at.remove());

describe('lazarus diff', () => {
  it('prints a patch of refused work that applies to the base', async () => {
    const { stdout } = await ok(at.run(['diff', mission]));
    expect(stdout).toContain('diff --git a/README.md b/README.md\nnew file mode 100644\n');
    expect(stdout).toContain('+tab\there \u001b[2K\n');
    writeFileSync(join(at.folder, 'it.patch'), stdout);
    expect(git(at.folder, ['apply', '--numstat', 'it.patch'])).toContain('1\t0\tREADME.md');
  });

  it('says which files with --stat, and all of it with --json', async () => {
    expect((await ok(at.run(['diff', mission, '--stat']))).stdout).toMatch(
      /^ README\.md +\| 1 \+\n[^]* 3 files changed/,
    );
    const told = await json<{ attempt: number; base: string; commit: string; patch: string }>(
      at.run(['diff', mission, '--attempt', '1', '--json']),
    );
    expect(told).toMatchObject({ attempt: 1, base: git(at.folder, ['rev-parse', 'main']) });
    expect(told.patch).toContain('+++ b/README.md\n');
    const { attempt } = await json<{ attempt: { failure: { kept: { commit: string; line: string } } } }>(
      at.run(['why', mission, '--json']),
    );
    expect(attempt.failure.kept).toMatchObject({ commit: told.commit, line: `lazarus diff ${mission} --attempt 1` });
  });

  it('is not changed, hidden or made to run anything by the clone that it is looked at in', async () => {
    const before = (await ok(at.run(['diff', mission]))).stdout;
    const ran = join(at.folder, 'ran');
    const evil = `!f() { touch ${ran}; }; f`;
    appendFileSync(
      join(at.folder, '.git/config'),
      `[diff]\n\texternal = touch ${ran}\n\tnoprefix = true\n\torderFile = /nowhere\n[diff "evil"]\n\ttextconv = touch ${ran}\n\tcommand = touch ${ran}\n[core]\n\tpager = ${evil}\n[alias]\n\tdiff-tree = ${evil}\n`,
    );
    mkdirSync(join(at.folder, '.git/info'), { recursive: true });
    writeFileSync(join(at.folder, '.git/info/attributes'), '*.md diff=evil\n* -diff\n');
    writeFileSync(join(at.folder, '.gitattributes'), '* -diff\n');
    // That is what it would do: the same with git itself hides what stands in the file.
    expect(git(at.folder, ['-c', 'diff.external=', 'diff', '--no-ext-diff', 'main', '--', 'src'])).toBe('');
    expect((await ok(at.run(['diff', mission]))).stdout).toBe(before);
    expect(existsSync(ran)).toBe(false);
  });

  it('says so where there is nothing to show', async () => {
    expect(await at.run(['diff', mission, '--attempt', '7'])).toMatchObject({ code: 7 });
    const { stderr } = await at.run(['diff', mission, '--attempt', '7']);
    expect(stderr).toMatch(/^work_not_kept: .*\n {2}next: lazarus explain m-/);
  });
});
