/** Error numbers of WASI preview 1 that occur here. */
export const ERRNO = {
  success: 0,
  tooLong: 1,
  access: 2,
  badDescriptor: 8,
  busy: 10,
  exists: 20,
  fault: 21,
  fileTooBig: 22,
  illegalText: 25,
  invalid: 28,
  io: 29,
  isDirectory: 31,
  loop: 32,
  tooManyFiles: 33,
  tooManyLinks: 34,
  nameTooLong: 37,
  notFound: 44,
  noSpace: 51,
  notImplemented: 52,
  notDirectory: 54,
  notEmpty: 55,
  notSocket: 57,
  notSupported: 58,
  notPermitted: 63,
  readOnly: 69,
  noSeek: 70,
  crossDevice: 75,
  notCapable: 76,
} as const;

/** Ends a WASI call with an error number. */
export class WasiError extends Error {
  /** What the module gets, one of {@linkcode ERRNO}. */
  readonly errno: number;

  /** Makes one. */
  constructor(errno: number) {
    super(`WASI error ${errno}`);
    this.errno = errno;
  }
}
