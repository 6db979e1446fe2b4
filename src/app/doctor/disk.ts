// Whether there is room where cells, prepared environments and the repository are kept.
import { FREE_BYTES_MIN } from '../../ports/host.ts';
import { missing, ok, warn, type Finding } from './finding.ts';
import type { Here } from './here.ts';

const DISK = { item: 'disk', title: 'disk' };
const MEBIBYTE = 1 << 20;
/** What one prepared environment may take unless policy says otherwise. */
const WISHED_BYTES = 2048 * MEBIBYTE;

type Room = { readonly what: string; readonly freeBytes: number | undefined; readonly next: string };

export async function lookAtDisk({ opened, host, folders }: Here): Promise<readonly Finding[]> {
  const bench = await opened();
  const places = [
    { what: 'for cells and prepared environments', path: folders.cells, next: 'lazarus cache clear --all' },
    ...(bench === undefined ? [] : [{ what: 'in .git', path: folders.repository(bench), next: 'git gc --prune=now' }]),
  ];
  return judgeRoom(
    await Promise.all(
      places.map(async ({ what, path, next }) => ({ what, next, freeBytes: await host.freeBytes(path) })),
    ),
  );
}

/** One line where there is room everywhere. */
function judgeRoom(rooms: readonly Room[]): readonly Finding[] {
  const known = rooms.filter((room): room is Room & { readonly freeBytes: number } => room.freeBytes !== undefined);
  const tight = known.filter(({ freeBytes }) => freeBytes < WISHED_BYTES);
  if (tight.length === 0 && known.length > 0) return [ok(DISK, known.map(words).join(', '))];
  return tight.map((room) =>
    room.freeBytes < FREE_BYTES_MIN
      ? missing(DISK, `${words(room)}: ${shown(FREE_BYTES_MIN)} is the least`, room.next)
      : warn(DISK, `${words(room)}: little for what is prepared for cells`, room.next),
  );
}

function words({ freeBytes, what }: { readonly freeBytes: number; readonly what: string }): string {
  return `${shown(freeBytes)} free ${what}`;
}

function shown(bytes: number): string {
  return bytes < 1024 * MEBIBYTE
    ? `${Math.floor(bytes / MEBIBYTE)} MiB`
    : `${(bytes / (1024 * MEBIBYTE)).toFixed(1)} GiB`;
}
