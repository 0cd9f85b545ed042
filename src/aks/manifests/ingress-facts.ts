/** What the manifests of a service cluster's ingress are derived from. */

/** The namespace of the external gateway of AKS's Istio add-on, and the Service that the add-on creates there. */
export const ingressNamespace = "aks-istio-ingress";
export const externalGateway = "aks-istio-ingressgateway-external";

/** A public IP address in Azure. */
export interface AzureAddress {
  readonly name: string;
  readonly group: string;
}

/** A Kubernetes Service. */
export interface Backend {
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
}

/** A hostname and the Service that serves it. */
export interface Route {
  readonly hostname: string;
  readonly backend: Backend;
}

/** The certificate in Key Vault that the gateways serve. */
export interface MountedCertificate {
  readonly vaultName: string;
  readonly name: string;
  readonly tenantId: string;
  /** Client ID of the AKS add-on's identity, which reads the vault. */
  readonly readerClientId: string;
}

export interface IngressFacts {
  readonly address: AzureAddress;
  /** The address of the operators' ingress; undefined with one shared gateway. */
  readonly opsAddress: AzureAddress | undefined;
  readonly routes: readonly Route[];
  readonly opsRoutes: readonly Route[];
  /** Undefined if the TLS secret has another source. */
  readonly certificate: MountedCertificate | undefined;
}

export interface IngressManifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
}
