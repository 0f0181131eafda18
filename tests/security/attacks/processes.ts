import { join } from "node:path";
import type { Attack } from "../attack.ts";

/** Attacks on other processes and on the environment. */
export const PROCESS_ATTACKS: readonly Attack[] = [
  {
    id: "server-environ",
    what: "read /proc/PID/environ of the server",
    attack: ({ pid }) => `/proc/${pid}/environ`,
    allowed: () => "/proc/self/environ",
    allowedIn: {
      typescript: ({ root }) => join(root, "allowed.txt"),
      wasm: ({ root }) => join(root, "allowed.txt"),
    },
    code: {
      python: (path) => `t = open(${JSON.stringify(path)}).read()\nassert t\nreturn t`,
      typescript: (path) => `return await Deno.readTextFile(${JSON.stringify(path)});`,
      bash: (path) => `cat '${path}' | grep -qa .`,
      wasm: (path) => `read|${path}|`,
    },
  },
  {
    id: "server-root",
    what: "read files through /proc/PID/root of the server",
    attack: ({ pid, home }) => `/proc/${pid}/root${home}/diary.txt`,
    allowed: ({ root }) => `/proc/self/root${root}/allowed.txt`,
    allowedIn: {
      typescript: ({ root }) => join(root, "allowed.txt"),
      wasm: ({ root }) => join(root, "allowed.txt"),
    },
    code: {
      python: (path) => `return open(${JSON.stringify(path)}).read()`,
      typescript: (path) => `return await Deno.readTextFile(${JSON.stringify(path)});`,
      bash: (path) => `cat '${path}'`,
      wasm: (path) => `read|${path}|`,
    },
  },
  {
    id: "signal-server",
    what: "signal the server",
    attack: ({ pid }) => String(pid),
    allowed: () => "own",
    code: {
      python: (pid) => `import os\nos.kill(${pid === "own" ? "os.getpid()" : pid}, 0)\nreturn "sent"`,
      bash: (pid) => `kill -0 ${pid === "own" ? "$$" : pid}`,
    },
  },
  {
    id: "see-processes",
    what: "see processes of the host",
    attack: ({ pid }) => String(pid),
    allowed: () => "self",
    code: {
      python: (pid) => `import os\nreturn os.stat("/proc/${pid}")`,
      bash: (pid) => `test -d /proc/${pid}`,
    },
  },
  {
    id: "ptrace-server",
    what: "attach to the server as a debugger",
    attack: ({ pid }) => String(pid),
    allowed: () => "none",
    // PTRACE_SEIZE; the twin is a harmless call made the same way.
    code: {
      python: (pid) =>
        pid === "none"
          ? `return libc.getpid()`
          : `r = libc.ptrace(0x4206, ${pid}, 0, 0)\nif r: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))`,
    },
  },
  {
    id: "environment",
    what: "find the server's variables in its own environment",
    attack: () => "SKILLZ_TEST_SERVER_SECRET",
    allowed: () => "GIVEN",
    code: {
      python: (name) => `return os.environ[${JSON.stringify(name)}]`,
      typescript: (name) =>
        `const v = Deno.env.get(${
          JSON.stringify(name)
        }); if (v === undefined) throw new Error("not set"); return v;`,
      bash: (name) => `test -n "\${${name}:-}"`,
      wasm: (name) => `env|${name}`,
    },
  },
  {
    id: "shared-memory",
    what: "leave shared memory for other processes of the host",
    attack: () => "shm",
    allowed: () => "own",
    code: {
      // A segment of the host's namespace would be listed with those of other processes.
      python: (kind) =>
        kind === "own"
          ? `return libc.shmget(0, 4096, 0o1600)`
          : `n = len(open("/proc/sysvipc/shm").read().splitlines())\nassert n > 100, "own namespace: %d" % n`,
    },
  },
];
