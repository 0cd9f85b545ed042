/** What clients read beside the resources of declared types. */
import { beforeEach, expect, test } from "vitest";
import { applySeed, parseSeedDocument } from "../../../src/emulator/state/seed-document.js";
import { ArmState, subscription } from "./arm-state.js";

let arm: ArmState;
let group: string;
const refusal = (code: string, status: number) => ({ status, body: { error: { code } } });
const options = { apiVersion: "2022-09-01" };
const unrecorded = { ...options, unrecorded: true };

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
});

function valuesOf(target: string, apiVersion: string): Record<string, unknown>[] {
  const { status, body } = arm.get(target, { apiVersion });
  expect(status).toBe(200);
  return (body as { value: Record<string, unknown>[] }).value;
}

test("tag names are counted, defined with their values, and deleted", () => {
  const names = `${subscription}/tagNames`;
  arm.group("tagged", { team: "a" });
  const empty = { count: { type: "Total", value: 0 } };
  expect(arm.put(`${names}/stage`, undefined, options)).toMatchObject({ status: 201, body: { tagName: "stage", ...empty, values: [] } });
  expect(arm.put(`${names}/stage`, undefined, options).status).toBe(200);
  expect(arm.put(`${names}/Stage/tagValues/x`, undefined, options)).toMatchObject({ status: 201, body: { tagValue: "x", ...empty } });
  const one = { type: "Total", value: 1 };
  const values = [{ id: `${names}/stage/tagValues/x`, tagValue: "x", ...empty }];
  const listed = () => valuesOf(names, options.apiVersion);
  expect(listed()).toContainEqual({ id: `${names}/stage`, tagName: "stage", ...empty, values });
  expect(listed()).toContainEqual(expect.objectContaining({ tagName: "team", count: one }));
  expect(arm.delete(`${names}/stage/tagValues/x`, options).status).toBe(200);
  expect(arm.delete(`${names}/stage/tagValues/x`, options).status).toBe(204);
  expect(arm.delete(`${names}/stage`, options).status).toBe(200);
  expect(listed().map(({ tagName }) => tagName)).toEqual(["team"]);
});

test.each([
  [`${subscription}/providers/Microsoft.KeyVault/deletedManagedHSMs`, "2023-07-01"],
  [`${subscription}/providers/Microsoft.Authorization/policySetDefinitions`, "2023-04-01"],
  [`${subscription}/providers/Microsoft.Resources/deployments`, "2024-11-01"],
  [`${subscription}/resourceGroups/demo/providers/Microsoft.Resources/deployments`, "2024-11-01"],
])("%s is an empty list", (target, apiVersion) => {
  expect(valuesOf(target, apiVersion)).toEqual([]);
});

test("templates are not deployed, and an unknown deployment is missing", () => {
  const deployment = `${group}/providers/Microsoft.Resources/deployments/d`;
  expect(arm.get(deployment, options)).toMatchObject(refusal("DeploymentNotFound", 404));
  expect(arm.put(deployment, { properties: {} }, unrecorded).status).toBe(501);
  expect(arm.send("POST", `${deployment}/whatIf`, {}, unrecorded).status).toBe(501);
  expect([arm.send("HEAD", deployment, undefined, options).status, arm.delete(deployment, options).status]).toEqual([404, 204]);
  const caller = arm.caller("nobody", []);
  for (const method of ["GET", "HEAD", "DELETE"] as const) {
    expect(arm.send(method, deployment, undefined, { ...unrecorded, caller })).toMatchObject(refusal("AuthorizationFailed", 403));
  }
});

test("an empty group is exported as an empty template, another one is not emulated", () => {
  const exported = `${group}/exportTemplate`;
  expect(arm.send("POST", exported, { resources: ["*"] }, options)).toMatchObject({ status: 200, body: { template: { resources: [] } } });
  arm.put(`${group}/providers/Microsoft.Network/networkSecurityGroups/nsg`, { location: "eastus", properties: {} });
  expect(arm.send("POST", exported, { resources: ["*"] }, unrecorded).status).toBe(501);
});

test("management groups are listed only with a right at the root", () => {
  const target = "/providers/Microsoft.Management/managementGroups";
  const { tenantId } = arm.state;
  expect(arm.get(target, { apiVersion: "2021-04-01" })).toMatchObject(refusal("AuthorizationFailed", 403));
  const caller = arm.caller("reader of all", [{ role: "acdd72a7-3385-48ef-bd42-f606fba81ae7", scope: "/" }]);
  expect(arm.get(target, { apiVersion: "2021-04-01", caller })).toMatchObject({ status: 200, body: { value: [{ name: tenantId }] } });
});

test("sizes, SKUs and the use of cores in a region", () => {
  const compute = `${subscription}/providers/Microsoft.Compute`;
  const id = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/nodes`;
  const type = "Microsoft.Compute/virtualMachineScaleSets";
  const sku = { name: "Standard_D4s_v5", tier: "Standard", capacity: 3 };
  arm.state.resources[id.toLowerCase()] = { id, name: "nodes", type, location: "eastus", sku, properties: {} };
  const size = { name: "Standard_D4s_v5", numberOfCores: 4, memoryInMB: 16384 };
  expect(valuesOf(`${compute}/locations/eastus/vmSizes`, "2024-07-01")).toContainEqual(expect.objectContaining(size));
  // The version that az asks for.
  const listed = valuesOf(`${compute}/skus?$filter=location eq 'East US'`, "2019-04-01");
  expect(listed).toContainEqual(expect.objectContaining({ name: "Standard_D4s_v5", locations: ["eastus"] }));
  const usedIn = (region: string) =>
    Object.fromEntries(
      valuesOf(`${compute}/locations/${region}/usages`, "2024-07-01").map(({ name, currentValue }) => [
        (name as { value: string }).value,
        currentValue,
      ]),
    );
  const here = { cores: 12, virtualMachines: 3, virtualMachineScaleSets: 1, standardDSv5Family: 12, standardDSv3Family: 0 };
  expect(usedIn("eastus")).toMatchObject(here);
  expect(usedIn("westus")).toMatchObject({ cores: 0, virtualMachines: 0 });
});

test("the sizes of clusters have families, cores, zones and restrictions, and the quotas of a region can be seeded", () => {
  const compute = `${subscription}/providers/Microsoft.Compute`;
  const sku = (name: string, region = "eastus") =>
    valuesOf(`${compute}/skus?$filter=location eq '${region}'`, "2021-07-01").find((one) => one["name"] === name);
  const offered = (family: string, cores: number) => ({
    family,
    locationInfo: [{ location: "eastus", zones: ["1", "2", "3"] }],
    capabilities: expect.arrayContaining([{ name: "vCPUs", value: String(cores) }]) as unknown,
    restrictions: [],
  });
  expect(sku("Standard_D2s_v3")).toMatchObject(offered("standardDSv3Family", 2));
  expect(sku("Standard_D4s_v4")).toMatchObject(offered("standardDSv4Family", 4));
  expect(sku("Standard_D8ds_v6")).toMatchObject(offered("StandardDdsv6Family", 8));
  expect(sku("Standard_D4ds_v5")).toMatchObject(offered("standardDDSv5Family", 4));
  expect(sku("Standard_E32ds_v6")).toMatchObject(offered("standardEDSv6Family", 32));
  expect(sku("Standard_D2s_v3", "westus")).toMatchObject({ locationInfo: [{ location: "westus", zones: [] }] });

  const knobs = {
    sizeZones: { Standard_D2s_v3: ["1", "3"] },
    restrictedSizes: { standard_d4s_v4: ["2"], Standard_D8ds_v6: [] },
    coreQuotas: { cores: 24, standardedsv6family: 8 },
  };
  applySeed(arm.state, parseSeedDocument({ knobs }), 0);
  expect(sku("Standard_D2s_v3")).toMatchObject({ locationInfo: [{ location: "eastus", zones: ["1", "3"] }], restrictions: [] });
  const reasonCode = "NotAvailableForSubscription";
  expect(sku("Standard_D4s_v4")?.["restrictions"]).toEqual([
    { type: "Zone", values: ["eastus"], restrictionInfo: { locations: ["eastus"], zones: ["2"] }, reasonCode },
  ]);
  expect(sku("Standard_D8ds_v6")?.["restrictions"]).toEqual([
    { type: "Location", values: ["eastus"], restrictionInfo: { locations: ["eastus"] }, reasonCode },
  ]);
  const limits = valuesOf(`${compute}/locations/eastus/usages`, "2024-07-01").map(({ name, limit }) => [
    (name as { value: string }).value,
    limit,
  ]);
  expect(Object.fromEntries(limits)).toMatchObject({ cores: 24, standardEDSv6Family: 8, standardDSv3Family: 100 });
});

test("the policy against public blobs is assigned, and its definition can be read", () => {
  const version = "2023-04-01";
  const policies = (scope: string, kind: string) => `${scope}/providers/Microsoft.Authorization/${kind}`;
  expect(valuesOf(policies(subscription, "policyAssignments"), version)).toEqual([]);
  arm.state.knobs = { publicBlobPolicy: "deny" };
  const [assignment] = valuesOf(policies(group, "policyAssignments"), version);
  const id = policies(subscription, "policyAssignments/deny-public-blobs");
  expect(assignment).toMatchObject({ id, properties: { scope: subscription } });
  expect(arm.get(id, { apiVersion: version }).body).toEqual(assignment);
  const { policyDefinitionId } = assignment?.["properties"] as { policyDefinitionId: string };
  const definition = { policyType: "BuiltIn", policyRule: { then: { effect: "deny" } } };
  expect(arm.get(policyDefinitionId, { apiVersion: version })).toMatchObject({ status: 200, body: { properties: definition } });
  expect(valuesOf(`${policies(subscription, "policyDefinitions")}?$filter=policyType eq 'Custom'`, version)).toEqual([]);
  const missing = arm.get(policies(group, "policyAssignments/none"), { apiVersion: version });
  expect(missing).toMatchObject(refusal("PolicyAssignmentNotFound", 404));
});

test("a provider whose resources exist is not unregistered", () => {
  arm.put(`${group}/providers/Microsoft.Network/routeTables/r`, { location: "eastus", properties: {} });
  const refused = arm.send("POST", `${subscription}/providers/Microsoft.Network/unregister`, undefined, options);
  expect(refused).toMatchObject(refusal("ResourceProviderInUse", 409));
  expect(arm.get(`${subscription}/providers/Microsoft.Network`, options)).toMatchObject({ body: { registrationState: "Registered" } });
});

test("a provider that the subscription is not registered for refuses everything, an unknown one is not emulated", () => {
  const vault = `${group}/providers/Microsoft.RecoveryServices/vaults/v`;
  const unregistered = refusal("MissingSubscriptionRegistration", 409);
  expect(arm.put(vault, { location: "eastus" }, unrecorded)).toMatchObject(unregistered);
  expect(arm.get(vault, unrecorded)).toMatchObject(unregistered);
  const provider = `${subscription}/providers/Microsoft.RecoveryServices`;
  expect(arm.get(provider, options)).toMatchObject({ status: 200, body: { registrationState: "NotRegistered" } });
  expect(arm.send("POST", `${provider}/register`, undefined, options).status).toBe(200);
  expect(arm.put(vault, { location: "eastus" }, unrecorded).status).toBe(501);
  const again = arm.send("POST", `${provider}/unregister`, undefined, options);
  expect(again).toMatchObject({ status: 200, body: { registrationState: "Unregistering" } });
  expect(arm.get(provider, options)).toMatchObject({ body: { registrationState: "Unregistered" } });
  expect(arm.put(vault, { location: "eastus" }, unrecorded)).toMatchObject(unregistered);
  expect(arm.get(vault.replace("Microsoft.Recovery", "Contoso."), unrecorded).status).toBe(501);
});
