// How a cell is told of wherever people read: what it was kept apart by, and whether anything held it to its limits.
import type { EventOf } from '../event.ts';

export type Holds = EventOf<'cell.spawned'>['payload']['limits'];

export function levelWords(level: number): string {
  return level === 0 ? 'level 0: NO ISOLATION' : `level ${level}`;
}

/** A level says what a cell is kept apart from; how firmly it is held to its limits is another thing. */
export function cellWords({ level, limits }: { readonly level: number; readonly limits: Holds }): string {
  const loose = Object.entries(limits).flatMap(([what, how]) => (how === 'hard' ? [] : `${what} ${how}`));
  return loose.length === 0 || level === 0
    ? levelWords(level)
    : `${levelWords(level)}, soft limits: ${loose.join(', ')}`;
}
