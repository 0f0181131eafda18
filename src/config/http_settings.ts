import { isJsonObject } from "../base/json.ts";

/** `[http]` of the user's own skillz.toml: who may use the server over HTTP besides this machine. */
export interface HttpSettings {
  /** More host names that requests may be addressed to. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may use the server, e.g. `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Whose tokens are accepted, in place of one fixed token. */
  readonly oauth?: OAuthSettings;
}

/** `[http.oauth]`. */
export interface OAuthSettings {
  /** The authorization server. */
  readonly issuer: string;
  /** Address of our `/mcp` as clients know it. */
  readonly resource: string;
  /** Scopes that every token must have. */
  readonly scopes: readonly string[];
  /** Where the issuer's keys are, if its metadata does not say so. */
  readonly jwksUri?: string;
}

/** Nothing but this machine. */
export const NO_HTTP_SETTINGS: HttpSettings = { allowedHosts: [], allowedOrigins: [] };

/** The settings in a `[http]` table, or what is wrong with it. */
export function readHttpSettings(value: unknown): HttpSettings | string {
  if (value === undefined) return NO_HTTP_SETTINGS;
  if (!isJsonObject(value)) return "it is no table";
  const { allowed_hosts = [], allowed_origins = [], oauth, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `${unknown} is not known; allowed_hosts, allowed_origins, oauth are`;
  if (!isTexts(allowed_hosts)) return "allowed_hosts is no list of texts";
  if (!isTexts(allowed_origins)) return "allowed_origins is no list of texts";
  const read = oauth === undefined ? undefined : readOAuth(oauth);
  if (typeof read === "string") return read;
  return { allowedHosts: allowed_hosts, allowedOrigins: allowed_origins, ...(read ? { oauth: read } : {}) };
}

function readOAuth(value: unknown): OAuthSettings | string {
  if (!isJsonObject(value)) return "oauth is no table";
  const { issuer, resource, scopes = [], jwks_uri, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `oauth.${unknown} is not known; issuer, resource, scopes, jwks_uri are`;
  if (!isAddress(issuer)) return "oauth.issuer is no https: address";
  if (!isAddress(resource)) return "oauth.resource is no https: address";
  if (!isTexts(scopes)) return "oauth.scopes is no list of texts";
  if (jwks_uri !== undefined && !isAddress(jwks_uri)) return "oauth.jwks_uri is no https: address";
  return { issuer, resource, scopes, ...(jwks_uri === undefined ? {} : { jwksUri: jwks_uri }) };
}

/** Tokens and keys travel encrypted, but on this machine. */
function isAddress(value: unknown): value is string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (!url) return false;
  return url.protocol === "https:" ||
    (url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
