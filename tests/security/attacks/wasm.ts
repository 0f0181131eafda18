import { join } from "node:path";
import type { Attack, Place } from "../attack.ts";

/** An attack by the steps of `wasm/attack.rs`. */
function steps(id: string, { what, attack, allowed }: Pick<Attack, "what" | "attack" | "allowed">): Attack {
  return { id: `wasm-${id}`, what, attack, allowed, code: { wasm: (code) => code } };
}

const diary = ({ home, secret }: Place, path = `${home}/diary.txt`) => `${path}|${secret}`;
const allowed = ({ secret }: Place, path = "allowed.txt") => `${path}|${secret}`;

/** Attacks that only make sense in WebAssembly: by WASI's own calls, past what a library would do. */
export const WASM_ATTACKS: readonly Attack[] = [
  steps("absolute", {
    what: "open an absolute path by the raw call",
    attack: (place) => `raw|${diary(place)}`,
    allowed: (place) => `raw|${allowed(place)}`,
  }),
  steps("climb", {
    what: "climb out of an open folder by the raw call",
    attack: (place) => `raw|${diary(place, "out/../../home/diary.txt")}`,
    allowed: (place) => `raw|${allowed(place, "out/../allowed.txt")}`,
  }),
  steps("descriptors", {
    what: "try every number as an open folder",
    attack: (place) => `scan|${diary(place, "../home/diary.txt,home/diary.txt,diary.txt")}`,
    allowed: (place) => `scan|${allowed(place)}`,
  }),
  steps("absolute-link", {
    what: "leave a link with an absolute target behind",
    attack: ({ home }) => `symlink|${home}/diary.txt|out/absolute`,
    allowed: () => `symlink|made.txt|out/relative`,
  }),
  steps("climbing-link", {
    what: "leave a link that climbs out behind",
    attack: () => "symlink|../../home/diary.txt|out/climbing",
    allowed: () => "mkdir|out/a/b&&symlink|a/b|out/below",
  }),
  steps("link-by-link", {
    what: "leave a link that leads out by another link",
    attack: () => "mkdir|out/p/q&&symlink|../..|out/p/q/up&&symlink|up/../../home|out/p/q/out",
    allowed: () => "mkdir|out/r/s&&symlink|r|out/down&&symlink|down/s|out/further",
  }),
  steps("moved-link", {
    what: "move a link to where it leads out",
    attack: () => "mkdir|out/deep&&symlink|../../home|out/deep/link&&rename|out/deep/link|out/link",
    allowed: () => "symlink|made.txt|out/one&&rename|out/one|out/two",
  }),
  steps("moved-folder", {
    what: "move a folder with a link to where that leads out",
    attack: () => "mkdir|out/e/f/g&&symlink|../../../../allowed.txt|out/e/f/g/link&&rename|out/e/f/g|out/g",
    allowed: () => "mkdir|out/h/i&&rename|out/h/i|out/i",
  }),
  steps("move-out", {
    what: "move a file of its own out of the granted folder",
    attack: ({ home }) => `write|out/mine&&rename|out/mine|${home}/stolen`,
    allowed: () => "write|out/mine&&rename|out/mine|out/yours",
  }),
  steps("move-in", {
    what: "move a file that it may only read into a folder of its own",
    attack: () => "rename|allowed.txt|out/taken",
    allowed: () => "write|out/given&&rename|out/given|out/taken",
  }),
  steps("link-in", {
    what: "hard-link a file that it may only read, to write it by another name",
    attack: () => "hardlink|allowed.txt|out/same",
    allowed: () => "write|out/source&&hardlink|out/source|out/copy",
  }),
  steps("empty", {
    what: "empty a file that it may only read while opening it for reading",
    attack: () => "empty|allowed.txt",
    allowed: () => "write|out/full&&empty|out/full",
  }),
  steps("resize", {
    what: "cut a file that it may only read",
    attack: () => "resize|allowed.txt",
    allowed: () => "write|out/long&&resize|out/long",
  }),
  steps("append", {
    what: "append to a file that it may only read",
    attack: () => "append|allowed.txt",
    allowed: () => "write|out/grown&&append|out/grown",
  }),
  steps("long-path", {
    what: "send the server a path of 40 MB",
    attack: () => `long|${40 << 20}`,
    allowed: () => "long|12",
  }),
  steps("times", {
    what: "set the times of a file that it may only read",
    attack: () => "times|allowed.txt",
    allowed: () => "write|out/old&&times|out/old",
  }),
  steps("remove", {
    what: "remove a file that it may only read",
    attack: () => "remove|fine",
    allowed: () => "write|out/gone&&remove|out/gone",
  }),
  steps("facts", {
    what: "learn size and times of a secret",
    attack: ({ home }) => `facts|${join(home, "diary.txt")}`,
    allowed: () => "facts|allowed.txt",
  }),
  steps("beside-tmp", {
    what: "look at other calls' private folders beside its own",
    attack: () => "list|/tmp/..",
    allowed: () => "write|/tmp/x&&list|/tmp/.",
  }),
  steps("devices", {
    what: "reach the devices of the host",
    attack: () => "facts|/dev/null",
    allowed: () => "facts|out",
  }),
  steps("sockets", {
    what: "send, receive and accept on every number",
    attack: () => "sockets",
    allowed: () => "write|out/socketless",
  }),
  steps("pointers", {
    what: "have the host read and write outside of its memory",
    attack: () => "pointers|4294967264",
    allowed: () => "pointers|0",
  }),
];
