/** A vault of somebody else that has the tags of a set: without `--key-vault-id`, a destroy leaves it with everything in it. */
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { clusterFlags, wholeFlags } from "../../tools/demo-cluster.js";
import { addTags, resource } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId } from "../cli/demo-cluster.js";
import { exits } from "../cli/expectations.js";
import { createSet, destroySet, issuer } from "./cli/identity-sets.js";

const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
const inherited = { "aro-hcp-identities": "demo" };
const planted = { ...inherited, "aro-hcp-created-as": "kv-platform" };

/** In the group of the set. */
async function prepared(group: string): Promise<{ readonly azure: TestEmulator; readonly vault: string }> {
  const azure = await testEmulator();
  const vault = `${groupId(group)}/providers/Microsoft.KeyVault/vaults/kv-platform`;
  await azure.seed({ resources: { [groupId(group)]: { location: "eastus" }, [vault]: { location: "eastus", properties } } });
  return { azure, vault };
}

async function contents(azure: TestEmulator): Promise<string> {
  return JSON.stringify((await azure.snapshot()).vaults);
}

const own = ["--cloud", "local", "--name", "demo", "--resource-group-name", "common"];
const other = ["--cloud", "local", "--name", "demo", "--resource-group-name", "other"];

test.each([
  ["the tags of a set", own, planted, []],
  ["the tags of a set, and --purge", own, planted, ["--purge"]],
  ["an inherited tag, and --key-vault-name", own, inherited, ["--key-vault-name", "kv-platform", "--purge"]],
  ["the tags of a set, and contents of the same-named set of another group", other, planted, ["--purge"]],
])("%s", async (_what, set, tags, flags) => {
  const { azure, vault } = await prepared("common");
  if (set === other) exits(await createSet(azure), 0);
  exits(await azure.cli(["create", "identities", ...set, "--oidc-issuer-url", issuer, "--key-vault-id", vault]), 0);
  await addTags(azure, vault, tags);
  const before = await contents(azure);
  expect(exits(await destroySet(azure, flags), 0).stderr).toMatch(/keep +\S+\/vaults\/kv-platform/);
  expect(await resource(azure, vault)).toBeDefined();
  if (set === own) expect(await contents(azure)).toBe(before);
  expect(await contents(azure)).toContain('"demo-cpo"');
});

test("the tags of a set, and destroy all", async () => {
  const { azure, vault } = await prepared("demo-common");
  const create = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--key-vault-id", vault, "--enable-kms", "--yes"];
  exits(await azure.cli(create), 0);
  await addTags(azure, vault, planted);
  const before = await contents(azure);
  exits(await azure.cli(["destroy", "all", ...clusterFlags, "--yes", "--purge"]), 0);
  expect(await resource(azure, vault)).toBeDefined();
  expect(await contents(azure)).toBe(before);
});
