// How much memory a process holds with those that it started on this host: at the most, for a page that several of them share
// counts for each. What runs in a cell is the cell's own.
import { readdirSync, readFileSync } from 'node:fs';

export function heldBytes(pid: number): number {
  const parents = new Map(processes().map((one) => [one, parentOf(one)]));
  const isOurs = (one: number | undefined): boolean =>
    one === pid || (one !== undefined && one > 1 && isOurs(parents.get(one)));
  return [...parents.keys()].filter((one) => isOurs(one) && !isInCell(one)).reduce((sum, one) => sum + bytesOf(one), 0);
}

function processes(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function parentOf(pid: number): number | undefined {
  const parent = /^PPid:\s*(\d+)$/m.exec(about(pid))?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** It has another number inside. */
function isInCell(pid: number): boolean {
  return (/^NSpid:\s*(.*)$/m.exec(about(pid))?.[1] ?? '').trim().split(/\s+/).length > depth;
}

const depth = (/^NSpid:\s*(.*)$/m.exec(about(process.pid))?.[1] ?? '').trim().split(/\s+/).length;

function bytesOf(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(about(pid))?.[1] ?? 0) * 1024;
}

/** Empty for one that ended meanwhile. */
function about(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return '';
  }
}
