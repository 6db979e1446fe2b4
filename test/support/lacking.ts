// Runs the command line as on a machine that lacks a program, really: in a view of this machine where it is not installed.
import { spawnSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CLI_MAIN } from './build.ts';
import { scratch } from './repos.ts';

type At = { readonly cwd: string; readonly home: string };
type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** `/usr/bin` is another folder there, with all the other programs in it. */
export function runWithout(program: string, args: readonly string[], { cwd, home }: At): Ended {
  const bin = scratch('bin');
  for (const name of readdirSync('/usr/bin')) if (name !== program) symlinkSync(`/mnt/bin/${name}`, join(bin, name));
  const real = ['--tmpfs', '/mnt', '--bind', '/usr/bin', '/mnt/bin'];
  const machine = ['--dev-bind', '/', '/', ...real, '--bind', bin, '/usr/bin'];
  const { status, stdout, stderr } = spawnSync('bwrap', [...machine, process.execPath, CLI_MAIN, ...args], {
    cwd,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
