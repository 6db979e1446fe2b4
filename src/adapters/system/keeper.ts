// A Linux machine as its keeper works on it: users and groups through the system's own lists and programs, files that root
// owns. Every program by its name in the folders of the system, with a fixed environment.
import { chmod, chown, lstat, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Account, Group, Keeper, Owner } from '../../ports/keeper.ts';
import { runProgram } from './run-program.ts';
import { othersCanChange } from './trusted-path.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const STEP_WITHIN_MS = 120_000;

/** `own`: how this program is started. */
export async function keeperHere(own: readonly string[]): Promise<Keeper> {
  return {
    isRoot: process.geteuid?.() === 0,
    hasSystemd: await stat('/run/systemd/system').then(
      () => true,
      () => false,
    ),
    account,
    group,
    async folder(path) {
      const found = await lstat(path).catch(() => undefined);
      if (found?.isDirectory() !== true) return undefined;
      return { uid: found.uid, gid: found.gid, mode: found.mode & 0o7777 };
    },
    async makeFolder(path: string, { uid, gid }: Owner, mode: number) {
      await mkdir(path, { mode: 0o700 });
      await chown(path, uid, gid);
      await chmod(path, mode);
    },
    text: (path) => readFile(path, 'utf8').catch(() => undefined),
    async writeText(path, text) {
      await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      const aside = `${path}.new`;
      await writeFile(aside, text, { mode: 0o644 });
      await rename(aside, path);
    },
    run: (argv) => ran(argv, { PATH }),
    runOwn({ uid, gid, home }, args) {
      const become = ['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--'];
      return ran([...become, ...own, ...args], { PATH, HOME: home });
    },
    othersCanChange: (path) => othersCanChange(path, 0),
  };
}

async function ran([program = '', ...args]: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const done = await runProgram({ program, args, cwd: '/', env, timeoutMs: STEP_WITHIN_MS });
  if (done.is === 'ended' && done.exitCode === 0) return done.stdout.toString('utf8');
  const because = done.is === 'ended' ? `${done.exitCode}: ${done.stderr.trim().slice(-300)}` : done.why;
  throw new Failure('setup_step_failed', { program, args, because });
}

/** As the system resolves names, whatever list they stand in. */
async function listed(database: 'passwd' | 'group', name: string): Promise<readonly string[] | undefined> {
  const found = await runProgram({ program: 'getent', args: [database, '--', name], cwd: '/', env: { PATH } });
  if (found.is !== 'ended' || found.exitCode !== 0) return undefined;
  return found.stdout.toString('utf8').trimEnd().split(':');
}

async function account(name: string): Promise<Account | undefined> {
  const fields = await listed('passwd', name);
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]), home: fields[5] ?? '' };
}

async function group(name: string): Promise<Group | undefined> {
  const fields = await listed('group', name);
  return fields && { gid: Number(fields[2]), members: (fields[3] ?? '').split(',').filter((one) => one !== '') };
}
