/** Converts settings to the choices about a HostedCluster and its NodePools. */
import { parseAnnotation, parseAutoscaling } from "../../domain/hosted-cluster-choices.js";
import type { HostedClusterChoices } from "../manifests/hosted-cluster-choices.js";
import type { NodeImage, NodePoolChoices } from "../manifests/node-pools.js";
import type { Settings } from "../../settings/settings.js";

type Chosen = Settings<"render hosted-cluster">;

export function hostedClusterChoices(settings: Chosen): HostedClusterChoices {
  return {
    releaseImage: settings.releaseImage,
    annotations: Object.fromEntries(settings.annotations.map(parseAnnotation).filter((pair) => pair !== undefined)),
    hasSshKey: settings.sshKey !== undefined,
    controlPlaneAvailability: settings.controlPlaneAvailabilityPolicy,
    infraAvailability: settings.infraAvailabilityPolicy,
    fips: settings.fips,
    etcdVolume: { size: settings.etcdStorageSize, storageClass: settings.etcdStorageClass },
    clusterCidr: settings.clusterCidr,
    serviceCidr: settings.serviceCidr,
    externalDnsDomain: settings.externalDnsDomain,
    access: {
      topology: settings.endpointAccess,
      natSubnetId: settings.privateNatSubnetId,
      allowedSubscriptions: settings.privateAllowedSubscriptions,
      podNetworkInstance: settings.podNetworkInstance,
    },
  };
}

/** `bootImageId`: from the infrastructure document. */
export function nodePoolChoices(settings: Chosen, bootImageId: string | undefined): NodePoolChoices {
  const { nodePoolAutoscaling, diagnosticsStorageAccountType: diagnostics } = settings;
  const autoscaling = nodePoolAutoscaling === undefined ? undefined : parseAutoscaling(nodePoolAutoscaling);
  return {
    count: autoscaling ?? settings.nodePoolReplicas,
    zones: settings.availabilityZones,
    architecture: settings.arch,
    instanceType: settings.instanceType,
    image: nodeImage(settings, bootImageId),
    disk: {
      sizeGiB: settings.rootDiskSize,
      type: settings.diskStorageAccountType,
      encryptionSetId: settings.diskEncryptionSetId,
      isEphemeral: settings.enableEphemeralDisk,
    },
    encryptionAtHost: settings.encryptionAtHost,
    diagnostics: diagnostics && { type: diagnostics, uri: settings.diagnosticsStorageAccountUri },
    upgradeType: settings.nodeUpgradeType,
    autoRepair: settings.autoRepair,
  };
}

/** A Marketplace image comes before the boot image of the file, as in hypershift. So does the generation of one. */
function nodeImage(settings: Chosen, bootImageId: string | undefined): NodeImage {
  const { marketplacePublisher: publisher, marketplaceOffer: offer, marketplaceSku: sku, marketplaceVersion: version } = settings;
  const generation = settings.imageGeneration;
  if (publisher !== undefined && offer !== undefined && sku !== undefined && version !== undefined) {
    return { marketplace: { publisher, offer, sku, version }, generation };
  }
  const id = settings.imageId ?? (generation === undefined ? bootImageId : undefined);
  return id === undefined ? { marketplace: undefined, generation } : { id };
}
