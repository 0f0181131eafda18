/** Methods of the console that write to stdout. */
const TO_STDOUT = ["log", "info", "debug", "dir", "dirxml", "table", "group", "groupCollapsed"] as const;

/**
 * Sends what libraries print by the console to stderr: over stdio our stdout belongs to the protocol, and one line
 * that is no message makes strict clients give up.
 */
export function quietConsole(): void {
  const target = globalThis.console;
  const toStderr = target.error.bind(target);
  for (const method of TO_STDOUT) Reflect.set(target, method, toStderr);
}
