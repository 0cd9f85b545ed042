/** A management or service cluster as a graph of steps, in the order in which its create runs them. */
import type { NetworkSecurityGroupOutput } from "../../infra/index.js";
import type { Azure } from "../../azure/azure.js";
import { readAhead } from "../../azure/read-ahead.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import type { AksClusterSpec } from "../domain/cluster-spec.js";
import { resourceGroupId } from "../../domain/resource-id.js";
import { cryptoUser, managedIdentityOperator, networkContributor } from "../../domain/roles.js";
import type { Step } from "../../engine/step.js";
import { listedAssignments } from "../../steps/assignment-lists.js";
import { identityWrites, type ManagedIdentityOutput } from "../../steps/managed-identity.js";
import { existingGroup, ownGroup } from "../../steps/resource-groups.js";
import { aksCluster, type ClusterOutput } from "./cluster.js";
import type { AksContext } from "./context.js";
import { documents, type DocumentedClusterStep } from "./documented.js";
import { etcdKey, type EtcdKey } from "./etcd-key.js";
import { existingClusterNetwork, existingNetworkId, existingNodeSecurityGroup } from "./existing-network.js";
import { clusterIdentity, kubeletIdentity } from "./identities.js";
import { clusterIngress } from "./ingress.js";
import { kubernetesVersion } from "./kubernetes-version.js";
import { readCluster } from "./live-cluster.js";
import { maintenanceWindows } from "./maintenance.js";
import { clusterNetwork, nodeSecurityGroup, type ClusterNetworkOutput } from "./network.js";
import { outboundAddress } from "./outbound-address.js";
import { agentPool } from "./pools.js";
import { nodeGroupName, previewFeatures } from "./preconditions.js";
import type { AddressOutput } from "./public-address.js";
import { roleOnResource, type Scope } from "../../steps/role-on-resource.js";
import { registryAccess, vaultAccess } from "./vault-access.js";
import { vmSizes } from "./vm-sizes.js";

export interface AksGraph {
  readonly steps: readonly Step<unknown>[];
  readonly cluster: Step<ClusterOutput>;
  /** The steps whose outputs the output file contains. */
  readonly documented: readonly DocumentedClusterStep[];
}

export function aksClusterGraph(azure: Azure, spec: AksClusterSpec): AksGraph {
  const context = contextOf(azure, spec);
  const { group } = context;
  const live = readCluster(azure, spec.group.name, context.names.cluster);
  const version = kubernetesVersion(context, live);
  const checked = [version, vmSizes(context, live), ...previewFeatures(context, live), nodeGroupName(context, live)];

  const { securityGroup, network } = clusterNetworkOf(context);
  const address = outboundAddress(context);
  const rateLimit = identityWrites(azure);
  const identity = clusterIdentity(context, rateLimit);
  const kubelet = kubeletIdentity(context, rateLimit);
  const key = spec.features.etcdEncryption || spec.existing.etcdKeyId !== undefined ? etcdKey(context, live) : undefined;
  const roles = rolesOfCluster(context, { network, address, identity, kubelet, key });

  const cluster = aksCluster(context, live, { version, network, address, identity, kubelet, key: key?.key, roles });
  const pools = spec.pools.filter(({ role }) => role !== "system").map((pool) => agentPool(context, pool, { cluster, network, version }));
  const windows = spec.features.maintenanceWindows ? maintenanceWindows(context, cluster) : [];
  const ingress = clusterIngress(context, { securityGroup, network, identity, cluster });

  return {
    steps: [
      ...checked,
      group,
      ...(securityGroup ? [securityGroup] : []),
      network,
      address,
      identity,
      kubelet,
      ...(key ? [key.vault, key.key] : []),
      ...roles,
      cluster,
      ...pools,
      ...windows,
      ...vaultAccess(context, cluster),
      ...registryAccess(context, kubelet),
      ...ingress.steps,
    ],
    cluster,
    documented: [...documentedSteps(context, { network, securityGroup, address, identity, kubelet, key, cluster }), ...ingress.documented],
  };
}

function contextOf(azure: Azure, spec: AksClusterSpec): AksContext {
  const { subscriptionId, location, cluster: owner, tags, group: place } = spec;
  const step = "aks-group";
  const group = place.isExisting
    ? existingGroup(azure, spec, step, place.name)
    : ownGroup(azure, { subscriptionId, location, owner, tags }, step, place.name);
  const { nodeGroupName: nodeGroup, securityGroupName: securityGroup } = spec;
  const names = { ...aksClusterNames(owner, subscriptionId), group: place.name, nodeGroup, securityGroup };
  const assignments = listedAssignments(azure, resourceGroupId(subscriptionId, place.name));
  return { azure, spec, names, group, assignments, securityGroup: readAhead() };
}

interface NetworkSteps {
  /** Undefined if an existing network has one on its subnet, or none: its owner's choice. */
  readonly securityGroup: Step<NetworkSecurityGroupOutput> | undefined;
  readonly network: Step<ClusterNetworkOutput>;
}

function clusterNetworkOf(context: AksContext): NetworkSteps {
  const { existing } = context.spec;
  const networkId = existingNetworkId(context.spec);
  const groupId = existing.networkSecurityGroupId;
  const given = groupId === undefined ? undefined : existingNodeSecurityGroup(context, groupId);
  if (networkId !== undefined) return { securityGroup: given, network: existingClusterNetwork(context, networkId) };
  const securityGroup = given ?? nodeSecurityGroup(context);
  return { securityGroup, network: clusterNetwork(context, securityGroup) };
}

interface Parts extends NetworkParts {
  readonly address: Step<AddressOutput>;
  readonly identity: Step<ManagedIdentityOutput>;
  readonly kubelet: Step<ManagedIdentityOutput>;
  readonly key: EtcdKey | undefined;
}

interface NetworkParts {
  readonly network: Step<ClusterNetworkOutput>;
}

/** AKS refuses to create the cluster without them. On an existing network, the roles are only on the subnets. */
function rolesOfCluster(context: AksContext, { network, address, identity, kubelet, key }: Parts): Step<unknown>[] {
  const holder = { name: "the AKS cluster", step: identity, objectIdIn: ({ principalId }: ManagedIdentityOutput) => principalId };
  const on = <Output>(id: string, role: typeof networkContributor, scope: Scope<Output>) =>
    roleOnResource(context, { id, role, holder, scope });
  const { existing } = context.spec;
  const ofNetwork =
    existingNetworkId(context.spec) === undefined
      ? [on("role-network", networkContributor, { title: network.title, step: network, idIn: ({ id }: ClusterNetworkOutput) => id })]
      : [
          on("role-node-subnet", networkContributor, {
            title: `the node subnet of ${network.title}`,
            step: network,
            idIn: ({ nodeSubnetId }: ClusterNetworkOutput) => nodeSubnetId,
          }),
          ...(existing.podSubnetId === undefined && existing.nodeSubnetId !== undefined
            ? []
            : [
                on("role-pod-subnet", networkContributor, {
                  title: `the pod subnet of ${network.title}`,
                  step: network,
                  idIn: ({ podSubnetId }: ClusterNetworkOutput) => podSubnetId,
                }),
              ]),
        ];
  return [
    ...ofNetwork,
    on("role-outbound-address", networkContributor, { title: address.title, step: address, idIn: ({ id }: AddressOutput) => id }),
    on("role-kubelet", managedIdentityOperator, { title: kubelet.title, step: kubelet, idIn: ({ id }: ManagedIdentityOutput) => id }),
    ...(key
      ? [on("role-etcd-key", cryptoUser, { title: key.vault.title, step: key.vault, idIn: ({ id }: { readonly id: string }) => id })]
      : []),
  ];
}

interface Documented extends Parts {
  readonly securityGroup: Step<NetworkSecurityGroupOutput> | undefined;
  readonly cluster: Step<ClusterOutput>;
}

function documentedSteps(context: AksContext, steps: Documented): DocumentedClusterStep[] {
  const { group, spec } = context;
  const identityIn = ({ id, clientId, principalId: objectId }: ManagedIdentityOutput) => ({ id, clientId, objectId });
  return [
    documents(group, ({ name: resourceGroupName }) => ({ resourceGroupName })),
    ...(steps.securityGroup ? [documents(steps.securityGroup, ({ id }) => ({ networkSecurityGroupId: id }))] : []),
    documents(steps.network, ({ id, nodeSubnetId, podSubnetId }) => ({ vnetId: id, nodeSubnetId, podSubnetId })),
    documents(steps.address, ({ id, ipAddress = "", ipTags }) => ({ egressAddresses: [{ id, ipAddress, ipTags }] })),
    documents(steps.identity, (output) => ({ clusterIdentity: identityIn(output) })),
    documents(steps.kubelet, (output) => ({ kubeletIdentity: identityIn(output) })),
    ...(steps.key ? [documents(steps.key.key, ({ keyId }) => ({ etcdKeyId: keyId }))] : []),
    documents(steps.cluster, ({ id, nodeGroupName: nodeResourceGroupName, issuerUrl, secretsProvider }) => ({
      clusterId: id,
      nodeResourceGroupName,
      oidcIssuerUrl: issuerUrl,
      keyVaultAddOn: secretsProvider,
      vaultIds: spec.vaultIds,
    })),
  ];
}
