/** AKS clusters: created and deleted with their node resource group, and the vault add-on with its identity. */
import { beforeEach, expect, test } from "vitest";
import { ArmState, subscription } from "../arm-state.js";

let arm: ArmState;
let id: string;
const nodeGroup = `${subscription}/resourceGroups/MC_mgmt_demo_eastus`;
const scaleSets = `${nodeGroup}/providers/Microsoft.Compute/virtualMachineScaleSets`;
const reader = `${nodeGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/azurekeyvaultsecretsprovider-demo`;

beforeEach(() => {
  arm = new ArmState();
  id = `${arm.group("mgmt")}/providers/Microsoft.ContainerService/managedClusters/demo`;
});

interface Cluster {
  readonly identity: { readonly principalId: string };
  readonly properties: {
    readonly addonProfiles: {
      readonly azureKeyvaultSecretsProvider: { readonly identity?: { readonly clientId: string; readonly objectId: string } };
    };
  };
}

interface ScaleSet {
  readonly name: string;
  readonly identity: { readonly userAssignedIdentities: Readonly<Record<string, unknown>> };
}

/** AKS refuses without `error` around it, which Azure's published description does not have. */
const unrecorded = { unrecorded: true };
const pool = (name: string, mode: "System" | "User") => ({ name, mode, count: 2 });
const cluster = (enabled: boolean, pools = [pool("system", "System"), pool("user", "User")], more: object = {}) => ({
  location: "eastus",
  identity: { type: "SystemAssigned" },
  properties: {
    dnsPrefix: "demo",
    agentPoolProfiles: pools,
    addonProfiles: { azureKeyvaultSecretsProvider: { enabled, config: { enableSecretRotation: "true" } } },
    ...more,
  },
});
const listed = () => (arm.get(scaleSets).body as { value: ScaleSet[] }).value;
const scaleSetsWith = (identity: string) =>
  listed().filter(({ identity: { userAssignedIdentities } }) => Object.keys(userAssignedIdentities).includes(identity)).length;

test("a cluster creates a node group that it manages, with a scale set for each pool, each with the identities of AKS", () => {
  const made = arm.put(id, cluster(true));
  expect(made).toMatchObject({
    status: 201,
    body: { properties: { nodeResourceGroup: "MC_mgmt_demo_eastus", fqdn: expect.stringMatching(/^demo-/) as string } },
  });
  expect(arm.get(nodeGroup).body).toMatchObject({ managedBy: id });
  expect(listed().map(({ name }) => name.replace(/\d{8}/, "N"))).toEqual(["aks-system-N-vmss", "aks-user-N-vmss"]);
  expect(scaleSetsWith(reader)).toBe(2);
  const { identity } = (arm.get(id).body as Cluster).properties.addonProfiles.azureKeyvaultSecretsProvider;
  expect(arm.get(reader).body).toMatchObject({ properties: { clientId: identity?.clientId, principalId: identity?.objectId } });
});

test("writing back what was read changes nothing, and restores what was removed from the nodes", () => {
  arm.put(id, cluster(true));
  // The first update names a default of its pools that the creation did not.
  arm.put(id, cluster(true));
  const before = arm.get(id).body;
  const names = listed().map(({ name }) => name);
  const stored = arm.state.resources[`${scaleSets}/${names[1] ?? ""}`.toLowerCase()];
  if (stored?.beside) stored.beside["identity"] = { type: "UserAssigned", userAssignedIdentities: { "/mine": {} } };
  expect(scaleSetsWith(reader)).toBe(1);
  // Not recorded: read-only members do not belong in a request, although Azure ignores them.
  expect(arm.put(id, before, { unrecorded: true }).status).toBe(200);
  const withoutEtag = (body: unknown) => ({ ...(body as object), eTag: undefined });
  expect(withoutEtag(arm.get(id).body)).toEqual(withoutEtag(before));
  expect([listed().map(({ name }) => name), scaleSetsWith(reader), scaleSetsWith("/mine")]).toEqual([names, 2, 1]);
});

test("without the add-on its identity is deleted, and enabling it again creates another", () => {
  const first = arm.put(id, cluster(true)).body as Cluster;
  const off = arm.put(id, cluster(false)).body as Cluster;
  expect(off.properties.addonProfiles.azureKeyvaultSecretsProvider.identity).toBeUndefined();
  expect([arm.get(reader).status, scaleSetsWith(reader)]).toEqual([404, 0]);
  const again = arm.put(id, cluster(true)).body as Cluster;
  const clientIdIn = ({ properties }: Cluster) => properties.addonProfiles.azureKeyvaultSecretsProvider.identity?.clientId;
  expect(clientIdIn(again)).not.toBe(clientIdIn(first));
  expect(again.identity.principalId).toBe(first.identity.principalId);
});

test("a PUT keeps the pools that it does not name, as a template does that makes them beside the cluster", () => {
  arm.put(id, cluster(true));
  const { body } = arm.put(id, cluster(true, [pool("system", "System")]));
  expect(body).toMatchObject({ properties: { agentPoolProfiles: [{ name: "system" }, { name: "user" }] } });
  expect(listed()).toHaveLength(2);
});

test("its creation takes time, and its polls say how long", () => {
  arm.seconds = { "aks.create": 300, "aks.delete": 200 };
  const { status, headers, body } = arm.put(id, cluster(true));
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ properties: expect.objectContaining({ provisioningState: "Creating" }) as object }),
  ]);
  const operation = headers["Azure-AsyncOperation"] ?? "";
  const startTime = new Date(arm.now).toISOString();
  const running = { name: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, status: "InProgress", startTime };
  expect(arm.get(operation).body).toEqual(running);
  expect((body as { properties: object }).properties).toMatchObject({ agentPoolProfiles: [{ provisioningState: "Creating" }, {}] });
  expect((body as { properties: object }).properties).not.toHaveProperty("identityProfile");
  arm.pass(300);
  expect(arm.get(operation).body).toEqual({ ...running, status: "Succeeded", endTime: new Date(arm.now).toISOString() });
  expect(arm.get(id).body).toMatchObject({
    properties: {
      provisioningState: "Succeeded",
      identityProfile: { kubeletidentity: {} },
      agentPoolProfiles: [{ provisioningState: "Succeeded" }, {}],
    },
  });
});

test("a deletion deletes its group; its polls say that it is not the latest, and Resource Manager refuses what was deleted", () => {
  expect(arm.get(id)).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } });
  arm.put(id, cluster(true));
  arm.seconds = { "aks.delete": 200 };
  const deleted = arm.delete(id);
  expect(deleted.status).toBe(202);
  const poll = () => arm.get(deleted.headers["Azure-AsyncOperation"] ?? "").body;
  expect(poll()).toMatchObject({ status: "InProgress", error: { code: "NotLatestOperation" } });
  arm.pass(200);
  expect(poll()).toMatchObject({ status: "Succeeded", error: { code: "NotLatestOperation" } });
  expect(arm.get(nodeGroup).status).toBe(404);
  expect(arm.get(id)).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } });
});

test("an answer has AKS's spellings, versions and defaults, by api-version", () => {
  arm.put(
    id,
    cluster(true, [{ ...pool("system", "System"), ...{ orchestratorVersion: "", osDiskSizeGB: 0 } }], { kubernetesVersion: "1.33" }),
  );
  const { body } = arm.get(id);
  expect(body).toMatchObject({
    id: id.replace("/resourceGroups/", "/resourcegroups/"),
    type: "Microsoft.ContainerService/ManagedClusters",
    kind: "Base",
    properties: {
      kubernetesVersion: "1.33",
      currentKubernetesVersion: "1.33.10",
      networkProfile: { networkPlugin: "azure", networkPluginMode: "overlay", podCidr: "10.244.0.0/16", podCidrs: ["10.244.0.0/16"] },
      agentPoolProfiles: [
        { orchestratorVersion: "1.33", currentOrchestratorVersion: "1.33.10", osSKU: "Ubuntu", osDiskSizeGB: 128, maxPods: 250 },
      ],
    },
  });
  const older = arm.get(id, { apiVersion: "2024-09-01" }).body as { properties: object };
  expect(older).not.toHaveProperty("kind");
  expect(older.properties).not.toHaveProperty("bootstrapProfile");
});

test("what az aks create sends is accepted and answered", () => {
  const sent = {
    kubernetesVersion: "",
    linuxProfile: { adminUsername: "azureuser", ssh: { publicKeys: [{ keyData: "ssh-rsa AAAA" }] } },
    storageProfile: { diskCSIDriver: { enabled: false } },
    oidcIssuerProfile: { enabled: true },
    networkProfile: {
      networkPlugin: "kubenet",
      podCidr: "10.1.0.0/16",
      serviceCidr: "10.2.0.0/16",
      dnsServiceIP: "10.2.0.10",
      outboundType: "loadBalancer",
    },
    addonProfiles: { omsagent: { enabled: false } },
  };
  const nodes = {
    ...pool("nodepool1", "System"),
    vmSize: "Standard_D4s_v3",
    upgradeSettings: { maxSurge: "33%" },
    enableUltraSSD: false,
    nodeTaints: [],
  };
  const made = arm.put(id, cluster(false, [nodes], sent), { apiVersion: "2025-07-01" });
  const { kubernetesVersion: _version, ...echoed } = sent;
  expect(made).toMatchObject({
    status: 201,
    body: { properties: { ...echoed, oidcIssuerProfile: { issuerURL: expect.stringMatching(/^https:.*oic/) as string } } },
  });
  const [profile] = (made.body as { properties: { agentPoolProfiles: object[] } }).properties.agentPoolProfiles;
  expect(profile).toMatchObject({ upgradeSettings: { maxSurge: "33%" }, enableUltraSSD: false, maxPods: 110 });
  expect(profile).not.toHaveProperty("nodeTaints");
});

test("an agent pool is a resource of its own, with a scale set, and its cluster answers it", () => {
  arm.put(id, cluster(true, [pool("system", "System")]));
  arm.seconds = { "agentPool.create": 60 };
  const added = arm.put(`${id}/agentPools/more`, { properties: { count: 3, vmSize: "Standard_D8s_v5" } });
  expect(added).toMatchObject({
    status: 201,
    body: { name: "more", properties: { provisioningState: "Creating", mode: "User", count: 3 } },
  });
  arm.pass(60);
  expect(arm.get(`${id}/agentPools`).body).toMatchObject({
    value: [{ name: "system" }, { name: "more", properties: { provisioningState: "Succeeded" } }],
  });
  expect(arm.get(id).body).toMatchObject({ properties: { agentPoolProfiles: [{ name: "system" }, { name: "more", count: 3 }] } });
  expect([listed().length, scaleSetsWith(reader)]).toEqual([2, 2]);
  expect(arm.delete(`${id}/agentPools/system`, unrecorded)).toMatchObject({
    status: 400,
    body: { code: "MustDefineAtLeastOneSystemPool", details: null, subcode: "" },
  });
  expect(arm.delete(`${id}/agentPools/more`)).toMatchObject({ status: 202, headers: { Location: expect.any(String) as string } });
  arm.pass(60);
  expect(arm.get(`${id}/agentPools/more`, { unrecorded: true })).toMatchObject({
    status: 404,
    body: {
      code: "NotFound",
      message: `Could not find the agentpool: more in subscription: ${subscription.split("/")[2] ?? ""}, resourceGroup: mgmt, resourceName: demo.`,
      details: [{ code: "Unspecified", message: "rpc error: code = NotFound desc = Agent Pool not found" }],
      subcode: "GetAgentPool_NotFound",
    },
  });
  expect(listed()).toHaveLength(1);
});

test("existing identities are answered, and unsupported properties are refused", () => {
  const existing = `${subscription}/resourceGroups/mgmt/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mine`;
  const by = (identity: string) => ({ ...cluster(true), identity: { type: "UserAssigned", userAssignedIdentities: { [identity]: {} } } });
  expect(arm.put(id, by(existing))).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } });
  const { body } = arm.put(existing, { location: "eastus" });
  const { clientId, principalId } = (body as { properties: { clientId: string; principalId: string } }).properties;
  expect(arm.put(id, by(existing)).body).toMatchObject({ identity: { userAssignedIdentities: { [existing]: { clientId, principalId } } } });

  const other = id.replace(/demo$/, "other");
  const held = arm.put(other, cluster(true, undefined, { nodeResourceGroup: "MC_mgmt_demo_eastus" }), unrecorded);
  expect(held).toMatchObject({ status: 409, body: { code: "NodeResourceGroupAlreadyExists" } });
  expect(arm.put(other, cluster(true, [pool("user", "User")]), unrecorded)).toMatchObject({
    status: 400,
    body: { code: "MustDefineAtLeastOneSystemPool" },
  });
  expect(arm.put(other, cluster(true, undefined, { aiToolchainProfile: {} }), unrecorded)).toMatchObject({
    status: 400,
    body: { error: { code: "InvalidRequestContent", message: expect.stringContaining("'aiToolchainProfile'") as string } },
  });
});
