/** Checks of the settings of connected clusters: access to the cluster, resource IDs, proxy and issuer. */
import { subdomain } from "../../domain/cluster-label.js";
import { hostedClusterIn } from "../domain/names.js";
import type { SettingKey } from "../../settings/settings.js";
import type { Check } from "../../settings/checks/check.js";
import { readId } from "../../settings/checks/networks.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const idTypes = {
  openshiftClusterId: "Microsoft.RedHatOpenShift/openShiftClusters",
  privateLinkScopeId: "Microsoft.HybridCompute/privateLinkScopes",
  gatewayId: "Microsoft.HybridCompute/gateways",
} as const;

export const checkArcIds: Check = ({ values, problem }) => {
  for (const [key, type] of Object.entries(idTypes) as [keyof typeof idTypes, string][]) {
    const text = values[key];
    const wrong = text === undefined ? undefined : readId(text, type);
    if (typeof wrong === "string") problem(key, wrong);
  }
  const { customLocationsId } = values;
  if (customLocationsId !== undefined && !uuid.test(customLocationsId))
    problem("customLocationsId", `"${customLocationsId}" is not a UUID: expected the object ID of the service principal, not its name`);
};

/** One way to the cluster at a time. */
export const checkArcAccess: Check = ({ values, problem }) => {
  const { openshiftClusterId, hostedCluster, managementKubeconfig, kubeconfig } = values;
  const ways = [
    ["--kubeconfig", kubeconfig],
    ["--openshift-cluster-id", openshiftClusterId],
    ["--hosted-cluster", hostedCluster],
  ].flatMap(([flag = "", value]) => (value === undefined ? [] : [flag]));
  const [key]: SettingKey[] = hostedCluster === undefined ? ["openshiftClusterId"] : ["hostedCluster"];
  if (ways.length > 1 && (openshiftClusterId ?? hostedCluster) !== undefined && key) problem(key, `pass only one of ${ways.join(" and ")}`);
  if (hostedCluster !== undefined && managementKubeconfig === undefined)
    problem("hostedCluster", "also requires --management-kubeconfig, which leads to its admin kubeconfig");
  if (managementKubeconfig !== undefined && hostedCluster === undefined)
    problem("managementKubeconfig", "also requires --hosted-cluster, which names the HostedCluster");
  const { namespace = "", name = "" } = hostedClusterIn(hostedCluster ?? "clusters/name") ?? {};
  if (!subdomain.test(namespace) || !subdomain.test(name))
    problem("hostedCluster", `"${hostedCluster ?? ""}" is not the namespace and the name of a HostedCluster: namespace/name`);
};

export const checkArcAgents: Check = ({ command, values, given, problem, notice }) => {
  if (command !== "create arc") return;
  const { httpProxy, httpsProxy, proxySkipRange = [], proxyCertificateFile, oidcIssuerUrl, workloadIdentity, agentVersion } = values;
  for (const [key, url] of [["httpProxy", httpProxy] as const, ["httpsProxy", httpsProxy] as const]) {
    if (url !== undefined && !isProxyUrl(url)) problem(key, "is not the URL of a proxy: http://host:port");
  }
  const hasProxy = httpProxy !== undefined || httpsProxy !== undefined;
  if (!hasProxy && proxySkipRange.length > 0) problem("proxySkipRange", "also requires --https-proxy or --http-proxy");
  if (hasProxy && proxySkipRange.length === 0)
    notice("--proxy-skip-range is not set: include the service network of the cluster, or its agents send requests for it to the proxy");
  if (proxyCertificateFile !== undefined && !hasProxy) problem("proxyCertificateFile", "also requires --https-proxy or --http-proxy");
  if (oidcIssuerUrl !== undefined && workloadIdentity !== true) problem("oidcIssuerUrl", "also requires --workload-identity");
  if (agentVersion !== undefined && !/^\d+\.\d+\.\d+$/.test(agentVersion))
    problem("agentVersion", `"${agentVersion}" is not a version of the agents, such as 1.15.3`);
  if (agentVersion !== undefined && !given("agentAutoUpgrade"))
    notice("--agent-version is installed, but Azure upgrades the agents later; --agent-auto-upgrade off prevents that");
};

function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && hostname !== "";
}
