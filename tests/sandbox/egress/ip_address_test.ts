import { equal } from "node:assert/strict";
import { canonicalIp, isPublicIp } from "../../../src/sandbox/egress/ip_address.ts";

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "93.184.216.34",
  "172.15.0.1",
  "172.32.0.1",
  "100.128.0.1",
  "223.255.255.255",
];
const PUBLIC_V6 = ["2606:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888", "64:ff9b::808:808"];
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  "carrier-grade NAT, with Alibaba's metadata": ["100.64.0.1", "100.100.100.200"],
  "link-local, with the metadata of most clouds": ["169.254.169.254", "169.254.170.2", "fe80::1", "febf::1"],
  "Azure's metadata": ["168.63.129.16"],
  "Oracle's metadata": ["192.0.0.192"],
  "unique local, with the metadata of AWS": ["fc00::1", "fd00:ec2::254"],
  "site-local": ["fec0::1"],
  multicast: ["224.0.0.1", "239.255.255.250", "ff02::1"],
  "broadcast and reserved": ["255.255.255.255", "240.0.0.1"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  benchmarks: ["198.18.0.1", "198.19.255.255"],
  "wrapped loopback": ["2002:7f00:1::", "64:ff9b::7f00:1", "::7f00:1", "2001:0:7f00:1::"],
  "wrapped metadata": ["64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"],
};

Deno.test("isPublicIp() is true for addresses of the open Internet", () => {
  for (const ip of [...PUBLIC, ...PUBLIC_V6]) equal(isPublicIp(ip), true, ip);
});

for (const [kind, addresses] of Object.entries(CLOSED)) {
  Deno.test(`isPublicIp() is false for ${kind}`, () => {
    for (const ip of addresses) equal(isPublicIp(ip), false, ip);
  });
}

Deno.test("canonicalIp() writes each address in one way", () => {
  equal(canonicalIp("127.0.0.1"), "127.0.0.1");
  equal(canonicalIp("2001:DB8:0:0:0:0:0:1"), "2001:db8::1");
  equal(canonicalIp("0:0:0:0:0:0:0:1"), "::1");
  equal(canonicalIp("1:2:3:4:5:6:7:8"), "1:2:3:4:5:6:7:8");
});

Deno.test("canonicalIp() takes IPv4 out of IPv6", () => {
  equal(canonicalIp("::ffff:127.0.0.1"), "127.0.0.1");
  equal(canonicalIp("::ffff:7f00:1"), "127.0.0.1");
  equal(canonicalIp("0:0:0:0:0:FFFF:a9fe:a9fe"), "169.254.169.254");
});

Deno.test("canonicalIp() knows no other texts", () => {
  for (
    const text of [
      "",
      "localhost",
      "127.1",
      "0x7f.0.0.1",
      "2130706433",
      "127.0.0.1:80",
      "[::1]",
      "fe80::1%eth0",
      "1.2.3.4 ",
    ]
  ) {
    equal(canonicalIp(text), undefined, text);
  }
});
