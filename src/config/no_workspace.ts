/** Said where neither the configuration nor the current folder names a workspace, see `Config.roots`. */
export const NO_WORKSPACE =
  "No workspace unless the client names one: the server was started in the home folder or above it, " +
  "and SKILLZ_ROOTS is not set";
