/** Quotas: each limit that a create would run into is told alone, and what is there already needs no room. */
import type { NetworkManagementClient } from "@azure/arm-network";
import { expect, test } from "vitest";
import { all } from "../../src/azure/pages.js";
import { doctorState, healthy } from "./doctor-state.js";
import { findings, rowOf } from "./healthy-state.js";
import { application, client, customRole, given, roleIds, subscription } from "./other-client.js";

const limits = [
  {
    ...{ knob: "publicIpLimit", low: 0, enough: 1, subject: "public IP addresses in eastus" },
    evidence: "PublicIPAddresses 0 of 0 in use, and 1 more needed",
    next: `--resource-name PublicIPAddresses --scope ${subscription}/providers/Microsoft.Network/locations/eastus`,
  },
  {
    ...{ knob: "storageAccountLimit", low: 0, enough: 1, subject: "storage accounts in eastus" },
    evidence: "StorageAccounts 0 of 0 in use, and 1 more needed",
    next: `--resource-name StorageAccounts --scope ${subscription}/providers/Microsoft.Storage/locations/eastus`,
  },
  {
    // 21 on the groups of the infrastructure, two on the vault and one on the issuer's account.
    ...{ knob: "roleAssignmentLimit", low: 25, enough: 26, subject: "role assignments" },
    evidence: "role assignments 2 of 25 in use, and 24 more needed, fewer where some are there already",
    next: "`az role assignment list --all`",
  },
];

test.each(limits)("$knob: what would not fit is told, with where to get more, and fits once there is more", async (limit) => {
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

test("a subscription that is full of groups is told, as Azure refuses the next; where there is room again, it fits", async () => {
  const state = await doctorState();
  // So large a world is slow to ask: of one part, with the groups of all.
  const alone = { parts: new Set(["issuer"] as const) };
  const others = Array.from({ length: 979 }, (_, index) => `${subscription}/resourceGroups/other-${String(index)}`);
  await state.seed({ resources: Object.fromEntries(others.map((id) => [id, { location: "eastus" }])), knobs: { pageSize: 1000 } });
  const results = await state.examine(alone);
  expect(findings(results)).toEqual(["quotas/resource groups failed"]);
  expect(rowOf(results, "quotas", "resource groups").evidence).toBe("resource groups 980 of 980 in use, and 5 more needed");
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

test("what carries the cluster's tags is counted as there, and what another cluster has is not", async () => {
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
  expect(rowOf(await state.examine(), "quotas", subject).evidence).toBe("PublicIPAddresses 1 of 1 in use, and 1 more needed");
  await state.seed({ knobs: { publicIpLimit: 2 } });
  await state.seed({ resources: address("demo-x7k2", "demo") });
  expect(rowOf(await state.examine(), "quotas", subject)).toMatchObject({
    state: "passed",
    evidence: "PublicIPAddresses 2 of 2, StandardSkuPublicIpAddresses 2 of 2 in use; what is needed is there",
  });
  // Here it is the whole client: the program itself never asks for usages this way.
  const network = (await state.azure.network()) as NetworkManagementClient;
  const told = await all(network.usages.list("eastus"));
  expect(told.find(({ name }) => name.value === "PublicIPAddresses")).toMatchObject({ currentValue: 2, limit: 2, unit: "Count" });
});

test("what is brought needs no room; what may not be read is skipped", async () => {
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
    // Groups that may not be read are not in the list; their number tells nothing.
    "passed resource groups",
    "skipped role assignments",
  ]);
});
