import { ERRNO, WasiError } from "../errno.ts";

const NUMBERS: Readonly<Record<string, number>> = {
  EACCES: ERRNO.access,
  EBUSY: ERRNO.busy,
  EEXIST: ERRNO.exists,
  EFBIG: ERRNO.fileTooBig,
  EINVAL: ERRNO.invalid,
  EISDIR: ERRNO.isDirectory,
  ELOOP: ERRNO.loop,
  EMFILE: ERRNO.tooManyFiles,
  EMLINK: ERRNO.tooManyLinks,
  ENAMETOOLONG: ERRNO.nameTooLong,
  ENFILE: ERRNO.tooManyFiles,
  ENOENT: ERRNO.notFound,
  ENOSPC: ERRNO.noSpace,
  ENOTDIR: ERRNO.notDirectory,
  ENOTEMPTY: ERRNO.notEmpty,
  ENOTSUP: ERRNO.notSupported,
  EOPNOTSUPP: ERRNO.notSupported,
  EPERM: ERRNO.notPermitted,
  EROFS: ERRNO.readOnly,
  EXDEV: ERRNO.crossDevice,
};

/** The system's name of an error, e.g. `ENOENT`; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The WASI number of an error that file work ended with. */
export function errnoOf(error: unknown): number {
  if (error instanceof WasiError) return error.errno;
  return NUMBERS[codeOf(error) ?? ""] ?? ERRNO.io;
}
