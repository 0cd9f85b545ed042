/** What AKS clusters and their pools do besides reads and writes: aborts, rotations, images, trusted access, and what they list. */
import { beforeEach, expect, test } from "vitest";
import { ClusterParts, refused, unrecorded } from "./cluster-parts.js";

let parts: ClusterParts;
beforeEach(() => {
  parts = new ClusterParts();
  parts.create();
});

interface Written {
  readonly properties: { readonly provisioningState: string; readonly powerState: { readonly code: string } };
}
const post = (path: string) => parts.arm.send("POST", `${parts.id}/${path}`, undefined, unrecorded);
const read = (path: string, apiVersion = "2025-07-01") => parts.arm.get(`${parts.id}/${path}`, { ...unrecorded, apiVersion });
const stateOf = (path: string) => (read(path).body as Written).properties;

test("an abort ends the stop of a pool, which then runs again", () => {
  const put = (code: string) =>
    parts.arm.put(`${parts.id}/agentPools/more`, { properties: parts.settings("User", { powerState: { code } }) });
  put("Running");
  parts.arm.seconds = { "agentPool.update": 100 };
  put("Stopped");
  expect(stateOf("agentPools/more")).toMatchObject({ provisioningState: "Stopping", powerState: { code: "Stopped" } });
  expect(post("agentPools/more/abort").status).toBe(202);
  parts.arm.pass(100);
  expect(stateOf("agentPools/more")).toMatchObject({ provisioningState: "Canceled", powerState: { code: "Running" } });
  expect(refused(post("agentPools/missing/abort"))).toEqual([404, "NotFound"]);
});

test("an abort ends the write of a cluster", () => {
  parts.arm.seconds = { "aks.update": 100 };
  const { headers } = parts.arm.put(parts.id, parts.body());
  expect(post("abort").status).toBe(202);
  expect(parts.arm.get(headers["Azure-AsyncOperation"] ?? "").body).toMatchObject({ status: "Canceled" });
  expect(stateOf("")).toMatchObject({ provisioningState: "Canceled" });
});

test("new images of nodes take time, in which the pool says so", () => {
  parts.arm.seconds = { "agentPool.update": 100 };
  expect(post("agentPools/system/upgradeNodeImageVersion")).toMatchObject({
    status: 202,
    body: { name: "system", properties: { provisioningState: "UpgradingNodeImageVersion" } },
  });
  expect(refused(post("agentPools/system/upgradeNodeImageVersion"))).toEqual([409, "OperationNotAllowed"]);
  parts.arm.pass(100);
  expect(stateOf("agentPools/system").provisioningState).toBe("Succeeded");
});

test.each([
  ["rotateClusterCertificates", "RotatingClusterCertificates"],
  ["rotateServiceAccountSigningKeys", "RotatingServiceAccountSigningKeys"],
])("%s changes nothing but the state while it runs, and is refused of a stopped cluster", (action, state) => {
  parts.arm.seconds = { "aks.update": 100 };
  expect(post(action)).toMatchObject({ status: 202, headers: { Location: expect.any(String) as string } });
  expect(stateOf("")).toMatchObject({ provisioningState: state, powerState: { code: "Running" } });
  parts.arm.pass(100);
  expect(stateOf("").provisioningState).toBe("Succeeded");
  post("stop");
  expect(refused(post(action))).toEqual([400, "OperationNotAllowed"]);
});

test("trusted access is bound and unbound by operations, and an update is 201 too", () => {
  parts.arm.seconds = { "trustedAccess.put": 12 };
  const path = `${parts.id}/trustedAccessRoleBindings/backup`;
  const bind = (role: string) =>
    parts.arm.put(path, { properties: { sourceResourceId: parts.address, roles: [`Microsoft.DataProtection/backupVaults/${role}`] } });
  expect(bind("backup-operator")).toMatchObject({ status: 201, body: { properties: { provisioningState: "Updating" } } });
  parts.arm.pass(12);
  expect(bind("reader").status).toBe(201);
  parts.arm.pass(12);
  expect(parts.arm.get(path).body).toMatchObject({ properties: { provisioningState: "Succeeded", sourceResourceId: parts.address } });
  expect(parts.arm.delete(path).status).toBe(202);
  parts.arm.pass(12);
  expect(parts.arm.get(path, unrecorded).status).toBe(404);
  const roles = parts.arm.get(
    `${parts.id.split("/resourceGroups/")[0] ?? ""}/providers/Microsoft.ContainerService/locations/eastus/trustedAccessRoles`,
  );
  expect(roles.body).toMatchObject({ value: expect.arrayContaining([expect.objectContaining({ name: "backup-operator" })]) as object[] });
});

test("a pool lists as many machines as it has nodes", () => {
  const name = expect.stringMatching(/^aks-system-\d{8}-vmss00000[01]$/) as string;
  expect(read("agentPools/system/machines").body).toMatchObject({ value: [{ name }, { name }] });
  expect(refused(read("agentPools/missing/machines"))).toEqual([404, "NotFound"]);
});

test("a mesh says to which revision it can be upgraded, if it is enabled", () => {
  expect([read("meshUpgradeProfiles").body, read("meshUpgradeProfiles/istio").status]).toEqual([{ value: [] }, 404]);
  parts.arm.put(parts.id, parts.body({ serviceMeshProfile: { mode: "Istio", istio: { revisions: ["asm-1-27"] } } }));
  expect(read("meshUpgradeProfiles/istio").body).toMatchObject({ properties: { revision: "asm-1-27", upgrades: ["asm-1-28"] } });
});

test("a cluster lists the endpoints that it needs, and no private link without a private API server", () => {
  expect(read("outboundNetworkDependenciesEndpoints").body).toMatchObject({
    value: [{ category: "azure-resource-management" }, {}, {}, {}],
  });
  expect([read("privateLinkResources").body, read("privateEndpointConnections").body]).toEqual([{ value: [] }, { value: [] }]);
  const other = parts.id.replace(/demo$/, "private");
  const body = parts.body({ apiServerAccessProfile: { enablePrivateCluster: true }, networkProfile: { networkPlugin: "azure" } });
  expect(parts.arm.put(other, body).body).toMatchObject({
    properties: {
      fqdn: expect.stringMatching(/^demo-\w{8}\.hcp\.eastus\.azmk8s\.io$/) as string,
      privateFQDN: expect.stringMatching(/^demo-\w{8}\.\w+\.privatelink\.eastus\.azmk8s\.io$/) as string,
      apiServerAccessProfile: { enablePrivateCluster: true, privateDNSZone: "system", enablePrivateClusterPublicFQDN: true },
    },
  });
  const listed = parts.arm.get(`${other}/privateLinkResources`);
  expect(listed.body).toMatchObject({ value: [{ name: "management", groupId: "management", requiredMembers: ["management"] }] });
});
