import type { JsonObject } from "../../../src/base/json.ts";

/** A result of a tool call as clients get it. */
export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

/** Options of {@linkcode TestClient.call}. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (update: { progress: number }) => void;
}

/** What the client says when it is asked. */
export const ANSWERS = {
  name: "Ada",
  colour: "green",
  sample: "Paris",
  root: "file:///tmp/work",
} as const;

/** A real client of some library, behind what the tests need of it. */
export interface TestClient extends AsyncDisposable {
  /** Protocol version that was agreed on. */
  readonly version: string;
  /** Whether the version has no `initialize`. */
  readonly modern: boolean;
  /** Methods of the notifications that came, in order, with their parameters. */
  readonly heard: readonly { readonly method: string; readonly params: JsonObject }[];
  /** Questions that it was asked. */
  readonly asked: readonly string[];
  /** Calls a tool. */
  call(name: string, args?: JsonObject, options?: CallOptions): Promise<CallResult>;
  /** Names of the listed tools. */
  listTools(): Promise<string[]>;
  /** Contents of a resource. */
  read(uri: string): Promise<string>;
  /** Text of a prompt's first message. */
  prompt(name: string, args: Record<string, string>): Promise<string>;
  /** Values for an argument of a prompt. */
  complete(prompt: string, argument: { name: string; value: string }): Promise<string[]>;
  /** Wants to hear of changes of this resource, and of every list. */
  subscribe(uri: string): Promise<void>;
  /** Says that its roots changed; only where the version has that. */
  rootsChanged?(): Promise<void>;
  /** Sets the level of messages; only where the version has that. */
  setLevel?(level: "debug" | "info" | "warning" | "error"): Promise<void>;
}

/** Which capabilities a client declares. */
export interface ClientAbilities {
  /** Declares none when false. */
  readonly asks: boolean;
}
