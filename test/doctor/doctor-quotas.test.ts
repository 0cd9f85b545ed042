/** Quotas: each exceeded limit fails one check, and existing resources of the cluster are not counted twice. */
import type { NetworkManagementClient } from "@azure/arm-network";
import { expect, test } from "vitest";
import { all } from "../../src/azure/pages.js";
import { defaultEgress } from "../../src/domain/egress.js";
import { doctorState, healthy } from "./doctor-state.js";
import { findings, rowOf } from "../verify/healthy-state.js";
import { application, client, customRole, given, roleIds, subscription } from "../verify/other-client.js";

const limits = [
  {
    ...{ knob: "publicIpLimit", low: 0, enough: 1, subject: "public IP addresses in eastus" },
    evidence: "PublicIPAddresses 0 of 0 in use, but 1 more needed",
    next: `--resource-name PublicIPAddresses --scope ${subscription}/providers/Microsoft.Network/locations/eastus`,
  },
  {
    ...{ knob: "storageAccountLimit", low: 0, enough: 1, subject: "storage accounts in eastus" },
    evidence: "StorageAccounts 0 of 0 in use, but 1 more needed",
    next: `--resource-name StorageAccounts --scope ${subscription}/providers/Microsoft.Storage/locations/eastus`,
  },
  {
    // 21 on the groups of the infrastructure, two on the vault, one on the encryption key and one on the issuer's account.
    ...{ knob: "roleAssignmentLimit", low: 25, enough: 26, subject: "role assignments" },
    evidence: "role assignments 2 of 25 in use, but 24 more needed, or fewer if some exist already",
    next: "`az role assignment list --all`",
  },
];

test.each(limits)("$knob: an exceeded limit fails with advice on how to raise it, and passes after it is raised", async (limit) => {
  const state = await doctorState();
  await state.seed({ knobs: { [limit.knob]: limit.low } });
  const results = await state.examine();
  expect(findings(results)).toEqual([`quotas/${limit.subject} failed`]);
  expect(rowOf(results, "quotas", limit.subject)).toMatchObject({
    evidence: limit.evidence,
    next: expect.stringContaining(limit.next) as string,
  });
  await state.seed({ knobs: { [limit.knob]: limit.enough } });
  expect(findings(await state.examine())).toEqual([]);
});

test("of several clusters, all must fit", async () => {
  const state = await doctorState();
  await state.seed({ knobs: { publicIpLimit: 3 } });
  expect(findings(await state.examine({ clusters: 3 }))).toEqual([]);
  const results = await state.examine({ clusters: 4 });
  expect(findings(results)).toEqual(["quotas/public IP addresses in eastus failed"]);
  expect(rowOf(results, "quotas", "public IP addresses in eastus").evidence).toContain("4 more needed");
});

test("too many resource groups fail, as Azure refuses the next one, and the check passes after some are deleted", async () => {
  const state = await doctorState();
  // Reading so many groups is slow: check one part only.
  const alone = { parts: new Set(["issuer"] as const) };
  const others = Array.from({ length: 979 }, (_, index) => `${subscription}/resourceGroups/other-${String(index)}`);
  await state.seed({ resources: Object.fromEntries(others.map((id) => [id, { location: "eastus" }])), knobs: { pageSize: 1000 } });
  const results = await state.examine(alone);
  expect(findings(results)).toEqual(["quotas/resource groups failed"]);
  expect(rowOf(results, "quotas", "resource groups").evidence).toBe("resource groups 980 of 980 in use, but 5 more needed");
  const { resourceGroups } = await state.azure.resources();
  await expect(resourceGroups.createOrUpdate("demo-oidc", { location: "eastus" })).rejects.toMatchObject({
    code: "ResourceGroupQuotaExceeded",
  });
  await Promise.all([0, 1, 2, 3, 4].map((index) => resourceGroups.beginDeleteAndWait(`other-${String(index)}`)));
  await resourceGroups.createOrUpdate("demo-oidc", { location: "eastus" });
  expect(rowOf(await state.examine(alone), "quotas", "resource groups")).toMatchObject({
    state: "passed",
    evidence: "resource groups 976 of 980 in use; 4 needed",
  });
});

test("resources with the cluster's tags count as existing, and those of another cluster do not", async () => {
  const state = await doctorState();
  const group = `${subscription}/resourceGroups/demo-demo-x7k2`;
  const address = (name: string, cluster: string) => ({
    [group]: { location: "eastus" },
    [`${group}/providers/Microsoft.Network/publicIPAddresses/${name}`]: {
      ...{ location: "eastus", sku: { name: "Standard" }, tags: { "aro-hcp-name": cluster, "aro-hcp-infra-id": "demo-x7k2" } },
      properties: { publicIPAllocationMethod: "Static" },
    },
  });
  await state.seed({ resources: address("other", "other"), knobs: { publicIpLimit: 1 } });
  const subject = "public IP addresses in eastus";
  expect(rowOf(await state.examine(), "quotas", subject).evidence).toBe("PublicIPAddresses 1 of 1 in use, but 1 more needed");
  await state.seed({ knobs: { publicIpLimit: 2 } });
  await state.seed({ resources: address("demo-x7k2", "demo") });
  expect(rowOf(await state.examine(), "quotas", subject)).toMatchObject({
    state: "passed",
    evidence: "PublicIPAddresses 2 of 2, StandardSkuPublicIpAddresses 2 of 2 in use; all required ones exist",
  });
  // The test uses the complete client; the program itself reads usages with another request.
  const network = (await state.azure.network()) as NetworkManagementClient;
  const usages = await all(network.usages.list("eastus"));
  expect(usages.find(({ name }) => name.value === "PublicIPAddresses")).toMatchObject({ currentValue: 2, limit: 2, unit: "Count" });
});

test("for several addresses, the advice names as many as fit", async () => {
  const state = await doctorState();
  await state.seed({ knobs: { publicIpLimit: 3 } });
  const rows = await state.examine({ egress: { ...defaultEgress, addresses: 5 } });
  expect(rowOf(rows, "quotas", "public IP addresses in eastus")).toMatchObject({
    state: "failed",
    next: expect.stringContaining("pass --outbound-addresses 3, ") as string,
  });
});

test("existing resources that are passed need no quota, and limits that cannot be read are skipped", async () => {
  const state = await doctorState();
  const rows = await state.examine({ parts: new Set(["infra"]), existing: new Set(["vnet", "nsg"]) });
  expect(rows.filter(({ check }) => check === "quotas").map(({ subject }) => subject)).toEqual([
    "public IP addresses in eastus",
    "load balancers in eastus",
    "resource groups",
  ]);
  for (const document of [application(), customRole(["Microsoft.Resources/subscriptions/read"]), given(roleIds.custom)])
    await state.seed(document);
  const few = await (await state.signedIn(client)).examine({ wanted: healthy.wanted });
  const quotas = few.filter(({ check }) => check === "quotas");
  expect(quotas.map(({ state, subject }) => `${state} ${subject}`)).toEqual([
    "skipped virtual networks in eastus",
    "skipped network security groups in eastus",
    "skipped public IP addresses in eastus",
    "skipped load balancers in eastus",
    "skipped storage accounts in eastus",
    // The list omits groups that cannot be read.
    "passed resource groups",
    "skipped role assignments",
  ]);
});

test("the limits of the location are checked without permission to read the providers", async () => {
  const state = await doctorState();
  const actions = ["Microsoft.Resources/subscriptions/read", "Microsoft.Network/locations/usages/read"];
  for (const document of [application(), customRole(actions), given(roleIds.custom)]) await state.seed(document);
  const rows = await (await state.signedIn(client)).examine();
  expect(rowOf(rows, "location", "eastus").state).toBe("skipped");
  expect(rowOf(rows, "quotas", "virtual networks in eastus").state).toBe("passed");
});
