/** Converts settings to the desired AKS cluster, for every command about a management cluster or a service cluster. */
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import type { AksClusterSpec, ClusterFeatures } from "../domain/cluster-spec.js";
import { chosenPools, chosenTags } from "../domain/choices.js";
import { presetFacts } from "../domain/presets.js";
import { dnsServiceIp } from "../../domain/address-range.js";
import type { CommandName } from "../../settings/commands.js";
import type { Resolved, Settings } from "../../settings/settings.js";
import { ingressSpec } from "./aks-ingress-spec.js";
import { purgeProtectionOf } from "../../run/purge-protection-choice.js";

type ServiceSettings = Settings<"create service-cluster">;
type ManagementSettings = Settings<"create management-cluster">;

type CommonKey = keyof ServiceSettings & keyof ManagementSettings;
/** The settings of a create, or of another command that defines the cluster. */
export type AksClusterSettings = Omit<
  Pick<ManagementSettings, CommonKey>,
  | "outputFile"
  | "outputKubeconfig"
  | "dryRun"
  | "exitCode"
  | "fullPlan"
  | "yes"
  | "outputEvents"
  | "outputReport"
  | "roleCommands"
  | "outputTimings"
  | "azureCreds"
  | "concurrency"
  | "output"
  | "timeout"
  | "purgeProtection"
> &
  Partial<Pick<ManagementSettings, "ingressAddress" | "purgeProtection">> &
  Partial<Omit<ServiceSettings, CommonKey>>;

/** Where the cluster is created; known after the sign-in. */
export interface AksClusterPlace {
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** The security group of the nodes, if an earlier version named it. */
  readonly securityGroupName?: string | undefined;
}

/** The settings are checked, so each text in them is valid. `origins`: of settings that may be recorded ones. */
export function aksClusterSpec(
  kind: AksClusterKey["kind"],
  settings: AksClusterSettings,
  place: AksClusterPlace,
  origins: Resolved<CommandName>["origins"] = {},
): AksClusterSpec {
  const cluster = { kind, name: settings.name };
  const names = aksClusterNames(cluster, place.subscriptionId);
  const facts = presetFacts[settings.preset];
  const hasIngress = kind === "service-cluster" || settings.ingressAddress === true;
  const tags = chosenTags(kind, { ...settings, hasEgress: settings.outboundIpId === undefined, hasIngress });
  const isOwnNetwork = settings.nodeSubnetId === undefined;
  return {
    cluster,
    ...place,
    location: settings.location,
    group: { name: settings.resourceGroupName ?? names.group, isExisting: settings.resourceGroupName !== undefined },
    nodeGroupName: settings.nodeResourceGroupName ?? names.nodeGroup,
    securityGroupName: place.securityGroupName ?? names.securityGroup,
    features: featuresOf(facts.features, settings),
    kubernetesVersion: settings.kubernetesVersion,
    isVersionRecorded: origins.kubernetesVersion?.source === "record",
    network: {
      vnetCidr: settings.vnetCidr,
      nodeSubnetCidr: settings.nodeSubnetCidr,
      podSubnetCidr: isOwnNetwork ? (settings.podSubnetCidr ?? facts.podSubnetCidr) : undefined,
      serviceCidr: settings.aksServiceCidr,
      dnsServiceIp: dnsServiceIp(settings.aksServiceCidr),
    },
    existing: {
      vnetId: settings.vnetId,
      nodeSubnetId: settings.nodeSubnetId,
      podSubnetId: settings.podSubnetId,
      networkSecurityGroupId: settings.networkSecurityGroupId,
      outboundAddressId: settings.outboundIpId,
      clusterIdentityId: settings.clusterIdentityId,
      kubeletIdentityId: settings.kubeletIdentityId,
      etcdKeyId: settings.etcdKeyId,
    },
    purgeProtection: purgeProtectionOf({ settings, origins }, true),
    egressIpTags: tags.egress,
    pools: chosenPools(kind, settings).pools,
    vaultIds: settings.keyVaultId,
    adminGroupIds: settings.adminGroupId,
    registryIds: settings.registryId,
    tags: settings.tags,
    ingress: ingressSpec(kind, settings, tags.ingress),
  };
}

/** An existing key is used also with a preset that creates none. */
function featuresOf(features: ClusterFeatures, { tier, etcdKeyId }: AksClusterSettings): ClusterFeatures {
  return { ...features, tier: tier ?? features.tier, etcdEncryption: features.etcdEncryption || etcdKeyId !== undefined };
}
