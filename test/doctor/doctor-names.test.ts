/** Taken names and missing zones: the doctor reports them as the plan of a create would. */
import { expect, test } from "vitest";
import { doctorState, healthy } from "./doctor-state.js";
import { findings, rowOf } from "../verify/healthy-state.js";
import { application, client, customRole, given, roleIds, subscription } from "../verify/other-client.js";

test("a storage account name that is taken fails, and another name passes", async () => {
  const state = await doctorState();
  await state.seed({ knobs: { takenStorageNames: ["demo"] } });
  const results = await state.examine();
  expect(findings(results)).toEqual(["account-name/demo failed"]);
  expect(rowOf(results, "account-name", "demo")).toMatchObject({
    evidence: expect.stringMatching(/^ARO-OIDC-002: storage account "demo" cannot be created; .*already taken/) as string,
    next: expect.stringContaining("--storage-account-name") as string,
  });
  const { issuer } = healthy.wanted;
  expect(findings(await state.examine({ wanted: { ...healthy.wanted, issuer: issuer && { ...issuer, account: "demo2" } } }))).toEqual([]);
});

test("a vault of another owner with the name fails, even if it is soft-deleted", async () => {
  const state = await doctorState();
  const id = `${subscription}/resourceGroups/theirs/providers/Microsoft.KeyVault/vaults/kv-demo-1`;
  const properties = { tenantId: "7e7a0000-0000-4000-8000-000000000001", sku: { family: "A", name: "standard" }, accessPolicies: [] };
  await state.seed({
    resources: { [`${subscription}/resourceGroups/theirs`]: { location: "eastus" }, [id]: { location: "eastus", properties } },
  });
  const results = await state.examine();
  expect(findings(results)).toEqual(["vault-name/kv-demo-1 failed"]);
  expect(rowOf(results, "vault-name", "kv-demo-1").evidence).toMatch(/^ARO-VAULT-002: the name of Key Vault "kv-demo-1" is taken/);
  const { vaults } = await state.azure.vaults();
  await vaults.delete("theirs", "kv-demo-1");
  const deleted = rowOf(await state.examine(), "vault-name", "kv-demo-1");
  expect(deleted).toMatchObject({
    state: "failed",
    evidence: expect.stringMatching(/^ARO-VAULT-001: .*is soft-deleted, and its name is not available/) as string,
    next: expect.stringContaining("`az keyvault purge --name kv-demo-1`") as string,
  });
  await vaults.purgeDeleted("kv-demo-1", "eastus");
  expect(findings(await state.examine())).toEqual([]);
});

test("a missing zone fails; without a base domain the checks of zones are skipped", async () => {
  const state = await doctorState();
  const zone = { baseDomain: "other.example.com", dnsZoneGroup: undefined };
  const results = await state.examine({ wanted: { ...healthy.wanted, zone } });
  expect(findings(results)).toEqual(["zone/other.example.com failed"]);
  expect(rowOf(results, "zone", "other.example.com")).toMatchObject({
    evidence: expect.stringMatching(/^ARO-DNS-001: public DNS zone "other.example.com" not found in subscription/) as string,
    next: expect.stringMatching(/aro-hcp create dns-zone --base-domain other\.example\.com/) as string,
  });
  const nothing = await state.examine({ wanted: {} });
  expect(nothing.filter(({ state }) => state === "skipped").map(({ check, evidence }) => `${check}: ${evidence}`)).toEqual([
    "application-names: --name is not specified",
    "vault-name: --name is not specified",
    "account-name: --name is not specified",
    "zone: --base-domain is not specified",
    "zone-delegated: --base-domain is not specified",
    "public-blobs: --name is not specified",
  ]);
  expect(findings(nothing)).toEqual([]);
});

test("names are not checked with an unregistered provider, because the request would register it", async () => {
  const state = await doctorState();
  await state.seed({ providers: { "Microsoft.Storage": "NotRegistered" } });
  const results = await state.examine();
  expect(findings(results)).toEqual(["providers/providers warning"]);
  expect(rowOf(results, "account-name", "demo")).toMatchObject({ state: "skipped", evidence: "Microsoft.Storage is not registered" });
});

test.each(["deny", "modify"])(
  "a policy that would %s public blobs fails with its assignment, and passes with an exemption for the issuer's group",
  async (effect) => {
    const state = await doctorState();
    await state.seed({ knobs: { publicBlobPolicy: effect } });
    const results = await state.examine();
    expect(findings(results)).toEqual(["public-blobs/demo failed"]);
    const assignment = `${subscription}/providers/Microsoft.Authorization/policyAssignments/${effect}-public-blobs`;
    expect(rowOf(results, "public-blobs", "demo")).toMatchObject({
      evidence: expect.stringMatching(
        `^the policy assignment ${assignment} of the definition /providers/Microsoft\\.Authorization/policyDefinitions/[-0-9a-f]{36} \\(${effect}\\)$`,
      ) as string,
      next: expect.stringContaining(`--policy-assignment ${assignment}\``) as string,
    });
    const group = `${subscription}/resourceGroups/demo-oidc`;
    await state.seed({ resources: { [group]: { location: "eastus" } } });
    expect(findings(await state.examine())).toEqual(["public-blobs/demo failed"]);
    const exemption = `${group}/providers/Microsoft.Authorization/policyExemptions/aro-hcp-issuer`;
    await state.seed({ resources: { [exemption]: { properties: { policyAssignmentId: assignment, exemptionCategory: "Waiver" } } } });
    expect(findings(await state.examine())).toEqual([]);
  },
);

test("policies that cannot be checked are skipped, and no provider is registered", async () => {
  const state = await doctorState();
  await state.seed({ providers: { "Microsoft.PolicyInsights": "NotRegistered" }, knobs: { publicBlobPolicy: "deny" } });
  const skipped = { state: "skipped", evidence: expect.stringMatching(/^policies cannot be checked; this needs Reader/) as string };
  for (let times = 0; times < 2; times += 1) expect(rowOf(await state.examine(), "public-blobs", "demo")).toMatchObject(skipped);
  for (const document of [application(), customRole(["Microsoft.Resources/*"]), given(roleIds.custom)]) await state.seed(document);
  await state.seed({ providers: { "Microsoft.PolicyInsights": "Registered" } });
  expect(rowOf(await (await state.signedIn(client)).examine(), "public-blobs", "demo")).toMatchObject(skipped);
  expect(rowOf(await state.examine(), "public-blobs", "demo").state).toBe("failed");
});
