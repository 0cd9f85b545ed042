/** Whether a destroy deletes the group of its owner: only when nothing else is left in it. */
import { expect, test } from "vitest";
import { copiedTag, decideContents, decideGroup, type GroupReads } from "../../src/removal/emptied-group.js";

const set = { identitySet: "demo" };
const ours = { "aro-hcp-identities": "demo" };
const id = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/demo-common";
const inGroup = (name: string) => `${id}/providers/Microsoft.KeyVault/vaults/${name}`;
const isDeleted = (one: string) => one === inGroup("ours");

/** A group with these tags and contents; without one, none exists. */
function reads(live: { name?: string; tags?: Record<string, string> } | undefined, ...contents: readonly string[]): GroupReads {
  return {
    group: () => Promise.resolve(live && { id, name: "demo-common", location: "eastus", ...live }),
    contents: () => Promise.resolve(contents.map((name) => ({ id: inGroup(name) }))),
  };
}
const decide = (...[live, ...contents]: Parameters<typeof reads>) => decideGroup(reads(live, ...contents), "DEMO-common", set, isDeleted);

test("a group that does not exist is neither deleted nor kept", async () => {
  expect(await decide(undefined)).toEqual({});
});

test("a group of the set is deleted with its name in Azure's spelling, if only what the destroy deletes is in it", async () => {
  expect(await decide({ tags: ours })).toEqual({ group: { id, name: "demo-common" } });
  expect(await decide({ tags: ours }, "ours")).toEqual({ group: { id, name: "demo-common" } });
  expect(await decide({ tags: ours }, "ours", "theirs", "more")).toEqual({
    kept: { id, why: `it still contains ${inGroup("theirs")}, ${inGroup("more")}` },
  });
  expect(await decideContents(reads({}), { id, name: "demo-common" }, isDeleted)).toEqual({ group: { id, name: "demo-common" } });
});

test("a group of the set with the tags of a second owner is refused", async () => {
  await expect(decide({ tags: { ...ours, "aro-hcp-arc": "edge" } })).rejects.toMatchObject({ code: "ARO-OWN-001" });
});

test.each([
  ["no owner", undefined, "not created by aro-hcp"],
  [
    "the tag of the set and another name",
    { name: "shared", tags: ours },
    "has the ownership tag but not a name that this identity set gives",
  ],
  [
    "another owner that recorded its name",
    { tags: { "aro-hcp-dns-zone": "example.com", "aro-hcp-created-as": "demo-common" } },
    "created for DNS zone example.com",
  ],
  ["the tag of another owner and another name", { tags: { "aro-hcp-dns-zone": "example.com" } }, "not created by aro-hcp"],
])("a group with %s is kept", async (_what, live, why) => {
  expect((await decide(live ?? {}, "theirs")).kept).toMatchObject({ id, why });
});

test("a group that was created for another owner is deleted with the last resources in it, if these are ours", async () => {
  const tags = { "aro-hcp-dns-zone": "example.com", "aro-hcp-created-as": "demo-common" };
  expect(await decide({ tags }, "ours")).toEqual({ group: { id, name: "demo-common" } });
  expect((await decide({ tags }, "ours", "theirs")).kept?.why).toBe(`it still contains ${inGroup("theirs")}`);
  expect((await decide({ tags })).group).toBeUndefined();
});

test("only something with the tag of the owner has a copied tag", () => {
  expect(copiedTag(set, { id, tags: ours })).toHaveLength(1);
  expect(copiedTag(set, { id, tags: { "aro-hcp-identities": "other" } })).toEqual([]);
  const iam = { iam: { name: "demo", infraId: "x7k2" } };
  expect(copiedTag(iam, { id, tags: { "aro-hcp-iam": "demo/x7k2" } })[0]?.why).toContain("create iam");
  expect(copiedTag({ dnsZone: "a.com" }, { id, tags: { "aro-hcp-dns-zone": "a.com" } })[0]?.why).toContain("create dns-zone");
});
