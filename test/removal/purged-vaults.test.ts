/** What a destroy with --purge deletes permanently: never soft-deleted contents of others, nor a deleted vault that may contain something of others. */
import { describe, expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import type { VaultSecret } from "../../src/emulator/state/vault-content.js";
import { exits, writesSince } from "../cli/expectations.js";
import { createSet, destroySet, vaultId } from "../cli/identity-sets.js";
import { addTags, changeState, resource } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";

const kv = ["--key-vault-name", "demo-kv"] as const;
const vault = vaultId("demo-kv");
const attributes = { enabled: true, created: 1, updated: 1 };
const deleted = { at: 0, busyUntil: 0 };
const version = "0".repeat(32);

type Content = NonNullable<AzureState["vaults"]>[string];

/** Changes the contents of the vault. */
const inVault = (change: (content: Content) => void) => (state: AzureState) => {
  const content = state.vaults?.["demo-kv"];
  if (content === undefined) throw new Error("the vault has no contents");
  change(content);
};

const secret = (name: string, tags?: Record<string, string>): VaultSecret => {
  return { name, versions: [{ version, value: "theirs", attributes, ...(tags && { tags }) }], deleted };
};

const withSecret = inVault(({ secrets }) => (secrets["payroll"] = secret("payroll")));
const withCopiedTag = inVault(({ secrets }) => (secrets["payroll"] = secret("payroll", { "aro-hcp-identities": "demo" })));
const withCertificate = inVault(({ certificates, secrets }) => {
  const one = structuredClone(certificates["demo-cpo-cert"]);
  const its = structuredClone(secrets["demo-cpo-cert"]);
  if (one) certificates["payroll"] = { ...one, name: "payroll", deleted };
  if (its) secrets["payroll"] = { ...its, name: "payroll", deleted };
});
const withKey = inVault((content) => {
  const one = { version, kty: "RSA", size: 2048, ops: [], attributes } as const;
  content.keys = { ...content.keys, payroll: { name: "payroll", versions: [{ ...one, ops: [] }], deleted } };
});

async function created(change: (state: AzureState) => void): Promise<TestEmulator> {
  const azure = await testEmulator();
  exits(await createSet(azure, kv), 0);
  await changeState(azure, change);
  return azure;
}

const grantReader = (azure: TestEmulator, principalId: string) =>
  azure.seed({ roleAssignments: [{ scope: vault, role: "21090545-7ca7-4776-b22c-e363652d74d2", principalId }] });

describe("soft-deleted contents", () => {
  test.each([
    ["a secret", withSecret, "soft-deleted payroll"],
    ["a secret with a copy of our tag", withCopiedTag, "soft-deleted payroll"],
    ["a certificate", withCertificate, "soft-deleted payroll"],
    ["a key", withKey, "soft-deleted key payroll"],
  ])("%s of others keeps the vault with --purge alone, and is listed", async (_what, change, name) => {
    const azure = await created(change);
    await grantReader(azure, wellKnown.clientPrincipalId);
    const { stderr } = exits(await destroySet(azure, [...kv, "--purge"]), 0);
    expect(stderr).toMatch(new RegExp(`keep +\\S+/vaults/demo-kv: it also contains ${name}, not created by aro-hcp`));
    expect(await resource(azure, vault)).toBeDefined();
    exits(await destroySet(azure, kv), 0);
    expect(await resource(azure, vault)).toBeUndefined();
  });

  test("own ones are purged with the vault", async () => {
    const azure = await created(
      inVault(({ secrets }) => (secrets["demo-cpo"] = { ...secret("demo-cpo", { "aro-hcp-identities": "demo" }) })),
    );
    exits(await destroySet(azure, [...kv, "--purge"]), 0);
    expect(JSON.stringify(await azure.snapshot())).not.toContain("demo-kv");
  });

  test("unknown keys keep the vault if somebody else has a role on it", async () => {
    const azure = await created(withKey);
    await grantReader(azure, "00000000-0000-4000-8000-00000000aaa1");
    const { stderr } = exits(await destroySet(azure, [...kv, "--purge"]), 0);
    expect(stderr).toContain('it is not purged because its soft-deleted keys cannot be listed; assign "Key Vault Reader" on it');
    expect(await resource(azure, vault)).toBeDefined();
  });

  test("are not read without --purge", async () => {
    const azure = await created(withSecret);
    await azure.traffic();
    exits(await destroySet(azure, kv), 0);
    expect((await azure.traffic()).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith("/deleted"))).toEqual([]);
  });
});

const ofDemo = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2", "--resource-group-name", "common", "--yes"];

describe("a vault that is soft-deleted", () => {
  test("by a destroy without --purge is kept by a later destroy --purge, which says until when and how to purge it", async () => {
    const azure = await created(withSecret);
    exits(await destroySet(azure, kv), 0);
    await azure.traffic();
    const { stderr } = exits(await destroySet(azure, [...kv, "--purge"]), 0);
    expect(stderr).toMatch(
      /keep +soft-deleted Key Vault demo-kv: it stays until 20\d\d-\S+Z, when Azure purges it, because .*az keyvault purge --name demo-kv --location eastus/,
    );
    expect((await writesSince(azure)).filter((write) => write.includes("deletedVaults"))).toEqual([]);
    exits(
      await azure.cli(["destroy", "all", ...ofDemo, ...kv, "--persistent-resource-group-name", "common", "--purge", "--delete-foreign"]),
      0,
    );
    expect(JSON.stringify(await azure.snapshot())).not.toContain("demo-kv");
  });

  test.each(["before", "after"] as const)("by a destroy --purge that ended %s the purge is purged by the next one", async (when) => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    exits(await createSet(azure, kv), 0);
    const faults = [{ method: "POST", path: "/purge$", when, kill: true }];
    expect((await destroySet(azure, [...kv, "--purge"], { faults })).code).toBe("SIGKILL");
    exits(await destroySet(azure, [...kv, "--purge"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("by others long after a destroy --purge had checked it is kept", async () => {
    const azure = await created(withSecret);
    await addTags(azure, vault, { "aro-hcp-contents-checked": "2026-01-01T00:00:00.000Z" });
    exits(await destroySet(azure, kv), 0);
    const { stderr } = exits(await destroySet(azure, [...kv, "--purge"]), 0);
    expect(stderr).toContain("keep    soft-deleted Key Vault demo-kv");
  });

  test("without permission to write its tags is purged too", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    exits(await createSet(azure, kv), 0);
    const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "not allowed" } } };
    exits(await destroySet(azure, [...kv, "--purge"], { faults: [{ method: "PATCH", path: "/vaults/[^/]+$", times: 9, answer }] }), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});
