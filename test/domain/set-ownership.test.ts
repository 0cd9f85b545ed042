/** Which groups, vaults, accounts and identities are a set's: by tags together with names, one line a case. */
import { expect, test } from "vitest";
import { dataPlaneComponents } from "../../src/domain/components.js";
import { defaultVaultName, managedIdentityName } from "../../src/domain/identity-names.js";
import { defaultAccountName } from "../../src/domain/issuer.js";
import {
  createdGroupTags,
  namesVault,
  ownIdentity,
  ownsAccount,
  ownsGroup,
  ownsVault,
  setAccountTags,
  setVaultTags,
} from "../../src/domain/set-ownership.js";

const set = { identitySet: "demo" };
const ours = { "aro-hcp-identities": "demo" };
const theirs = { "aro-hcp-identities": "other" };
const subscriptionId = "5b5c0000-0000-4000-8000-000000000001";
const key = { name: "demo", subscriptionId, groupName: "demo-common", vaultName: "kv-chosen" };
const createdAs = (name: string) => ({ ...ours, "aro-hcp-created-as": name });

test.each([
  ["a default name of vault and identities", "demo-common", ours, true],
  ["a default name of the issuer", "DEMO-oidc", ours, true],
  ["a default name without tags", "demo-common", undefined, false],
  ["a default name and the tag of another set", "demo-common", theirs, false],
  ["another name", "shared", ours, false],
  ["another name that its create recorded", "shared", createdAs("Shared"), true],
  ["the record of another name", "shared", createdAs("demo-common"), false],
  ["no name", undefined, ours, false],
])("a group with %s", (_what, name, tags, isOwn) => {
  expect(ownsGroup(set, { name, tags })).toBe(isOwn);
});

test("no name of a group follows from the owner of a zone or of workload identities", () => {
  const zone = { dnsZone: "blue.example.com" };
  expect(createdGroupTags(zone, "dns")).toEqual({ "aro-hcp-dns-zone": "blue.example.com", "aro-hcp-created-as": "dns" });
  expect(ownsGroup(zone, { name: "dns", tags: createdGroupTags(zone, "dns") })).toBe(true);
  expect(ownsGroup(zone, { name: "blue.example.com-common", tags: { "aro-hcp-dns-zone": "blue.example.com" } })).toBe(false);
});

test("a new group, vault or account has a record of its name only if that does not follow from its owner", () => {
  expect(createdGroupTags(set, "Demo-common")).toEqual(ours);
  expect(createdGroupTags(set, "shared")).toEqual(createdAs("shared"));
  expect(createdGroupTags({ name: "demo", infraId: "x7k2" }, "any")).toEqual({ "aro-hcp-name": "demo", "aro-hcp-infra-id": "x7k2" });
  expect(setVaultTags(key)).toEqual(createdAs("kv-chosen"));
  expect(setVaultTags({ ...key, vaultName: defaultVaultName(key) })).toEqual(ours);
  expect(setAccountTags(key, "chosen")).toEqual(createdAs("chosen"));
  expect(setAccountTags(key, defaultAccountName(key))).toEqual(ours);
  expect(setAccountTags(key, "demo")).toEqual(ours);
});

const vaults: readonly (readonly [what: string, name: string | undefined, tags: object | undefined, isNamed: boolean, isOwn: boolean])[] = [
  ["the name of the option", "KV-chosen", ours, true, true],
  ["the default name", defaultVaultName(key), ours, true, true],
  ["the default name without tags", defaultVaultName(key), undefined, false, false],
  ["the tag of another set", "kv-chosen", theirs, false, false],
  ["a name that only its tags record", "kv-tagged", createdAs("kv-tagged"), false, true],
  ["another name", "kv-tagged", ours, false, false],
];

test.each(vaults)("a vault with %s", (_what, name, tags, isNamed, isOwn) => {
  const vault = { name, tags: tags as Record<string, string> | undefined };
  expect([namesVault(key, vault), ownsVault(key, vault)]).toEqual([isNamed, isOwn]);
});

test("a given vault is not the set's, whatever its tags say; another one may be", () => {
  const givenVaultId = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv-chosen`;
  expect(ownsVault({ ...key, givenVaultId }, { name: "KV-chosen", tags: createdAs("KV-chosen") })).toBe(false);
  expect(ownsVault({ ...key, givenVaultId }, { name: defaultVaultName(key), tags: ours })).toBe(true);
});

const account = (group: string, name: string) =>
  `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.Storage/storageAccounts/${name}`;
const placeIn = (groupName: string) => ({ subscriptionId, groupName, name: "demo" });

test.each([
  ["the default name in the group of the set", account("demo-oidc", defaultAccountName(placeIn("demo-oidc"))), ours, undefined, true],
  ["the name of earlier versions there", account("demo-oidc", "demo"), ours, undefined, true],
  ["a recorded name there", account("DEMO-oidc", "chosen"), createdAs("chosen"), undefined, true],
  ["another name there", account("demo-oidc", "chosen"), ours, undefined, false],
  ["the name of the option there", account("demo-oidc", "chosen"), ours, "chosen", true],
  ["the name of the option and the tag of another set", account("demo-oidc", "chosen"), theirs, "chosen", false],
  ["the default name of its own group elsewhere", account("copy", defaultAccountName(placeIn("copy"))), ours, undefined, true],
  ["the default name of the set's group elsewhere", account("copy", defaultAccountName(placeIn("demo-oidc"))), ours, undefined, false],
  ["the name of earlier versions elsewhere", account("copy", "demo"), ours, undefined, false],
  ["a recorded name elsewhere", account("copy", "chosen"), createdAs("chosen"), undefined, false],
  ["the name of the option elsewhere", account("copy", "chosen"), ours, "chosen", true],
])("an account with %s", (_what, id, tags, accountName, isOwn) => {
  expect(ownsAccount(set, { id, tags }, { groupName: "demo-oidc", accountName })).toBe(isOwn);
});

test("a managed identity is the set's with its tag and the name of a component", () => {
  for (const component of dataPlaneComponents) {
    const name = managedIdentityName(key, component);
    expect(ownIdentity(key, { name: name.toUpperCase(), tags: ours })).toBe(component);
    expect(ownIdentity(key, { name, tags: theirs })).toBeUndefined();
    expect(ownIdentity(key, { name })).toBeUndefined();
  }
  expect(ownIdentity(key, { name: "payroll-demo", tags: ours })).toBeUndefined();
});
