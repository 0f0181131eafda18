import { deepEqual, equal } from "node:assert/strict";
import { parseHost, parseTarget, targetText } from "../../../src/sandbox/egress/target.ts";

const name = (host: string) => ({ host, isIp: false });
const ip = (host: string) => ({ host, isIp: true });

Deno.test("parseHost() writes a name in one way", () => {
  deepEqual(parseHost("API.Example.COM"), name("api.example.com"));
  deepEqual(parseHost("api.example.com."), name("api.example.com"));
  deepEqual(parseHost("MÜNCHEN.de"), name("xn--mnchen-3ya.de"));
  deepEqual(parseHost("xn--mnchen-3ya.de"), name("xn--mnchen-3ya.de"));
  deepEqual(parseHost("_dmarc.example.com"), name("_dmarc.example.com"));
});

for (
  const text of [
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
    "017700000001",
    "127.0.0.1.",
    "127。0。0。1",
    "①②⑦.0.0.1",
  ]
) {
  Deno.test(`parseHost() sees 127.0.0.1 in ${text}`, () => deepEqual(parseHost(text), ip("127.0.0.1")));
}

Deno.test("parseHost() reads IPv6 in brackets", () => {
  deepEqual(parseHost("[::1]"), ip("::1"));
  deepEqual(parseHost("[0:0:0:0:0:0:0:1]"), ip("::1"));
  deepEqual(parseHost("[::ffff:127.0.0.1]"), ip("127.0.0.1"));
});

const MALFORMED = [
  "",
  ".",
  "a..b",
  ".example.com",
  "example.com..",
  "*.example.com",
  "user@example.com",
  "user:pass@example.com",
  "example.com/path",
  "example.com\\evil.com",
  "example.com#x",
  "example.com?x",
  "exa mple.com",
  "example.com\r\nHost: evil.com",
  "example.com\0.evil.com",
  "%6cocalhost",
  "127.0.0.1%00",
  "[fe80::1%eth0]",
  "[fe80::1%25eth0]",
  "[127.0.0.1]",
  "[::1",
  "::1",
  "[]",
  "1.2.3.4.5",
  "256.1.1.1",
  "-a.example.com",
  `${"a".repeat(64)}.com`,
  "a.".repeat(130) + "com",
];
for (const text of MALFORMED) {
  Deno.test(`parseHost() refuses ${JSON.stringify(text.slice(0, 40))}`, () =>
    equal(parseHost(text), undefined));
}

Deno.test("parseTarget() reads the port, or takes the default", () => {
  deepEqual(parseTarget("example.com:8080"), { ...name("example.com"), port: 8080 });
  deepEqual(parseTarget("[::1]:8080"), { ...ip("::1"), port: 8080 });
  deepEqual(parseTarget("example.com", 80), { ...name("example.com"), port: 80 });
  equal(parseTarget("example.com"), undefined);
});

for (const port of ["0", "00080", "+80", "80 ", "65536", "1e3", "-1", "80:80", "٨٠", ""]) {
  Deno.test(`parseTarget() refuses port ${JSON.stringify(port)}`, () => {
    equal(parseTarget(`example.com:${port}`, 80), undefined);
  });
}

Deno.test("targetText() names a target as a manifest does", () => {
  equal(targetText({ ...name("example.com"), port: 443 }), "example.com");
  equal(targetText({ ...name("example.com"), port: 80 }), "example.com");
  equal(targetText({ ...name("example.com"), port: 8443 }), "example.com:8443");
  equal(targetText({ ...ip("::1"), port: 8080 }), "[::1]:8080");
});
