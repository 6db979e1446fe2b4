// Notes every git process that starts while a test runs.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { scratch } from '../../support/repos.ts';

/** Puts a git first in the PATH that notes its process id and becomes the real one. Answers with the ids so far. */
export function recordProcesses(): () => number[] {
  const folder = scratch('shadow');
  const path = process.env['PATH'] ?? '';
  const pids = join(folder, 'pids');
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho $$ >> '${pids}'\nPATH='${path}' exec git "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  process.env['PATH'] = `${folder}:${path}`;
  onTestFinished(() => void (process.env['PATH'] = path));
  return () => (existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []);
}

/** Until Node has collected it: a dead process that nobody has waited for still takes signals. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
