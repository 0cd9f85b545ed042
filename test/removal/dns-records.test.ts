/** Whether the delegation of a zone is deleted: only if the zone is read, still has it, and serves nobody else. */
import { expect, test } from "vitest";
import { delegationKept } from "../../src/removal/dns-records.js";

const servers = ["ns1.azure-dns.com.", "NS2.azure-dns.com."];
const zone = (name: string, ...sets: readonly { name: string; id: string }[]) => ({
  zone: { name, location: "global", nameServers: servers },
  sets: [{ name: "@", id: "/of-azure" }, ...sets],
});
const set = (...names: readonly string[]) => ({ name: "demo", nsRecords: names.map((nsdname) => ({ nsdname })) });
const isOwn = (id: string) => id === "/ours";
const own = { name: "*.apps", id: "/ours" };

test.each([
  ["of a zone with only our records", set("ns2.azure-dns.com", "ns1.azure-dns.com"), [zone("Demo.example.com", own)], undefined],
  ["of an empty zone", set("ns1.azure-dns.com."), [zone("demo.example.com")], undefined],
  ["of a zone that cannot be read", set(), [zone("other.example.com", own)], "the zone that it delegates cannot be read"],
  [
    "to some name servers of others",
    set("ns1.azure-dns.com.", "ns.example.com."),
    [zone("demo.example.com")],
    "it delegates to other name servers",
  ],
  [
    "of a zone with records of others",
    set("ns1.azure-dns.com."),
    [zone("demo.example.com", own, { name: "www", id: "/theirs" }, { name: "mail", id: "/more" })],
    "zone demo.example.com also contains www, mail",
  ],
])("a delegation %s", (_what, record, zones, why) => {
  expect(delegationKept(record, "example.com", zones, isOwn)).toBe(why);
});
