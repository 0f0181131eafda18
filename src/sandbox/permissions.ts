/**
 * What a tool may do, as its manifest says it (`permissions` in manifest.json). Everything that is absent is denied.
 * `$ROOTS`, `$TOOL`, `$TMP`, `$HOME` at the start of a path are placeholders.
 */
export interface Permissions {
  /** Hosts, `host:port`, `*.domain`, or `true` for any. */
  net?: true | readonly string[];
  /** Paths that may be read. */
  read?: readonly string[];
  /** Paths that may be written (and read). */
  write?: readonly string[];
  /** Names of secrets. */
  env?: readonly string[];
  /** Programs that may be started. */
  run?: readonly string[];
  /** Deno's `--allow-sys` kinds. */
  sys?: readonly string[];
  /** Native libraries. */
  ffi?: boolean;
  /** Hosts that modules may be imported from at run time. */
  import?: readonly string[];
}

/**
 * {@linkcode Permissions} for one call: placeholders replaced, links followed, so that enforcers only compare paths.
 * The tool's own folder and environment (read) and the private scratch folder (write) are already in it.
 */
export interface Access {
  /** Granted hosts, or `true` for any. */
  readonly net: true | readonly string[];
  /** Real absolute paths, readable. */
  readonly read: readonly string[];
  /** Real absolute paths, readable and writable. */
  readonly write: readonly string[];
  /** Programs that may be started, as given. */
  readonly run: readonly string[];
  /** Deno's `--allow-sys` kinds. */
  readonly sys: readonly string[];
  /** Native libraries. */
  readonly ffi: boolean;
  /** Hosts for run-time imports. */
  readonly import: readonly string[];
  /**
   * Paths that stay out of sight although a granted folder holds them (TOOLS_DIR, credentials). Whatever is granted
   * deeper than one of them is seen: the longest path decides.
   */
  readonly hidden?: readonly string[];
  /** The same, spelled out for enforcers in which a denied folder can't hold a granted one (Deno). */
  readonly denied?: readonly string[];
}
