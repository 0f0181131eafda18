import { extname } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript",
  ".json": "application/json",
  ".lock": "text/plain",
  ".md": "text/markdown",
  ".mjs": "text/javascript",
  ".pdf": "application/pdf",
  ".php": "application/x-httpd-php",
  ".pl": "text/x-perl",
  ".png": "image/png",
  ".py": "text/x-python",
  ".rb": "text/x-ruby",
  ".rs": "text/x-rust",
  ".sh": "application/x-sh",
  ".svg": "image/svg+xml",
  ".toml": "application/toml",
  ".ts": "text/x-typescript",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
};

/** The media type that a file's name tells. */
export function mimeTypeOf(path: string): string {
  return TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
}
