import { createHash, timingSafeEqual } from "node:crypto";
import type { AuthInfo } from "@modelcontextprotocol/server";

/** Who sends a request. */
export interface Identity {
  /** Sessions of one principal are its own: nobody else may use them. */
  readonly principal: string;
  /** What the protocol library is told about it. */
  readonly authInfo?: AuthInfo;
}

/** Finds out who sends a request; answers it instead when that is nobody who may. */
export interface Identify {
  /** Whether clients must prove who they are. */
  readonly required: boolean;
  /** Who sends the request, or the refusal. */
  identify(request: Request): Promise<Identity | Response>;
  /** Answers a request for a document that clients need before they can prove who they are. */
  metadata?(request: Request): Promise<Response | undefined>;
}

/** Lets everybody in as one and the same. */
export function identifyAnyone(): Identify {
  return { required: false, identify: () => Promise.resolve({ principal: "local" }) };
}

/** Lets in who shows the one token. */
export function identifyByToken(token: string): Identify {
  const wanted = digest(token);
  const headers = { "www-authenticate": 'Bearer realm="skillz"' };
  const refuse = (error: string) =>
    Response.json({ error, error_description: "Send the header Authorization: Bearer <token>" }, {
      status: 401,
      headers,
    });
  return {
    required: true,
    identify(request) {
      const given = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
      if (given === undefined) return Promise.resolve(refuse("invalid_request"));
      // Digests have one length, so neither length nor content of the token shows in the time this takes.
      const right = timingSafeEqual(digest(given), wanted);
      return Promise.resolve(right ? { principal: "token" } : refuse("invalid_token"));
    },
  };
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
