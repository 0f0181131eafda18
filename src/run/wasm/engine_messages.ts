/** One call, as the engine process is told; the payload is what the module reads on its standard input. */
export interface RunMessage {
  /** Tells it from other messages. */
  readonly type: "run";
  /** Content hash of a module that was sent before. */
  readonly module: string;
  /** `argv`. */
  readonly args: readonly string[];
  /** `NAME=value`. */
  readonly env: readonly string[];
  /** Most bytes of standard output. */
  readonly outputBytes: number;
  /** Most open files. */
  readonly openFiles: number;
}

/** What the server tells the engine. */
export type ToEngine =
  /** Compile the payload and keep it under its hash. */
  | { readonly type: "module"; readonly hash: string }
  /** Forget a module. */
  | { readonly type: "drop"; readonly hash: string }
  | RunMessage
  /** The answer to a file request; the payload holds bytes that were read. */
  | FileReply;

/** What the engine tells the server. */
export type FromEngine =
  | FileRequest
  /** A piece of standard error, in the payload. */
  | { readonly type: "stderr" }
  | EndMessage;

/** The end of a call; the payload is the whole standard output. */
export interface EndMessage {
  /** Tells it from other messages. */
  readonly type: "end";
  /** How the module ended. */
  readonly outcome: EngineOutcome;
  /** Bytes of memory that the module had in the end. */
  readonly memory: number;
  /** The end of standard error that was too long to be sent at once. */
  readonly stderr: string;
}

/** How a module ended. */
export type EngineOutcome =
  /** It returned or called `proc_exit`. */
  | { readonly kind: "exit"; readonly code: number }
  /** It did something that WebAssembly forbids, e.g. `unreachable`. */
  | { readonly kind: "trap"; readonly message: string }
  /** It wrote more than it may. */
  | { readonly kind: "output" }
  /** It is no module that can be run. */
  | { readonly kind: "invalid"; readonly message: string };

/** Facts about a file or folder, with numbers as texts where they may need 64 bits. */
export interface FileFacts {
  /** What it is. */
  readonly kind: FileKind;
  /** In bytes. */
  readonly size: number;
  /** Number of hard links. */
  readonly links: number;
  /** Tells file systems apart. */
  readonly device: string;
  /** Tells files of one device apart. */
  readonly inode: string;
  /** Nanoseconds since the epoch. */
  readonly accessed: string;
  /** When its contents changed, in nanoseconds. */
  readonly modified: string;
  /** When its facts changed, in nanoseconds. */
  readonly changed: string;
}

/** What is at a path. */
export type FileKind = "file" | "directory" | "link" | "other";

/** Times to set: nanoseconds, `now`, or nothing to leave one as it is. */
export interface FileTimes {
  /** Time of the last reading. */
  readonly accessed?: string;
  /** Time of the last writing. */
  readonly modified?: string;
}

/** A place in a folder that is open: never above it. */
export interface FilePlace {
  /** Handle of the folder. */
  readonly at: number;
  /** Relative to the folder, as the module gave it. */
  readonly path: string;
}

/** How a file is opened. */
export interface OpenHow {
  /** Whether a link at the end is followed. */
  readonly follow: boolean;
  /** Make it when it is not there. */
  readonly create: boolean;
  /** It must be a folder. */
  readonly directory: boolean;
  /** It must not be there yet. */
  readonly exclusive: boolean;
  /** Empty it first. */
  readonly truncate: boolean;
  /** Its contents will be read. */
  readonly read: boolean;
  /** Its contents will be changed. */
  readonly write: boolean;
  /** Each write goes to the end. */
  readonly append: boolean;
}

/** Work on files that the engine, which may not touch any, asks the server to do. */
export type FileWork =
  /** Names under which folders are open from the start; asked when the module first looks for them. */
  | { readonly op: "preopens" }
  | { readonly op: "open"; readonly place: FilePlace; readonly how: OpenHow }
  | { readonly op: "close" | "sync" | "facts"; readonly handle: number }
  | { readonly op: "read"; readonly handle: number; readonly offset: number; readonly length: number }
  /** Writes the payload; without an offset at the end. */
  | { readonly op: "write"; readonly handle: number; readonly offset?: number }
  | { readonly op: "resize"; readonly handle: number; readonly size: number; readonly grow: boolean }
  | { readonly op: "times"; readonly handle: number; readonly times: FileTimes }
  | { readonly op: "list"; readonly handle: number }
  | { readonly op: "factsAt"; readonly place: FilePlace; readonly follow: boolean }
  | {
    readonly op: "timesAt";
    readonly place: FilePlace;
    readonly follow: boolean;
    readonly times: FileTimes;
  }
  | { readonly op: "makeFolder" | "removeFolder" | "removeFile" | "readLink"; readonly place: FilePlace }
  | { readonly op: "rename" | "hardLink"; readonly place: FilePlace; readonly to: FilePlace }
  | { readonly op: "softLink"; readonly place: FilePlace; readonly target: string };

/** File work as it is sent. */
export type FileRequest = { readonly type: "file" } & FileWork;

/** What a folder holds under one name. */
export interface FolderEntry {
  /** Its last part of the path. */
  readonly name: string;
  /** What it is. */
  readonly kind: FileKind;
  /** Tells files of one device apart. */
  readonly inode: string;
}

/** What came of file work. */
export interface FileReply {
  /** Tells it from other messages. */
  readonly type: "reply";
  /** A WASI error number; 0 when it was done. */
  readonly errno: number;
  /** A fresh handle and what it is. */
  readonly opened?: { readonly handle: number; readonly kind: FileKind };
  /** The facts that were asked for. */
  readonly facts?: FileFacts;
  /** Bytes written, and where the file's end or the next byte is. */
  readonly written?: { readonly bytes: number; readonly position: number };
  /** What a folder holds, for `list`. */
  readonly entries?: readonly FolderEntry[];
  /** Where a link points, for `readlink`. */
  readonly target?: string;
  /** Names of the folders that are open from the start; their place in the list is their handle. */
  readonly preopens?: readonly string[];
}
