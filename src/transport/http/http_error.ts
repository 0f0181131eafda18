/** JSON-RPC codes of refusals that happen before a message is looked at; the transports of MCP share them. */
export const HTTP_ERROR_CODES = { refused: -32000, sessionNotFound: -32001, parse: -32700 } as const;

/** Options of {@linkcode httpError}. */
export interface HttpErrorOptions {
  /**
   * JSON-RPC code of the body.
   * @default -32000
   */
  readonly code?: number;
  /** More headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP status whose body is a JSON-RPC error, so that clients of either kind understand it. */
export function httpError(status: number, message: string, options: HttpErrorOptions = {}): Response {
  const error = { code: options.code ?? HTTP_ERROR_CODES.refused, message };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status, headers: { ...options.headers } });
}
