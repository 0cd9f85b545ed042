/** A connected cluster as Azure answers it, whatever the version of the API: the members that this program reads. */
import type { ConnectivityState } from "./spec.js";

export interface ConnectedClusterProperties {
  readonly agentPublicKeyCertificate?: string;
  readonly provisioningState?: string;
  readonly connectivityStatus?: ConnectivityState | (string & {});
  readonly distribution?: string;
  readonly distributionVersion?: string;
  readonly infrastructure?: string;
  readonly kubernetesVersion?: string;
  readonly agentVersion?: string;
  readonly totalNodeCount?: number;
  readonly totalCoreCount?: number;
  readonly offering?: string;
  /** ISO 8601, as the next one. */
  readonly lastConnectivityTime?: string;
  readonly managedIdentityCertificateExpirationTime?: string;
  readonly privateLinkState?: string;
  readonly privateLinkScopeResourceId?: string;
  readonly azureHybridBenefit?: string;
  readonly aadProfile?: object;
  readonly arcAgentProfile?: { readonly agentAutoUpgrade?: string; readonly desiredAgentVersion?: string };
  readonly miscellaneousProperties?: Readonly<Record<string, string>>;
  readonly arcAgentryConfigurations?: readonly object[];
  readonly gateway?: { readonly enabled?: boolean; readonly resourceId?: string };
  readonly oidcIssuerProfile?: { readonly enabled?: boolean; readonly issuerUrl?: string; readonly selfHostedIssuerUrl?: string };
  readonly securityProfile?: { readonly workloadIdentity?: { readonly enabled?: boolean } };
}

export interface ConnectedCluster {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly location: string;
  readonly kind?: string;
  readonly tags?: Record<string, string>;
  readonly identity?: { readonly type?: string; readonly principalId?: string; readonly tenantId?: string };
  readonly systemData?: object;
  readonly properties: ConnectedClusterProperties;
}
