/** The checks of the settings of Azure Arc, in the order in which their problems are reported. */
import type { Check } from "../settings/option-check.js";
import { isPublicIssuer } from "../domain/service-account-tokens.js";
import { extensionNameRule } from "./domain/extension.js";
import { extensionType, isKeyVaultProvider } from "./domain/extension-types.js";
import type { SettingKey } from "../settings/settings.js";
import { subdomain } from "../domain/cluster-label.js";
import { hostedClusterIn } from "./domain/names.js";
import { readId } from "../settings/network-checks.js";

/** A DNS label of Kubernetes. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const checkArcSecrets: Check = ({ command, values, given, problem }) => {
  if (command !== "create arc secrets") return;
  const { secretName, workloadNamespace, serviceAccount, secretsIdentity, oidcIssuerUrl } = values;
  if (secretName !== undefined && !/^[a-z0-9-]{1,127}$/i.test(secretName))
    problem("secretName", `"${secretName}" is not the name of a secret: use 1 to 127 letters, digits and hyphens`);
  if (workloadNamespace !== undefined && !label.test(workloadNamespace))
    problem("workloadNamespace", `"${workloadNamespace}" is not a namespace: use lowercase letters, digits and inner hyphens`);
  if (serviceAccount !== undefined && !label.test(serviceAccount))
    problem("serviceAccount", `"${serviceAccount}" is not a service account: use lowercase letters, digits and inner hyphens`);
  if (oidcIssuerUrl !== undefined && !isPublicIssuer(oidcIssuerUrl))
    problem("oidcIssuerUrl", `"${oidcIssuerUrl}" cannot be read by Entra: an issuer has a public hostname and HTTPS`);
  if (secretsIdentity === "service-principal" && given("oidcIssuerUrl"))
    problem("oidcIssuerUrl", "cannot be combined with --secrets-identity service-principal, which uses no tokens of the cluster");
};

const checkArcManifests: Check = ({ command, values, problem }) => {
  if (command === "render arc" && values.outputDir !== undefined && values.outputFile !== undefined)
    problem("outputDir", "cannot be combined with --output-file: it gets one file for each manifest");
};

/** Checks of the extension of a connected cluster: its name, and settings that only one type has. */
const ofKeyVault = ["secretRotation", "rotationInterval", "syncSecrets"] as const satisfies readonly SettingKey[];

/** A duration of Go, as the chart of the driver reads it. */
const goDuration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

const checkExtension: Check = ({ command, values, given, problem }) => {
  if (!command.endsWith("arc extension")) return;
  const { extensionType: chosen, extensionName, releaseNamespace, releaseTrain, extensionVersion, rotationInterval } = values;
  if (extensionName !== undefined && !extensionNameRule.test(extensionName))
    problem("extensionName", `"${extensionName}" is not a name of an extension: use 1 to 253 letters, digits, hyphens and periods`);
  if (command === "destroy arc extension" && chosen === undefined && extensionName === undefined)
    problem("extensionType", "is missing: pass --extension-type or --extension-name");
  if (chosen === undefined) return;
  const type = extensionType(chosen);
  if (type.extensionName === undefined && !/^[a-z0-9][\w.-]*$/i.test(chosen))
    problem("extensionType", `"${chosen}" is not a type of extension: use key-vault, policy, or a registered name such as microsoft.flux`);
  if (releaseNamespace !== undefined && type.releaseNamespace !== undefined && releaseNamespace !== type.releaseNamespace)
    problem("releaseNamespace", `must be ${type.releaseNamespace} for ${chosen}`);
  if (releaseTrain !== undefined && extensionVersion !== undefined)
    problem("releaseTrain", "cannot be combined with --extension-version: a pinned version follows no train");
  if (rotationInterval !== undefined && !goDuration.test(rotationInterval))
    problem("rotationInterval", `"${rotationInterval}" is not a duration: use a number and s, m or h, as in 2m`);
  for (const key of ofKeyVault) {
    if (!isKeyVaultProvider(type) && given(key)) problem(key, "requires --extension-type key-vault");
  }
};

const checkExtensionSettings: Check = ({ values: { extensionSetting = [] }, problem }) => {
  for (const setting of extensionSetting) {
    if (!/^[^=\s]+=/.test(setting)) problem("extensionSetting", `"${setting}" is not a setting: use key=value`);
  }
};

/** Checks of the settings of connected clusters: access to the cluster, resource IDs, proxy and issuer. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const idTypes = {
  openshiftClusterId: "Microsoft.RedHatOpenShift/openShiftClusters",
  privateLinkScopeId: "Microsoft.HybridCompute/privateLinkScopes",
  gatewayId: "Microsoft.HybridCompute/gateways",
} as const;

const checkArcIds: Check = ({ values, problem }) => {
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
const checkArcAccess: Check = ({ values, problem }) => {
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

const checkArcAgents: Check = ({ command, values, given, problem, notice }) => {
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

export const checks: readonly Check[] = [
  checkExtension,
  checkExtensionSettings,
  checkArcSecrets,
  checkArcManifests,
  checkArcIds,
  checkArcAccess,
  checkArcAgents,
];
