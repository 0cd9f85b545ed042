/** The choices of HyperShift's v1beta1 API for a HostedCluster and its NodePools on Azure. */

/** `topology` of the platform. */
export const endpointAccesses = ["Public", "PublicAndPrivate", "Private"] as const;
export type EndpointAccess = (typeof endpointAccesses)[number];

export const nodeArchitectures = ["amd64", "arm64"] as const;
export type NodeArchitecture = (typeof nodeArchitectures)[number];

/** The VM sizes that hypershift's `create cluster azure` takes. */
export const defaultSizes: Readonly<Record<NodeArchitecture, string>> = { amd64: "Standard_D4s_v5", arm64: "Standard_D4ps_v5" };

/** What a node of the default size takes of the quotas of its region: of all cores, and of its family. */
export const defaultNode = { cores: 4, quotas: ["cores", "standardDSv5Family"] } as const;

export const imageGenerations = ["Gen1", "Gen2"] as const;
export type ImageGeneration = (typeof imageGenerations)[number];

/** Azure has no OS disks of the type UltraSSD_LRS. */
export const diskTypes = ["Premium_LRS", "PremiumV2_LRS", "Standard_LRS", "StandardSSD_LRS"] as const;

/** The fewest and the most nodes of a NodePool. */
export interface Autoscaling {
  readonly min: number;
  readonly max: number;
}

/** `2:5`; undefined if it is not a range that the API accepts. */
export function parseAutoscaling(text: string): Autoscaling | undefined {
  const [, min, max] = /^(\d{1,5}):(\d{1,5})$/.exec(text) ?? [];
  const range = { min: Number(min), max: Number(max) };
  return range.max >= 1 && range.min <= range.max ? range : undefined;
}

/** `key=value`; undefined if it is not an annotation. The key is a qualified name: a DNS subdomain, a slash, a name. */
export function parseAnnotation(text: string): readonly [key: string, value: string] | undefined {
  const end = text.indexOf("=");
  const key = text.slice(0, end);
  return /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[a-z0-9](?:[\w.-]{0,61}[a-z0-9])?$/i.test(key)
    ? [key, text.slice(end + 1)]
    : undefined;
}

/** Names of the Secrets beside a HostedCluster, as hypershift's `create cluster azure` gives them. */
export const secretNames = {
  pullSecret: (cluster: string) => `${cluster}-pull-secret`,
  sshKey: (cluster: string) => `${cluster}-ssh-key`,
  cloudCredentials: (cluster: string) => `${cluster}-cloud-credentials`,
  etcdKey: (cluster: string) => `${cluster}-etcd-encryption-key`,
  /** The name has no hyphen before its suffix. */
  signingKey: (cluster: string) => `${cluster}sa-token-issuer-key`,
} as const;
