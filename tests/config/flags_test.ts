import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { type Command, parseCommandLine } from "../../src/config/flags.ts";

function refuses(args: string[], text: RegExp): void {
  throws(() => parseCommandLine(args), (error) => {
    ok(error instanceof SkillzError, `${args.join(" ")} threw ${error}`);
    equal(error.code, "invalid_input");
    equal(error.message.includes("\n"), false);
    match(error.message, text);
    return true;
  }, `${args.join(" ")} was taken`);
}

function gives(args: string[], command: Command): void {
  deepEqual(parseCommandLine(args), command, args.join(" "));
}

Deno.test("parseCommandLine() serves over stdio when nothing is said", () => {
  gives([], { kind: "serve", flags: {} });
  gives(["serve"], { kind: "serve", flags: {} });
});

Deno.test("parseCommandLine() reads every flag of serve, with a blank or an equals sign", () => {
  gives(
    [
      "--transport",
      "http",
      "--port=0",
      "--host",
      "localhost",
      "--hot-reload",
      "--skills",
      "dev, @dev-full,",
      "--allow-anonymous",
    ],
    {
      kind: "serve",
      flags: {
        transport: "http",
        port: 0,
        host: "localhost",
        allowAnonymous: true,
        hotReload: true,
        skills: ["dev", "@dev-full"],
      },
    },
  );
  gives(["serve", "--transport=sse"], { kind: "serve", flags: { transport: "http" } });
  gives(["--no-watch", "--hot-reload"], { kind: "serve", flags: { hotReload: false } });
  gives(["--host", "[::1]"], { kind: "serve", flags: { host: "::1" } });
  gives(["--log-level=debug"], { kind: "serve", flags: { logLevel: "debug" } });
});

Deno.test("parseCommandLine() refuses values that a flag does not take", () => {
  refuses(["--transport", "tcp"], /--transport is "tcp", stdio or http is wanted/);
  for (const port of ["-1", "65536", "80a", "", "1.5"]) refuses([`--port=${port}`], /--port is/);
  for (const host of ["", "a b", "http://x"]) refuses([`--host=${host}`], /--host is/);
  refuses(["--log-level", "loud"], /one of debug, info, warn, error/);
  refuses(["--hot-reload=yes"], /--hot-reload takes no value/);
  refuses(["--port"], /--port is given without a value/);
  refuses(["--skills", "--hot-reload"], /--skills is given without a value/);
});

Deno.test("parseCommandLine() refuses unknown flags and words, and names the known ones", () => {
  refuses(["--prot", "1"], /serve has no flag "--prot", known are --transport, --port/);
  refuses(["-x"], /no flag "-x"/);
  refuses(["--secret=hunter2"], /no flag "--secret", known/);
  refuses(["srve"], /no command "srve", known are serve, check-tools, call, list, doctor, init, install$/);
  refuses(["serve", "now"], /serve takes no further word/);
  refuses(["list", "--json"], /list has no flag "--json", it takes none/);
  refuses(["toString"], /no command/);
  refuses(["--__proto__"], /no flag/);
  refuses(["--constructor"], /no flag/);
});

Deno.test("parseCommandLine() reads the other commands with their words", () => {
  gives(["check-tools"], { kind: "check-tools", folders: [], json: false, run: false });
  gives(["check-tools", "a", "--json", "b", "--run"], {
    kind: "check-tools",
    folders: ["a", "b"],
    json: true,
    run: true,
  });
  gives(["call", "x"], { kind: "call", tool: "x", json: undefined });
  gives(["call", "x", '{"a":-1}'], { kind: "call", tool: "x", json: '{"a":-1}' });
  gives(["call", "--", "x", "-1"], { kind: "call", tool: "x", json: "-1" });
  gives(["list"], { kind: "list" });
  gives(["doctor"], { kind: "doctor" });
  gives(["init", "python", "my"], { kind: "init", template: "python", name: "my" });
  gives(["install", "cursor"], { kind: "install", editor: "cursor" });
});

Deno.test("parseCommandLine() wants the words that a command needs", () => {
  refuses(["call"], /call wants TOOL JSON, TOOL is missing/);
  refuses(["call", "x", "{}", "y"], /call takes no further word, "y" is one/);
  refuses(["init", "python"], /NAME is missing/);
  refuses(["install"], /EDITOR is missing/);
});

Deno.test("parseCommandLine() helps wherever help is asked for", () => {
  for (const args of [["--help"], ["-h"], ["help"], ["call", "--help"], ["--port", "1", "-h"]]) {
    gives(args, { kind: "help" });
  }
  for (const args of [["--version"], ["-V"]]) gives(args, { kind: "version" });
  gives(["call", "x", "--", "--help"].slice(0, 2), { kind: "call", tool: "x", json: undefined });
  gives(["call", "--", "x", "--help"], { kind: "call", tool: "x", json: "--help" });
});
