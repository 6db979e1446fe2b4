// Programs that do not end, say too much, hold on to their pipes or are not there; and what a failed one must not give away.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runProgram, type Program, type Ran } from '../../../src/adapters/system/run-program.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { scratch } from '../../support/repos.ts';

const PATH = process.env['PATH'];

const run = (program: string, args: readonly string[], more: Partial<Program> = {}): Promise<Ran> =>
  runProgram({ program, args, cwd: '/', env: { PATH }, ...more });
const shell = (script: string, more?: Partial<Program>): Promise<Ran> => run('sh', ['-c', script], more);
const said = (ran: Ran): string => (ran.is === 'ended' ? ran.stdout.toString('utf8') : `${ran.is}: ${ran.why}`);

describe('a program that ends', () => {
  it('is told what to do by arguments alone: no shell looks at them', async () => {
    expect(said(await run('printf', ['%s|', 'a b', '$HOME', '`id`', '*', ''], {}))).toBe('a b|$HOME|`id`|*||');
  });

  it('gets the environment that is given and nothing of ours', async () => {
    process.env['LAZARUS_TOKEN'] = 'tok3n';
    try {
      expect(said(await run('env', [], { env: { PATH, A: 'b', C: undefined } }))).toBe(`PATH=${PATH}\nA=b\n`);
    } finally {
      delete process.env['LAZARUS_TOKEN'];
    }
  });

  it('finds no program in the folders of node packages, only where PATH leads', async () => {
    const folder = scratch('packages');
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/.bin/lure'), '#!/bin/sh\necho lured\n', { mode: 0o755 });
    expect(await run('lure', [], { cwd: folder })).toMatchObject({ is: 'not_started', why: 'no_program' });
  });

  it('is given its input, and its output comes back byte for byte', async () => {
    const input = Uint8Array.from({ length: 100_000 }, (_, i) => i % 256);
    const ran = await run('cat', [], { input });
    expect(ran.is === 'ended' && ran.stdout.equals(input)).toBe(true);
    expect(said(await run('printf', [String.raw`a\n\n`]))).toBe('a\n\n');
  });

  it('may leave without reading its input', async () => {
    expect(await run('true', [], { input: 'x'.repeat(1 << 20) })).toMatchObject({ is: 'ended', exitCode: 0 });
  });

  it('answers with its exit code, or with the signal that ended it', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toMatchObject({ exitCode: 3, stderr: 'err\n' });
    expect(await shell('kill -9 $$')).toMatchObject({ is: 'ended', exitCode: 'SIGKILL' });
  });

  it('may complain at length: the end of it is kept', async () => {
    const ran = await shell('head -c 300000 /dev/zero >&2; echo the end >&2');
    expect(ran.is === 'ended' && ran.stderr.length).toBe(65_536);
    expect(ran.is === 'ended' && ran.stderr.slice(-8)).toBe('the end\n');
  });
});

describe('a program that is not there', () => {
  it('is told apart from a folder that is not, and from one that may not run', async () => {
    expect(await run('no-such-program', [])).toEqual({ is: 'not_started', why: 'no_program', code: 'ENOENT' });
    expect(await run('true', [], { cwd: '/no/such/folder' })).toMatchObject({ why: 'no_folder' });
    expect(await run('/etc/passwd', [])).toEqual({ is: 'not_started', why: 'refused', code: 'EACCES' });
  });

  it('gives no argument away, however wrong it is', async () => {
    const wrong = await run('printf', ['secret\0argument']);
    expect(wrong).toEqual({ is: 'not_started', why: 'refused', code: 'EINVAL' });
    expect(JSON.stringify(await run('no-such-program', ['secret']))).not.toContain('secret');
  });
});

describe('a program that does not end', () => {
  // With the deadline of the library that starts it this takes as long as the grandchild sleeps.
  it.each([
    ['that holds its pipes', 'sleep 600 & echo $! > $0; sleep 600'],
    ['that ignores a request to end', '(trap "" TERM; sleep 600) & echo $! > $0; trap "" TERM; sleep 600'],
    ['that outlives its parent', 'sleep 600 & echo $! > $0'],
  ])('is ended when its time is up, with a grandchild %s', async (_, script) => {
    const file = join(scratch('grandchild'), 'pid');
    expect(await run('sh', ['-c', script, file], { timeoutMs: 200 })).toEqual({ is: 'stopped', why: 'timeout' });
    await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
  });

  it('holds nobody up with a grandchild that got away', async () => {
    const file = join(scratch('grandchild'), 'pid');
    const away = 'setsid sleep 600 & echo $! > $0; sleep 0.1';
    expect(await run('sh', ['-c', away, file], { timeoutMs: 300 })).toEqual({ is: 'stopped', why: 'timeout' });
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  });

  it('is ended alone where it may ask a person, and holds nobody up either', async () => {
    const file = join(scratch('grandchild'), 'pid');
    const more = { timeoutMs: 200, mayAskPerson: true };
    const ran = await run('sh', ['-c', 'sleep 600 & echo $! > $0; sleep 600', file], more);
    expect(ran).toEqual({ is: 'stopped', why: 'timeout' });
    const grandchild = Number(readFileSync(file, 'utf8'));
    expect(isAlive(grandchild)).toBe(true);
    process.kill(grandchild, 'SIGKILL');
  });

  it('stays in our session where it may ask a person, whose terminal it would lose', async () => {
    const session = async (mayAskPerson: boolean) => said(await shell('ps -o sid= -p $$', { mayAskPerson })).trim();
    const ours = said(await run('ps', ['-o', 'sid=', '-p', String(process.pid)])).trim();
    expect(await session(true)).toBe(ours);
    expect(await session(false)).not.toBe(ours);
  });

  it('is ended when nobody wants its answer any more, before it began too', async () => {
    const stop = new AbortController();
    const [first, second] = ['first', 'second'].map((name) => join(scratch('aborted'), name)) as [string, string];
    const running = run('sh', ['-c', 'sleep 600 & touch $0; sleep 600', first], { signal: stop.signal });
    await expect.poll(() => existsSync(first)).toBe(true);
    stop.abort();
    expect(await running).toEqual({ is: 'stopped', why: 'aborted' });
    expect(await run('touch', [second], { signal: stop.signal })).toEqual({ is: 'stopped', why: 'aborted' });
    expect(existsSync(second)).toBe(false);
  });

  it('cannot fill our memory', async () => {
    expect(await shell('yes & yes', { stdoutBytesMax: 100_000 })).toEqual({ is: 'stopped', why: 'too_long' });
  });

  it('does not outlive a process that gave up waiting', async () => {
    const file = join(scratch('left'), 'pid');
    const runner = join(CLI_MAIN, '../../../adapters/system/run-program.js');
    const impatient = `
      import { watch } from 'node:fs';
      const { runProgram } = await import(${JSON.stringify(runner)});
      watch(${JSON.stringify(join(file, '..'))}, (_, name) => name === 'pid' && process.exit(0));
      await runProgram({ program: 'sh', args: ['-c', 'echo $$ > $0-; mv $0- $0; sleep 600', ${JSON.stringify(file)}], cwd: '/', env: process.env });`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', impatient]);
    await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    // A zombie waits for a parent that is in no hurry: it does nothing any more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
