import { join } from "node:path";
import { ABSENT, REFUSED } from "../../../src/sandbox/seccomp_rules.ts";
import type { Attack } from "../attack.ts";

const CALLS = { ...REFUSED, ...ABSENT };
/** getpid, which the twin makes the same way. */
const GETPID = { x86_64: 39, aarch64: 172 };

/** An attack by a raw system call: any success is an escape from what the table of refused calls says. */
function syscall(name: keyof typeof CALLS, args: string, what: string): Attack {
  return {
    id: `call-${name}`,
    what,
    attack: () => `call(${CALLS[name][Deno.build.arch]}, ${args})`,
    allowed: () => `call(${GETPID[Deno.build.arch]})`,
    code: { python: (expression) => `return ${expression}` },
  };
}

function socket(id: string, { family, type, what }: { family: number; type: number; what: string }): Attack {
  return {
    id,
    what,
    attack: () => `${family}, ${type}`,
    allowed: () => "2, 1",
    code: { python: (args) => `socket.socket(${args}).close()\nreturn "made"` },
  };
}

/** Attacks on the kernel. */
export const KERNEL_ATTACKS: readonly Attack[] = [
  syscall("ptrace", "0, 0, 0, 0", "ptrace"),
  syscall("process_vm_readv", "libc.getpid(), 0, 0, 0, 0, 0", "read another process's memory"),
  syscall("mount", `b"none", b"/tmp", b"tmpfs", 0, 0`, "mount"),
  syscall("umount2", `b"/proc", 2`, "unmount what covers something"),
  syscall("pivot_root", `b"/tmp", b"/tmp"`, "change the root"),
  syscall("chroot", `b"/tmp"`, "chroot"),
  syscall("unshare", "0x10000000", "make a user namespace with all capabilities"),
  syscall("setns", "0, 0", "enter a namespace"),
  syscall("clone3", "0, 0", "start a process by clone3, past the filter"),
  syscall("bpf", "0, 0, 0", "load BPF"),
  syscall("perf_event_open", "0, 0, 0, 0, 0", "perf events"),
  syscall("userfaultfd", "1", "userfaultfd"),
  syscall("keyctl", "0, -3, 1", "use the kernel's keyrings"),
  syscall("io_uring_setup", "1, ctypes.create_string_buffer(256)", "io_uring"),
  syscall("open_by_handle_at", "-100, ctypes.create_string_buffer(64), 0", "open files by handle"),
  syscall("init_module", `0, 0, b""`, "load a kernel module"),
  syscall("sethostname", `b"x", 1`, "rename the machine"),
  syscall("clock_settime", "0, ctypes.create_string_buffer(16)", "set the clock"),
  syscall("quotactl", "0, 0, 0, 0", "change quotas"),
  {
    id: "clone-namespace",
    what: "make a user namespace by clone",
    attack: () => "0x10000000 | 17",
    allowed: () => "17",
    code: {
      python: (flags) =>
        `p = call(${
          Deno.build.arch === "x86_64" ? 56 : 220
        }, ${flags}, 0, 0, 0, 0)\nif p == 0: os._exit(0)\nos.waitpid(p, 0)\nreturn p`,
    },
  },
  {
    id: "unshare-program",
    what: "unshare -r",
    attack: () => "unshare -r id -u",
    allowed: () => "id -u",
    code: { bash: (command) => command },
  },
  {
    id: "terminal-input",
    what: "type into the server's terminal (TIOCSTI)",
    attack: () => "0x5412",
    allowed: () => "0x541b",
    code: {
      python: (request) =>
        `import fcntl\nr, w = os.pipe()\nreturn fcntl.ioctl(r, ${request}, b"\\0\\0\\0\\0")`,
    },
  },
  {
    id: "set-id",
    what: "leave a set-user-ID program behind",
    attack: () => "4755",
    allowed: () => "755",
    gaps: { firejail: "firejail's filter can't look at modes" },
    code: {
      python: (mode, { root }) =>
        `p = ${
          JSON.stringify(join(root, "out/sp"))
        }\nopen(p, "w").close()\nos.chmod(p, 0o${mode})\nassert os.stat(p).st_mode & 0o7777 == 0o${mode}, "bits were dropped"\nreturn "set"`,
      bash: (mode, { root }) => `touch '${root}/out/sb'; chmod ${mode} '${root}/out/sb'`,
    },
  },
  {
    id: "set-id-create",
    what: "create a file with the set-user-ID bit at once",
    attack: () => "0o4755",
    allowed: () => "0o755",
    gaps: { firejail: "firejail's filter can't look at modes" },
    code: {
      python: (mode, { root }) =>
        `p = ${
          JSON.stringify(join(root, "out/sc"))
        } + "${mode}"\nos.umask(0)\nos.close(os.open(p, os.O_CREAT | os.O_WRONLY, ${mode}))\nassert os.stat(p).st_mode & 0o7777 == ${mode}, "bits were dropped"\nreturn "made"`,
    },
  },
  {
    id: "become-root",
    what: "become another user",
    attack: () => "12345",
    allowed: () => "os.getuid()",
    code: { python: (uid) => `os.setuid(${uid})\nreturn os.getuid()` },
  },
  {
    id: "device-node",
    what: "make a device node of the disk",
    attack: () => "b 8 0",
    allowed: () => "p",
    code: { bash: (kind, { root }) => `n='${root}/out/node'; rm -f "$n"; mknod "$n" ${kind}; rm "$n"` },
  },
  {
    id: "read-disk",
    what: "read the disk itself",
    attack: () => "/dev/[svnx][dv]*[a-z0-9]",
    allowed: () => "/dev/zero",
    code: { bash: (glob) => `for d in ${glob}; do head -c 1 "$d" > /dev/null && exit 0; done; exit 1` },
  },
  {
    id: "kernel-setting",
    what: "change a kernel setting in /proc/sys",
    attack: () => "/proc/sys/kernel/core_pattern",
    allowed: () => "/dev/null",
    code: {
      python: (path) => `f = open(${JSON.stringify(path)}, "r+")\nreturn "opened for writing"`,
      bash: (path) => `: >> '${path}'`,
    },
  },
  socket("socket-vsock", { family: 40, type: 1, what: "talk to the hypervisor (AF_VSOCK)" }),
  socket("socket-alg", { family: 38, type: 5, what: "the kernel's crypto sockets (AF_ALG)" }),
  socket("socket-packet", { family: 17, type: 3, what: "raw packets (AF_PACKET)" }),
];
