// What a cell refuses to start with, and that then nothing of the participant has run and nothing lies about.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCells } from '../../../src/adapters/cells/cells.ts';
import { processBackend } from '../../../src/adapters/cells/process/backend.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import type { CellSpec } from '../../../src/ports/cells.ts';
import { passableScratch, project, runIn, spawnIn, testCells } from '../../support/cells.ts';
import { freshManifest } from '../../support/manifests.ts';
import { scratch } from '../../support/repos.ts';

function started(folder: string): readonly string[] {
  return existsSync(join(folder, 'cells')) ? readdirSync(join(folder, 'cells')) : [];
}

describe('a machine that cannot make a cell', () => {
  /** Programs of ours in place of bwrap. */
  function withPrograms(programs: Readonly<Record<string, string>>) {
    const bin = scratch('bin');
    chmodSync(bin, 0o755);
    for (const [name, text] of Object.entries(programs))
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const folder = passableScratch();
    const backend = processBackend(folder, bin);
    return { folder, cells: makeCells({ folder, repositories: workRepositories, backend }) };
  }
  const version = '[ "$1" = --version ] && echo "bubblewrap 0.8.0" && exit 0';

  test('without bubblewrap: the package is named', async () => {
    const { cells, folder } = withPrograms({});
    expect(await cells.probe()).toMatchObject({ is: 'unfit', code: 'sandbox_missing' });
    await expect(spawnIn(cells, {})).rejects.toMatchObject({ code: 'sandbox_missing' });
    expect(started(folder)).toEqual([]);
  });

  test.each([
    ['bwrap: No permissions to create new namespace, likely because', 'user namespaces are forbidden here'],
    [
      'bwrap: Creating new namespace failed: nesting depth or max_user_namespaces exceeded (ENOSPC)',
      'no more namespaces',
    ],
    ['bwrap: setting up uid map: Permission denied', 'AppArmor'],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'AppArmor'],
    ['bwrap: something new', 'bwrap: something new'],
  ])('where bubblewrap says "%s"', async (says, why) => {
    const { cells, folder } = withPrograms({ bwrap: `${version}\necho "${says}" >&2; exit 1` });
    const probe = await cells.probe();
    expect(probe).toMatchObject({ is: 'unfit', code: 'sandbox_unfit' });
    expect(probe.is === 'unfit' && probe.why).toContain(why);
    await expect(spawnIn(cells, {})).rejects.toMatchObject({ code: 'sandbox_unfit' });
    expect(started(folder)).toEqual([]);
  });

  test('a bubblewrap that only pretends is caught by looking at the process', async () => {
    const bwrap = `${version}\nprintf '{ "child-pid": %d }' $$ >&4; exec sleep 60`;
    const { cells } = withPrograms({ bwrap });
    expect(await cells.probe()).toMatchObject({ is: 'unfit', code: 'sandbox_unfit' });
  });

  test.runIf(process.getuid!() === 0)('a folder that the cell’s user cannot reach is named', async () => {
    const folder = scratch('closed');
    const cells = await testCells(folder);
    expect(await cells.probe()).toMatchObject({ code: 'sandbox_unfit', why: expect.stringContaining(folder) });
  });
});

test('more isolation than there is: nothing starts', async () => {
  const folder = passableScratch();
  const cells = await testCells(folder);
  await expect(spawnIn(cells, { requiredLevel: 3 })).rejects.toMatchObject({
    code: 'level_unmet',
    facts: { level: 2, required: 3 },
  });
  const check = { project: project({ a: 'x' }), shellText: 'true', requiredLevel: 4 as const };
  await expect(cells.runCheck(check)).rejects.toMatchObject({ code: 'level_unmet' });
  expect(started(folder)).toEqual([]);
});

describe('names become paths and arguments, so most are refused', () => {
  const bytes = new Uint8Array();
  test.each([
    ['a cell id with a path', { cellId: '../../x' }],
    ['a participant with a line break', { participant: 'a\nb' }],
    ['a participant with a path', { participant: '../x' }],
    ['no command', { command: { argv: [] } }],
    ['a NUL in the command', { command: { argv: ['a\0b'] } }],
    ['a brief file elsewhere', { brief: { '../x': bytes } }],
    ['a brief file over ours', { brief: { port: bytes } }],
    ['a hidden brief file', { brief: { '.x': bytes } }],
    ['the whole machine as a tool', { tools: ['/'] }],
    ['somebody’s home as a tool', { tools: ['/home/ana'] }],
    ['kernel files as a tool', { tools: ['/proc/1'] }],
    ['a tool by a way around', { tools: ['/opt/../root/x'] }],
    ['a negative epoch', { epoch: -1 }],
  ] as [string, Partial<CellSpec>][])('%s', async (_, changes) => {
    const manifest = await freshManifest('99999999-9999-4999-8999-999999999999');
    await expect(spawnIn(await testCells(), { manifest, ...changes })).rejects.toMatchObject({
      code: 'cell_spec_invalid',
    });
  });

  test('arguments that look like options of bubblewrap are the command’s own', async () => {
    const words = ['--bind', '/', '/x', '; touch /tmp/x', '$(id)', 'a\nb', '--'];
    const cells = await testCells();
    const cell = await spawnIn(cells, { command: { argv: ['printf', '%s|', ...words] } });
    let out = '';
    for await (const { text } of cell.output) out += text;
    expect(out).toBe(words.map((word) => `${word}|`).join(''));
    await cell.close();
  });
});

describe('a manifest', () => {
  test('of another cell does not open this one', async () => {
    const manifest = await freshManifest('99999999-9999-4999-8999-999999999999');
    await expect(spawnIn(await testCells(), { manifest })).rejects.toMatchObject({ code: 'manifest_elsewhere' });
  });

  test('bounds the time, whatever the limits say', async () => {
    const cellId = '99999999-9999-4999-8999-999999999999';
    const manifest = await freshManifest(cellId, { max_tokens: 0, max_calls: 0, max_wallclock_seconds: 1 });
    const { cell, exit } = await runIn(await testCells(), 'sleep 60', { cellId, manifest, limits: { wallMs: 60_000 } });
    expect(exit.reason).toBe('timeout');
    await cell.close();
  });
});

test('variables that could carry something in are refused by name, and their value is not repeated', async () => {
  const cells = await testCells();
  for (const name of [
    'MY_TOKEN',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'BASH_ENV',
    'GIT_SSH_COMMAND',
    'SSH_AUTH_SOCK',
    'PATH',
    'A B',
  ])
    await expect(spawnIn(cells, { env: { [name]: 'VALUE-1234' } })).rejects.toSatisfy(
      (error: any) =>
        error.code === 'cell_environment_refused' && !JSON.stringify([error.message, error.facts]).includes('VALUE'),
    );
  const { cell, out } = await runIn(cells, 'echo $COLOUR', { env: { COLOUR: 'green' } });
  expect(out).toBe('green\n');
  await cell.close();
});

test('a program that is not there', async () => {
  const cell = await spawnIn(await testCells(), { command: { argv: ['no-such-program'] } });
  expect(await cell.exit).toMatchObject({ reason: 'exited', code: 127 });
  await cell.close();
});

test('an observer reads and cannot write', async () => {
  const { cell, out, err } = await runIn(
    await testCells(),
    'cat a.txt; for p in a.txt new /cell/shared/new; do echo x > $p || true; done; echo mine > $HOME/mine && echo home',
    { role: 'observer', project: project({ 'a.txt': 'readable\n' }) },
  );
  expect(out).toBe('readable\nhome\n');
  expect(err.match(/Read-only file system/g)).toHaveLength(3);
  await cell.close();
});

test.runIf(process.getuid!() === 0)('tools of the host are readable where they are, and only there', async () => {
  const tools = '/opt/lazarus-test-tools';
  mkdirSync(tools, { recursive: true });
  onTestFinished(() => rmSync(tools, { recursive: true }));
  writeFileSync(join(tools, 'hello'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
  const { cell, out, err } = await runIn(await testCells(), `${tools}/hello; echo x > ${tools}/x; ls /opt`, {
    tools: [tools],
  });
  expect(out).toBe('hello\nlazarus-test-tools\n');
  expect(err).toContain('Read-only file system');
  await cell.close();
});

test('a claim is a plain file of the participant’s home, or none', async () => {
  const cells = await testCells();
  const claims: Record<string, string> = {
    'echo \'{"a":1}\' > done.json': '{"a":1}\n',
    'ln -s /etc/passwd done.json': 'none',
    'mkfifo done.json': 'none',
    'mkdir done.json': 'none',
    'head -c 300000 /dev/zero > done.json': 'none',
    'echo left over > elsewhere; chmod 000 . || true': 'none',
  };
  for (const [text, expected] of Object.entries(claims)) {
    const { cell } = await runIn(cells, `cd $HOME; ${text}`);
    expect({ [text]: (await cell.claim()) ?? 'none' }).toEqual({ [text]: expected });
    await cell.close();
  }
});

test('so is a question, there or where dispatched sessions leave theirs', async () => {
  const cells = await testCells();
  const state = 'mkdir -p Agentik_Runtime/state; cd Agentik_Runtime/state;';
  const questions: Record<string, string> = {
    "echo '{}' > blocked.json": '{}\n',
    [`${state} echo '{"at":1}' > blocked-agent.json`]: '{"at":1}\n',
    [`echo '{}' > blocked.json; ${state} echo '{"at":1}' > blocked-agent.json`]: '{}\n',
    'ln -s /etc/passwd blocked.json': 'none',
    'mkfifo blocked.json': 'none',
    'head -c 10000000 /dev/zero > blocked.json': 'none',
    // A folder on the way that leads out of the cell.
    'ln -s / Agentik_Runtime': 'none',
    'mkdir Agentik_Runtime; ln -s /etc Agentik_Runtime/state': 'none',
    'mkfifo Agentik_Runtime': 'none',
    [`${state} ln -s /etc/passwd blocked-agent.json`]: 'none',
    [`${state} echo '{}' > blocked-somebody.json`]: 'none',
  };
  for (const [text, expected] of Object.entries(questions)) {
    const { cell } = await runIn(cells, `cd $HOME; ${text}`);
    expect({ [text]: (await cell.question()) ?? 'none' }).toEqual({ [text]: expected });
    await cell.close();
  }
});
