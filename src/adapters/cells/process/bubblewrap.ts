// The options of bubblewrap for one cell. They travel through a descriptor, so that neither `ps` on the host nor
// /proc/1/cmdline inside shows a path of the host. Starts nothing.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** A folder of the host and where it stands inside. The descriptor is what is bound: the path may have changed since. */
type Mount = { readonly fd: number; readonly at: string; readonly writable: boolean };

export type Sandbox = {
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
  readonly hostname: string;
  /** It is started in the network namespace that it stays in. */
  readonly hasNetwork: boolean;
  readonly temporaryBytes: number;
  readonly tools: readonly string[];
  readonly workingDirectory: string;
  /** By bubblewrap's own name of the option. */
  readonly descriptors: Readonly<Record<'seccomp' | 'json-status-fd' | 'block-fd', number>>;
};

export function bubblewrapOptions(sandbox: Sandbox): readonly string[] {
  const { mounts, env, hostname, hasNetwork, temporaryBytes, tools, workingDirectory, descriptors } = sandbox;
  return [
    ...APART,
    ...(hasNetwork ? ['--share-net'] : []),
    '--hostname',
    hostname,
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemFolders(),
    ...mounts.filter(({ at }) => at === '/etc').flatMap(bind),
    ...SYSTEM_FILES.flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    ...hiddenInProc(),
    '--dev',
    '/dev',
    ...memory('/dev/shm', SHARED_MEMORY_BYTES, '1777'),
    ...memory('/tmp', temporaryBytes, '1777'),
    ...memory('/run/lazarus', RUN_BYTES, '0700'),
    ...mounts.filter(({ at }) => at !== '/etc').flatMap(bind),
    ...tools.flatMap((path) => ['--ro-bind', path, path]),
    '--chdir',
    workingDirectory,
    ...'--remount-ro /dev --remount-ro /'.split(' '),
    ...Object.entries(descriptors).flatMap(([option, fd]) => [`--${option}`, String(fd)]),
  ];
}

const APART =
  '--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL --clearenv'.split(' ');
const SHARED_MEMORY_BYTES = 64 << 20;
const RUN_BYTES = 1 << 20;
/** Read by the dynamic loader and by TLS clients; the rest of /etc is the cell's own. Empty ones wait in its /etc. */
export const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/ssl/certs', '/etc/alternatives'] as const;

function bind({ fd, at, writable }: Mount): readonly string[] {
  return [writable ? '--bind-fd' : '--ro-bind-fd', String(fd), at];
}

function memory(at: string, bytes: number, mode: string): readonly string[] {
  return ['--size', String(bytes), '--perms', mode, '--tmpfs', at];
}

/** `/bin` and its like: links into /usr on most systems, folders of their own on older ones. */
function systemFolders(): readonly string[] {
  const beside = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap((path) => {
    if (!existsSync(path)) return [];
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
  return ['--ro-bind', '/usr', '/usr', ...beside];
}

/**
 * What no namespace covers, and the memory of PID 1: writing there would let the cell take over its own reaper and
 * outlive the supervisor, past a filter that only knows ptrace.
 */
function hiddenInProc(): readonly string[] {
  const global = ['keys', 'cmdline', 'timer_list', 'kallsyms', 'kcore', 'sysrq-trigger', 'key-users', 'modules'];
  const paths = global.map((name) => `/proc/${name}`).filter((path) => existsSync(path));
  return [...paths, '/proc/1/mem', '/proc/1/task/1/mem'].flatMap((path) => ['--ro-bind', '/dev/null', path]);
}
