/** The NodePools of a hosted cluster: one, or one for each availability zone. */
import { defaultSizes, type Autoscaling, type ImageGeneration, type NodeArchitecture } from "../../domain/hosted-cluster-choices.js";
import type { HostedCluster } from "./hosted-cluster.js";

/** Checked by the rules of the API: option-checks/hosted-cluster.ts. */
export interface NodePoolChoices {
  /** The number of nodes of each NodePool. */
  readonly count: number | Autoscaling;
  /** Empty: one NodePool without a zone. */
  readonly zones: readonly string[];
  readonly architecture: NodeArchitecture;
  /** Undefined: that of hypershift for the architecture. */
  readonly instanceType: string | undefined;
  readonly image: NodeImage;
  readonly disk: {
    readonly sizeGiB: number;
    readonly type: string;
    readonly encryptionSetId: string | undefined;
    readonly isEphemeral: boolean;
  };
  /** `Enabled` or `Disabled`; undefined: HyperShift's default. */
  readonly encryptionAtHost: string | undefined;
  /** Undefined: HyperShift's default. */
  readonly diagnostics: { readonly type: string; readonly uri: string | undefined } | undefined;
  readonly upgradeType: string;
  readonly autoRepair: boolean;
}

export type NodeImage =
  { readonly id: string } | { readonly marketplace: MarketplaceImage | undefined; readonly generation: ImageGeneration | undefined };

export interface MarketplaceImage {
  readonly publisher: string;
  readonly offer: string;
  readonly sku: string;
  readonly version: string;
}

export function nodePools({ metadata, spec }: HostedCluster, choices: NodePoolChoices): readonly object[] {
  const zones = choices.zones.length === 0 ? [undefined] : choices.zones;
  return zones.map((zone) => ({
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "NodePool",
    metadata: { name: zone === undefined ? metadata.name : `${metadata.name}-${zone}`, namespace: metadata.namespace },
    spec: {
      clusterName: metadata.name,
      ...(typeof choices.count === "number" ? { replicas: choices.count } : { autoScaling: choices.count }),
      arch: choices.architecture,
      release: spec.release,
      management: { upgradeType: choices.upgradeType, autoRepair: choices.autoRepair },
      platform: { type: "Azure", azure: azurePool(spec.platform.azure.subnetID, zone, choices) },
    },
  }));
}

function azurePool(subnetID: string, zone: string | undefined, choices: NodePoolChoices) {
  const { disk, diagnostics, encryptionAtHost } = choices;
  return {
    vmSize: choices.instanceType ?? defaultSizes[choices.architecture],
    subnetID,
    ...(zone !== undefined && { availabilityZone: zone }),
    image: image(choices.image),
    osDisk: {
      sizeGiB: disk.sizeGiB,
      diskStorageAccountType: disk.type,
      ...(disk.encryptionSetId !== undefined && { encryptionSetID: disk.encryptionSetId }),
      ...(disk.isEphemeral && { persistence: "Ephemeral" }),
    },
    ...(encryptionAtHost !== undefined && { encryptionAtHost }),
    ...(diagnostics && {
      diagnostics: {
        storageAccountType: diagnostics.type,
        ...(diagnostics.uri !== undefined && { userManaged: { storageAccountURI: diagnostics.uri } }),
      },
    }),
  };
}

/** HyperShift replaces a Marketplace image that has only a generation by the one that its release names. */
function image(chosen: NodeImage) {
  if ("id" in chosen) return { type: "ImageID", imageID: chosen.id };
  const { marketplace, generation } = chosen;
  const isReleases = marketplace === undefined;
  return {
    type: "AzureMarketplace",
    azureMarketplace: { ...marketplace, ...((isReleases || generation !== undefined) && { imageGeneration: generation ?? "Gen2" }) },
  };
}
