import {
  type AuthInfo,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import { SkillzError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { SERVER_INFO } from "../../mcp/identity.ts";
import type { Identify } from "./identify.ts";

/** Options of {@linkcode identifyByOAuth}. */
export interface OAuthOptions {
  /** The authorization server whose tokens are accepted. */
  readonly issuer: string;
  /** Address of our `/mcp` as clients know it: what tokens must be made out to. */
  readonly resource: string;
  /** Scopes that every token must have. */
  readonly scopes?: readonly string[];
  /** Where the issuer's keys are; found through its metadata if absent. */
  readonly jwksUri?: string;
}

/** Signatures made with a key that only the issuer has. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Seconds by which clocks may differ. */
const CLOCK_TOLERANCE = 30;

/** How long the issuer may take, in milliseconds. */
const ISSUER_MS = 5_000;

/** Lets in who shows a token of the issuer that is made out to us (OAuth 2.1 resource server, RFC 9728). */
export function identifyByOAuth(options: OAuthOptions): Identify {
  const resource = new URL(options.resource);
  const metadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
  const scopes = [...(options.scopes ?? [])];
  const keys = keysOf(options);
  const check = requireBearerAuth({
    verifier: { verifyAccessToken: async (token) => await verify(token, { ...options, keys: await keys() }) },
    requiredScopes: scopes,
    resourceMetadataUrl: metadataUrl,
  });
  const document = {
    resource: resource.href,
    authorization_servers: [options.issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_name: SERVER_INFO.title,
  };
  const paths = new Set([new URL(metadataUrl).pathname, "/.well-known/oauth-protected-resource"]);
  return {
    required: true,
    async identify(request) {
      const auth = await check(request);
      if (auth instanceof Response) return auth;
      return { principal: String(auth.extra?.principal), authInfo: auth };
    },
    metadata(request) {
      const asked = request.method === "GET" && paths.has(new URL(request.url).pathname);
      const headers = { "access-control-allow-origin": "*", "cache-control": "max-age=3600" };
      return Promise.resolve(asked ? Response.json(document, { headers }) : undefined);
    },
  };
}

async function verify(
  token: string,
  { issuer, resource, keys }: OAuthOptions & { keys: JWTVerifyGetKey },
): Promise<AuthInfo> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: [resource, resource.replace(/\/$/, "")],
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ["exp", "sub"],
    });
    const client = payload.client_id ?? payload.azp ?? payload.sub;
    const scope = payload.scope ?? payload.scp ?? "";
    return {
      token,
      clientId: String(client),
      scopes: Array.isArray(scope) ? scope.map(String) : String(scope).split(" ").filter(Boolean),
      expiresAt: payload.exp ?? 0,
      resource: new URL(resource),
      extra: { principal: `${issuer} ${payload.sub}` },
    };
  } catch (error) {
    // Keys that can't be fetched are no fault of the token's.
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw error;
    throw new OAuthError(OAuthErrorCode.InvalidToken, "The token is not valid here");
  }
}

/** The issuer's keys, fetched on first use and again when they rotate. */
function keysOf({ issuer, jwksUri }: OAuthOptions): () => Promise<JWTVerifyGetKey> {
  let known: Promise<JWTVerifyGetKey> | undefined;
  const find = async () =>
    createRemoteJWKSet(new URL(jwksUri ?? await discover(issuer)), { timeoutDuration: ISSUER_MS });
  return () => {
    const keys = known ??= find();
    keys.catch(() => {
      if (known === keys) known = undefined;
    });
    return keys;
  };
}

async function discover(issuer: string): Promise<string> {
  for (const address of metadataAddresses(new URL(issuer))) {
    const response = await fetch(address, { signal: AbortSignal.timeout(ISSUER_MS), redirect: "error" });
    if (!response.ok) {
      await response.body?.cancel();
      continue;
    }
    const metadata: unknown = await response.json();
    if (isJsonObject(metadata) && metadata.issuer === issuer && typeof metadata.jwks_uri === "string") {
      return metadata.jwks_uri;
    }
  }
  throw new SkillzError("unavailable", "Cannot check tokens: the issuer's metadata names no keys");
}

function metadataAddresses(issuer: URL): string[] {
  const path = issuer.pathname === "/" ? "" : issuer.pathname.replace(/\/$/, "");
  return [
    `${issuer.origin}/.well-known/oauth-authorization-server${path}`,
    `${issuer.origin}/.well-known/openid-configuration${path}`,
    `${issuer.origin}${path}/.well-known/openid-configuration`,
  ];
}
