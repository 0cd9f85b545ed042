/** The faults of a management cluster, each with the check that reports it. */
import { plainCopy } from "../../../src/emulator/state/plain-copy.js";
import type { StoredResource } from "../../../src/emulator/state/state.js";
import { secretsUser, acrPull, networkContributor } from "../../../src/domain/roles.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { groupId, subscription } from "../../cli/demo-cluster.js";
import { aksClusterIds } from "../../harness/aks-cluster.js";
import { changeResource, changeState, deleteResources, setProvisioningState } from "../../harness/state-changes.js";
import type { TestEmulator } from "../../harness/test-emulator.js";
import { without, type AksRow } from "./aks-row.js";
import type { AksScenario, AksState } from "./aks-state.js";

const ids = aksClusterIds();
const pool = (name: string) => `${ids.cluster}/agentPools/${name}`;
const shared = groupId("shared");
const vault = `${shared}/providers/Microsoft.KeyVault/vaults/kv-set`;
const registry = `${shared}/providers/Microsoft.ContainerRegistry/registries/images`;
const deny = `${subscription}/providers/Microsoft.Authorization/denyAssignments/d0000000-0000-4000-8000-000000000007`;
const lock = `${ids.group}/providers/Microsoft.Authorization/locks/frozen`;
const encryption = "Microsoft.Compute/EncryptionAtHost";
const creates = /^`aro-hcp create management-cluster --cloud local --name mgmt --output-file \S+`/;

export const management: AksScenario = {
  title: "management cluster",
  kind: "management-cluster",
  name: "mgmt",
  flags: [
    ...["--preset", "production", "--key-vault-id", vault, "--registry-id", registry],
    ...["--user-pool", "min=1,max=2,zones=1/2", "--infra-pool", "min=1,max=2,zones=1"],
  ],
  prepare: (azure: TestEmulator) =>
    azure.seed({
      features: { [encryption]: "Registered" },
      resources: {
        [shared]: { location: "eastus" },
        [vault]: {
          location: "eastus",
          properties: { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true },
        },
        [registry]: { location: "eastus", sku: { name: "Basic" }, properties: {} },
      },
    }),
};

/** Changes a member of the cluster's properties: "securityProfile.workloadIdentity.enabled". */
const set = (id: string, path: string, value: unknown) => (state: AksState) =>
  changeResource(state, id, ({ properties }) => {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    const held = keys.reduce<Record<string, unknown>>((one, key) => (one[key] ??= {}) as Record<string, unknown>, properties);
    held[last] = value;
  });

const etcdKey = `${ids.vault}/keys/${ids.names.etcdKey}`;
let deletedKey: StoredResource | undefined;
const deleteKey = (state: AksState) =>
  changeState(state, ({ resources }) => {
    deletedKey = plainCopy(resources[etcdKey.toLowerCase()]);
    delete resources[etcdKey.toLowerCase()];
  });
const recoverKey = (state: AksState) =>
  changeState(state, ({ resources }) => {
    if (deletedKey !== undefined) resources[etcdKey.toLowerCase()] = deletedKey;
  });

/** A pool of somebody else in the cluster. */
const otherPool = (properties: object) => (state: AksState) =>
  changeState(state, ({ resources }) => {
    const like = resources[pool("user1").toLowerCase()] as StoredResource;
    const id = pool("theirs");
    const copy = { ...plainCopy(like), id, name: "theirs" };
    resources[id.toLowerCase()] = { ...copy, properties: { ...copy.properties, ...properties } };
  });
const withoutOtherPool = (state: AksState) => deleteResources(state, pool("theirs"));

/** The object ID of the cluster's identity. */
async function principal(state: AksState): Promise<string> {
  const { resources } = await state.snapshot();
  return String((resources[ids.clusterIdentity.toLowerCase()] as { properties: { principalId: string } }).properties.principalId);
}

export const managementRows: readonly AksRow[] = [
  {
    ...{ check: "resource-exists", subject: "maintenance configuration default", evidence: /^it does not exist$/, next: creates },
    ...{ breaks: (state) => deleteResources(state, `${ids.cluster}/maintenanceConfigurations/default`), fix: "create" },
  },
  {
    ...{ check: "resource-at-rest", subject: ids.names.vnet, state: "warning", evidence: /in flight: Updating/, next: /^wait/ },
    ...{
      breaks: (state) => setProvisioningState(state, ids.vnet, "Updating"),
      fix: (state) => setProvisioningState(state, ids.vnet, "Succeeded"),
    },
  },
  {
    ...{ check: "resource-succeeded", subject: ids.names.securityGroup, evidence: /ended as Failed/, next: creates },
    ...{ breaks: (state) => setProvisioningState(state, ids.nsg, "Failed"), fix: "create" },
  },
  {
    ...{ check: "resource-owned", subject: ids.names.securityGroup, evidence: /different owner/, next: /--network-security-group-id/ },
    breaks: (state) => changeResource(state, ids.nsg, (stored) => (stored.tags = { "aro-hcp-management-cluster": "other" })),
    fix: (state) => changeResource(state, ids.nsg, (stored) => (stored.tags = { "aro-hcp-management-cluster": "mgmt" })),
  },
  {
    ...{ check: "resource-as-wanted", subject: ids.names.vnet, evidence: /defaultOutboundAccess: true, not false/, next: creates },
    ...{ breaks: set(`${ids.vnet}/subnets/${ids.names.nodeSubnet}`, "defaultOutboundAccess", true), fix: "create" },
  },
  {
    ...{
      check: "resource-as-made",
      subject: ids.names.outboundAddress,
      state: "warning",
      evidence: /idleTimeoutInMinutes: 30, not 4/,
      next: /does not revert it/,
    },
    ...{ breaks: set(ids.outbound, "idleTimeoutInMinutes", 30), fix: set(ids.outbound, "idleTimeoutInMinutes", 4) },
  },
  {
    ...{
      check: "cluster-running",
      subject: "AKS cluster mgmt",
      evidence: /stopped/,
      next: /^`az aks start --resource-group mgmt --name mgmt`$/,
    },
    ...{ breaks: set(ids.cluster, "powerState.code", "Stopped"), fix: "line" },
  },
  {
    ...{
      check: "kubernetes-supported",
      subject: "AKS cluster mgmt",
      state: "warning",
      evidence: /runs 1\.32\.11/,
      next: /--kubernetes-version 1\.33`/,
    },
    ...{ breaks: set(ids.cluster, "currentKubernetesVersion", "1.32.11"), fix: set(ids.cluster, "currentKubernetesVersion", "1.35.7") },
  },
  {
    ...{ check: "vault-addon", subject: "AKS cluster mgmt", evidence: /^it is disabled/, next: creates },
    ...{ breaks: set(ids.cluster, "addonProfiles.azureKeyvaultSecretsProvider.enabled", false), fix: "create" },
  },
  {
    ...{
      check: "vault-addon-rotation",
      subject: "AKS cluster mgmt",
      state: "warning",
      evidence: /every 5m; the settings say 1h/,
      next: creates,
    },
    ...{ breaks: set(ids.cluster, "addonProfiles.azureKeyvaultSecretsProvider.config.rotationPollInterval", "5m"), fix: "create" },
  },
  {
    ...{ check: "oidc-issuer", subject: "AKS cluster mgmt", evidence: /^it is disabled/, next: creates },
    ...{ breaks: set(ids.cluster, "oidcIssuerProfile.enabled", false), fix: "create" },
  },
  {
    ...{ check: "workload-identity", subject: "AKS cluster mgmt", evidence: /^it is disabled/, next: creates },
    ...{ breaks: set(ids.cluster, "securityProfile.workloadIdentity.enabled", false), fix: "create" },
  },
  {
    ...{ check: "local-accounts", subject: "AKS cluster mgmt", evidence: /local accounts are enabled/, next: creates },
    ...{ breaks: set(ids.cluster, "disableLocalAccounts", false), fix: "create" },
  },
  {
    ...{ check: "etcd-encryption", subject: "AKS cluster mgmt", evidence: /only with a key of the platform/, next: creates },
    ...{ breaks: set(ids.cluster, "securityProfile.azureKeyVaultKms.enabled", false), fix: "create" },
  },
  {
    ...{ check: "etcd-key", subject: "aks-etcd-encryption", evidence: /^it expired on 2020-/, next: /--etcd-key-id/ },
    breaks: set(etcdKey, "attributes.exp", 1_600_000_000),
    fix: set(etcdKey, "attributes.exp", undefined),
  },
  {
    ...{
      check: "etcd-key",
      subject: "aks-etcd-encryption",
      evidence: /does not exist, but AKS cluster "mgmt" encrypts/,
      next: /key recover/,
    },
    ...{ breaks: deleteKey, fix: recoverKey },
  },
  {
    ...{
      check: "pool-running",
      subject: "agent pool user1",
      evidence: /stopped/,
      next: /^`az aks nodepool start .* --cluster-name mgmt --name user1`$/,
    },
    ...{ breaks: set(pool("user1"), "powerState.code", "Stopped"), fix: set(pool("user1"), "powerState.code", "Running") },
  },
  {
    ...{
      check: "pool-autoscaling",
      subject: "agent pool user1",
      state: "warning",
      evidence: /bounds 1 and 3; the settings say the bounds 1 and 2/,
      next: creates,
    },
    ...{ breaks: set(pool("user1"), "maxCount", 3), fix: "create" },
  },
  {
    ...{ check: "pool-taints", subject: "agent pool infra1", evidence: /no taint infra=true:NoSchedule/, next: creates },
    ...{ breaks: set(pool("infra1"), "nodeTaints", []), fix: "create" },
  },
  {
    ...{ check: "pool-taints", subject: "agent pool system", evidence: /no taint CriticalAddonsOnly/, next: creates },
    ...{ breaks: set(pool("system"), "nodeTaints", []), fix: "create" },
  },
  {
    ...{
      check: "vcpu-quota",
      subject: "eastus",
      state: "warning",
      evidence: /the autoscaler stops there/,
      next: /^request a higher limit: `az quota create/,
    },
    ...{ breaks: otherPool({ maxCount: 40, maxPods: 30 }), fix: withoutOtherPool },
  },
  {
    ...{
      check: "subnet-addresses",
      subject: ids.names.vnet,
      state: "warning",
      evidence: /do not fit/,
      next: /smaller bounds or max-pods=/,
    },
    ...{ breaks: otherPool({ vmSize: "Standard_X1", maxCount: 90, maxPods: 250 }), fix: withoutOtherPool },
  },
  {
    ...{
      check: "snat-ports",
      subject: ids.names.outboundAddress,
      state: "warning",
      evidence: /cannot add all of them/,
      next: /--load-balancer-outbound-ports \d+`$/,
    },
    ...{ breaks: set(ids.cluster, "networkProfile.loadBalancerProfile.allocatedOutboundPorts", 32_000), fix: "line" },
  },
  {
    ...{
      check: "outbound-address",
      subject: ids.names.outboundAddress,
      evidence: /configured with addresses that AKS manages/,
      next: creates,
    },
    ...{ breaks: set(ids.cluster, "networkProfile.loadBalancerProfile", { managedOutboundIPs: { count: 1 } }), fix: "create" },
  },
  {
    ...{
      check: "ip-tags",
      subject: ids.names.outboundAddress,
      evidence: /FirstPartyUsage:\/NonProd, not none/,
      next: /for a new address, .*`az network public-ip delete/,
    },
    ...{ breaks: set(ids.outbound, "ipTags", [{ ipTagType: "FirstPartyUsage", tag: "/NonProd" }]), fix: set(ids.outbound, "ipTags", []) },
  },
  {
    ...{ check: "identity-role", subject: `on virtual network ${ids.names.vnet}`, evidence: /does not exist/, next: creates },
    ...{ breaks: without(networkContributor, ids.vnet), fix: "create" },
  },
  {
    ...{ check: "vault-addon-role", subject: "on Key Vault kv-set", evidence: /does not exist/, next: creates },
    ...{ breaks: without(secretsUser, vault), fix: "create" },
  },
  {
    ...{ check: "registry-role", subject: "images", evidence: /does not exist/, next: creates },
    ...{ breaks: without(acrPull, registry), fix: "create" },
  },
  {
    ...{
      check: "feature-registered",
      subject: encryption,
      state: "warning",
      evidence: /NotRegistered/,
      next: /`az feature register --namespace Microsoft.Compute/,
    },
    breaks: (state) => state.seed({ features: { [encryption]: "NotRegistered" } }),
    fix: (state) => state.seed({ features: { [encryption]: "Registered" } }),
  },
  {
    ...{
      check: "deny-assignments",
      subject: "AKS cluster mgmt",
      evidence: /"stack" on .* denies Microsoft\.Network\/virtualNetworks\/subnets\/join\/action/,
      next: /exclude the principal/,
    },
    breaks: async (state) => {
      const principals = [{ id: await principal(state), type: "ServicePrincipal" }];
      const permissions = [{ actions: ["Microsoft.Network/*/join/action"] }];
      await state.seed({ resources: { [deny]: { properties: { denyAssignmentName: "stack", permissions, principals } } } });
    },
    fix: (state) => deleteResources(state, deny),
  },
  {
    ...{
      check: "no-locks",
      subject: "AKS cluster mgmt",
      state: "warning",
      evidence: /"frozen" \(CanNotDelete\)/,
      next: /`az lock delete --ids/,
    },
    ...{ breaks: (state) => state.seed({ resources: { [lock]: { properties: { level: "CanNotDelete" } } } }), fix: "line" },
  },
];
