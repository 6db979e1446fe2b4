// `lazarus stop` and `unstop` as they are typed: what everything that shows a mission says meanwhile, whose turn it is, and
// who may: roots, and persons only where the policy in force says so.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop({ people: ['bo', 'cy'] });
});
afterAll(() => at.remove());

const POLICY = '.gitea/lazarus/policy.yml';

function commitPolicy(from: string, to: string): void {
  const file = join(at.folder, POLICY);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
  git(at.folder, ['commit', '-qam', 'another policy']);
}

describe('a stopped project', () => {
  it('is shown with every mission, by whom, since when, and with the line to type', async () => {
    const { mission, digest } = await at.propose();
    await ok(at.run(['stop', '--key', 'ana']));
    for (const command of ['status', 'why']) {
      const { stdout } = await ok(at.run([command, mission]));
      expect(stdout).toMatch(/\n {2}stopped +by ana since \d{4}-\d\d-\d\dT[^ ]+: nothing new is planned/);
      expect(stdout).toMatch(/the project is stopped; ana types:\n {2}next: lazarus unstop\n$/);
    }
    const shown = await json<{ stopped: unknown; next: string }>(at.run(['status', mission, '--json']));
    expect(shown).toMatchObject({ stopped: { by: 'ana', who: ['ana'] }, next: 'lazarus unstop' });
    expect((await ok(at.run(['list']))).stdout).toMatch(
      /the project is stopped by ana since [^]*next: lazarus unstop\n$/,
    );
    expect(await json(at.run(['list', '--json']))).toMatchObject({ stopped: { by: 'ana' } });
    // The vote that would let it begin.
    const vote = await at.run(['approve', mission, digest, '--as', 'bo']);
    expect(vote).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^project_halted: [^]*next: lazarus unstop\n$/),
    });

    await ok(at.run(['unstop', '--key', 'ana']));
    const after = await json<{ stopped: unknown }>(at.run(['status', mission, '--json']));
    expect(after.stopped).toBe(null);
    expect((await ok(at.run(['list']))).stdout).not.toContain('stopped');
    await ok(at.run(['approve', mission, digest, '--as', 'bo']));
  });

  it('says nothing of it where a mission is over, and cancelling goes on', async () => {
    const { mission } = await at.propose();
    await ok(at.run(['stop', '--key', 'ana']));
    const { stdout } = await ok(at.run(['cancel', mission, '--as', 'bo']));
    expect(stdout).toMatch(/^m-[0-9a-f]+ {2}cancelled\n/);
    expect(stdout).not.toContain('stopped');
    await ok(at.run(['unstop', '--key', 'ana']));
  });
});

describe('a person who is no root', () => {
  it('stops nothing where policy leaves that to roots, and nothing by a policy that nobody adopted', async () => {
    const refused = await at.run(['stop', '--key', 'bo']);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/^halt_needs_root: /) });
    commitPolicy('persons_may_stop: false', 'persons_may_stop: true');
    // The attack: the file says so, and the roots never agreed.
    expect((await at.run(['stop', '--key', 'bo'])).stderr).toMatch(/^policy_drifted: /);
    expect(await json(at.run(['list', '--json']))).toMatchObject({ stopped: null });
  });

  it('stops and lets go on where the policy in force says so, but not what a root stopped', async () => {
    await ok(at.run(['policy', 'adopt', '--key', 'ana', '--yes']));
    await ok(at.run(['stop', '--key', 'bo']));
    expect(await json(at.run(['list', '--json']))).toMatchObject({ stopped: { by: 'bo', who: ['bo', 'ana'] } });
    expect((await at.run(['stop', '--key', 'cy'])).stderr).toMatch(/^project_halted: /);
    await ok(at.run(['unstop', '--key', 'cy']));
    await ok(at.run(['stop', '--key', 'ana']));
    const refused = await at.run(['unstop', '--key', 'bo']);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/^halt_of_root: /) });
    await ok(at.run(['unstop', '--key', 'ana']));
    await ok(at.run(['verify']));
  });
});
