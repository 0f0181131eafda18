/** Where an attack that is no row of the corpus is made: a test's file, and the name of the test or the part that varies least. */
export interface Proof {
  readonly what: string;
  readonly file: string;
  readonly test: string;
}

/** Attacks with a stage of their own, by topic. */
export const PROOFS: readonly Proof[] = [
  ...of("security/forged_test.ts", {
    "forged answers to calls of others, forged notifications of the server":
      "forged answers and notifications of tools reach neither the client nor calls of others",
  }),
  ...of("run/code/run_code_isolation_test.ts", {
    "forged lines in code of `execute_code`": "run() gains nothing from forged lines of the protocol",
  }),
  ...of("security/gigabyte_test.ts", {
    "a gigabyte on stdout, and on stderr":
      "a gigabyte on stdout ends a tool by its limit, one on stderr costs nothing",
  }),
  ...of("security/resources_test.ts", {
    "a fork bomb": "ends a fork bomb, and nothing of it is left",
    "memory by typed arrays": "ends a tool that fills memory by typed arrays, outside of V8's own limit",
    "a file without end": "lets no file grow over its limit, and ends with no file left open",
    "shared memory without end": "bubblewrap and nsjail bound what a tool can put into shared memory",
    "a grandchild that ignores SIGTERM and outlives the call":
      "leaves no grandchild that ignores SIGTERM and left its process group",
  }),
  ...of("process/stop_test.ts", {
    "a grandchild without environment and session":
      "stop() finds a grandchild that wiped its environment and left the session",
  }),
  ...of("security/open_files_test.ts", {
    "open files without end": "lets no process open more files than its limit, and lets it open those",
  }),
  ...of("security/wasm_resources_test.ts", {
    "endless computing, sleeping, memory, stack, files and output of a module":
      "a module that uses something up ends by the limit, and one that does so moderately runs",
  }),
  ...of("security/wasm_imports_test.ts", {
    "functions that WASI does not have, imported by a module":
      "a module gets no functions but those of WASI: no sockets, programs or values of the engine",
  }),
  ...of("security/races_test.ts", {
    "a granted folder swapped for a link between check and use":
      "wrap() refuses a granted folder that was swapped for a link after its access was resolved",
    "a folder swapped for a link all the time":
      "no run reads a secret while a granted folder is swapped for a link to it all the time",
    "descriptors that the server was started with":
      "descriptors that the server was started with do not reach a tool",
  }),
  ...of("security/abstract_socket_test.ts", {
    "abstract Unix sockets of the host": "the whole network is no way to abstract sockets of the host in",
  }),
  ...of("sandbox/static_graph_test.ts", {
    "a file imported as text, JSON or module by the static graph":
      "check() refuses every way to read a file outside through the graph",
    "`npm:`, `jsr:` and remote modules in the static graph":
      "check() refuses npm:, jsr: and remote modules that are not declared, and names the line to add",
  }),
  ...of("security/injection_test.ts", {
    "`$(…)`, backquotes, `;`, newlines, `--upload-pack`, `-rf`, `..` as names, versions, addresses, dependencies":
      "names and fields that hold commands, options or paths make nothing run and no file",
    "the same in arguments": "arguments that hold commands come to tools as the text that they are",
  }),
  ...of("skills/repository_url_test.ts", {
    "addresses that make git run a program":
      "parseRepositoryUrl() refuses what could run a program, leak, or be tampered with",
  }),
  ...of("install/parse_dependencies_test.ts", {
    "options of installers as dependencies":
      "B45 parseDependencies() refuses options, paths and addresses, and says which",
  }),
  ...of("security/import_test.ts", {
    "file names of an imported repository that lead out":
      "a repository with names that lead out writes nothing outside, and an ordinary one is added",
    "hooks, filters and submodules of one":
      "hooks, filters and submodules of a repository run nothing when it is added",
    "links of one":
      "links of a repository lead to no secret: not as a skill, not as its folder, not as a file beside it",
  }),
  ...of("tools/outside_test.ts", {
    "files of a tool that leave its folder":
      "B49 save() refuses files that leave the folder or are the store's own, and takes ordinary ones",
    "links in a tool's folder": "B50 a tool with a link out of its folder as",
  }),
  ...of("security/planted_links_test.ts", {
    "links that a package plants for the installer":
      "relocateScripts() rewrites scripts of the venv, none that a planted link leads to",
  }),
  ...of("security/untrusted_program_test.ts", {
    "an interpreter that a manifest brings along": "resolve() never starts a",
  }),
  ...of("security/json_test.ts", {
    "`__proto__` in arguments, answers, memory and pipelines":
      "__proto__ in arguments, answers, memory and pipelines changes no prototype of the server or of a tool",
    "deep and large arguments and answers":
      "deep and large arguments and answers fail with a word or work, and the server lives",
    "deep, endless and polluting lines of the protocol":
      "lines of the protocol that are too long, too deep or polluting are answered or dropped, and the next one works",
  }),
  ...of("security/nested_change_test.ts", {
    "a tool that makes or changes tools to get more rights":
      "a made tool makes no tools and runs no code with permissions unless the user allows it",
  }),
  ...of("transport/http/access_check_test.ts", {
    "a web page whose name was pointed at the server":
      "B17 AccessCheck refuses names that a web page may have pointed at us",
    "a web page of another origin":
      "B17 AccessCheck refuses pages of other origins and lets in those of this machine or allowed ones",
  }),
];

function of(file: string, tests: Readonly<Record<string, string>>): Proof[] {
  return Object.entries(tests).map(([what, test]) => ({ what, file, test }));
}
