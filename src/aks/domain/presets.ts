/** The presets of a cluster: its features and its pools, unless options override them. */
import type { ClusterFeatures, Preset } from "./cluster-spec.js";
import type { PoolRole } from "./pool-option.js";
import type { PoolDefaults } from "./pools.js";

export interface PresetFacts {
  readonly features: ClusterFeatures;
  /** Undefined: nodes and pods share the node subnet. */
  readonly podSubnetCidr: string | undefined;
  /** The values that an option of the role leaves out. */
  readonly pools: Readonly<Record<PoolRole, PoolDefaults>>;
  /** The size of a management cluster's user pools, which carry control planes; undefined if it is that of a service cluster. */
  readonly controlPlaneSize?: string;
  /** The roles that have a pool even without an option. */
  readonly roles: readonly PoolRole[];
}

const recommended: ClusterFeatures = {
  secretRotation: true,
  rotationPollInterval: "1h",
  oidcIssuer: true,
  workloadIdentity: true,
  entraOnly: false,
  etcdEncryption: false,
  maintenanceWindows: false,
  autoUpgrade: false,
  imageCleaner: false,
  encryptionAtHost: false,
  tier: "Standard",
};

/** With a pod subnet, pods take no addresses of the nodes. The limits of pods are those of Azure/ARO-HCP. */
const podSubnetCidr = "10.128.64.0/18";
const allZones = ["1", "2", "3"];

/** A size with a local disk, for ephemeral OS disks. */
const autoscaled: Readonly<Record<PoolRole, PoolDefaults>> = {
  system: { size: "Standard_D4ds_v5", min: 1, max: 3, maxPods: 100 },
  user: { size: "Standard_D8ds_v5", min: 1, max: 3, maxPods: 225 },
  infra: { size: "Standard_D4ds_v5", min: 1, max: 3, maxPods: 225 },
};

/** One pool of three nodes, as HyperShift's development scripts have. */
const fixed: PoolDefaults = { size: "Standard_D4s_v4", count: 3, maxPods: 250 };

export const presetFacts: Readonly<Record<Preset, PresetFacts>> = {
  recommended: { features: recommended, podSubnetCidr, pools: autoscaled, roles: ["system", "user"] },
  dev: {
    features: { ...recommended, rotationPollInterval: "1m", oidcIssuer: false, workloadIdentity: false, tier: "Free" },
    podSubnetCidr: undefined,
    pools: { system: fixed, user: fixed, infra: fixed },
    roles: ["system"],
  },
  production: {
    features: {
      ...recommended,
      entraOnly: true,
      etcdEncryption: true,
      maintenanceWindows: true,
      autoUpgrade: true,
      imageCleaner: true,
      encryptionAtHost: true,
    },
    podSubnetCidr,
    pools: {
      system: { ...autoscaled.system, zones: allZones },
      user: { ...autoscaled.user, zones: allZones },
      infra: { ...autoscaled.infra, zones: allZones },
    },
    // 16 vCPUs and 128 GiB.
    controlPlaneSize: "Standard_E16ds_v5",
    roles: ["system", "user", "infra"],
  },
};
