/** The ways to confine a child that this project knows; `none` confines nothing. */
export type SandboxMode = "bubblewrap" | "firejail" | "nsjail" | "none";

/** What `SKILLZ_SANDBOX` may say; `bwrap` is read as `bubblewrap`. */
export const SANDBOX_CHOICES = ["auto", "required", "bubblewrap", "firejail", "nsjail", "none"] as const;

/** One of {@linkcode SANDBOX_CHOICES}. */
export type SandboxChoice = typeof SANDBOX_CHOICES[number];
