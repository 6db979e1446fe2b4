// The frame around every command, as its own process: what goes to which stream, and which exit code it ends with.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { REASONS } from '../../../src/reasons.ts';
import { COMMANDS } from '../../../src/surfaces/cli/commands.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { lazarus, type RunSettings } from '../../support/cli.ts';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../support/probe-cli.mjs', import.meta.url));
const probe = (args: readonly string[], settings: RunSettings = {}) =>
  lazarus(['probe', ...args], { script: SCRIPT, ...settings });

describe('help', () => {
  it.each([[['--help']], [[]]])('%j lists every command with its summary, on standard output', async (args) => {
    const { code, stdout, stderr } = await lazarus(args);
    for (const { path, summary } of COMMANDS) {
      expect(stdout).toMatch(
        new RegExp(`^  ${path} +${summary.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`, 'm'),
      );
    }
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('lists every variable of ours that the program reads', async () => {
    const { stdout } = await lazarus(['--help']);
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    // What a cell is given and what a forge's jobs hold is nobody's to set here.
    const named = sources.flatMap(
      (path) => readFileSync(join(SOURCES, path), 'utf8').match(/(?<=env\[')LAZARUS_[A-Z_]+/g) ?? [],
    );
    expect(named).toContain('LAZARUS_TOKEN');
    for (const name of new Set(named)) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });

  it('shows no heading with nothing below it', async () => {
    const { stdout } = await lazarus(['--help']);
    const lines = stdout.split('\n');
    const bare = lines.filter((line, i) => /^[A-Z]\w*:$/.test(line) && !(lines[i + 1] ?? '').startsWith('  '));
    expect(bare).toEqual([]);
  });

  it('describes each command, with the options that all of them take', async () => {
    for (const { path, summary } of COMMANDS) {
      const { code, stdout } = await lazarus([...path.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(summary);
      expect(stdout).toContain('--json');
    }
  });

  it('goes to standard error, with exit 2, where a word is missing', async () => {
    const { code, stdout, stderr } = await probe([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('misbehaves: probe fail');
    expect(stderr).toContain('usage: ');
  });
});

describe('a command line that is not understood', () => {
  it.each([
    [['verson'], "unknown command 'verson'", 'lazarus --help', 'version'],
    // What is no command has no help to show.
    [['verson', '--help'], "unknown command 'verson'", 'lazarus --help', 'version'],
    [['nonsense', '-h'], "unknown command 'nonsense'", 'lazarus --help', undefined],
    [['ledger', 'nonsense', '--help'], "unknown command 'nonsense'", 'lazarus --help', undefined],
    [['-C', '.', 'ledger', 'apend', '--help'], "unknown command 'apend'", 'lazarus --help', 'append'],
    [['version', '--jsno'], "unknown option '--jsno'", 'lazarus version --help', '--json'],
    [['version', 'more'], 'too many arguments', 'lazarus version --help', undefined],
    [['completion'], "missing required argument 'shell'", 'lazarus completion --help', undefined],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish', 'lazarus completion --help', undefined],
    [['version', '--color', 'red'], 'Allowed choices are auto, always, never', 'lazarus version --help', undefined],
    [['version', '-C', '/does/not/exist'], 'found: /does/not/exist', 'lazarus version --help', undefined],
    [['propose'], 'missing: mission', 'lazarus propose --help', undefined],
    [['--json=1', 'ledger', 'log'], "unknown option '--json=1'", 'lazarus ledger log --help', undefined],
  ])('%j ends with 2 and says what was wrong, and whose help to read', async (args, problem, next, suggestion) => {
    const { code, stdout, stderr } = await lazarus(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr).toContain(`\n  next: ${next}\n`);
    if (suggestion !== undefined) expect(stderr).toContain(`did_you_mean: ${suggestion}`);
  });

  it('quotes a number that is none back', async () => {
    for (const number of ['1e3', '-4', '0', '0x10', '99999999999999999999', '']) {
      const { code, stderr } = await probe(['whole', `--count=${number}`]);
      expect(code).toBe(2);
      expect(stderr).toContain(`found: ${number})`);
    }
    expect((await probe(['whole', '--count', '12'])).stdout).toBe('12\n');
  });
});

describe('a failure', () => {
  it('is its code, its sentence, its facts and the next command, on standard error', async () => {
    const { code, stdout, stderr } = await probe(['fail']);
    expect({ code, stdout }).toEqual({ code: REASONS.head_moved.exit, stdout: '' });
    expect(stderr).toBe(
      `head_moved: ${REASONS.head_moved.says} (ledger: lazarus/m-1; attempts: 5)\n  next: lazarus ledger log <ledger>\n`,
    );
  });

  it('is one object on standard output with --json, before or after the command', async () => {
    const { exit, says, next } = REASONS.head_moved;
    for (const args of [
      ['fail', '--json'],
      ['--json', 'fail'],
    ]) {
      const { code, stdout, stderr } = await probe(args);
      expect({ code, stderr }).toEqual({ code: 5, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        schema_version: 1,
        error: { code: 'head_moved', says, facts: { ledger: 'lazarus/m-1', attempts: 5 }, next, exit },
      });
    }
    const usage = await lazarus(['verson', '--json']);
    expect(JSON.parse(usage.stdout)).toMatchObject({ schema_version: 1, error: { code: 'usage', exit: 2 } });
  });

  it('after the result does not print a second object', async () => {
    const { code, stdout, stderr } = await probe(['late', '--json']);
    expect(code).toBe(75);
    expect(JSON.parse(stdout)).toEqual({ schema_version: 1, ok: true });
    expect(stderr).toContain('remote_unreachable: ');
  });

  it('that is a bug says so, escaped, and shows its stack to those who ask only', async () => {
    const plain = await probe(['crash']);
    expect(plain.code).toBe(1);
    expect(plain.stderr).toContain(String.raw`(error: TypeError: a bug with an \x1b[31mescape)`);
    expect(plain.stderr).not.toContain('    at ');
    expect((await probe(['crash', '-v'])).stderr).toContain('probe-cli.mjs');
    expect((await probe(['fail', '-v'])).stderr).toContain('caused by Error: the cause');
  });

  it('has the exit code that the command returned', async () => {
    expect((await probe(['code'])).code).toBe(8);
  });
});

describe('streams', () => {
  it('carry data on standard output and messages on standard error', async () => {
    expect(await probe(['talk'])).toEqual({ code: 0, stdout: 'data\n', stderr: 'a note\na warning\n' });
    expect(await probe(['talk', '--quiet'])).toEqual({ code: 0, stdout: 'data\n', stderr: 'a warning\n' });
    expect(await probe(['talk', '-v'])).toEqual({ code: 0, stdout: 'data\n', stderr: 'a note\na warning\na detail\n' });
  });

  it('carry no terminal escape of a stranger, as text or as JSON', async () => {
    // The attack: text from a repository that clears the line, writes a verdict of its own and hides what follows.
    const evil = 'x\u001b[2K\rverified: ok\n\u009b8m\u202egnp.exe';
    const text = await probe(['print', evil]);
    expect(text.stdout).toBe(`${String.raw`x\x1b[2K\rverified: ok\n\x9b8m\u{202e}gnp.exe`}\n`);
    const json = await probe(['print', evil, '--json', '--color', 'always']);
    expect(json.stdout).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(json.stdout)).toEqual({ schema_version: 1, text: evil });
  });

  it('work in the folder named by -C and never ask with --no-input', async () => {
    const where = await probe(['where', '-C', tmpdir(), '--no-input', '--yes', '--json']);
    expect(JSON.parse(where.stdout)).toEqual({ schema_version: 1, cwd: tmpdir(), interactive: false, yes: true });
  });

  it.each([
    [CLI_MAIN, ['--help']],
    [SCRIPT, ['probe', 'flood']],
  ])('may be closed early by the reader: %s %j', async (script, args) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    if (args.includes('flood')) await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('Ctrl-C', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '(%s) ends with 130 and one line, whatever the command then throws',
    async (signal) => {
      const { code, stdout, stderr } = await probe(['wait'], { signalOn: { text: 'waiting', signal } });
      expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
      expect(stderr).toBe(`waiting\ninterrupted: ${REASONS.interrupted.says}\n  next: ${REASONS.interrupted.next}\n`);
    },
  );

  it('ends also a command that does not listen', async () => {
    const { code } = await probe(['deaf'], { signalOn: { text: 'waiting', signal: 'SIGINT' } });
    expect(code).toBe(130);
  });
});

describe('an old Node', () => {
  it.each(['12.22.0', '18.20.8', '20.18.3'])('%s is told which one is needed', async (version) => {
    const pretend = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
    const { code, stdout, stderr } = await lazarus(['--help'], {
      nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`],
    });
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
    expect(stderr).toBe(
      `node_too_old: lazarus needs Node 20.19 or newer, and this is Node ${version}.\n  next: install Node 20.19 or newer\n`,
    );
  });
});

describe('version', () => {
  it('tells what a bug report needs', async () => {
    const { stdout } = await lazarus(['version', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      schema_version: 1,
      name: 'lazarus',
      node: process.versions.node,
      ledger_format: 1,
    });
  });

  it('answers without git as well', async () => {
    const { code, stdout } = await lazarus(['version'], { env: { PATH: '/nonexistent' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^git +not found$/m);
  });
});
