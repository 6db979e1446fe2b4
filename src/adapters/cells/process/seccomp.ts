// The system call filter of a cell: a classic BPF program, written here so that no library has to be installed.
// Namespaces hide things; this keeps a cell from asking the kernel for what namespaces do not scope (keyrings, vsock,
// io_uring, bpf) and from taking its own sandbox apart. Everything not named is allowed: tools must keep working.
import { PROCESSORS, type Processor } from './syscalls.ts';

/** The program for a processor (Node's name of it), as `bwrap --seccomp` reads it; undefined where there is no table. */
export function seccompProgram(arch: string): Uint8Array | undefined {
  const processor = PROCESSORS[arch];
  return processor === undefined ? undefined : assemble(program(processor));
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, k: number];

// <linux/bpf_common.h>
const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_BITS = 0x45;
const RETURN = 0x06;

// <linux/seccomp.h>, <errno.h>
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERRNO = 0x00050000;
const EPERM = ERRNO | 1;
const ENOSYS = ERRNO | 38;
const EAFNOSUPPORT = ERRNO | 97;

// Offsets in struct seccomp_data. Arguments have 64 bits; the kernel's ints are the low half, so only that is compared:
// high bits set on purpose must not make TIOCSTI another number.
const NUMBER_AT = 0;
const ARCH_AT = 4;
const ARGUMENTS_AT = 16;
const ARGUMENT_BYTES = 8;

const SET_ID_BITS = 0o6000;
const CREATES = 0x40 | 0x400000; // O_CREAT, __O_TMPFILE
const NEW_NAMESPACE = 0x20000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AF_INET = 2;
const AF_INET6 = 10;

const NEVER = [
  'ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd',
  'keyctl add_key request_key', // the session keyring crosses every namespace
  'bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register',
  'mount umount2 pivot_root chroot open_tree open_tree_attr move_mount fsopen fsconfig',
  'fsmount fspick mount_setattr statmount listmount unshare setns open_by_handle_at',
  'kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff',
  'acct quotactl quotactl_fd syslog sethostname setdomainname fanotify_init',
  'settimeofday clock_settime clock_adjtime adjtimex iopl ioperm modify_ldt',
  'vmsplice move_pages migrate_pages uselib ustat sysfs nfsservctl lookup_dcookie',
].flatMap((names) => names.split(' '));

/** Their flags lie behind a pointer that a filter cannot follow; callers fall back to the older call. */
const UNREADABLE = ['clone3', 'openat2'] as const;

/** Which argument holds the mode, for every call that can set the set-uid bit on a file. */
const SETS_MODE = { chmod: 1, fchmod: 1, fchmodat: 2, fchmodat2: 2, creat: 1, mknod: 1, mknodat: 2 } as const;
/** The mode argument counts only where the flags say that a file is made: otherwise it is whatever lay in the register. */
const CREATES_WITH_MODE = { open: { flags: 1, mode: 2 }, openat: { flags: 2, mode: 3 } } as const;

function program({ auditArch, x32Bit, numbers }: Processor): Instruction[] {
  const answer = (names: readonly string[], action: number): Instruction[] =>
    names.flatMap((name) => whenCall(numbers[name], [[RETURN, 0, 0, action]]));
  return [
    [LOAD_WORD, 0, 0, ARCH_AT],
    // First of all: `int 0x80` has other numbers, and every check below would look at the wrong call.
    [JUMP_EQUAL, 1, 0, auditArch],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, NUMBER_AT],
    ...(x32Bit === undefined ? [] : unless(JUMP_GREATER_EQUAL, x32Bit, EPERM)),
    ...answer(NEVER, EPERM),
    ...answer(UNREADABLE, ENOSYS),
    ...whenCall(numbers['clone'], [load(0), ...unless(JUMP_BITS, NEW_NAMESPACE, EPERM), [RETURN, 0, 0, ALLOW]]),
    ...whenCall(numbers['ioctl'], [
      load(1),
      ...unless(JUMP_EQUAL, TIOCSTI, EPERM),
      ...unless(JUMP_EQUAL, TIOCLINUX, EPERM),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...whenCall(numbers['socket'], [
      load(0),
      ...unless(JUMP_EQUAL, AF_INET, ALLOW),
      ...unless(JUMP_EQUAL, AF_INET6, ALLOW),
      [RETURN, 0, 0, EAFNOSUPPORT],
    ]),
    ...Object.entries(SETS_MODE).flatMap(([name, mode]) => whenCall(numbers[name], refuseSetId(mode))),
    ...Object.entries(CREATES_WITH_MODE).flatMap(([name, { flags, mode }]) =>
      whenCall(numbers[name], [load(flags), [JUMP_BITS, 1, 0, CREATES], [RETURN, 0, 0, ALLOW], ...refuseSetId(mode)]),
    ),
    [RETURN, 0, 0, ALLOW],
  ];
}

/** `then` must end in a return: behind it the number is no longer loaded. */
function whenCall(number: number | undefined, then: readonly Instruction[]): Instruction[] {
  return number === undefined ? [] : [[JUMP_EQUAL, 0, then.length, number], ...then];
}

/** Answers with `action` when the comparison holds, and goes on otherwise. */
function unless(comparison: number, k: number, action: number): Instruction[] {
  return [
    [comparison, 0, 1, k],
    [RETURN, 0, 0, action],
  ];
}

function refuseSetId(argument: number): Instruction[] {
  return [load(argument), ...unless(JUMP_BITS, SET_ID_BITS, EPERM), [RETURN, 0, 0, ALLOW]];
}

function load(argument: number): Instruction {
  return [LOAD_WORD, 0, 0, ARGUMENTS_AT + argument * ARGUMENT_BYTES];
}

const INSTRUCTION_BYTES = 8;

function assemble(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, [code, ifTrue, ifFalse, k]] of instructions.entries()) {
    const at = i * INSTRUCTION_BYTES;
    // Every processor in the table is little-endian.
    view.setUint16(at, code, true);
    view.setUint8(at + 2, ifTrue);
    view.setUint8(at + 3, ifFalse);
    view.setUint32(at + 4, k >>> 0, true);
  }
  return bytes;
}
