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
  const before = arm.get(id).body;
  const names = listed().map(({ name }) => name);
  const stored = arm.state.resources[`${scaleSets}/${names[1] ?? ""}`.toLowerCase()];
  if (stored?.beside) stored.beside["identity"] = { type: "UserAssigned", userAssignedIdentities: { "/mine": {} } };
  expect(scaleSetsWith(reader)).toBe(1);
  // Not recorded: read-only members do not belong in a request, although Azure ignores them.
  expect(arm.put(id, before, { unrecorded: true }).status).toBe(200);
  expect(arm.get(id).body).toEqual(before);
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
  arm.put(id, cluster(true, [pool("system", "System")]));
  expect(listed()).toHaveLength(1);
});

test("its creation takes time, and its deletion deletes its group", () => {
  arm.seconds = { "aks.create": 300, "aks.delete": 200 };
  const { status, headers, body } = arm.put(id, cluster(true));
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ properties: expect.objectContaining({ provisioningState: "Creating" }) as object }),
  ]);
  expect(arm.get(headers["Azure-AsyncOperation"] ?? "").body).toEqual({ status: "InProgress" });
  arm.pass(300);
  expect(arm.get(id).body).toMatchObject({ properties: { provisioningState: "Succeeded" } });
  expect(arm.delete(id).status).toBe(202);
  arm.pass(200);
  expect([arm.get(id).status, arm.get(nodeGroup).status]).toEqual([404, 404]);
});

test("existing identities are answered, and unsupported properties are refused", () => {
  const existing = `${subscription}/resourceGroups/mgmt/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mine`;
  const by = (identity: string) => ({ ...cluster(true), identity: { type: "UserAssigned", userAssignedIdentities: { [identity]: {} } } });
  expect(arm.put(id, by(existing))).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } });
  const { body } = arm.put(existing, { location: "eastus" });
  const { clientId, principalId } = (body as { properties: { clientId: string; principalId: string } }).properties;
  expect(arm.put(id, by(existing)).body).toMatchObject({ identity: { userAssignedIdentities: { [existing]: { clientId, principalId } } } });

  const other = id.replace(/demo$/, "other");
  const unrecorded = { unrecorded: true };
  const held = arm.put(other, cluster(true, undefined, { nodeResourceGroup: "MC_mgmt_demo_eastus" }), unrecorded);
  expect(held).toMatchObject({ status: 409, body: { error: { code: "NodeResourceGroupAlreadyExists" } } });
  expect(arm.put(other, cluster(true, [pool("user", "User")]))).toMatchObject({
    status: 400,
    body: { error: { code: "InvalidParameter" } },
  });
  expect(arm.put(other, cluster(true, undefined, { aiToolchainOperatorProfile: {} }), unrecorded)).toMatchObject({
    status: 400,
    body: { error: { code: "InvalidRequestContent", message: expect.stringContaining("'aiToolchainOperatorProfile'") as string } },
  });
});
