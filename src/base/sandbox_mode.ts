/** The ways to confine a child that this project knows; `none` confines nothing. */
export type SandboxMode = "bubblewrap" | "firejail" | "nsjail" | "none";

/** What `SKILLZ_SANDBOX` may say; `bwrap` is read as `bubblewrap`. */
export type SandboxChoice = "auto" | "required" | SandboxMode;
