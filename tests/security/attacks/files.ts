import { join } from "node:path";
import type { Attack, Place } from "../attack.ts";

/** Reading: the secret must come out only where it may be read. */
const read = {
  python: (path, { secret }) =>
    `t = open(${JSON.stringify(path)}, errors="replace").read()\nassert ${
      JSON.stringify(secret)
    } in t, "not there"\nreturn t`,
  typescript: (path, { secret }) =>
    `const t = await Deno.readTextFile(${JSON.stringify(path)}); if (!t.includes(${
      JSON.stringify(secret)
    })) throw new Error("not there"); return t;`,
  bash: (path, { secret }) => `grep -a -F ${secret} '${path}'`,
  wasm: (path, { secret }) => `read|${path}|${secret}`,
} satisfies Attack["code"];

/** Writing over or beside something. */
const write = {
  python: (path) => `open(${JSON.stringify(path)}, "w").write("mine")\nreturn "written"`,
  typescript: (path) => `await Deno.writeTextFile(${JSON.stringify(path)}, "mine"); return "written";`,
  bash: (path) => `echo mine > '${path}'`,
  wasm: (path) => `write|${path}`,
} satisfies Attack["code"];

const list = {
  python: (path) => `import os\nreturn os.listdir(${JSON.stringify(path)})`,
  typescript: (path) =>
    `return (await Array.fromAsync(Deno.readDir(${JSON.stringify(path)}))).map((e) => e.name);`,
  bash: (path) => `ls '${path}'`,
  wasm: (path) => `list|${path}`,
} satisfies Attack["code"];

/** A file of the host that no stand-in has: real accounts. */
const accounts = {
  python: (path) =>
    `t = open(${JSON.stringify(path)}).read()\nassert "daemon" in t or "secret" in t, "a stand-in"\nreturn t`,
  typescript: (path) =>
    `const t = await Deno.readTextFile(${
      JSON.stringify(path)
    }); if (!/daemon|secret/.test(t)) throw new Error("a stand-in"); return t;`,
  bash: (path) => `grep -E 'daemon|secret' '${path}'`,
  wasm: (path) => path.startsWith("/etc/") ? `read|${path}|:` : `read|${path}|secret`,
} satisfies Attack["code"];

const allowedFile = ({ root }: Place) => join(root, "allowed.txt");
const outFile = ({ root }: Place) => join(root, "out/new.txt");

/** Attacks on files. */
export const FILE_ATTACKS: readonly Attack[] = [
  {
    id: "read-passwd",
    what: "read the host's /etc/passwd",
    attack: () => "/etc/passwd",
    allowed: allowedFile,
    code: accounts,
  },
  {
    id: "read-shadow",
    what: "read /etc/shadow",
    attack: () => "/etc/shadow",
    allowed: allowedFile,
    code: accounts,
  },
  {
    id: "read-ssh",
    what: "read ~/.ssh",
    attack: ({ home }) => join(home, ".ssh/id_rsa"),
    allowed: allowedFile,
    code: read,
  },
  {
    id: "read-home",
    what: "read a file of the home folder",
    attack: ({ home }) => join(home, "diary.txt"),
    allowed: allowedFile,
    code: read,
  },
  {
    id: "read-memory",
    what: "read the server's memory file",
    attack: ({ toolsDir }) => join(toolsDir, ".memory.db"),
    allowed: ({ tool }) => join(tool, "notes.txt"),
    code: read,
  },
  {
    id: "read-other-tool",
    what: "read another tool's folder",
    attack: ({ otherTool }) => join(otherTool, "main.py"),
    allowed: ({ tool }) => join(tool, "notes.txt"),
    code: read,
  },
  {
    id: "dot-dot",
    what: "leave a granted folder by ..",
    attack: ({ root }) => `${root}/../home/diary.txt`,
    allowed: ({ root }) => `${root}/sub/../allowed.txt`,
    code: read,
  },
  {
    id: "planted-link",
    gaps: { deno: "Deno follows links that lie in a granted folder" },
    what: "follow a planted link",
    attack: ({ root }) => join(root, "planted"),
    allowed: ({ root }) => join(root, "fine"),
    allowedIn: { wasm: ({ root }) => join(root, "near") },
    code: read,
  },
  {
    id: "self-root",
    what: "read through /proc/self/root",
    attack: ({ home }) => `/proc/self/root${home}/diary.txt`,
    allowed: ({ root }) => `/proc/self/root${root}/allowed.txt`,
    code: { python: read.python, bash: read.bash },
  },
  {
    id: "init-root",
    what: "read through /proc/1/root",
    attack: ({ home }) => `/proc/1/root${home}/diary.txt`,
    allowed: allowedFile,
    code: { python: read.python, bash: read.bash },
  },
  {
    id: "fd-root",
    what: "read through a descriptor's /proc path",
    attack: ({ home }) => `/proc/self/cwd/../../..${home}/diary.txt`,
    allowed: ({ root }) => `/proc/self/root${root}/allowed.txt`,
    code: { python: read.python, bash: read.bash },
  },
  {
    id: "list-tools",
    what: "list TOOLS_DIR for other tools",
    attack: ({ otherTool }) => otherTool,
    allowed: ({ tool }) => tool,
    code: list,
  },
  {
    id: "list-home",
    what: "list the home folder",
    attack: ({ home }) => home,
    allowed: ({ root }) => root,
    code: list,
  },
  {
    id: "write-home",
    victim: ({ home }) => join(home, "new.txt"),
    what: "write in the home folder",
    attack: ({ home }) => join(home, "new.txt"),
    allowed: outFile,
    code: write,
  },
  {
    id: "write-own-manifest",
    what: "rewrite its own manifest",
    attack: ({ tool }) => join(tool, "manifest.json"),
    allowed: outFile,
    code: write,
  },
  {
    id: "write-other-tool",
    victim: ({ otherTool }) => join(otherTool, "main.py"),
    what: "rewrite another tool",
    attack: ({ otherTool }) => join(otherTool, "main.py"),
    allowed: outFile,
    code: write,
  },
  {
    id: "write-memory",
    victim: ({ toolsDir }) => join(toolsDir, ".memory.db"),
    what: "rewrite the memory file",
    attack: ({ toolsDir }) => join(toolsDir, ".memory.db"),
    allowed: outFile,
    code: write,
  },
  {
    id: "write-read-only",
    what: "write where it may only read",
    attack: ({ root }) => join(root, "allowed.txt"),
    allowed: ({ root }) => join(root, "out/made.txt"),
    code: write,
  },
  {
    id: "write-etc",
    victim: () => "/etc/skillz-escape",
    what: "write to /etc",
    attack: () => "/etc/skillz-escape",
    allowed: outFile,
    code: write,
  },
  {
    id: "write-usr",
    victim: () => "/usr/skillz-escape",
    what: "write to /usr",
    attack: () => "/usr/skillz-escape",
    allowed: outFile,
    code: write,
  },
  {
    id: "write-root",
    victim: () => "/skillz-escape",
    what: "write to /",
    attack: () => "/skillz-escape",
    allowed: outFile,
    code: write,
  },
  {
    id: "make-link",
    what: "make a link to a secret and read through it",
    attack: ({ home }) => join(home, "diary.txt"),
    allowed: allowedFile,
    code: {
      python: (path, place) =>
        `import os\nl = ${JSON.stringify(join(place.root, "out/l"))} + str(len(${
          JSON.stringify(path)
        }))\nos.symlink(${JSON.stringify(path)}, l)\nt = open(l).read()\nassert ${
          JSON.stringify(place.secret)
        } in t\nreturn t`,
      bash: (path, place) =>
        `ln -sf '${path}' '${place.root}/out/lb'; grep -F ${place.secret} '${place.root}/out/lb'`,
    },
  },
  {
    id: "hard-link",
    what: "hard-link a secret into its own folder",
    attack: ({ home }) => join(home, "diary.txt"),
    allowed: ({ root }) => join(root, "out/made.txt"),
    code: {
      python: (path, { root }) =>
        `import os\nn = ${JSON.stringify(root)} + "/out/h%d" % len(${JSON.stringify(path)})\nos.link(${
          JSON.stringify(path)
        }, n)\nreturn open(n).read()`,
      bash: (path, { root }) => `ln '${path}' '${root}/out/hb'; rm '${root}/out/hb'`,
      wasm: (path, { root }) => `hardlink|${path}|${root}/out/hw&&remove|${root}/out/hw`,
    },
  },
  {
    id: "nested-memory",
    what: "read the memory file of a TOOLS_DIR inside a granted workspace",
    setting: "nested",
    attack: ({ toolsDir }) => join(toolsDir, ".memory.db"),
    allowed: ({ tool }) => join(tool, "notes.txt"),
    code: read,
  },
  {
    id: "nested-ssh",
    what: "read ~/.ssh of a home inside a granted workspace",
    setting: "nested",
    attack: ({ home }) => join(home, ".ssh/id_rsa"),
    allowed: ({ home }) => join(home, "diary.txt"),
    code: read,
  },
  {
    id: "nested-own-code",
    what: "rewrite its own code inside a workspace that it may write",
    setting: "nested",
    attack: ({ tool }) => join(tool, "manifest.json"),
    allowed: ({ path }) => join(path, "anything.txt"),
    code: write,
  },
  {
    id: "nested-other-tool",
    victim: ({ otherTool }) => join(otherTool, "main.py"),
    what: "rewrite another tool inside a workspace that it may write",
    setting: "nested",
    attack: ({ otherTool }) => join(otherTool, "main.py"),
    allowed: ({ path }) => join(path, "anything.txt"),
    code: write,
  },
  {
    id: "nested-move",
    what: "move TOOLS_DIR aside and put its own in place",
    setting: "nested",
    attack: ({ toolsDir }) => toolsDir,
    allowed: ({ root }) => join(root, "out"),
    code: {
      python: (path) =>
        `import os\nos.rename(${JSON.stringify(path)}, ${JSON.stringify(`${path}.old`)})\nos.rename(${
          JSON.stringify(`${path}.old`)
        }, ${JSON.stringify(path)})\nreturn "moved"`,
      typescript: (path) =>
        `await Deno.rename(${JSON.stringify(path)}, ${JSON.stringify(`${path}.old`)}); await Deno.rename(${
          JSON.stringify(`${path}.old`)
        }, ${JSON.stringify(path)}); return "moved";`,
      bash: (path) => `mv '${path}' '${path}.old'; mv '${path}.old' '${path}'`,
      wasm: (path) => `rename|${path}|${path}.old&&rename|${path}.old|${path}`,
    },
  },
];
