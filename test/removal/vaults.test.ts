/** What a destroy decides about the contents, the roles and the purge of a vault of a set. */
import { expect, test } from "vitest";
import { inspectedTags } from "../../src/domain/inspected-vault.js";
import { grantName } from "../../src/domain/role-assignment-name.js";
import { vaultRoles } from "../../src/domain/roles.js";
import { isVaultGrant } from "../../src/removal/assignments.js";
import { canPurge, contentsOf, setVault, unseenVaults } from "../../src/removal/vaults.js";

const key = { name: "demo", groupName: "demo-common" };
const tags = { "aro-hcp-identities": "demo" };
const none = { certificates: [], secrets: [] };

test("the key that encrypts etcd is the set's, beside those of others", () => {
  const keys = [{ name: "demo-etcd-encryption", tags }, { name: "payroll" }, { name: "demo-cpo-cert" }];
  const found = { ...none, foreign: ["key payroll"], ofOwners: [], closed: false };
  expect(contentsOf(setVault(key), none, keys)).toEqual({ ...found, keys: ["demo-etcd-encryption"] });
  expect(contentsOf(setVault(key), none, [])).not.toHaveProperty("keys");
  expect(contentsOf(setVault(key), undefined, [])).toMatchObject({ ...none, foreign: [], closed: true });
});

test("contents are the set's by tag and name, each kind with names of its own", () => {
  const { isOwn } = setVault(key);
  const names = { secret: "demo-cpo", certificate: "demo-cpo-cert", key: "demo-etcd-encryption" } as const;
  for (const kind of ["secret", "certificate", "key"] as const) {
    for (const [other, name] of Object.entries(names)) expect(isOwn({ name, tags }, kind), `${kind} ${name}`).toBe(other === kind);
    expect(isOwn({ name: names[kind].toUpperCase(), tags }, kind)).toBe(true);
    expect(isOwn({ name: names[kind] }, kind)).toBe(false);
  }
});

test("contents that aro-hcp created for another owner are named apart from those of anybody", () => {
  const secrets = [
    { name: "payroll", tags: {} },
    { name: "other-cpo", tags: { "aro-hcp-identities": "other" } },
  ];
  expect(contentsOf(setVault(key), { ...none, secrets }, [])).toMatchObject({
    foreign: ["secret payroll", "secret other-cpo"],
    ofOwners: ["other-cpo"],
  });
});

test("a role on a vault is the set's by its name, whatever the casing of scope and name", () => {
  const scope = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv";
  for (const { id } of vaultRoles) {
    const name = grantName("p", id, scope.toLowerCase());
    expect(isVaultGrant({ name: name.toUpperCase(), principalId: "p", scope })).toBe(true);
    expect(isVaultGrant({ name, principalId: "other", scope })).toBe(false);
    expect(isVaultGrant({ name, principalId: "p", scope: `${scope}x` })).toBe(false);
  }
  expect(isVaultGrant({ name: "8b1a9953-c461-4296-a827-abf8c47804d7", principalId: "p", scope })).toBe(false);
});

const deletionDate = new Date("2026-01-01T12:00:00Z");
const scheduledPurgeDate = new Date("2026-04-01T12:00:00Z");
const vaultId = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv";
const seen = { tags: inspectedTags(deletionDate), deletionDate, scheduledPurgeDate, vaultId };

test("a deleted vault is not purged without its date, or if only its tags name the set", () => {
  expect(canPurge({ properties: seen })).toBe(true);
  expect(canPurge({ properties: { tags: seen.tags } })).toBe(false);
  expect(canPurge({ properties: seen, unnamed: "only tags" })).toBe(false);
  expect(canPurge({})).toBe(false);
});

test("the deleted vaults that Azure purges are listed with the reason, only for a purge", () => {
  const deleted = [
    { name: "kv", properties: seen },
    { name: "kv-protected", properties: { ...seen, purgeProtectionEnabled: true } },
    { name: "kv-unnamed", properties: seen, unnamed: "only its tags name the set" },
    { name: "kv-unseen", properties: { deletionDate } },
  ];
  expect(unseenVaults(deleted, { purge: false })).toEqual([]);
  const listed = unseenVaults(deleted, { purge: true });
  expect(listed.map(({ id }) => id)).toEqual([vaultId, vaultId, "kv-unseen"]);
  expect(listed.map(({ why }) => why)).toEqual([
    "it has purge protection; Azure purges it on 2026-04-01T12:00:00Z",
    "only its tags name the set",
    expect.stringContaining("Azure purges it on its scheduled date"),
  ]);
  expect(listed.map(({ title }) => title)).toEqual(
    ["kv-protected", "kv-unnamed", "kv-unseen"].map((name) => expect.stringContaining(name) as string),
  );
});
