import { deepEqual, equal } from "node:assert/strict";
import { Grants } from "../../../src/sandbox/egress/grants.ts";
import { parseTarget, type Target } from "../../../src/sandbox/egress/target.ts";

function target(text: string): Target {
  const parsed = parseTarget(text, 443);
  if (parsed === undefined) throw new Error(`Cannot test: ${text} is no target`);
  return parsed;
}
const allows = (hosts: readonly string[], text: string) => new Grants(hosts).allows(target(text));

Deno.test("allows() takes a host with every port, and no other host", () => {
  equal(allows(["example.com"], "example.com"), true);
  equal(allows(["example.com"], "example.com:8080"), true);
  equal(allows(["EXAMPLE.com."], "Example.Com"), true);
  equal(allows(["münchen.de"], "xn--mnchen-3ya.de"), true);
  for (const other of ["www.example.com", "example.com.evil.org", "notexample.com", "example.co"]) {
    equal(allows(["example.com"], other), false, other);
  }
});

Deno.test("allows() takes a host with its port only where one is named", () => {
  equal(allows(["example.com:8080"], "example.com:8080"), true);
  equal(allows(["example.com:8080"], "example.com:443"), false);
});

Deno.test("allows() takes the names below a domain, at any depth, and not the domain itself", () => {
  equal(allows(["*.example.com"], "a.example.com"), true);
  equal(allows(["*.example.com"], "a.b.example.com"), true);
  equal(allows(["*.example.com:8080"], "a.example.com:8080"), true);
  equal(allows(["*.example.com"], "example.com"), false);
  equal(allows(["*.example.com"], "badexample.com"), false);
  equal(allows(["*.example.com:8080"], "a.example.com"), false);
});

Deno.test("allows() takes addresses that were granted themselves, however they are written", () => {
  equal(allows(["127.0.0.1:8080"], "2130706433:8080"), true);
  equal(allows(["127.0.0.1:8080"], "[::ffff:127.0.0.1]:8080"), true);
  equal(allows(["[::1]:8080"], "[0:0:0:0:0:0:0:1]:8080"), true);
  equal(allows(["127.0.0.1:8080"], "127.0.0.1:8081"), false);
  equal(allows(["127.0.0.1:8080"], "127.0.0.2:8080"), false);
  equal(allows(["127.0.0.1:8080"], "localhost:8080"), false);
});

Deno.test("allows() grants nothing for what is malformed", () => {
  for (
    const bad of [
      "",
      "*",
      "*.",
      "*.1.2.3.4",
      "http://example.com",
      "example.com/path",
      "a@example.com",
      ":80",
    ]
  ) {
    equal(allows([bad], "example.com"), false, bad);
  }
});

const PRIVATE = { ip: "10.0.0.5", isOwn: false };

Deno.test("allowsAddress() lets a name lead to the Internet, and not to a private address", () => {
  const grants = new Grants(["example.com"]);
  equal(grants.allowsAddress(target("example.com"), { ip: "93.184.216.34", isOwn: false }), true);
  equal(grants.allowsAddress(target("example.com"), PRIVATE), false);
});

Deno.test("allowsAddress() lets a name lead to an address that was granted too", () => {
  equal(new Grants(["wiki.corp", "10.0.0.5:443"]).allowsAddress(target("wiki.corp"), PRIVATE), true);
  equal(new Grants(["wiki.corp", "10.0.0.5:80"]).allowsAddress(target("wiki.corp"), PRIVATE), false);
});

Deno.test("allowsAddress() refuses this machine by its public address", () => {
  const own = { ip: "93.184.216.34", isOwn: true };
  equal(new Grants(["example.com"]).allowsAddress(target("example.com"), own), false);
  equal(new Grants(["example.com", "93.184.216.34"]).allowsAddress(target("example.com"), own), true);
});

Deno.test("allowsAddress() lets a service be where it is, at its port only", () => {
  const grants = new Grants([], ["docker.corp:5432"]);
  equal(grants.allows(target("docker.corp:5432")), true);
  equal(grants.allowsAddress(target("docker.corp:5432"), PRIVATE), true);
  equal(grants.allows(target("docker.corp:22")), false);
});

Deno.test("loopbackTargets() lists the ports of this machine that were granted one by one", () => {
  const grants = new Grants(["localhost:3000", "127.0.0.1", "[::1]:4000", "example.com:5000"], [
    "127.0.0.1:5432",
  ]);
  deepEqual(grants.loopbackTargets().map(({ host, port }) => `${host} ${port}`), [
    "localhost 3000",
    "::1 4000",
    "127.0.0.1 5432",
  ]);
  equal(grants.wholeLoopback, true);
  equal(new Grants(["localhost:3000"]).wholeLoopback, false);
});
