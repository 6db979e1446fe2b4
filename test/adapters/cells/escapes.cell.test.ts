// An attacker in a cell of a supervisor that has everything to steal: files, a session key, shared memory, sockets,
// a listener, an open descriptor, a secret in its environment. Run once, judged line by line.
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROCESSORS } from '../../../src/adapters/cells/process/syscalls.ts';
import { supervising, type Told } from './supervising.ts';

const SECRET = 'HOSTSECRET-0123456789';
const SHM_KEY = 0x6c617a61;
const DEV_SHM = '/dev/shm/lazarus-escape-test';
const start = supervising();

let folder = '';
let tcp: Server;
let told: readonly Told[] = [];
let core = '';
const got: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lazarus-escapes-'));
  chmodSync(folder, 0o711);
  core = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
  const canary = join(folder, 'canary');
  const sibling = join(folder, 'cells', 'sibling');
  writeFileSync(canary, SECRET);
  // Readable by everybody: it is the cell that has to keep the attacker away, not a mode.
  chmodSync(canary, 0o644);
  writeFileSync(DEV_SHM, SECRET);
  const abstract = createServer().listen(`\0lazarus-escape-${process.pid}`);
  tcp = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => tcp.once('listening', resolve));
  const facts = {
    canary,
    sibling,
    cells: join(folder, 'cells'),
    devshm: DEV_SHM,
    shmkey: SHM_KEY,
    hostpid: process.pid,
    port: (tcp.address() as AddressInfo).port,
    x64: process.arch === 'x64' ? 1 : 0,
    calls: Object.entries(PROCESSORS[process.arch]!.numbers)
      .map(([name, number]) => `${name}:${number}`)
      .join(','),
  };
  const brief = {
    'probe.pl': readFileSync(new URL('probe.pl', import.meta.url), 'utf8'),
    facts: Object.entries(facts)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  };
  const planted = openSync(canary, 'r');
  const supervisor = start(
    folder,
    { shellText: 'perl /cell/.lazarus/probe.pl', brief },
    {
      env: { ...process.env, PLANTED_TOKEN: SECRET, HTTPS_PROXY: `http://${SECRET}@proxy.invalid` },
      descriptors: { 19: planted, 251: planted },
      through: [
        'perl',
        '-e',
        PLANT,
        String(keyNumbers().keyctl),
        String(keyNumbers().add_key),
        SECRET,
        String(SHM_KEY),
      ],
    },
  );
  told = await supervisor.all;
  closeSync(planted);
  abstract.close();
  for (const line of printed('stdout').split('\n')) {
    const at = line.indexOf('=');
    if (at > 0) got[line.slice(0, at)] = line.slice(at + 1);
  }
});

afterAll(() => {
  tcp.close();
  rmSync(DEV_SHM, { force: true });
  rmSync(folder, { recursive: true, force: true });
  execFileSync('perl', ['-e', 'my $id = shmget($ARGV[0], 0, 0); shmctl($id, 0, 0) if defined $id', String(SHM_KEY)]);
});

// Becomes the supervisor with a key in its session keyring and a System V segment that everybody may open.
const PLANT = `my ($keyctl, $add, $secret, $shm) = splice @ARGV, 0, 4;
  my ($type, $name) = ("user\\0", "lazarus-canary\\0");
  syscall($keyctl + 0, 1, 0); syscall($add + 0, $type, $name, $secret, length $secret, -3);
  defined shmget($shm, 64, 01666) or die "no segment: $!";
  exec @ARGV or die "$!"`;

function keyNumbers(): { readonly keyctl: number; readonly add_key: number } {
  const { keyctl, add_key } = PROCESSORS[process.arch]!.numbers;
  return { keyctl: keyctl!, add_key: add_key! };
}

function printed(stream: string): string {
  return told
    .filter((one) => one.is === 'output' && one['stream'] === stream)
    .map((one) => String(one['text']))
    .join('');
}

/** Every line of the probe whose name begins like this, with what came of it. */
function results(prefix: string): readonly string[] {
  const found = Object.entries(got).filter(([name]) => name === prefix || name.startsWith(`${prefix}.`));
  expect(found, `the probe never tried ${prefix}`).not.toEqual([]);
  return [...new Set(found.map(([, value]) => value))];
}

test('the attacker ran to its end, at level 2', () => {
  expect(printed('stderr')).toBe('');
  expect(got['end']).toBe('ran');
  expect(told.find(({ is }) => is === 'running')).toMatchObject({ facts: { level: 2, seccomp: true } });
});

describe('files', () => {
  test('of the host and of other cells are not there', () => {
    for (const name of ['read.canary', 'read.shadow', 'read.home', 'read.roothome', 'read.sibling', 'read.cells'])
      expect(results(name)).toEqual(['ENOENT']);
    expect([...results('read.symlink'), ...results('devshm'), ...results('path')]).toEqual(Array(3).fill('ENOENT'));
  });

  test('of the system, of the cell’s description and of other homes cannot be written', () => {
    for (const name of ['write.usr', 'write.etc', 'write.dev', 'write.root', 'write.cell', 'write.home.other'])
      expect(results(name)).toEqual(['EROFS']);
    expect(results('write.view')).toEqual(expect.arrayContaining(['EROFS']));
    expect(results('write.view.new')).toEqual(['EROFS']);
  });

  test('the kernel’s own switches cannot be turned, also where the supervisor is root', () => {
    expect(['EACCES', 'EROFS']).toContain(got['write.core_pattern']);
    expect(['EACCES', 'EROFS', 'ENOENT']).toContain(got['write.sysrq']);
    expect(got['read.sys']).toBe('ENOENT');
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(core);
  });

  test('devices: none but the harmless ones, and none can be made', () => {
    expect(results('device')).toEqual(['ENOENT']);
    expect(got['mknod.block']).toBe('EPERM');
  });

  test('no set-uid bit comes onto a file, whichever call carries it', () => {
    for (const name of ['chmod.suid', 'chmod.sgid', 'openat.suid', 'openat.tmpfile', 'mknod.suid', 'fchmodat2.suid'])
      expect({ [name]: results(name) }).toEqual({ [name]: ['EPERM'] });
    for (const name of ['open.suid', 'creat.suid']) if (name in got) expect(got[name]).toBe('EPERM');
    expect(got['openat2']).toBe('ENOSYS');
    expect(got['suid.files']).toBe('');
    expect([got['chmod.plain'], got['openat.plain']]).toEqual(['ok', 'ok']);
  });
});

describe('secrets', () => {
  test('no environment of any process in sight has anything of the supervisor’s', () => {
    expect(Number(got['environ.length'])).toBeGreaterThan(0);
    expect(got['environ.canary']).toBe('none');
    expect(got['environ.names']!.split(',').filter((name) => /PLANTED|PROXY|SECRET/.test(name))).toEqual([]);
  });

  test('no command line names a path of the host', () => {
    expect(got['cmdline']).toMatch(/bwrap --args \d+ -- prlimit/);
    expect(got['cmdline']).not.toContain(folder);
  });

  test('no descriptor but the standard ones and the port leads anywhere', () => {
    const leading = got['fds']!.split(' ')
      .map((one) => one.split(':'))
      .filter(([fd, where]) => Number(fd) > 3 && !['/dev/null', 'gone', '/cell/project/x'].includes(where!));
    expect(leading).toEqual([]);
    expect(got['fds']).toContain('19:/dev/null');
  });

  test('keys of the supervisor’s session', () => {
    expect([...results('keyctl'), ...results('request_key')]).toEqual(['EPERM', 'EPERM']);
    expect(got['proc.keys']).toBe('none');
  });

  test('nothing of it is in what the supervisor itself tells', () => {
    expect(JSON.stringify(told)).not.toContain('HOSTSECRET');
  });
});

describe('processes', () => {
  test('only its own are there, and no other can be reached', () => {
    expect(got['pids']!.split(',').sort()).toEqual(['bwrap', 'perl', 'sh']);
    expect(got['kill.host']).toBe('ESRCH');
    expect(got['ppid.first']).toBe('0');
  });

  test('neither its own first process: its memory, its registers, its descriptors', () => {
    for (const name of ['ptrace.attach', 'ptrace.traceme', 'process_vm_readv', 'pidfd_getfd'])
      expect({ [name]: got[name] }).toEqual({ [name]: 'EPERM' });
    expect(results('mem')).toEqual(['none']);
  });

  test('no privileges, and no way to gain any', () => {
    for (const who of ['self', '1']) {
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
        expect(got[`status.${who}.${set}`]).toMatch(/^0+$/);
      expect([got[`status.${who}.NoNewPrivs`], got[`status.${who}.Seccomp`]]).toEqual(['1', '2']);
    }
  });
});

describe('the kernel', () => {
  test('no further namespace, no mount', () => {
    for (const name of ['unshare', 'clone', 'setns', 'mount', 'remount', 'umount', 'pivot_root', 'fsopen', 'open_tree'])
      expect({ [name]: results(name) }).toEqual({ [name]: ['EPERM'] });
    expect([...results('move_mount'), ...results('mount_setattr')]).toEqual(['EPERM', 'EPERM']);
    expect(got['clone3']).toBe('ENOSYS');
  });

  test('none of the interfaces that kept having holes', () => {
    for (const name of ['bpf', 'perf', 'userfaultfd', 'io_uring', 'open_by_handle_at'])
      expect({ [name]: got[name] }).toEqual({ [name]: 'EPERM' });
  });

  test('no typing into a terminal, not with high bits set either', () => {
    expect(results('tiocsti')).toEqual(['EPERM']);
    expect(got['tioclinux']).toBe('EPERM');
    expect(got['tty']).not.toBe('ok');
  });

  test.runIf(process.arch === 'x64')('no side entrance: 32-bit calls end the process, x32 calls are refused', () => {
    expect(got['int80']).toBe('killed by 31');
    expect(got['x32']).toBe('EPERM');
  });
});

describe('the network and its like', () => {
  test('there is none', () => {
    expect(got['interfaces']).toBe('lo');
    expect(got['tcp.loopback']).toMatch(/ENETUNREACH|ECONNREFUSED/);
    for (const name of ['tcp.out', 'tcp.metadata', 'udp.dns', 'tcp6.out'])
      expect({ [name]: got[name] }).toEqual({ [name]: expect.stringMatching(/ENETUNREACH|EADDRNOTAVAIL/) });
    expect(['EPERM', 'EACCES']).toContain(got['icmp']);
  });

  test('no socket but internet ones, which lead nowhere; pairs still work', () => {
    expect(got['unix']).toBe('EAFNOSUPPORT');
    expect(results('af')).toEqual(['EAFNOSUPPORT']);
    expect(got['unix.pair']).toBe('ok');
  });

  test('no shared memory of the host', () => expect(got['shm']).toBe('ENOENT'));
});

test('and nothing of it is left', () => {
  const residue = told.find(({ is }) => is === 'closed')?.['residue'] as Record<string, number>;
  expect(Object.entries(residue).filter(([, count]) => count !== 0)).toEqual([]);
});
