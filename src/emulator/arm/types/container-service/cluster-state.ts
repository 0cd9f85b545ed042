/** What a PUT makes of an AKS cluster: its identity, version, network and pools, computed from the body and what is stored. */
import type { AzureState, StoredResource } from "../../../state/state.js";
import { versionOf } from "../../api-versions.js";
import { normalLocation } from "../../locations.js";
import { keyOf, segmentsOf } from "../../resource-id.js";
import type { Put } from "../../resource-type.js";
import { childrenOf } from "../../uses.js";
import type { ClusterBody } from "./cluster-body.js";
import { networkProfileFor, type StoredNetwork } from "./defaults.js";
import { offered, upgraded, type SupportPlan, type Version } from "./kubernetes-versions.js";
import type { Pool } from "./pool-body.js";
import { poolFor, type OfCluster, type StoredPool } from "./pool-defaults.js";

/** What the types of AKS read of a stored cluster. */
export interface ClusterRecord {
  readonly kubernetesVersion: string;
  readonly currentKubernetesVersion: string;
  readonly supportPlan: SupportPlan;
  readonly networkProfile: StoredNetwork;
  readonly nodeResourceGroup: string;
  readonly powerState: { readonly code: string };
  readonly fqdn: string;
  readonly dnsPrefix: string;
  readonly disableLocalAccounts?: boolean;
  readonly aadProfile?: { readonly managed?: boolean; readonly tenantID?: string };
  readonly oidcIssuerProfile: { readonly enabled: boolean; readonly issuerURL?: string };
  readonly identityProfile?: { readonly kubeletidentity?: { readonly resourceId: string } };
  readonly resourceUID: string;
}

export function recordOf({ properties }: StoredResource): ClusterRecord {
  return properties as unknown as ClusterRecord;
}

/** What a pool takes from its stored cluster. */
export function ofCluster(state: AzureState, cluster: StoredResource, apiVersion: string): OfCluster {
  const { kubernetesVersion: wanted, currentKubernetesVersion: current, supportPlan: plan, networkProfile: network } = recordOf(cluster);
  return { state, version: { wanted, current }, plan, network, by: { path: "pool", apiVersion } };
}

export interface NamedPool {
  readonly name: string;
  readonly sent: Pool;
  readonly before: StoredPool | undefined;
  readonly properties: StoredPool;
}

export interface WantedCluster {
  readonly version: Version;
  readonly plan: SupportPlan;
  readonly network: StoredNetwork;
  /** The pools in the body. A PUT keeps all others. */
  readonly pools: readonly NamedPool[];
  /** The principal of the control plane's identity; undefined if the identity is made with the cluster. */
  readonly principalId: string | undefined;
  /** Absent from a cluster that acts as a service principal of the client's. */
  readonly hasIdentity: boolean;
}

/** @throws ApiError for a version that is not available */
export function wantedCluster({ call, state, id, body, existing }: Put<ClusterBody>): WantedCluster {
  const { supportPlan, kubernetesVersion, networkProfile, agentPoolProfiles = [] } = body.properties;
  const before = existing === undefined ? undefined : recordOf(existing);
  const plan = supportPlan ?? before?.supportPlan ?? "KubernetesOfficial";
  const version =
    before === undefined
      ? offered(kubernetesVersion, plan)
      : upgraded({ wanted: before.kubernetesVersion, current: before.currentKubernetesVersion }, kubernetesVersion, plan);
  const apiVersion = versionOf(call.request);
  const network = networkProfileFor(networkProfile, before?.networkProfile, apiVersion);
  const pools = agentPoolProfiles.map(({ name, ...sent }) => {
    const stored = state.resources[keyOf(`${existing?.id ?? id}/agentPools/${name}`)]?.properties as StoredPool | undefined;
    return {
      name,
      sent,
      before: stored,
      properties: poolFor(sent, stored, { state, version, plan, network, by: { path: "cluster", apiVersion } }),
    };
  });
  const hasIdentity = (body.identity ?? existing?.beside?.["identity"]) !== undefined;
  return { version, plan, network, pools, principalId: principalOf(state, userIdentityOf(body, existing)), hasIdentity };
}

/** The user-assigned identity of a cluster; undefined if it has one of its own. */
export function userIdentityOf({ identity }: ClusterBody, existing: StoredResource | undefined): string | undefined {
  const held = identity ?? (existing?.beside?.["identity"] as ClusterBody["identity"]);
  return held?.type === "UserAssigned" ? Object.keys(held.userAssignedIdentities ?? {})[0] : undefined;
}

function principalOf(state: AzureState, identityId: string | undefined): string | undefined {
  const principalId = state.resources[keyOf(identityId ?? "")]?.properties["principalId"];
  return typeof principalId === "string" ? principalId : undefined;
}

/** The name of the node resource group, fixed at creation. */
export function nodeGroupName({ id, name, body, existing }: Put<ClusterBody>): string {
  if (existing !== undefined) return recordOf(existing).nodeResourceGroup;
  const { location, properties } = body;
  return properties.nodeResourceGroup ?? `MC_${segmentsOf(id)[3] ?? ""}_${name}_${normalLocation(location)}`.slice(0, 80);
}

export function allPools(state: AzureState, cluster: string, sent: readonly NamedPool[]): { name: string; properties: StoredPool }[] {
  const kept = childrenOf(state, cluster, "agentPools")
    .filter(({ name }) => !sent.some((one) => one.name === name))
    .map(({ name, properties }) => ({ name, properties: properties as StoredPool }));
  return [...kept, ...sent.map(({ name, properties }) => ({ name, properties }))];
}
