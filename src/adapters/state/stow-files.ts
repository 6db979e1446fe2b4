// Hand-overs that wait, as files that only this user may read: on the disk whole or not at all, few, and swept up when their
// time is over, which their names say. Outside of every folder that a cell is given. What they hold is proved by its signature.
import { constants, mkdirSync, statSync } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Stow, Stowed, TakenStowed } from '../../ports/stow.ts';
import { diskFailure, nameFile, removeQuietly, removeStaleAsides, syncFolder, writeAside } from '../system/disk.ts';
import { runLocks } from './run-locks.ts';

/** `project`: the fingerprint of its first event. */
type Place = { readonly folder: string; readonly project: string; readonly clock: Clock };

/** Of all projects of this user together. */
const FILES_MAX = 64;
const BYTES_MAX = 512 << 20;
const FILE_BYTES_MAX = 128 << 20;
const PROJECT_DIGITS = 16;
const OTHERS = 0o077;
const NAME = /^(?<project>[0-9a-f]{16})\.(?<ends>\d{1,11})\.(?<attempt>[0-9a-f-]{36})\.handover$/;

export function stowFiles({ folder, project, clock }: Place): Stow {
  const locks = runLocks(folder);
  const own = project.replace(/^sha256:/, '').slice(0, PROJECT_DIGITS);

  /** Of all projects; what is over goes. */
  async function names(): Promise<readonly { readonly name: string; readonly of: string; readonly attempt: string }[]> {
    const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw diskFailure(error, folder);
    });
    const now = clock.nowSeconds();
    return found
      .toSorted((a, b) => (a < b ? -1 : 1))
      .flatMap((name) => {
        const { project: of = '', ends, attempt = '' } = NAME.exec(name)?.groups ?? {};
        if (ends === undefined) return [];
        if (Number(ends) >= now) return [{ name, of, attempt }];
        removeQuietly(join(folder, name));
        return [];
      });
  }

  return {
    async put({ attempt, endsAtSeconds, bytes }) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
      } catch (error) {
        throw diskFailure(error, folder);
      }
      await removeStaleAsides(folder);
      const others = (await names()).filter((one) => one.attempt !== attempt);
      const taken = others.reduce((sum, { name }) => sum + bytesOf(join(folder, name)), 0);
      const limits = { handovers_max: FILES_MAX, bytes_max: BYTES_MAX, file_bytes_max: FILE_BYTES_MAX };
      if (others.length >= FILES_MAX || taken + bytes.length > BYTES_MAX || bytes.length > FILE_BYTES_MAX)
        throw new Failure('limit_reached', { ...limits, bytes: bytes.length, folder });
      const path = join(folder, `${own}.${endsAtSeconds}.${attempt}.handover`);
      nameFile(await writeAside(folder, bytes, 0o600), path);
      await syncFolder(folder);
      return { attempt, path };
    },
    async list() {
      const here = (await names()).filter(({ of }) => of === own);
      return here.map(({ name, attempt }) => ({ attempt, path: join(folder, name) }));
    },
    async take({ attempt, path }: Stowed): Promise<TakenStowed | undefined> {
      const lock = await locks.take(attempt).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'mission_running') return undefined;
        throw error;
      });
      if (lock === undefined) return undefined;
      const letGo = (): Promise<void> => lock.release();
      // Whoever had it before may be done with it.
      if ((await lstat(path).catch(() => undefined)) === undefined) {
        await letGo();
        return undefined;
      }
      return {
        read: () => readOwn(path),
        letGo,
        remove: async () => {
          await rm(path, { force: true });
          await syncFolder(folder);
          await letGo();
        },
      };
    },
  };
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A link could lead elsewhere, and whatever others may write is not ours any more. */
async function readOwn(path: string): Promise<Uint8Array> {
  const altered = (why: string): Failure => new Failure('handover_altered', { path, why });
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw altered(error.code ?? 'unreadable');
    },
  );
  try {
    const about = await file.stat();
    if (!about.isFile()) throw altered('it is no file');
    if (about.uid !== process.geteuid?.() || (about.mode & OTHERS) !== 0) throw altered('others may have written it');
    if (about.size > FILE_BYTES_MAX) throw altered('it is too large');
    return await file.readFile();
  } finally {
    await file.close();
  }
}
