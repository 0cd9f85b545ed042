/** What `create arc` connects, and how. */
import type { ArcOwner } from "../../domain/ownership.js";
import type { ClusterPlatform } from "./distribution.js";

export const autoUpgrades = ["on", "off"] as const;

/** How the agents reach Azure through a proxy. */
export interface ArcProxy {
  readonly http: string | undefined;
  readonly https: string | undefined;
  readonly noProxy: readonly string[];
  /** PEM of the certificate authority that the proxy's certificates are from. */
  readonly certificate: string | undefined;
}

export interface ArcSpec {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  readonly owner: ArcOwner;
  /** The name of the connected cluster. */
  readonly name: string;
  readonly group: { readonly name: string; readonly isExisting: boolean };
  readonly tags: Readonly<Record<string, string>>;
  /** What flags say. Only they change an existing cluster. */
  readonly chosenPlatform: Partial<ClusterPlatform>;
  /** The platform of a new cluster, unless a flag names it. */
  readonly detectedPlatform: ClusterPlatform;
  readonly agentAutoUpgrade: boolean;
  /** Undefined: what the region offers. */
  readonly agentVersion: string | undefined;
  readonly privateLinkScopeId: string | undefined;
  readonly gatewayId: string | undefined;
  readonly workloadIdentity: boolean;
  /** The issuer that publishes the keys of the cluster's tokens, if Azure does not. */
  readonly oidcIssuerUrl: string | undefined;
  /** Object ID of the Custom Locations application in the tenant. */
  readonly customLocationsId: string | undefined;
  readonly proxy: ArcProxy | undefined;
}

/** `live` is undefined for a new cluster. */
export function wantedPlatform({ chosenPlatform, detectedPlatform }: ArcSpec, live: Partial<ClusterPlatform> = {}): ClusterPlatform {
  return {
    distribution: chosenPlatform.distribution ?? live.distribution ?? detectedPlatform.distribution,
    infrastructure: chosenPlatform.infrastructure ?? live.infrastructure ?? detectedPlatform.infrastructure,
  };
}

/** The newest stable API, and the first one that knows gateways and workload identity. */
export const connectedClusterApi = { stable: "2024-01-01", preview: "2024-07-15-preview" } as const;

export function apiVersionOf({ gatewayId, workloadIdentity }: Pick<ArcSpec, "gatewayId" | "workloadIdentity">): string {
  return gatewayId !== undefined || workloadIdentity ? connectedClusterApi.preview : connectedClusterApi.stable;
}

/** As Azure reports them. `Connecting`: no agent has ever reported; `Offline`: none for 15 minutes; `Expired`: its certificate has expired. */
export const connectivityStates = ["Connecting", "Connected", "Offline", "Expired"] as const;
export type ConnectivityState = (typeof connectivityStates)[number];
