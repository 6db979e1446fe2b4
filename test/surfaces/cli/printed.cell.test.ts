// What cells printed, on the command line: opened by whoever it is for, with a key of lazarus or of gpg; said to be for others
// to everybody else; and never in clear in what the repository holds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gpgHome, type GpgHome } from '../../support/gpg-home.ts';
import { git, scratch } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

const WORD = 'sesame-4711';
const AGENT = `sh tools/example-agent.sh; printf '%s-%s\\n' agent-says ${WORD}; printf '\\033[2Jcleared\\n'`;
const CHECK = `verify_command: 'printf "%s-%s\\n" check-says ${WORD}; exit 1'`;

type Printed = {
  readonly index: number;
  readonly of: string;
  readonly is: string;
  readonly artifact: string;
  readonly content: string | null;
  readonly excerpt: readonly string[] | null;
  readonly encrypted_to: readonly string[];
};

let at: Workshop;
let gpg: GpgHome;
let mission = '';
let readsInGpg = '';
beforeAll(async () => {
  at = await workshop();
  gpg = gpgHome();
  // Both came with the keys, and gpg has bo’s as well: two people, and two ways to read.
  const { fingerprint } = await json<{ fingerprint: string }>(at.run(['keys', 'encrypt-to', 'bo', '--json']));
  readsInGpg = fingerprint;
  const { stdout } = await ok(at.run(['keys', 'export', 'bo', '--private']));
  gpg.gpg(['--import'], stdout);
  const one = await at.propose({
    'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(AGENT)}]`,
    'verify_command: sh test/greet.test.sh': CHECK,
  });
  await at.approve(one);
  ({ mission } = one);
  await at.run(['run', mission, '--quiet']);
});
afterAll(() => {
  gpg.remove();
  at.remove();
});

const printed = async (args: readonly string[] = [], env = {}): Promise<readonly Printed[]> =>
  (await json<{ printed: readonly Printed[] }>(at.run(['explain', mission, ...args, '--output', '--json'], { env })))
    .printed;

describe('what cells printed', () => {
  it('is nowhere in clear but for the last lines of the check that failed', () => {
    const oids = git(at.folder, ['cat-file', '--batch-check=%(objectname)', '--batch-all-objects']).split('\n');
    const found = oids.filter((oid) => {
      const text = git(at.folder, ['cat-file', '-p', oid]);
      return text.includes(`agent-says-${WORD}`) || text.includes(`check-says-${WORD}`);
    });
    const texts = found.map((oid) => git(at.folder, ['cat-file', '-p', oid]));
    expect(texts).toEqual([expect.stringContaining(`"excerpt":["check-says-${WORD}"]`)]);
    expect(texts[0]).not.toContain('agent-says');
  });

  it('is opened by explain for whoever has a key, each cell by itself too', async () => {
    const all = await printed();
    expect(all.map(({ of, is }) => [of, is])).toEqual([
      ['the agent', 'opened'],
      ['check 0', 'opened'],
      ['check 1', 'opened'],
      ['check 2', 'opened'],
    ]);
    expect(all[0]!.content).toContain(`agent-says-${WORD}\n`);
    expect(all[1]).toMatchObject({ content: `check-says-${WORD}\n`, excerpt: [`check-says-${WORD}`] });
    expect(all[0]!.encrypted_to).toHaveLength(2);
    expect(await printed([String(all[1]!.index)])).toEqual([all[1]]);
    const { stdout } = await ok(at.run(['explain', mission, '--output']));
    expect(stdout).toContain('for ana, bo');
    expect(stdout).toContain(`\n      agent-says-${WORD}\n`);
    expect(stdout).not.toContain('\u001b');
  });

  it('is opened by artifact show, and by stock gpg out of the document that is kept', async () => {
    const [agent] = await printed();
    const shown = await ok(at.run(['artifact', 'show', mission, agent!.artifact]));
    expect(shown.stdout).toBe(agent!.content);
    const sealed = await ok(at.run(['artifact', 'show', mission, agent!.artifact, '--sealed']));
    const document = JSON.parse(sealed.stdout) as { message: string; digest: string; encrypted_to: string[] };
    expect(document.encrypted_to).toContain(readsInGpg);
    const file = join(scratch(), 'message.asc');
    writeFileSync(file, document.message);
    expect(gpg.gpg(['--decrypt', file]).toString()).toMatch(/^lazarus printed v1 [0-9a-f]{32}\n[^]*agent-says-/);
  });

  it('is opened with a key of the person’s own gpg, where lazarus keeps none', async () => {
    const env = { HOME: scratch('gpg-person'), GNUPGHOME: gpg.path };
    expect((await printed([], env))[0]!.content).toContain(`agent-says-${WORD}`);
  });

  it('is for others, and that is said with whose it is, to whoever has no such key', async () => {
    const env = { HOME: scratch('stranger') };
    const explained = await at.run(['explain', mission, '--output'], { env });
    expect([explained.code, explained.stdout]).toEqual([4, '']);
    expect(explained.stderr).toMatch(/^printed_not_for_you: .*\n(?:.*\n)* {2}next: ask one of the people/);
    expect(explained.stderr).toMatch(/people: ana, bo/);
    const [agent] = await printed();
    const shown = await at.run(['artifact', 'show', mission, agent!.artifact, '--json'], { env });
    expect(shown.code).toBe(4);
    expect(shown.stdout + shown.stderr).not.toContain(WORD);
    // What everybody may see of it they see.
    expect((await ok(at.run(['why', mission], { env }))).stdout).toContain(`check-says-${WORD}`);
  });

  it('that nobody printed is asked for by name of an event', async () => {
    const ran = await at.run(['explain', mission, '0', '--output']);
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining(`lazarus explain ${mission} --output`)]);
  });
});
