/** The preset of an existing AKS cluster, derived from the features that it has. */
import { subnetOf } from "../../infra/index.js";
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { VirtualNetwork } from "@azure/arm-network";
import { presets, type ClusterFeatures, type Preset } from "../domain/cluster-spec.js";
import { presetFacts } from "../domain/presets.js";

interface LiveParts {
  readonly cluster: ManagedCluster | undefined;
  readonly vnet: VirtualNetwork | undefined;
  readonly hasEtcdVault: boolean;
}

/** The preset that has most features of the cluster: somebody may have changed one. Before the cluster exists, what is made first shows it. */
export function presetOf({ cluster, vnet, hasEtcdVault }: LiveParts, podSubnet: string): Preset {
  if (cluster === undefined) {
    if (hasEtcdVault) return "production";
    return vnet !== undefined && subnetOf(vnet, podSubnet) === undefined ? "dev" : "recommended";
  }
  const has = featuresOf(cluster, hasEtcdVault);
  const matches = (preset: Preset) =>
    Object.entries(has).filter(([key, value]) => presetFacts[preset].features[key as keyof ClusterFeatures] === value);
  const most = Math.max(...presets.map((preset) => matches(preset).length));
  return presets.find((preset) => matches(preset).length === most) ?? "recommended";
}

function featuresOf(live: ManagedCluster, etcdEncryption: boolean): Partial<ClusterFeatures> {
  const { oidcIssuerProfile, securityProfile, autoUpgradeProfile, agentPoolProfiles = [], sku } = live;
  const poll = live.addonProfiles?.["azureKeyvaultSecretsProvider"]?.config?.["rotationPollInterval"];
  return {
    etcdEncryption,
    ...(poll !== undefined && { rotationPollInterval: poll }),
    oidcIssuer: oidcIssuerProfile?.enabled === true,
    workloadIdentity: securityProfile?.workloadIdentity?.enabled === true,
    entraOnly: live.disableLocalAccounts === true,
    autoUpgrade: autoUpgradeProfile?.upgradeChannel === "patch",
    imageCleaner: securityProfile?.imageCleaner?.enabled === true,
    encryptionAtHost: agentPoolProfiles.some((pool) => pool.enableEncryptionAtHost === true),
    ...(sku?.tier !== undefined && { tier: sku.tier as ClusterFeatures["tier"] }),
  };
}
