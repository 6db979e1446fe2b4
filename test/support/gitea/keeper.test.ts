// What the keeper promises: a test that is killed leaves no server, no runner and no job behind.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scratch } from '../repos.ts';
import { keep } from './kept.ts';

const KEEPER = new URL('keeper.mjs', import.meta.url).pathname;
// One process in the group, and one that leaves it, as the jobs of a runner do.
const PROGRAM = 'setsid sleep 1000 & echo $! > left; echo $$ > group; sleep 1000';
const HOLDER = `
  const { spawn } = require('node:child_process');
  const [code, task] = process.argv.slice(1);
  spawn(process.execPath, ['--input-type=module', '-e', code, task], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
`;

it('ends the program and what left its group when the process that held it is killed', async () => {
  const folder = scratch();
  const task = JSON.stringify({ program: '/bin/sh', args: ['-c', PROGRAM], cwd: folder, mark: folder });
  const holder = spawn(process.execPath, ['-e', HOLDER, readFileSync(KEEPER, 'utf8'), task], { stdio: 'ignore' });
  const pids = await written(folder);
  expect(pids.every(isAlive)).toBe(true);
  holder.kill('SIGKILL');
  while (pids.some(isAlive)) await pause(20);
});

it('stops a program on demand and tells how a program ended by itself', async () => {
  const folder = scratch();
  const env = { PATH: '/usr/bin:/bin' };
  const kept = keep({ program: '/bin/sh', args: ['-c', 'exit 7'], cwd: '/', env }, join(folder, 'log'));
  while (kept.exited() === undefined) await pause(20);
  expect(kept.exited()).toBe(7);
  await kept.stop();
  const lasting = keep({ program: '/bin/sh', args: ['-c', 'exec sleep 1000'], cwd: '/', env }, join(folder, 'log'));
  expect(lasting.exited()).toBeUndefined();
  await lasting.stop();
  expect(lasting.exited()).toBeDefined();
});

async function written(folder: string): Promise<number[]> {
  const files = ['left', 'group'].map((name) => join(folder, name));
  for (;;) {
    const pids = files.map((file) => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0));
    if (pids.every((pid) => pid > 0)) return pids;
    await pause(20);
  }
}

function isAlive(pid: number): boolean {
  try {
    // A zombie that nobody has collected yet is dead.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
