/** What shows that contents of a vault of others, and roles on it, are a set's. */
import { describe, expect, test } from "vitest";
import { vaultGroupOf, vaultOption, vaultSettings } from "../../src/domain/given-vault.js";
import { purposeOnVault, setOfPurpose, vaultsShownBy } from "../../src/domain/given-vault-roles.js";
import { contentTags, ownsContent, setInTags } from "../../src/domain/set-content.js";

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const vaultIn = (group: string, name = "kv-platform") =>
  `${subscription}/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/${name}`;
const own = { name: "demo", subscriptionId: "5b5c0000-0000-4000-8000-000000000001", groupName: "Demo-common", vaultName: "kv-demo" };
const given = { ...own, vaultName: "kv-platform", givenVaultId: vaultIn("platform") };

describe("the contents of a vault", () => {
  test("have the group of the set only in a vault of others, in lower case", () => {
    expect(contentTags(own)).toEqual({ "aro-hcp-identities": "demo" });
    expect(contentTags(given)).toEqual({ "aro-hcp-identities": "demo", "aro-hcp-identities-group": "demo-common" });
  });

  test("are the set's with the tags of its own kind of vault", () => {
    expect(ownsContent(own, contentTags(own))).toBe(true);
    expect(ownsContent(given, contentTags(given))).toBe(true);
    expect(ownsContent({ ...given, groupName: "DEMO-COMMON" }, contentTags(given))).toBe(true);
  });

  test.each([
    ["the set's own vault and the tags of a given one", own, contentTags(given)],
    ["a given vault and the tags of an own one", given, contentTags(own)],
    ["a given vault and a set of that name in another group", given, contentTags({ ...given, groupName: "other" })],
    ["a given vault and another set of that group", given, contentTags({ ...given, name: "other" })],
    ["the own vault and another set", own, contentTags({ ...own, name: "other" })],
    ["the own vault and no tags", own, undefined],
  ])("are not the set's with %s", (_what, set, tags) => {
    expect(ownsContent(set, tags)).toBe(false);
  });

  test("show a set only with both tags", () => {
    expect(setInTags(contentTags(given))).toEqual({ name: "demo", groupName: "demo-common" });
    expect(setInTags(contentTags(own))).toBeUndefined();
    expect(setInTags({ "aro-hcp-identities-group": "demo-common" })).toBeUndefined();
    expect(setInTags(undefined)).toBeUndefined();
  });
});

test("the group, the option and the settings of the vault are those of the flag that chooses it", () => {
  expect([vaultGroupOf(own), vaultOption(own), vaultSettings(own)]).toEqual([
    "Demo-common",
    "--key-vault-name",
    { keyVaultName: "kv-demo" },
  ]);
  expect([vaultGroupOf(given), vaultOption(given)]).toEqual(["platform", "--key-vault-id"]);
  expect(vaultSettings(given)).toEqual({ keyVaultId: vaultIn("platform") });
});

test("the description of a role on a vault of others names the set, and is read back", () => {
  expect(purposeOnVault(own)).toBeUndefined();
  expect(purposeOnVault(given)).toBe("for identity set demo in resource group demo-common");
  expect(setOfPurpose(purposeOnVault(given))).toEqual({ name: "demo", groupName: "demo-common" });
  expect(setOfPurpose("for identity set demo in resource group Two (words)")).toEqual({ name: "demo", groupName: "two (words)" });
  for (const text of [
    undefined,
    "",
    "not for identity set demo in resource group g",
    "for identity set demo in resource group ",
    "for identity set  in resource group g",
    "for identity set demo in resource group g\nand others",
  ])
    expect(setOfPurpose(text), text).toBeUndefined();
});

describe("role assignments show a given vault", () => {
  const set = { name: "demo", groupName: "demo-common" };
  const purpose = purposeOnVault(given) ?? "";
  const shown = (...roles: readonly { scope?: string; description?: string; principalId?: string }[]) =>
    vaultsShownBy(roles, set, ["KMS", undefined]);
  const keyOf = (vault: string, name = "demo-etcd-encryption") => `${vault}/keys/${name}`;

  test("by their description, once, whatever the casing", () => {
    const scope = vaultIn("platform");
    expect(shown({ scope, description: purpose }, { scope: scope.toUpperCase(), description: purpose })).toEqual([scope.toUpperCase()]);
    expect(shown({ scope: keyOf(scope, "any"), description: purpose })).toEqual([scope]);
  });

  test("by a principal of the set on the key of etcd, in another group than the set's", () => {
    expect(shown({ scope: keyOf(vaultIn("platform")), principalId: "kms" })).toEqual([vaultIn("platform")]);
    expect(shown({ scope: keyOf(vaultIn("DEMO-common")), principalId: "kms" })).toEqual([]);
    expect(shown({ scope: keyOf(vaultIn("platform")), principalId: "other" })).toEqual([]);
    expect(shown({ scope: keyOf(vaultIn("platform"), "other-etcd-encryption"), principalId: "kms" })).toEqual([]);
    expect(shown({ scope: vaultIn("platform"), principalId: "kms" })).toEqual([]);
  });

  test.each([
    ["a description of another set", { scope: vaultIn("g"), description: "for identity set other in resource group demo-common" }],
    ["a description of another group", { scope: vaultIn("g"), description: "for identity set demo in resource group other" }],
    ["no description", { scope: vaultIn("g") }],
    ["no scope", { description: purpose }],
    ["the scope of a secret", { scope: `${vaultIn("g")}/secrets/a`, description: purpose }],
    ["the scope of a group", { scope: `${subscription}/resourceGroups/g`, description: purpose }],
    ["a scope that only ends like a vault", { scope: `/x${vaultIn("g")}`, description: purpose }],
  ])("but not with %s", (_what, role) => {
    expect(shown(role)).toEqual([]);
  });
});
