/** What the identity of an AKS cluster must be allowed to do before, and while, the cluster is created. */
import type { AzureState } from "../../../state/state.js";
import { may, mayOnData } from "../../authorization-check.js";
import { linkedAuthorizationFailed } from "../../errors.js";
import { keyOf } from "../../resource-id.js";
import type { LinkedRight, OperationError, Put } from "../../resource-type.js";
import { vaultNamed } from "../key-vaults/vaults.js";
import { sameId } from "../../uses.js";
import type { ClusterBody } from "./cluster-body.js";
import { nodeGroupName, userIdentityOf, type WantedCluster } from "./cluster-state.js";
import { groupId } from "./nodes.js";
import { outboundAddressesIn } from "./outbound.js";
import { refusal } from "./provider.js";

const assign = "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action";
const joinSubnet = "Microsoft.Network/virtualNetworks/subnets/join/action";
const joinAddress = "Microsoft.Network/publicIPAddresses/join/action";

export function rightsOfCaller({ identity, properties }: ClusterBody): LinkedRight[] {
  const identities = [
    ...Object.keys(identity?.userAssignedIdentities ?? {}),
    ...(properties.identityProfile?.kubeletidentity === undefined ? [] : [properties.identityProfile.kubeletidentity.resourceId]),
  ];
  return [
    ...identities.map((id) => ({ id, action: assign })),
    ...subnetsOf(properties.agentPoolProfiles ?? []).map((id) => ({ id, action: joinSubnet })),
    ...outboundAddressesIn(properties.networkProfile?.loadBalancerProfile).map((id) => ({ id, action: joinAddress })),
  ];
}

export function subnetsOf(
  pools: readonly { readonly vnetSubnetID?: string | undefined; readonly podSubnetID?: string | undefined }[],
): string[] {
  const all = pools.flatMap(({ vnetSubnetID, podSubnetID }) => [vnetSubnetID ?? [], podSubnetID ?? []].flat());
  return all.filter((id, index) => all.findIndex((other) => sameId(other, id)) === index);
}

/** @throws ApiError for what AKS checks itself, before it accepts the PUT: the kubelet identity and the key of etcd. */
export function requireRights(put: Put<ClusterBody>, { principalId }: WantedCluster): void {
  requireKubeletIdentity(put, principalId);
  requireKey(put, principalId);
}

function requireKubeletIdentity({ call, state, body, existing }: Put<ClusterBody>, principalId: string | undefined): void {
  const kubelet = body.properties.identityProfile?.kubeletidentity;
  if (kubelet === undefined || isOwnKubelet(kubelet.resourceId, existing)) return;
  if (userIdentityOf(body, existing) === undefined) {
    throw refusal(
      400,
      "CustomKubeletIdentityOnlySupportedOnUserAssignedMSICluster",
      "Custom kubelet identity is only supported on clusters that use a user-assigned managed identity.",
    );
  }
  requireMatching(state, kubelet);
  if (principalId !== undefined && may(call, principalId, assign, kubelet.resourceId)) return;
  throw refusal(
    400,
    "CustomKubeletIdentityMissingPermissionError",
    "The cluster using user-assigned managed identity must be granted 'Managed Identity Operator' role to assign kubelet identity. " +
      "You can run 'az role assignment create --assignee <control-plane-identity-principal-id> --role 'Managed Identity Operator' " +
      "--scope <kubelet-identity-resource-id>' to grant the permission. " +
      "See https://learn.microsoft.com/en-us/azure/aks/use-managed-identity#add-role-assignment",
  );
}

/** A client that writes back what it read names the identity that AKS made. */
function isOwnKubelet(kubelet: string, existing: Put<ClusterBody>["existing"]): boolean {
  const group = existing === undefined ? undefined : groupId(existing.id, String(existing.properties["nodeResourceGroup"]));
  return group !== undefined && keyOf(kubelet).startsWith(`${keyOf(group)}/`);
}

function requireMatching(
  state: AzureState,
  { resourceId, clientId, objectId }: { resourceId: string; clientId?: string | undefined; objectId?: string | undefined },
): void {
  const held = state.resources[keyOf(resourceId)]?.properties;
  const isWrong = (sent: string | undefined, member: string) => sent !== undefined && keyOf(sent) !== keyOf(String(held?.[member]));
  if (held !== undefined && !isWrong(clientId, "clientId") && !isWrong(objectId, "principalId")) return;
  throw refusal(
    400,
    "CustomKubeletIdentityPropertyError",
    `The kubelet identity ${resourceId} does not exist, or has another client ID or object ID than the request says.`,
  );
}

const keyId = /^https:\/\/([\w-]+)\.vault\.azure\.net\/keys\/([\w-]+)\/([0-9a-f]{32})$/i;

function requireKey({ call, state, body, existing }: Put<ClusterBody>, principalId: string | undefined): void {
  const kms = body.properties.securityProfile?.azureKeyVaultKms;
  if (kms?.enabled !== true) return;
  if (userIdentityOf(body, existing) === undefined) {
    throw refusal(
      400,
      "BadRequest",
      "AzureKeyVaultKms feature does not support cluster identity type SystemAssigned, supported value is 'UserAssigned'.",
    );
  }
  const [, vaultName, name = ""] = keyId.exec(kms.keyId ?? "") ?? [];
  if (vaultName === undefined) {
    throw refusal(400, "BadRequest", `The key ID '${kms.keyId ?? ""}' of Azure Key Vault KMS must name a key of a vault with its version.`);
  }
  const vault = vaultNamed(state, vaultName);
  const scope = `${vault?.id ?? ""}/keys/${name}`;
  const actions = ["encrypt", "decrypt"].map((verb) => `Microsoft.KeyVault/vaults/keys/${verb}/action`);
  const isAllowed =
    vault !== undefined && principalId !== undefined && actions.every((action) => mayOnData(call, principalId, action, scope));
  if (isAllowed) return;
  throw refusal(
    400,
    "AzureKeyVaultKmsValidateIdentityPermissionCustomerError",
    `The identity does not have keys encrypt/decrypt permission on key vault "https://${vaultName}.vault.azure.net".`,
  );
}

/** What the cluster's identity misses only when it creates nodes and load balancer, so that the operation fails. */
export function missingRight(put: Put<ClusterBody>, { principalId, pools, network }: WantedCluster): OperationError | undefined {
  if (principalId === undefined) return undefined;
  const { call, state, id, body, existing } = put;
  const group = groupId(id, nodeGroupName(put));
  const user = userIdentityOf(body, existing) ?? "";
  const appId = String(state.resources[keyOf(user)]?.properties["clientId"]);
  const failed = (action: string, scope: string, linked: LinkedRight): OperationError => {
    const { code, message } = linkedAuthorizationFailed({ appId, objectId: principalId }, action, scope, linked.action, linked.id);
    return { code, message };
  };
  const lacks = (action: string) => (linkedId: string) => !may(call, principalId, action, linkedId);
  const subnet = subnetsOf(pools.map(({ properties }) => properties)).find(lacks(joinSubnet));
  if (subnet !== undefined) {
    const scaleSets = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets`;
    return failed("Microsoft.Compute/virtualMachineScaleSets/write", scaleSets, { id: subnet, action: joinSubnet });
  }
  const address = outboundAddressesIn(network.loadBalancerProfile).find(lacks(joinAddress));
  if (address === undefined) return undefined;
  const balancer = `${group}/providers/Microsoft.Network/loadBalancers/kubernetes`;
  return failed("Microsoft.Network/loadBalancers/write", balancer, { id: address, action: joinAddress });
}
