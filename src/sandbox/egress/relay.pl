# Inner end of the egress proxy: relays loopback ports of an empty network namespace to a Unix socket.
# perl THIS SOCKET PORT[,PORT...] PRCTL SEAL COMMAND...
# What comes to the first port goes on as it is; for the n-th one after it the bytes 0 and n-1 go first.
# Then becomes COMMAND, under the filter in the file SEAL; the relay is a grandchild, so that COMMAND has no child that
# it did not start. PRCTL is the number of that system call.
# No modules: it starts in milliseconds, and a perl without any will do.
use strict;
my ($path, $ports, $prctl, $seal, @command) = @ARGV;
my ($set_dumpable, $set_seccomp, $filter_mode) = (4, 22, 2);
my ($unix, $inet, $stream, $sol_socket, $reuse, $setfl, $nonblock) = (1, 2, 1, 1, 2, 4, 2048);
my ($interrupted, $again) = (4, 11);
my ($room, $most) = (65536, 400);

my (@listeners, $number);
for my $port (split /,/, $ports) {
  my $first = !@listeners && !defined $number;
  my $prefix = $first ? '' : pack 'CC', 0, $number;
  $number = $first ? 0 : $number + 1;
  socket my $socket, $inet, $stream, 0 or die "relay: socket: $!\n";
  setsockopt $socket, $sol_socket, $reuse, pack 'l', 1;
  my $bound = bind($socket, pack 'S n a4 x8', $inet, $port, "\x7f\0\0\1") && listen($socket, 128);
  die "relay: port $port: $!\n" if $first && !$bound;
  next unless $bound;
  fcntl $socket, $setfl, $nonblock;
  push @listeners, [$socket, $prefix];
}

my $child = fork;
die "relay: fork: $!\n" unless defined $child;
if ($child) {
  waitpid $child, 0;
  my $program = do { local $/; open my $file, '<:raw', $seal or die "relay: $seal: $!\n"; <$file> };
  my $counted = pack 'S x![P] P', length($program) / 8, $program;
  syscall($prctl, $set_seccomp, $filter_mode, $counted, 0, 0) == 0 or die "relay: seal: $!\n";
  exec { $command[0] } @command or die "relay: $command[0]: $!\n";
}
exit 0 if fork;

# It alone may reach the proxy's socket: nobody reads or writes its memory.
syscall $prctl, $set_dumpable, 0, 0, 0, 0;
$0 = 'skillz-relay';
# The end of the namespace ends it; until then even a program that cleans up after SIGTERM may need it.
$SIG{$_} = 'IGNORE' for qw(PIPE TERM INT HUP QUIT);
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';

my %side;  # by descriptor: socket, peer's descriptor, bytes to write to it, whether it has ended, whether it was told the end

sub drop {
  my $one = delete $side{$_[0]} or return;
  close $one->{socket};
  drop($one->{peer});
}

sub send_some {
  my ($fd) = @_;
  my $one = $side{$fd} or return;
  if (length $one->{waiting}) {
    my $sent = syswrite $one->{socket}, $one->{waiting};
    return $! == $again || $! == $interrupted ? () : drop($fd) unless defined $sent;
    substr $one->{waiting}, 0, $sent, '';
  }
  my $peer = $side{ $one->{peer} };
  if (!length $one->{waiting} && $peer->{ended} && !$one->{told}++) {
    shutdown $one->{socket}, 1;
    drop($fd) if $one->{ended} && $peer->{told};
  }
}

sub take {
  my ($listener, $prefix) = @_;
  accept my $client, $listener or return;
  return unless socket my $proxy, $unix, $stream, 0;
  return unless connect $proxy, pack 'S a108', $unix, $path;
  for ([$client, $proxy, ''], [$proxy, $client, $prefix]) {
    my ($socket, $peer, $waiting) = @$_;
    fcntl $socket, $setfl, $nonblock;
    $side{ fileno $socket } = { socket => $socket, peer => fileno $peer, waiting => $waiting };
  }
}

while (1) {
  my ($readers, $writers) = ('', '');
  if (keys %side < $most) { vec($readers, fileno $_->[0], 1) = 1 for @listeners }
  while (my ($fd, $one) = each %side) {
    vec($readers, $fd, 1) = 1 if !$one->{ended} && length $side{ $one->{peer} }{waiting} < $room;
    vec($writers, $fd, 1) = 1 if length $one->{waiting};
  }
  next if select($readers, $writers, undef, undef) < 1;
  for my $fd (keys %side) {
    send_some($fd) if vec $writers, $fd, 1;
    my $one = $side{$fd};
    next unless $one && vec $readers, $fd, 1;
    my $got = sysread $one->{socket}, my $data, $room;
    if (!defined $got) { drop($fd) unless $! == $again || $! == $interrupted; next }
    $got ? $side{ $one->{peer} }{waiting} .= $data : ($one->{ended} = 1);
    send_some($one->{peer});
  }
  for (@listeners) { take(@$_) if vec $readers, fileno $_->[0], 1 }
}
