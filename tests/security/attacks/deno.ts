import { join } from "node:path";
import type { Attack } from "../attack.ts";

const allowedFile: Attack["allowed"] = ({ root }) => join(root, "allowed.txt");
const throwUnlessSecret = (secret: string) =>
  `if (!String(t).includes(${JSON.stringify(secret)})) throw new Error("not there: " + t); return t;`;

/** Attacks by what only TypeScript has: the ways around Deno's own permissions. */
export const DENO_ATTACKS: readonly Attack[] = [
  {
    id: "dynamic-text",
    what: "import a file as text by a computed name",
    attack: ({ home }) => join(home, "diary.txt"),
    allowed: allowedFile,
    code: {
      typescript: (path, { secret }) =>
        `const p = ${
          JSON.stringify(path)
        }.split("").join(""); const t = (await import(p, { with: { type: "text" } })).default; ${
          throwUnlessSecret(secret)
        }`,
    },
  },
  {
    id: "data-module",
    what: "import a file from a module made at run time",
    attack: ({ home }) => join(home, "diary.txt"),
    allowed: allowedFile,
    code: {
      typescript: (path, { secret }) =>
        `const m = "data:text/javascript," + encodeURIComponent("import t from 'file://" + ${
          JSON.stringify(path)
        } + "' with {type: 'text'}; export default t"); const t = (await import(m)).default; ${
          throwUnlessSecret(secret)
        }`,
    },
  },
  {
    id: "written-module",
    what: "import a file from a module that it wrote itself",
    attack: ({ home }) => join(home, "diary.txt"),
    allowed: allowedFile,
    code: {
      typescript: (path, { root, secret }) =>
        `const m = ${
          JSON.stringify(join(root, "out"))
        } + "/m" + Math.random() + ".ts"; await Deno.writeTextFile(m, "import t from 'file://" + ${
          JSON.stringify(path)
        } + "' with {type: 'text'}; export default t"); const t = (await import("file://" + m)).default; ${
          throwUnlessSecret(secret)
        }`,
    },
  },
  {
    id: "node-fs",
    what: "read by node:fs",
    attack: ({ home }) => join(home, "diary.txt"),
    allowed: allowedFile,
    code: {
      typescript: (path, { secret }) =>
        `const t = (await import("node:fs")).readFileSync(${JSON.stringify(path)}, "utf8"); ${
          throwUnlessSecret(secret)
        }`,
    },
  },
  {
    id: "require",
    what: "read by require of a computed name",
    attack: ({ toolsDir }) => join(toolsDir, "other/x.json"),
    allowed: ({ tool }) => join(tool, "manifest.json"),
    code: {
      typescript: (path) =>
        `const { createRequire } = await import("node:module"); return JSON.stringify(createRequire("file:///tmp/x.js")(${
          JSON.stringify(path)
        }.split("").join("")));`,
    },
  },
  {
    id: "fetch-file",
    what: "fetch a file: address",
    attack: ({ home }) => `file://${home}/diary.txt`,
    allowed: ({ root }) => `file://${root}/allowed.txt`,
    code: {
      typescript: (url, { secret }) =>
        `const t = await (await fetch(${JSON.stringify(url)})).text(); ${throwUnlessSecret(secret)}`,
    },
  },
  {
    id: "ask-permission",
    what: "ask for a permission at run time",
    attack: () => "/",
    allowed: allowedFile,
    code: {
      typescript: (path) =>
        `const s = await Deno.permissions.request({ name: "read", path: ${
          JSON.stringify(path)
        } }); if (s.state !== "granted") throw new Error(s.state); return s.state;`,
    },
  },
  {
    id: "run-program",
    what: "start a program that was not granted",
    attack: () => "git",
    allowed: () => "",
    code: {
      typescript: (name) =>
        name === ""
          ? `return "nothing";`
          : `return (await new Deno.Command(${
            JSON.stringify(name)
          }, { args: ["--version"] }).output()).code;`,
    },
  },
  {
    id: "child-process",
    what: "start a program by node:child_process",
    attack: () => "/bin/sh",
    allowed: () => "",
    code: {
      typescript: (name) =>
        name === ""
          ? `return "nothing";`
          : `const r = (await import("node:child_process")).spawnSync(${
            JSON.stringify(name)
          }, ["-c", "id"]); if (r.status !== 0) throw r.error ?? new Error("not started: " + r.status); return String(r.stdout);`,
    },
  },
  {
    id: "native-code",
    what: "load a native library",
    attack: () => "libc.so.6",
    allowed: () => "",
    code: {
      typescript: (name) =>
        name === ""
          ? `return "nothing";`
          : `Deno.dlopen(${
            JSON.stringify(name)
          }, { getpid: { parameters: [], result: "i32" } }).close(); return "loaded";`,
    },
  },
  {
    id: "npm-import",
    what: "import a package that was not declared",
    attack: () => "npm:left-pad@1.3.0",
    allowed: () => "node:path",
    code: {
      typescript: (name) => `return Object.keys(await import(${JSON.stringify(name)}.split("").join("")));`,
    },
  },
  {
    id: "remote-import",
    what: "import a remote module",
    attack: () => "https://esm.sh/left-pad",
    allowed: () => "data:text/javascript,export default 1",
    code: {
      typescript: (name) => `return Object.keys(await import(${JSON.stringify(name)}.split("").join("")));`,
    },
  },
  {
    id: "system-facts",
    what: "learn the machine's name and addresses",
    attack: () => "hostname",
    allowed: () => "cwd",
    code: {
      typescript: (name) =>
        name === "cwd"
          ? `return performance.now();`
          : `return JSON.stringify([Deno.hostname(), Deno.networkInterfaces()]);`,
    },
  },
];
