/** Azure's limit of 50 tags: those that are already there count, except for those of earlier versions. */
import { expect, test } from "vitest";
import { addTags } from "../harness/state-changes.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "../cli/expectations.js";

const groupId = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourcegroups/demo-demo-x7k2";
const tags = (count: number) => ["--resource-group-tags", Array.from({ length: count }, (_, at) => `tag${String(at)}=x`).join(",")];
const create = (azure: TestEmulator, count: number) => azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", ...tags(count)]);

async function tagsOf(azure: TestEmulator): Promise<Record<string, string>> {
  const group = (await azure.snapshot()).resources[groupId] as { tags: Record<string, string> };
  return group.tags;
}

test("the tags of an earlier version make room for the user's", async () => {
  const azure = await testEmulator();
  exits(await create(azure, 47), 0);
  await addTags(azure, groupId, { "aro-hcp-options": "{}" });
  exits(await create(azure, 48), 0);
  expect(Object.keys(await tagsOf(azure))).toHaveLength(50);
  expect(Object.keys(await tagsOf(azure))).not.toContain("aro-hcp-options");
  await azure.traffic();
  exits(await create(azure, 48), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("tags that others set count: too many are refused before anything is changed", async () => {
  const azure = await testEmulator();
  exits(await create(azure, 0), 0);
  await azure.seed({ resources: { [groupId]: { location: "eastus", tags: { ...(await tagsOf(azure)), theirs: "x" } } } });
  await azure.traffic();
  const { stderr } = exits(await create(azure, 48), 5);
  expect(stderr).toContain('resource group "demo-demo-x7k2" would have 51 tags; Azure accepts 50');
  expect(await writesSince(azure)).toEqual([]);
  exits(await create(azure, 47), 0);
  expect(await tagsOf(azure)).toMatchObject({ theirs: "x" });
  expect(Object.keys(await tagsOf(azure))).toHaveLength(50);
});
