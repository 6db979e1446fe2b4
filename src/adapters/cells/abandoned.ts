// What a killed supervisor leaves: its cells' folders, work that nobody took, control groups. Every folder is named after
// the process that made it, so that the next one can tell whose is whose. Touches nothing of a living process.
import { writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { isAlive, processNamespace, thisProcess } from '../system/processes.ts';
import { removeControlGroups } from './process/control-groups.ts';
import { removeTree } from './remove-tree.ts';

/** The folder's name for one cell of this process. */
export async function ownName({ cellId, epoch }: { readonly cellId: string; readonly epoch: number }): Promise<string> {
  return `${cellId}.${epoch}.${await ownMark()}`;
}

const CONTROL_GROUPS = 'control-groups';

/** In the cell's own folder, which the cell does not see: whoever sweeps may stand under other groups than we do. */
export function noteControlGroups(root: string, folders: readonly string[]): void {
  writeFileSync(join(root, CONTROL_GROUPS), folders.join('\n'), { mode: 0o600, flag: 'wx' });
}

let mark: Promise<string> | undefined;

/** `<namespace>.<pid>.<began>`: part of the name of whatever only this process may touch. */
export function ownMark(): Promise<string> {
  mark ??= Promise.all([processNamespace(), thisProcess()]).then(([here, { pid, began }]) => `${here}.${pid}.${began}`);
  return mark;
}

/** Whether the process with this mark may still be there; one of another container cannot be asked for. */
export async function isLiving(mark: string): Promise<boolean> {
  const [namespace, pid, began] = mark.split('.');
  return namespace !== (await processNamespace()) || isAlive({ pid: Number(pid), began: began ?? '' });
}

const NAME =
  /^(?<cell>[0-9a-f-]{36}\.\d+)\.(?<mark>(?<namespace>\d+|unknown)\.(?<pid>\d{1,10})\.(?<began>\d+|unknown))(?:\.|$)/;
/** There for a moment; one as old as this was cut off. */
const MOMENT_MAX_MS = 60 * 60 * 1000;

export async function sweepAbandoned(folder: string): Promise<void> {
  const here = await processNamespace();
  for (const kind of ['cells', 'work']) {
    for (const name of await readdir(join(folder, kind)).catch(() => [])) {
      const path = join(folder, kind, name);
      const { cell, mark, namespace, pid, began } = NAME.exec(name)?.groups ?? {};
      if (cell === undefined) {
        if (name.startsWith('pipe-') && (await isOld(path))) await rm(path, { force: true });
        if (name.startsWith('probe-') && (await isOld(path))) await removeTree(path);
        continue;
      }
      // A process of another container cannot be asked for: what is its own stays.
      if (namespace !== here || (await isAlive({ pid: Number(pid), began: began! }))) continue;
      // Ours from here on: of two who sweep at once, one finds nothing.
      const taken = join(folder, kind, `${cell}.${await ownMark()}.${randomUUID()}`);
      const isOurs = await rename(path, taken).then(
        () => true,
        () => false,
      );
      if (!isOurs) continue;
      const noted = await readFile(join(taken, CONTROL_GROUPS), 'utf8').catch(() => '');
      await removeTree(taken);
      await removeControlGroups(`lazarus-${cell}.${mark}`, noted.split('\n'));
    }
  }
}

async function isOld(path: string): Promise<boolean> {
  const about = await stat(path).catch(() => undefined);
  return about !== undefined && about.mtimeMs < Date.now() - MOMENT_MAX_MS;
}
