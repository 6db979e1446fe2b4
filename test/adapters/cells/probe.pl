# The attacker inside a cell: tries one thing after the other and prints what came of each as `name=value`. Perl, because
# it is part of every Debian system and can make any system call. What it is told stands in a file, because its command
# line is looked at, too. Outside a cell it refuses to run: there, most of it would succeed.
use strict; use warnings;
use Socket; use Errno;
$| = 1;
die "not in a cell\n" unless -e '/cell/.lazarus/cell.json';
sub slurp { open(my $f, '<', $_[0]) or return ''; local $/; my $t = <$f>; defined $t ? $t : '' }
my %fact = map { split /=/, $_, 2 } split /\n/, slurp('/cell/.lazarus/facts');
my %call = map { split /:/, $_, 2 } split /,/, $fact{calls};
sub said { print "$_[0]=$_[1]\n" }
sub word { my $n = $! + 0; for my $k (keys %!) { return $k if $!{$k} && Errno->can($k) && Errno->can($k)->() == $n } return $n }
sub result { my ($name, $got) = @_; said($name, (defined $got && $got != -1) ? 'ok' : word()) }
sub call { my ($name, $label, @with) = @_; return unless exists $call{$name}; my @a = map { my $x = $_; $x } @with; result($label, syscall($call{$name} + 0, @a)) }
sub reads { my ($name, $path) = @_; said($name, open(my $f, '<', $path) ? 'ok' : word()) }
sub writes { my ($name, $path) = @_; said($name, open(my $f, '>', $path) ? 'ok' : word()) }

# 1, 2, 8: what lies outside
reads('read.canary', $fact{canary});
reads('read.canary.up', '../../../../../../..' . $fact{canary});
reads('read.canary.root', '/proc/1/root' . $fact{canary});
reads('read.canary.selfroot', '/proc/self/root' . $fact{canary});
reads('read.canary.cwd', '/proc/1/cwd/../../../../..' . $fact{canary});
reads('read.shadow', '/etc/shadow');
reads('read.home', '/home');
reads('read.roothome', '/root');
reads('read.sibling', $fact{sibling});
reads('read.cells', $fact{cells});
symlink($fact{canary}, 'link'); reads('read.symlink', 'link');
# 3, 26, 51: what may not be written
writes("write.$_", "/$_/x") for qw(usr etc dev);
writes('write.root', '/x');
writes('write.cell', '/cell/x');
writes('write.view', '/cell/.lazarus/cell.json');
writes('write.view.new', '/cell/.lazarus/new');
writes('write.home.other', '/cell/home/other');
writes('write.core_pattern', '/proc/sys/kernel/core_pattern');
writes('write.sysrq', '/proc/sysrq-trigger');
reads('read.sys', '/sys');
said('write.project', open(my $p, '>', '/cell/project/x') ? 'ok' : word());
# 11, 12: environments and command lines of everything in sight
my @pids = grep { /^\d+$/ } map { s{.*/}{}r } glob('/proc/[0-9]*');
said('pids', join ',', map { slurp("/proc/$_/comm") =~ s/\n//r } @pids);
my $environs = join '', map { slurp("/proc/$_/environ") } @pids;
said('environ.length', length $environs);
said('environ.canary', $environs =~ /HOST[S]ECRET/ ? 'leaked' : 'none');
said('environ.names', join ',', sort keys %ENV);
said('cmdline', join ' ', split /\0/, slurp('/proc/1/cmdline'));
# 13: descriptors
opendir(my $d, '/proc/self/fd'); my @fds = grep { /^\d+$/ } readdir $d; closedir $d;
said('fds', join ' ', map { "$_:" . (readlink("/proc/self/fd/$_") // 'gone') } sort { $a <=> $b } @fds);
# 15: keys
if (exists $call{keyctl}) {
  call('keyctl', 'keyctl.session', 0, -3, 0, 0, 0);
  my ($type, $desc) = ("user\0", "lazarus-canary\0");
  result('keyctl.search', syscall($call{keyctl} + 0, 10, -3, $type, $desc, 0));
  result('request_key', syscall($call{request_key} + 0, $type, $desc, 0, 0));
}
said('proc.keys', slurp('/proc/keys') =~ /lazarus-canary/ ? 'leaked' : 'none');
# 19: other processes
said('kill.host', kill(0, $fact{hostpid}) ? 'ok' : word());
said('ppid.first', slurp('/proc/1/status') =~ /PPid:\s*0\b/ ? '0' : 'other');
# 20
call('ptrace', 'ptrace.attach', 16, 1, 0, 0);
call('ptrace', 'ptrace.traceme', 0, 0, 0, 0);
my $buf = "\0" x 64; my $iov = pack('QQ', 0, 0);
call('process_vm_readv', 'process_vm_readv', 1, $iov, 1, $iov, 1, 0);
call('pidfd_getfd', 'pidfd_getfd', 0, 0, 0);
writes('write.mem', '/proc/1/mem') ;
{ my $m; my $text = slurp('/proc/1/maps'); my ($at) = $text =~ /^([0-9a-f]+)-[0-9a-f]+ rw/m;
  for my $path ('/proc/1/mem', '/proc/1/task/1/mem') {
    my $wrote = 0;
    if (open($m, '+<', $path) and defined $at) { no warnings 'portable'; sysseek($m, hex $at, 0); $wrote = (sysread($m, my $b, 8) // 0) == 8 ? 1 : 0 }
    said("mem.$path", $wrote ? 'reached' : 'none');
  } }
# 21, 22
call('unshare', 'unshare.user', 0x10000000);
call('unshare', 'unshare.mount', 0x20000);
call('clone', 'clone.user', 0x10000000 | 17, 0, 0, 0, 0);
call('clone3', 'clone3', $buf, 64);
call('setns', 'setns', 0, 0);
my ($none, $tmp, $fs) = ("none\0", "/tmp\0", "tmpfs\0");
call('mount', 'mount', $none, $tmp, $fs, 0, 0);
call('mount', 'remount', $none, "/\0", $fs, 32, 0);
call('umount2', 'umount', "/proc/keys\0", 0);
call('pivot_root', 'pivot_root', $tmp, $tmp);
call('fsopen', 'fsopen', $fs, 0);
call('open_tree', 'open_tree', -100, $tmp, 1);
call('move_mount', 'move_mount', -100, $tmp, -100, $tmp, 0);
call('mount_setattr', 'mount_setattr', -100, $tmp, 0, $buf, 32);
# 23
my $node = "/cell/project/node\0";
call('mknodat', 'mknod.block', -100, $node, 060600, 0xfe00);
reads("device.$_", "/dev/$_") for qw(vda sda kmsg fuse mem kvm);
# 24: set-uid bits, whichever way
open(my $f, '>', '/cell/project/suid'); close $f;
said('chmod.suid', chmod(04755, '/cell/project/suid') ? 'ok' : word());
said('chmod.sgid', chmod(02755, '/cell/project/suid') ? 'ok' : word());
said('chmod.plain', chmod(0755, '/cell/project/suid') ? 'ok' : word());
my $new = "/cell/project/new\0";
call('open', 'open.suid', $new, 0101, 04755);
call('openat', 'openat.suid', -100, $new, 0101, 04755);
call('openat', 'openat.tmpfile', -100, "/cell/project\0", 020200001 | 0x400000, 04755);
call('openat', 'openat.plain', -100, "/cell/project/suid\0", 0, 04755);
call('creat', 'creat.suid', $new, 04755);
call('mknodat', 'mknod.suid', -100, $new, 0104755, 0);
my $how = pack('QQQ', 0101, 04755, 0);
call('openat2', 'openat2', -100, $new, $how, 24);
call('fchmodat2', 'fchmodat2.suid', -100, "/cell/project/suid\0", 04755, 0);
said('suid.files', join ',', grep { ((stat $_)[2] // 0) & 06000 } glob('/cell/project/*'));
# 25
for my $who ('self', 1) { for my $k (qw(CapInh CapPrm CapEff CapBnd CapAmb NoNewPrivs Seccomp)) { my ($v) = slurp("/proc/$who/status") =~ /^$k:\s*(\w+)/m; said("status.$who.$k", $v // 'none') } }
# 27
call('bpf', 'bpf', 0, $buf, 64);
call('perf_event_open', 'perf', $buf, 0, -1, -1, 0);
call('userfaultfd', 'userfaultfd', 0);
call('io_uring_setup', 'io_uring', 1, "\0" x 120);
call('open_by_handle_at', 'open_by_handle_at', 0, $buf, 0);
# 28
if (open(my $tty, '+<', '/dev/ptmx')) {
  call('ioctl', 'tiocsti', fileno($tty), 0x5412, "x\0");
  call('ioctl', 'tiocsti.high', fileno($tty), (1 << 32) + 0x5412, "x\0");
  call('ioctl', 'tioclinux', fileno($tty), 0x541c, "\x02\0");
}
reads('tty', '/dev/tty');
# 29, 30
sub tcp { my ($name, $host, $port) = @_; socket(my $s, PF_INET, SOCK_STREAM, 0) or return said($name, word()); said($name, connect($s, sockaddr_in($port, inet_aton($host))) ? 'ok' : word()) }
tcp('tcp.loopback', '127.0.0.1', $fact{port}); tcp('tcp.out', '1.1.1.1', 443); tcp('tcp.metadata', '169.254.169.254', 80);
if (socket(my $s, PF_INET, SOCK_DGRAM, 0)) { said('udp.dns', send($s, 'x', 0, sockaddr_in(53, inet_aton('8.8.8.8'))) ? 'ok' : word()) }
if (socket(my $s, PF_INET6, SOCK_STREAM, 0)) { said('tcp6.out', connect($s, pack_sockaddr_in6(443, Socket::inet_pton(PF_INET6, '2606:4700:4700::1111'))) ? 'ok' : word()) }
said('icmp', socket(my $i, PF_INET, SOCK_RAW, 1) ? 'ok' : word());
said('interfaces', join ',', map { /^\s*(\w+):/ ? $1 : () } split /\n/, slurp('/proc/net/dev'));
# 31, 32
said('unix', socket(my $u, PF_UNIX, SOCK_STREAM, 0) ? 'ok' : word());
said('unix.pair', socketpair(my $a, my $b, PF_UNIX, SOCK_STREAM, 0) ? 'ok' : word());
for ([vsock => 40], [packet => 17], [netlink => 16], [alg => 38], [bluetooth => 31]) { said("af.$_->[0]", socket(my $s, $_->[1], SOCK_STREAM, 0) ? 'ok' : word()) }
reads("path.$_", $_) for qw(/var/run/docker.sock /run/docker.sock /run/dbus/system_bus_socket);
# shared memory of the host
said('shm', defined shmget($fact{shmkey}, 0, 0) ? 'ok' : word());
reads('devshm', $fact{devshm});
# the other ways into the kernel
if ($fact{x64}) {
  result('x32', syscall(0x40000000 | 39));
  # mov $20,%eax; int $0x80; mov $60,%eax; xor %edi,%edi; syscall
  my $code = pack('H*', 'b814000000cd80b83c00000031ff0f05');
  my $elf = pack('H*', '7f454c4602010100000000000000000002003e000100000078004000000000004000000000000000000000000000000000000000400038000100000000000000' . '010000000500000000000000000000000000400000000000000040000000000088000000000000008800000000000000' . '0010000000000000') . $code;
  open(my $e, '>', '/tmp/i80'); binmode $e; print $e $elf; close $e; chmod 0755, '/tmp/i80';
  my $rc = system('/tmp/i80'); said('int80', $rc == 0 ? 'ok' : $rc & 127 ? 'killed by ' . ($rc & 127) : 'failed');
}
said('end', 'ran');
