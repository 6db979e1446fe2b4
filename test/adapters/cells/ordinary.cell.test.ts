// The same cells for an ordinary user and for root, and what becomes of them when their supervisor is killed.
import { chownSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CellFacts } from '../../../src/ports/cells.ts';
import { passableScratch } from '../../support/cells.ts';
import { scratch } from '../../support/repos.ts';
import { supervising, type Told } from './supervising.ts';

const start = supervising();
const SOMEBODY = 60_500;

test.runIf(process.getuid!() === 0)('an ordinary user gets level 2 as well, under its own id', async () => {
  const folder = scratch('ordinary');
  chownSync(folder, SOMEBODY, SOMEBODY);
  const { told, all } = start(folder, {
    uid: SOMEBODY,
    shellText: 'id -u; grep -h -E "Seccomp:|CapEff" /proc/self/status; mkdir -p a/b; chmod 000 a',
  });
  expect(await told('running')).toMatchObject({
    facts: {
      level: 2,
      uid: SOMEBODY,
      seccomp: true,
      namespaces: ['user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'],
    },
  });
  // Nothing lets it make control groups here: what is only watched is not called a limit of the kernel's.
  const { facts } = (await told('running')) as unknown as { facts: CellFacts };
  expect(facts.limits).toEqual({ cpu: 'none', memory: 'soft', processes: 'soft' });
  expect(facts.limitsSet).not.toHaveProperty('cpus');
  expect(await told('probe')).toMatchObject({ probe: { limits: facts.limits, uid: SOMEBODY } });
  const out = textOf(await all);
  expect(out).toMatch(/^60500\n.*\nSeccomp:\t2\n$/s);
  const residue = (await told('closed'))['residue'] as Record<string, number>;
  expect(Object.values(residue)).toEqual(Array(8).fill(0));
});

test.runIf(process.getuid!() === 0)('root starts a cell as a user that nobody else is', async () => {
  const { told, all } = start(passableScratch(), { shellText: 'id -u' });
  const { facts } = (await told('running')) as unknown as { facts: { uid: number } };
  expect(facts.uid).toBeGreaterThan(60_000);
  expect(textOf(await all)).toBe(`${facts.uid}\n`);
});

test('a supervisor that is killed takes its cell along', async () => {
  const { child, told } = start(passableScratch(), { shellText: '(setsid sleep 300 &); echo up; sleep 301' });
  await told('output');
  const before = descendants(child.pid!);
  expect(before.length).toBeGreaterThanOrEqual(4);
  child.kill('SIGKILL');
  while (before.some(alive)) await wait(20);
});

/** Host pids below a process, however they are now related. */
function descendants(root: number): readonly string[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [pid, parentOf(pid)]),
  );
  const found = new Set([String(root)]);
  for (let grew = true; grew;) {
    grew = false;
    for (const [pid, parent] of parents)
      if (!found.has(pid) && parent !== undefined && found.has(parent)) grew = found.add(pid).size > 0;
  }
  return [...found].filter((pid) => pid !== String(root));
}

function textOf(told: readonly Told[]): string {
  return told.map((one) => (typeof one['text'] === 'string' ? one['text'] : '')).join('');
}

function parentOf(pid: string): string | undefined {
  return /^PPid:\s*(\d+)$/m.exec(statusOf(pid))?.[1];
}

function alive(pid: string): boolean {
  return /^State:\s*[^ZX]/m.test(statusOf(pid));
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return '';
  }
}
