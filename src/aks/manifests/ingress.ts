/** The manifests of a service cluster's ingress: gateways, their routes, and the TLS secret. */
import { deploymentThatMounts, secretClass, tlsSecretName } from "./ingress-certificate.js";
import { externalGateway, ingressNamespace, type AzureAddress, type IngressFacts, type IngressManifest } from "./ingress-facts.js";
import { gatewayName, httpRoute, istioGateway, opsGateway, virtualService } from "./ingress-gateways.js";

/** The manifests, in the order in which they depend on each other. */
export function ingressManifests(facts: IngressFacts): readonly IngressManifest[] {
  const { address, opsAddress, routes, opsRoutes, certificate } = facts;
  const shared = opsAddress === undefined ? [...routes, ...opsRoutes] : routes;
  return [
    ...(certificate === undefined ? [] : [secretClass(certificate), deploymentThatMounts()]),
    annotatedService(address),
    istioGateway(
      shared.map(({ hostname }) => hostname),
      tlsSecretName,
    ),
    ...shared.map(({ hostname, backend }) => virtualService(hostname, backend, `${ingressNamespace}/${gatewayName}`)),
    ...(opsAddress === undefined ? [] : [opsGateway(opsRoutes, azureAnnotations(opsAddress), tlsSecretName)]),
    ...(opsAddress === undefined ? [] : opsRoutes.map(({ hostname, backend }) => httpRoute(hostname, backend))),
  ];
}

/** The annotations by which the cloud provider of Azure puts a Service at an existing address. */
export function azureAnnotations({ name, group }: AzureAddress): Readonly<Record<string, string>> {
  return {
    "service.beta.kubernetes.io/azure-pip-name": name,
    "service.beta.kubernetes.io/azure-load-balancer-resource-group": group,
  };
}

/** Only the annotations: the add-on owns everything else of the Service. So it is applied by the server (`kubectl apply --server-side`). */
function annotatedService(address: AzureAddress) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: externalGateway, namespace: ingressNamespace, annotations: azureAnnotations(address) },
  };
}
