/** Processors that the filter is made for, as Deno names them. */
export type FilterArch = "x86_64" | "aarch64";

/** One system call's number per processor; null where it does not exist. */
export interface SyscallNumber {
  /** Null where this architecture has no such call. */
  readonly x86_64: number | null;
  /** Null where this architecture has no such call. */
  readonly aarch64: number | null;
}

const at = (x86_64: number | null, aarch64: number | null = x86_64): SyscallNumber => ({ x86_64, aarch64 });

/**
 * Calls that a tool never needs: they look into other processes, change mounts, namespaces, kernel or clock, or reach
 * parts of the kernel that keep bringing holes. Refused with EPERM.
 */
export const REFUSED = {
  ptrace: at(101, 117),
  process_vm_readv: at(310, 270),
  process_vm_writev: at(311, 271),
  kcmp: at(312, 272),
  pidfd_getfd: at(438),
  mount: at(165, 40),
  umount2: at(166, 39),
  pivot_root: at(155, 41),
  chroot: at(161, 51),
  move_mount: at(429),
  open_tree: at(428),
  open_tree_attr: at(467),
  fsopen: at(430),
  fsconfig: at(431),
  fsmount: at(432),
  fspick: at(433),
  mount_setattr: at(442),
  unshare: at(272, 97),
  setns: at(308, 268),
  swapon: at(167, 224),
  swapoff: at(168, 225),
  reboot: at(169, 142),
  sethostname: at(170, 161),
  setdomainname: at(171, 162),
  create_module: at(174, null),
  init_module: at(175, 105),
  finit_module: at(313, 273),
  delete_module: at(176, 106),
  kexec_load: at(246, 104),
  kexec_file_load: at(320, 294),
  bpf: at(321, 280),
  perf_event_open: at(298, 241),
  userfaultfd: at(323, 282),
  keyctl: at(250, 219),
  add_key: at(248, 217),
  request_key: at(249, 218),
  acct: at(163, 89),
  quotactl: at(179, 60),
  quotactl_fd: at(443),
  syslog: at(103, 116),
  nfsservctl: at(180, 42),
  lookup_dcookie: at(212, 18),
  uselib: at(134, null),
  iopl: at(172, null),
  ioperm: at(173, null),
  modify_ldt: at(154, null),
  open_by_handle_at: at(304, 265),
  name_to_handle_at: at(303, 264),
  fanotify_init: at(300, 262),
  vhangup: at(153, 58),
  settimeofday: at(164, 170),
  clock_settime: at(227, 112),
  clock_adjtime: at(305, 266),
  adjtimex: at(159, 171),
  migrate_pages: at(256, 238),
  move_pages: at(279, 239),
} as const satisfies Record<string, SyscallNumber>;

/**
 * Calls that programs try first and do without: refused with ENOSYS, so that they fall back. clone3 and openat2 take
 * their flags in memory, where a filter can't see them; fchmodat2 is chmod by a newer name.
 */
export const ABSENT = {
  clone3: at(435),
  openat2: at(437),
  fchmodat2: at(452),
  io_uring_setup: at(425),
  io_uring_enter: at(426),
  io_uring_register: at(427),
} as const satisfies Record<string, SyscallNumber>;

/** A call that is refused by what one of its arguments holds. */
export interface ArgumentRule {
  /** The system call's name in the kernel's table. */
  readonly name: string;
  readonly number: SyscallNumber;
  /** Index of the argument. */
  readonly argument: number;
  /** The argument's name in kafel, nsjail's filter language. */
  readonly kafelName: string;
  /** Refused if any of these bits is set … */
  readonly anyBit?: number;
  /** … or unless it is one of these values … */
  readonly unlessIn?: readonly number[];
  /** … or if it is one of these … */
  readonly ifIn?: readonly number[];
  /** … all of that only when another argument has one of these bits. */
  readonly when?: { readonly argument: number; readonly kafelName: string; readonly anyBit: number };
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** S_ISUID and S_ISGID: else a tool of a server run by root could leave programs behind that make anyone root. */
const SET_ID_BITS = 0o6000;
/** O_CREAT and O_TMPFILE: only with these does `open` look at its mode. */
const CREATES = 0x400040;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16] as const;

/** Rules that look at an argument; `unixSockets` says whether Unix sockets may be made. */
export function argumentRules(unixSockets: boolean): readonly ArgumentRule[] {
  const setId = (name: string, number: SyscallNumber, argument: number): ArgumentRule => ({
    name,
    number,
    argument,
    kafelName: "mode",
    anyBit: SET_ID_BITS,
  });
  return [
    { name: "clone", number: at(56, 220), argument: 0, kafelName: "clone_flags", anyBit: NEW_NAMESPACES },
    { name: "ioctl", number: at(16, 29), argument: 1, kafelName: "cmd", ifIn: [TIOCSTI, TIOCLINUX] },
    {
      name: "personality",
      number: at(135, 92),
      argument: 0,
      kafelName: "personality",
      unlessIn: [0, 0xffffffff],
    },
    {
      name: "socket",
      number: at(41, 198),
      argument: 0,
      kafelName: "family",
      // Everything else (AF_VSOCK, AF_ALG, AF_PACKET …) is not held by a network namespace or only attack surface.
      unlessIn: unixSockets ? [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] : [AF_INET, AF_INET6, AF_NETLINK],
    },
    setId("chmod", at(90, null), 1),
    setId("fchmod", at(91, 52), 1),
    setId("fchmodat", at(268, 53), 2),
    setId("mknod", at(133, null), 1),
    setId("mknodat", at(259, 33), 2),
    setId("creat", at(85, null), 1),
    { ...setId("open", at(2, null), 2), when: { argument: 1, kafelName: "flags", anyBit: CREATES } },
    { ...setId("openat", at(257, 56), 3), when: { argument: 2, kafelName: "flags", anyBit: CREATES } },
  ];
}
