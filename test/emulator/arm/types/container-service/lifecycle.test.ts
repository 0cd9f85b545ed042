/** AKS clusters over time: versions and upgrades, maintenance, start and stop, credentials, and what cannot change. */
import { beforeEach, expect, test } from "vitest";
import { ClusterParts, refused, unrecorded } from "./cluster-parts.js";

let parts: ClusterParts;
beforeEach(() => {
  parts = new ClusterParts();
});

const put = (properties: Readonly<Record<string, unknown>> = {}) => parts.arm.put(parts.id, parts.body(properties), unrecorded);
const act = (action: string) => parts.arm.send("POST", `${parts.id}/${action}`, undefined, unrecorded);

test("a region lists its versions, of which a cluster without one gets the default", () => {
  const path = `${parts.group.split("/resourceGroups/")[0] ?? ""}/providers/Microsoft.ContainerService/locations/eastus/kubernetesVersions`;
  const { values } = parts.arm.get(path).body as {
    values: { version: string; isDefault?: boolean; patchVersions: Record<string, object> }[];
  };
  const found = values.find(({ isDefault }) => isDefault);
  const newest = Object.keys(found?.patchVersions ?? {}).at(-1);
  parts.create();
  expect(parts.arm.get(parts.id).body).toMatchObject({
    properties: { kubernetesVersion: found?.version, currentKubernetesVersion: newest, oidcIssuerProfile: { enabled: true } },
  });
});

test("a version that is not offered is refused, and one with long-term support needs the plan and the tier", () => {
  parts.grantAll();
  expect(refused(put({ kubernetesVersion: "1.20" }))).toEqual([400, "AgentPoolK8sVersionNotSupported"]);
  expect(refused(put({ kubernetesVersion: "1.32" }))).toEqual([400, "K8sVersionNotSupported"]);
  expect(refused(put({ kubernetesVersion: "1.32", supportPlan: "AKSLongTermSupport" }))).toEqual([400, "BadRequest"]);
});

test("a cluster is upgraded to what its profile offers, and its pools after it", () => {
  parts.create({ kubernetesVersion: "1.34.8" });
  expect(parts.arm.get(`${parts.id}/upgradeProfiles/default`).body).toMatchObject({
    properties: {
      controlPlaneProfile: {
        kubernetesVersion: "1.34.8",
        upgrades: ["1.34.9", "1.35.6", "1.35.7"].map((kubernetesVersion) => ({ kubernetesVersion })),
      },
      agentPoolProfiles: [{ name: "system", kubernetesVersion: "1.34.8" }],
    },
  });
  for (const version of ["1.36.1", "1.33.10"]) expect(refused(put({ kubernetesVersion: version }))).toEqual([400, "OperationNotAllowed"]);
  expect(put({ kubernetesVersion: "1.35.7" }).status).toBe(200);
  const profile = () => parts.arm.get(`${parts.id}/agentPools/system/upgradeProfiles/default`).body;
  expect(profile()).toMatchObject({ properties: { kubernetesVersion: "1.34.8", osType: "Linux" } });
  const upgrade = { properties: parts.settings("System", { orchestratorVersion: "1.35.7" }) };
  expect(parts.arm.put(`${parts.id}/agentPools/system`, upgrade).status).toBe(200);
  expect(profile()).toMatchObject({ properties: { kubernetesVersion: "1.35.7" } });
  expect(parts.arm.get(`${parts.id}/availableAgentPoolVersions`).body).toMatchObject({
    properties: { agentPoolVersions: [{ kubernetesVersion: "1.35.7" }] },
  });
});

test.each([
  ["dnsPrefix", { dnsPrefix: "other" }, "dnsPrefix"],
  ["nodeResourceGroup", { nodeResourceGroup: "other" }, "nodeResourceGroup"],
  ["plugin", { networkProfile: { networkPlugin: "kubenet" } }, "networkProfile.networkPlugin"],
  ["service addresses", { networkProfile: { serviceCidr: "10.140.0.0/16" } }, "networkProfile.serviceCidr"],
  ["service principal", { servicePrincipalProfile: { clientId: "other" } }, "servicePrincipalProfile.clientId"],
])("the %s of a cluster cannot change", (_what, properties, target) => {
  parts.create();
  expect(refused(put(properties))).toEqual([400, "PropertyChangeNotAllowed", target]);
});

test("the issuer stays on, and what a PUT omits stays as it is", () => {
  parts.create({ oidcIssuerProfile: { enabled: true }, securityProfile: { workloadIdentity: { enabled: true } } });
  expect(refused(put({ oidcIssuerProfile: { enabled: false } }))).toEqual([400, "OIDCIssuerFeatureCannotBeDisabled"]);
  const { body } = put({ securityProfile: { imageCleaner: { enabled: true, intervalHours: 24 } } });
  expect(body).toMatchObject({
    properties: {
      oidcIssuerProfile: { enabled: true },
      securityProfile: { workloadIdentity: { enabled: true }, imageCleaner: { intervalHours: 24 } },
      networkProfile: { loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: parts.address }] } } },
    },
  });
});

test("members that need each other are refused alone", () => {
  parts.grantAll();
  expect(refused(put({ dnsPrefix: undefined }))).toEqual([400, "InvalidParameter", "dnsPrefix"]);
  expect(refused(put({ disableLocalAccounts: true }))).toEqual([400, "BadRequest"]);
  const workload = { securityProfile: { workloadIdentity: { enabled: true } }, oidcIssuerProfile: { enabled: false } };
  expect(refused(put(workload))).toEqual([400, "BadRequest"]);
  expect(refused(put({ nodeResourceGroup: "mgmt" }))).toEqual([400, "NodeResourceGroupSameAsResourceGroup"]);
});

test("Istio and the Gateway API are settings of a cluster, the second since an api-version", () => {
  const settings = {
    serviceMeshProfile: {
      mode: "Istio",
      istio: { components: { ingressGateways: [{ mode: "External", enabled: true }] }, revisions: ["asm-1-28"] },
    },
    ingressProfile: { gatewayAPI: { installation: "Standard" } },
  };
  parts.grantAll();
  const at = (apiVersion: string) => parts.arm.put(parts.id, parts.body(settings), { ...unrecorded, apiVersion });
  expect(at("2025-07-01")).toMatchObject({ status: 400, body: { error: { code: "InvalidRequestContent" } } });
  expect(at("2026-04-01")).toMatchObject({ status: 201, body: { properties: settings } });
});

test("without a revision, a cluster gets the newest one of its region, and keeps it", () => {
  const region = `${parts.group.split("/resourceGroups/")[0] ?? ""}/providers/Microsoft.ContainerService/locations/eastus`;
  const { properties } = parts.arm.get(`${region}/meshRevisionProfiles/istio`).body as {
    properties: { meshRevisions: { revision: string }[] };
  };
  const newest = properties.meshRevisions.at(-1)?.revision;
  const mesh = (istio?: object) => ({ serviceMeshProfile: { mode: "Istio", ...(istio && { istio }) } });
  expect(parts.create(mesh()).body).toMatchObject({ properties: mesh({ revisions: [newest] }) });
  const components = { ingressGateways: [{ mode: "External", enabled: true }] };
  expect(put(mesh({ components })).body).toMatchObject({ properties: mesh({ components, revisions: [newest] }) });
  expect(refused(put(mesh({ revisions: ["asm-1-1"] })))).toEqual([400, "BadRequest"]);
});

test("maintenance has a window with a schedule, and one of three names", () => {
  parts.create();
  const window = { schedule: { weekly: { intervalWeeks: 1, dayOfWeek: "Saturday" } }, durationHours: 10, startTime: "22:00" };
  const configure = (name: string, properties: object) =>
    parts.arm.put(`${parts.id}/maintenanceConfigurations/${name}`, { properties }, unrecorded);
  expect(configure("aksManagedAutoUpgradeSchedule", { maintenanceWindow: window })).toMatchObject({
    status: 200,
    body: { properties: { maintenanceWindow: { ...window, utcOffset: "+00:00", startDate: "2026-01-01" } } },
  });
  const hours = { timeInWeek: [{ day: "Saturday", hourSlots: [22, 23] }] };
  const free = { start: "2026-11-26T03:00:00.000Z", end: "2026-11-30T12:00:00.000Z" };
  expect(configure("default", { ...hours, notAllowedTime: [free] }).body).toMatchObject({
    properties: { notAllowedTime: [{ start: "2026-11-26T03:00:00Z" }] },
  });
  const { body } = configure("Default", { ...hours, notAllowedTime: [] });
  expect(body).toEqual({ id: `${parts.id}/maintenanceConfigurations/default`, name: "default", properties: hours });
  expect(refused(configure("mine", { maintenanceWindow: window }))).toEqual([400, "InvalidParameter", "name"]);
  expect(refused(configure("aksManagedNodeOSUpgradeSchedule", {}))).toEqual([400, "NeedAtLeastOneHourPerWeekForUpdate"]);
  expect(configure("default", { maintenanceWindow: { ...window, durationHours: 2 } }).status).toBe(400);
  expect(parts.arm.get(`${parts.id}/maintenanceConfigurations`).body).toMatchObject({
    value: [{ name: "aksManagedAutoUpgradeSchedule" }, { name: "default" }],
  });
  expect(parts.arm.delete(`${parts.id}/maintenanceConfigurations/default`).status).toBe(200);
  expect(parts.arm.delete(`${parts.id}/maintenanceConfigurations/default`).status).toBe(204);
});

test("a stopped cluster can be started and deleted, and nothing else", () => {
  parts.create();
  parts.arm.seconds = { "aks.stop": 100, "aks.start": 100 };
  const stopping = act("stop");
  expect([stopping.status, act("stop").status]).toEqual([202, 409]);
  expect(parts.arm.get(parts.id).body).toMatchObject({ properties: { provisioningState: "Stopping" } });
  parts.arm.pass(100);
  expect(parts.arm.get(stopping.headers["Azure-AsyncOperation"] ?? "").body).toMatchObject({ status: "Succeeded" });
  expect(parts.arm.get(parts.id).body).toMatchObject({
    properties: { powerState: { code: "Stopped" }, agentPoolProfiles: [{ powerState: { code: "Stopped" } }] },
  });
  expect(refused(put())).toEqual([400, "OperationNotAllowed"]);
  expect(refused(parts.arm.put(`${parts.id}/agentPools/more`, { properties: {} }, unrecorded))).toEqual([400, "OperationNotAllowed"]);
  const capacity = () =>
    (
      parts.arm.get(`${parts.nodeGroup}/providers/Microsoft.Compute/virtualMachineScaleSets`).body as {
        value: { sku: { capacity: number } }[];
      }
    ).value.map(({ sku }) => sku.capacity);
  expect(capacity()).toEqual([0]);
  expect([act("stop").status, act("start").status]).toEqual([204, 202]);
  parts.arm.pass(100);
  expect([capacity(), put().status]).toEqual([[2], 200]);
});

interface Credentials {
  readonly kubeconfigs: readonly { readonly name: string; readonly value: string }[];
}

const configOf = (action: string) => {
  const [{ name, value } = { name: "", value: "" }] = (act(action).body as Credentials).kubeconfigs;
  return { name, text: Buffer.from(value, "base64").toString() };
};

test("a kubeconfig has a token for the API server of the seed, or names a host that does not exist", () => {
  parts.create();
  expect(configOf("listClusterUserCredential")).toMatchObject({
    name: "clusterUser",
    text: expect.stringMatching(/server: https:\/\/demo\.emulated-[\w-]+\.invalid:443/) as string,
  });
  parts.arm.state.knobs = { apiServer: { server: "https://127.0.0.1:6443", certificateAuthorityData: "Y2E=", token: "let-me-in" } };
  const { text } = configOf("listClusterAdminCredential");
  for (const line of ["server: https://127.0.0.1:6443", "certificate-authority-data: Y2E=", "token: let-me-in"])
    expect(text).toContain(line);
});

test("without local accounts, only users who sign in with Entra get a kubeconfig, which runs kubelogin", () => {
  parts.create({ aadProfile: { managed: true, enableAzureRBAC: true }, disableLocalAccounts: true });
  expect(refused(act("listClusterAdminCredential"))).toEqual([400, "BadRequest"]);
  const { text } = configOf("listClusterUserCredential");
  expect(text).toContain("command: kubelogin");
  expect(text).toContain(`- ${parts.arm.state.tenantId}`);
  expect(text).not.toContain("token:");
  expect(configOf("listClusterUserCredential?format=azure").text).toContain("auth-provider:");
});
