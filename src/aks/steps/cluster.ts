/** The AKS cluster with its system pools, created in one PUT and rewritten only where our properties differ. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import { clusterUpdate, expectedDuration } from "../../azure/expected-durations.js";
import { begun, finish, found } from "../../azure/long-running.js";
import type { Decision, OutputsOf, Step } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { documentedId, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { clusterDifferences, withClusterProperties } from "../domain/differences.js";
import { poolSize } from "../domain/pools.js";
import { wantedCluster, type ClusterParts } from "../domain/properties.js";
import { defineInGroup } from "../../steps/in-group.js";
import type { ManagedIdentityOutput } from "../../steps/managed-identity.js";
import { decideOwned, refuse } from "../../steps/ownership-decision.js";
import type { GroupOutput } from "../../steps/resource-groups.js";
import type { AksContext } from "./context.js";
import type { EtcdKeyOutput } from "./etcd-key.js";
import { thenAgain, type LiveCluster } from "./live-cluster.js";
import type { VersionOutput } from "./kubernetes-version.js";
import type { ClusterNetworkOutput } from "./network.js";
import type { AddressOutput } from "./public-address.js";

export interface IdentityOfCluster {
  readonly id: string;
  readonly clientId: string;
  readonly objectId: string;
}

export interface ClusterOutput {
  readonly id: string;
  readonly nodeGroupName: string;
  readonly issuerUrl: string | undefined;
  /** The identity that AKS creates for the add-on that mounts secrets. */
  readonly secretsProvider: IdentityOfCluster | undefined;
  /** The version that it runs. */
  readonly kubernetesVersion: string | undefined;
  readonly isStopped: boolean;
}

export interface ClusterNeeds {
  readonly version: Step<VersionOutput>;
  readonly network: Step<ClusterNetworkOutput>;
  readonly address: Step<AddressOutput>;
  readonly identity: Step<ManagedIdentityOutput>;
  readonly kubelet: Step<ManagedIdentityOutput>;
  readonly key: Step<EtcdKeyOutput> | undefined;
  /** The roles that AKS needs before it creates the cluster. */
  readonly roles: readonly Step<unknown>[];
}

const row = resourceTypes.managedCluster;

/** The add-on that mounts secrets of vaults in pods. */
const secretsProvider = "azureKeyvaultSecretsProvider";

/** Its system pools are part of it; all other pools are created one by one afterwards. */
export function aksCluster({ azure, spec, names, group }: AksContext, read: LiveCluster, parts: ClusterNeeds): Step<ClusterOutput> {
  const { cluster: owner, location } = spec;
  const name = names.cluster;
  const { key, roles, ...always } = parts;
  const needs = { group, ...always, ...(key && { key }), ...Object.fromEntries(roles.map((role) => [role.id, role])) };
  type Outputs = OutputsOf<typeof always> & { readonly group: GroupOutput; readonly key?: EtcdKeyOutput };
  const what = quotedTitleOf(row, name);
  const partsIn = ({ version, network, address, identity, kubelet, key: made }: Outputs): ClusterParts => ({
    nodeSubnetId: network.nodeSubnetId,
    podSubnetId: network.podSubnetId,
    outboundAddressId: address.id,
    clusterIdentityId: identity.id,
    kubelet: { id: kubelet.id, clientId: kubelet.clientId, objectId: kubelet.principalId },
    etcdKeyId: made?.keyId,
    kubernetesVersion: version.version,
  });
  return defineInGroup({
    row,
    names: [name],
    size: spec.pools
      .filter(({ role }) => role === "system")
      .map((pool) => `${pool.name}: ${poolSize(pool)}`)
      .join("; "),
    needs,
    read: thenAgain(read, async () => found((await azure.clusters()).managedClusters.get(spec.group.name, name))),
    wanted: (outputs) => wantedCluster(spec, partsIn(outputs as Outputs)),
    decide: (live: ManagedCluster | undefined, outputs) => {
      const decision = decideOwned(live, { row, name, owner, location }, (current) =>
        clusterDifferences(what, current, wantedCluster(spec, partsIn(outputs as Outputs))),
      );
      return unlessStopped(decision, live);
    },
    async apply(live, outputs): Promise<ManagedCluster> {
      const { managedClusters } = await azure.clusters();
      const wanted = wantedCluster(spec, partsIn(outputs));
      const groupName = outputs.group.name;
      const body = live === undefined ? wanted : withClusterProperties(live, wanted);
      const expected = live === undefined ? expectedDuration("PUT", row.type) : clusterUpdate;
      return finish(azure, expected, (options) =>
        begun(
          managedClusters.createOrUpdate(groupName, name, body, { ...options, ...(live?.eTag !== undefined && { ifMatch: live.eTag }) }),
        ),
      );
    },
    output: (id, live) => clusterOutput(spec.nodeGroupName, id, live),
    unpredicted: true,
    preview: { act: "create", why: "known after its identities and their roles" },
  });
}

function unlessStopped(decision: Decision, live: ManagedCluster | undefined): Decision {
  if (decision.act !== "update" || !isStopped(live)) return decision;
  return refuseStopped(live?.id ?? "", `it differs in ${decision.changes.map(({ path }) => path).join(", ")}`);
}

function isStopped(live: ManagedCluster | undefined): boolean {
  return live?.powerState?.code === "Stopped";
}

/** Azure refuses to change a stopped cluster, its agent pools and its maintenance windows, and a start is the owner's choice. */
export function refuseStopped(id: string, because: string): Decision {
  const { name, resourceGroup = "" } = parseResourceId(id);
  return refuse("ARO-AKS-004", `${quotedTitleOf(row, name)} is stopped, so it cannot be updated`, {
    because,
    next: [advise`start it: ${shell`az aks start --resource-group ${resourceGroup} --name ${name}`}; then rerun the command`],
  });
}

function clusterOutput(nodeGroupName: string, id: string, live: ManagedCluster | undefined): ClusterOutput {
  const addOn = live?.addonProfiles?.[secretsProvider]?.identity;
  const { resourceId, clientId, objectId } = addOn ?? {};
  const isKnown = resourceId !== undefined && clientId !== undefined && objectId !== undefined;
  return {
    id: documentedId(id),
    nodeGroupName: live?.nodeResourceGroup ?? nodeGroupName,
    issuerUrl: live?.oidcIssuerProfile?.issuerURL,
    secretsProvider: isKnown ? { id: resourceId, clientId, objectId } : undefined,
    kubernetesVersion: live?.currentKubernetesVersion ?? live?.kubernetesVersion,
    isStopped: isStopped(live),
  };
}
