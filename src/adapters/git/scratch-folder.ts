// A throwaway folder for the quickstart, with real repositories, and stock git and gpg beside them. The keyring lives in
// the folder: nobody's own is read or written.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../../failure.ts';
import { runProgram } from '../system/run-program.ts';
import { gitEnvironment } from './git.ts';
import type { Scratch, StockOpinion } from '../../ports/scratch.ts';

/** The person's own signing keys, hooks and name have no business in a demonstration. */
const NOBODYS = ['commit.gpgSign=false', 'core.hooksPath=/dev/null', 'user.name=quickstart', 'user.email='].flatMap(
  (one) => ['-c', one],
);

const STOCK_GPG = ['-c', 'gpg.program=gpg', '-c', 'gpg.openpgp.program=gpg'];

type Env = Readonly<Record<string, string | undefined>>;

export async function scratchFolder(env: Env, wanted?: string): Promise<Scratch> {
  const path = wanted === undefined ? await mkdtemp(join(tmpdir(), 'lazarus-quickstart-')) : await emptyFolder(wanted);
  // Started inside somebody's hook, git would take that repository for this one.
  const gitEnv = gitEnvironment(env, false);
  let gpgHome: string | undefined;
  const at = (name: string): string => join(path, name);
  return {
    path,
    at,
    async initRepository(name, options) {
      const bare = options?.bare === true ? ['--bare'] : [];
      // No template: the person's own hooks have no business in a demonstration.
      await expectOk(
        await run('git', ['init', '--quiet', '--template=', '--initial-branch=main', ...bare, at(name)], {
          env: gitEnv,
          cwd: path,
        }),
      );
      return at(name);
    },
    async commitFiles(name, files, message) {
      const git = async (...args: readonly string[]): Promise<void> =>
        void (await expectOk(await run('git', [...NOBODYS, ...args], { env: gitEnv, cwd: at(name) })));
      for (const [path, bytes] of Object.entries(files)) {
        await mkdir(join(at(name), dirname(path)), { recursive: true });
        await writeFile(join(at(name), path), bytes);
      }
      await git('add', '--', ...Object.keys(files));
      await git('commit', '--quiet', '--message', message);
    },
    async stockOpinion(repository, commit) {
      const keys = await expectOk(
        await run('git', ['cat-file', 'blob', `${commit}:keys.asc`], { env: gitEnv, cwd: repository }),
      );
      // A socket path is 108 bytes at most: gpg's home must not lie deep inside somebody's folder.
      gpgHome ??= await mkdtemp(join(tmpdir(), 'lzgpg-'));
      const imported = await run('gpg', ['--batch', '--quiet', '--import'], {
        env: { ...env, GNUPGHOME: gpgHome, LC_ALL: 'C' },
        cwd: path,
        input: keys.stdout,
      });
      if (imported.code === 'ENOENT') return { is: 'absent' };
      const said = await run('git', [...STOCK_GPG, 'verify-commit', '--raw', commit], {
        env: { ...gitEnv, GNUPGHOME: gpgHome },
        cwd: repository,
      });
      return opinionOf(said);
    },
    async write(name, bytes) {
      await writeFile(at(name), bytes);
      return at(name);
    },
    async remove() {
      if (gpgHome === undefined) return;
      await run('gpgconf', ['--homedir', gpgHome, '--kill', 'all'], { env, cwd: path });
      await rm(gpgHome, { recursive: true, force: true });
    },
  };
}

async function emptyFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw new Failure('folder_exists', { path });
    throw new Failure('not_writable', { path }, { cause });
  }
  return path;
}

function opinionOf({ code, stderr }: Ran): StockOpinion {
  const good = /^\[GNUPG:\] VALIDSIG ([0-9A-F]{40})/m.exec(stderr)?.[1];
  return code === 0 && good !== undefined
    ? { is: 'agrees', signer: good }
    : { is: 'disagrees', says: stderr.trim().slice(0, 300) };
}

type Ran = { readonly code: number | string; readonly stdout: string; readonly stderr: string };

/** An exit code, or the system's word for why the program could not be started. */
async function run(
  program: string,
  args: readonly string[],
  { env, cwd, input }: { env: Env; cwd: string; input?: string },
): Promise<Ran> {
  const ran = await runProgram({ program, args, env, cwd, input });
  if (ran.is === 'ended') return { code: ran.exitCode, stdout: ran.stdout.toString('utf8'), stderr: ran.stderr };
  return { code: ran.is === 'not_started' ? ran.code : ran.why, stdout: '', stderr: '' };
}

async function expectOk(ran: Ran): Promise<Ran> {
  if (ran.code === 0) return ran;
  throw new Failure(ran.code === 'ENOENT' ? 'git_missing' : 'git_failed', { says: ran.stderr.trim().slice(0, 300) });
}
