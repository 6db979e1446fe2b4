// Which namespaces a process is in, read from outside. What bubblewrap says about itself is not asked.
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export const NAMESPACES = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** The kinds in which `pid` is not where we are; a kind that cannot be read is not among them. */
export function separated(pid: number): readonly Namespace[] {
  return NAMESPACES.filter((kind) => {
    const theirs = namespaceOf(pid, kind);
    return theirs !== undefined && theirs !== namespaceOf('self', kind);
  });
}

export function namespaceOf(pid: number | 'self', kind: Namespace): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}

/** Keeps a process's pid namespace from being forgotten: its number would soon be another one's. Undefined: unreadable. */
export function holdPidNamespace(pid: number): { readonly id: string; readonly letGo: () => void } | undefined {
  try {
    const fd = openSync(`/proc/${pid}/ns/pid`, constants.O_RDONLY);
    return { id: `pid:[${fstatSync(fd).ino}]`, letGo: () => closeSync(fd) };
  } catch {
    return undefined;
  }
}

/** Every process in this pid namespace, as the host numbers them. */
export function processesIn(pidNamespace: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && namespaceOf(pid, 'pid') === pidNamespace && !isZombie(pid));
}

/**
 * Until the first process of a namespace is over, which the kernel lets happen only after all others: bubblewrap
 * itself does not wait for that.
 */
export async function firstProcessGone(pid: number, pidNamespace: string): Promise<void> {
  const from = performance.now();
  while (namespaceOf(pid, 'pid') === pidNamespace && !isZombie(pid) && performance.now() - from < GONE_WITHIN_MS)
    await wait(1);
}

const GONE_WITHIN_MS = 5000;

/** Dead, and waiting for whoever inherited it to notice. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return true;
  }
}

/** What the kernel says of a process: its filter, its right to gain privileges, its capabilities. */
export function confinement(
  pid: number,
): { readonly seccomp: boolean; readonly noNewPrivileges: boolean; readonly capabilities: boolean } | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return undefined;
  }
  const field = (name: string): string => new RegExp(`^${name}:\\s*(\\w+)$`, 'm').exec(status)?.[1] ?? '';
  const none = /^0+$/;
  return {
    seccomp: field('Seccomp') === '2',
    noNewPrivileges: field('NoNewPrivs') === '1',
    capabilities: !(none.test(field('CapBnd')) && none.test(field('CapEff')) && none.test(field('CapPrm'))),
  };
}
