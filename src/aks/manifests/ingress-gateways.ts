/** The gateways of a service cluster and their routes: Istio's for the service, Gateway API's for operators. */
import { externalGateway, ingressNamespace, type Backend, type Route } from "./ingress-facts.js";

export const gatewayName = "aro-hcp-gateway-external";
const opsGatewayName = "aro-hcp-ops-ingress";
const gatewayClass = "istio";
/** Istio gives it the name of the Gateway and of its class. */
export const opsGatewayService = `${opsGatewayName}-${gatewayClass}`;

/** `frontend.aro-hcp:8443`; undefined if the text is not a Service. */
export function parseBackend(text: string): Backend | undefined {
  const [, name, namespace, port] =
    /^([a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)\.([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?):(\d{1,5})$/.exec(text) ?? [];
  if (name === undefined || namespace === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { name, namespace, port: Number(port) };
}

export function istioGateway(hosts: readonly string[], secretName: string) {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: gatewayName, namespace: ingressNamespace },
    spec: {
      selector: { istio: externalGateway },
      servers: [
        {
          port: { number: 443, name: "https", protocol: "HTTPS" },
          tls: { mode: "SIMPLE", minProtocolVersion: "TLSV1_2", credentialName: secretName },
          hosts,
        },
      ],
    },
  };
}

/** A virtual service is in the namespace of its Service, whose owners may change it. */
export function virtualService(hostname: string, { name, namespace, port }: Backend, gateway: string) {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: objectName(hostname), namespace },
    spec: {
      hosts: [hostname],
      gateways: [gateway],
      http: [{ route: [{ destination: { host: `${name}.${namespace}.svc.cluster.local`, port: { number: port } } }] }],
    },
  };
}

/** Istio creates its Deployment and its Service, which gets the annotations. Only the namespaces of the routes may attach to it. */
export function opsGateway(routes: readonly Route[], annotations: Readonly<Record<string, string>>, secretName: string) {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name: opsGatewayName, namespace: ingressNamespace },
    spec: {
      gatewayClassName: gatewayClass,
      infrastructure: { annotations },
      listeners: routes.map(({ hostname, backend }) => ({
        name: objectName(hostname),
        hostname,
        port: 443,
        protocol: "HTTPS",
        tls: { mode: "Terminate", certificateRefs: [{ name: secretName }] },
        allowedRoutes: {
          namespaces: { from: "Selector", selector: { matchLabels: { "kubernetes.io/metadata.name": backend.namespace } } },
        },
      })),
    },
  };
}

export function httpRoute(hostname: string, { name, namespace, port }: Backend) {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: objectName(hostname), namespace },
    spec: {
      parentRefs: [{ name: opsGatewayName, namespace: ingressNamespace, sectionName: objectName(hostname) }],
      hostnames: [hostname],
      rules: [{ backendRefs: [{ name, port }] }],
    },
  };
}

/** A hostname is a valid name of these objects, except for a wildcard. */
function objectName(hostname: string): string {
  return hostname.replace("*", "any");
}
