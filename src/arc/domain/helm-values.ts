/** The values that the chart of the agents needs, which contain the private key. */
import type { ClusterPlatform } from "./distribution.js";
import type { ArcProxy, ArcSpec } from "./spec.js";

export interface AgentInstall {
  readonly privateKey: string;
  /** The cloud as the chart names it. */
  readonly cloud: string;
  /** The platform as Azure names it. */
  readonly kind: ClusterPlatform;
}

export function helmValues(spec: ArcSpec, { privateKey, cloud, kind }: AgentInstall): object {
  const { subscriptionId, tenantId, location, name, group, proxy, gatewayId, customLocationsId } = spec;
  return {
    global: {
      subscriptionId,
      resourceGroupName: group.name,
      resourceName: name,
      location,
      tenantId,
      // Azure may answer "OpenShift" for "openshift".
      kubernetesDistro: kind.distribution.toLowerCase(),
      kubernetesInfra: kind.infrastructure.toLowerCase(),
      azureEnvironment: cloud,
      onboardingPrivateKey: privateKey,
      ...(proxy && proxyValues(proxy)),
      ...(gatewayId !== undefined && { gateway: { enabled: true, resourceId: gatewayId } }),
    },
    systemDefaultValues: {
      spnOnboarding: false,
      azureArcAgents: { autoUpdate: spec.agentAutoUpgrade },
      "clusterconnect-agent": { enabled: true },
      ...(customLocationsId !== undefined && { customLocations: { enabled: true, oid: customLocationsId } }),
      ...(spec.workloadIdentity && { workloadIdentity: { enabled: true } }),
    },
  };
}

/** In a file of values, unlike on a command line, commas need no escape. */
function proxyValues({ http, https, noProxy, certificate }: ArcProxy): object {
  return {
    isProxyEnabled: http !== undefined || https !== undefined,
    ...(http !== undefined && { httpProxy: http }),
    ...(https !== undefined && { httpsProxy: https }),
    ...(noProxy.length > 0 && { noProxy: noProxy.join(",") }),
    ...(certificate !== undefined && { isCustomCert: true, proxyCert: certificate }),
  };
}
