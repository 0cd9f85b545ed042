/** What a destroy of an issuer decides about storage accounts, containers, and groups that may be empty afterwards. */
import { expect, test } from "vitest";
import { resourceTypes } from "../../../src/domain/resource-types.js";
import { decideGroup, emptiedGroupRemoval } from "../../../src/removal/emptied-group.js";
import { foreignContentsRefusal, issuerFound, selectAccounts } from "../../../src/issuer/removal/issuer.js";
import { demoAccount } from "../../harness/demo-issuer.js";
import { unasked } from "../../steps/every-graph.js";

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const account = (group: string, name: string) => ({
  id: `${subscription}/resourceGroups/${group}/providers/Microsoft.Storage/storageAccounts/${name}`,
  type: resourceTypes.storageAccount.type,
  tags: { "aro-hcp-identities": "demo", "aro-hcp-created-as": name },
});
/** With the name that follows from the set. */
const unrecorded = (group: string, name: string) => ({ ...account(group, name), tags: { "ARO-HCP-IDENTITIES": "demo" } });
const vault = { id: `${subscription}/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv`, type: resourceTypes.keyVault.type };

const selections: readonly (readonly [what: string, tagged: readonly object[], named: boolean, accounts: readonly string[] | RegExp])[] = [
  ["nothing", [], false, []],
  ["a vault of the set", [vault], false, []],
  ["an account in the group", [account("g", "one")], false, ["one"]],
  ["an account that only tags name, in another group", [account("h", "one")], false, []],
  ["an account in another group than the specified one", [account("h", "one")], true, []],
  ["two accounts in one group", [account("g", "one"), account("G", "two")], false, ["one", "two"]],
  ["an account in the group, and one that only tags name in another group", [account("g", "one"), account("h", "two")], false, ["one"]],
  [
    "accounts in two groups",
    [account("g", "one"), account("h", "chosen")],
    false,
    /^2 resource groups contain an issuer of the set "demo"$/,
  ],
  ["an account with the default name of its group", [unrecorded("demo-oidc", demoAccount)], false, [demoAccount]],
  ["an account with the default name of another group", [unrecorded("h", demoAccount)], false, []],
  ["an account with the plain name of the set", [unrecorded("g", "demo")], false, ["demo"]],
  ["an account with the plain name of the set in another group", [unrecorded("h", "demo")], false, []],
  ["an account with a specified name", [unrecorded("h", "chosen")], false, ["chosen"]],
  ["an account with the tag alone", [unrecorded("h", "copied")], false, []],
  ["an account with the tags of another account", [{ ...account("h", "one"), id: account("h", "copied").id }], false, []],
  ["an account of the set, and one with the tag alone in another group", [account("g", "one"), unrecorded("h", "copied")], false, ["one"]],
  ["an account of another set", [{ ...account("g", "demo"), tags: { "aro-hcp-identities": "other" } }], false, []],
  ["accounts in two groups, one of them specified", [account("G", "one"), account("h", "two")], true, ["one"]],
];

test.each(selections)("finds %s", (_what, tagged, named, accounts) => {
  const selected = () => selectAccounts(tagged, { identitySet: "demo" }, { groupName: "g", named, accountName: "chosen" });
  if (accounts instanceof RegExp) expect(selected).toThrow(accounts);
  else expect(selected().ids.map((id) => id.split("/").at(-1))).toEqual(accounts);
});

test("lists an account that only tags name with the flag that would name it", () => {
  const kept = (named: boolean) =>
    selectAccounts(
      [account("h", "one"), unrecorded("h", "copied")],
      { identitySet: "demo" },
      { groupName: "g", named, accountName: undefined },
    ).copied.map(({ id: one, why }) => `${one.split("/").at(-1) ?? ""} ${why}`);
  const copied = "copied has the ownership tag but not a name that this identity set gives";
  expect(kept(false)).toEqual([
    "one has the tags of this identity set, but nothing shows that resource group h is the issuer's; if it is, pass --oidc-resource-group-name h",
    copied,
  ]);
  expect(kept(true)).toEqual([copied]);
});

const { id } = account("g", "one");
const grant = { id: "r-0", name: "r-0", scope: id, holder: "the signed-in principal", roleDefinitionId: "x" };
const found = { id, name: "one", group: "g", foreign: [], kids: [], grants: [], again: () => Promise.resolve(undefined) };
const group = { id: `${subscription}/resourceGroups/g`, name: "g" };

test.each([
  ["no account", [], undefined],
  ["containers of the issuer alone", [found], undefined],
  ["contents of others", [{ ...found, foreign: ["container one/a", "queue one/b"] }], "container one/a, queue one/b"],
])("whether a destroy refuses to delete %s", (_what, accounts, because) => {
  expect(foreignContentsRefusal({ accounts, identities: [], groups: [], kept: [] })?.because).toBe(because);
});

test.each([
  ["nothing", [], [], []],
  ["an account", [found], [], ["one"]],
  ["a role before its account", [{ ...found, grants: [grant] }], [], ["r-0", "one < r-0"]],
  ["an empty group", [], [group], ["g"]],
  ["a group after everything in it", [{ ...found, grants: [grant] }], [group], ["r-0", "one < r-0", "g < r-0, one"]],
])("removes %s", (_what, accounts, groups, removals) => {
  const short = (text: string) => text.split(/[/ ]/).at(-1) ?? "";
  const { removals: list } = issuerFound(unasked, { accounts, identities: [], groups, kept: [] });
  expect(list.map((one) => (one.after.length === 0 ? short(one.id) : `${short(one.id)} < ${one.after.map(short).join(", ")}`))).toEqual(
    removals,
  );
});

const ours = { "aro-hcp-identities": "demo" };
const created = { ...ours, "aro-hcp-created-as": "g" };
const createdForOther = { "aro-hcp-identities": "other", "aro-hcp-created-as": "g" };
const groups: readonly (readonly [
  what: string,
  tags: Record<string, string> | undefined,
  contents: readonly string[],
  decision: string,
])[] = [
  ["an empty group of the set", created, [], "removed"],
  ["a group of the set with resources that are removed", created, [id], "removed"],
  ["a group of the set with another resource", created, [id, vault.id], `kept: it still contains ${vault.id}`],
  ["an empty group with the tag alone", ours, [], "kept: has the ownership tag but not a name that this identity set gives"],
  ["an empty group of others", undefined, [], "kept: not created by aro-hcp"],
  ["an empty group with the tag of another set alone", { "aro-hcp-identities": "other" }, [], "kept: not created by aro-hcp"],
  ["an empty group of another set", createdForOther, [], "kept: created for identity set other"],
  ["a group of another set whose last resource is removed", createdForOther, [id], "removed"],
];

test.each(groups)("decides about %s", async (_what, tags, contents, decision) => {
  const reads = {
    group: () => Promise.resolve({ ...group, location: "eastus", ...(tags && { tags }) }),
    contents: () => Promise.resolve(contents.map((one) => ({ id: one }))),
  };
  const verdict = await decideGroup(reads, "g", { identitySet: "demo" }, (one) => one === id);
  const why = verdict.kept?.why.replace(/^.*was not made/, "not made") ?? "";
  expect(verdict.group ? "removed" : `kept: ${why}`).toBe(decision);
});

test("a group that does not exist is neither removed nor kept", async () => {
  const reads = { group: () => Promise.resolve(undefined), contents: () => Promise.resolve([]) };
  expect(await decideGroup(reads, "g", { identitySet: "demo" }, () => false)).toEqual({});
});

test("an emptied group is removed after its contents", () => {
  const { removals: before } = issuerFound(unasked, { accounts: [found], identities: [], groups: [], kept: [] });
  expect(emptiedGroupRemoval(unasked, group, before)).toMatchObject({
    id: group.id.toLowerCase(),
    title: "resource group g",
    after: [id.toLowerCase()],
  });
});
