/** Converts settings and files to the installation of HyperShift's operator. */
import { kubeconfigClusterId } from "../../aks/index.js";
import { readExternalDns, type ExternalDnsConfig } from "../../dns-zone/index.js";
import { addOnId, readManagementCluster, type ManagementClusterFile } from "../../identities/index.js";
import { ipTagAnnotation, readIpTags } from "../../domain/ip-tags.js";
import { nameProblem } from "../../domain/name-rules.js";
import { Failure } from "../../errors/failure.js";
import { readPullSecret, type PullSecret } from "../files/pull-secret.js";
import { sameId } from "../../domain/resource-id.js";
import type { HypershiftInstall, PrivateLink } from "../manifests/hypershift-install.js";
import type { Resolved } from "../../settings/settings.js";
import { sameText } from "../../text/same-text.js";

type Install = Resolved<"render hypershift-install">;

/** The content of the files, which belongs in files only. */
export interface InstallSecrets {
  readonly externalDns: ExternalDnsConfig | undefined;
  readonly pullSecret: PullSecret["content"] | undefined;
}

export interface GatheredInstall {
  /** The facts with the paths of the given files. */
  readonly install: HypershiftInstall;
  readonly secrets: InstallSecrets;
  /** Whether hypershift can read the given file of external-dns: a file of a service principal must be converted. */
  readonly externalDnsIsReady: boolean;
  /** The cluster's resource ID; without a file, what else identifies it. */
  readonly cluster: string;
  readonly notices: readonly string[];
}

/** @throws ARO-FILE-00x for an unusable file, ARO-USAGE-001 for settings that contradict a file */
export async function gatherInstall(resolved: Install): Promise<GatheredInstall> {
  const { settings } = resolved;
  const { externalDnsCredentials, externalDnsDomainFilter: domain = "", pullSecret: pullSecretFile, kubeconfig } = settings;
  const file = await readManagementCluster(settings.managementClusterFile);
  const readerClientId = addOnId(resolved, "keyVaultUserClientId", file) ?? "";
  if (file !== undefined && kubeconfig !== undefined) await requireSameCluster(kubeconfig, file);
  const dns = externalDnsCredentials === undefined ? undefined : await readExternalDns(externalDnsCredentials);
  const pullSecret = pullSecretFile === undefined ? undefined : await readPullSecret(pullSecretFile);
  const install: HypershiftInstall = {
    readerClientId,
    kubeconfig,
    externalDns: externalDnsCredentials === undefined ? undefined : { credentialsFile: externalDnsCredentials, domain },
    pullSecretFile,
    image: settings.hypershiftImage,
    sharedIngressTags: sharedIngressTags(resolved, file),
    privateLink: settings.privatePlatform === "Azure" ? privateLink(resolved, file) : undefined,
  };
  const externalDns = dns && { ...dns.config, ...cloudOf(dns.config, file), resourceGroup: zoneGroup(resolved, dns.config.resourceGroup) };
  return {
    install,
    secrets: { externalDns, pullSecret: pullSecret?.content },
    externalDnsIsReady: dns === undefined || (dns.isOwnFormat && dns.config["cloud"] === externalDns?.["cloud"]),
    cluster: file?.input.clusterID ?? `client ID ${readerClientId}`,
    notices: [...(dns?.notices ?? []), ...(pullSecret?.notices ?? [])],
  };
}

/** A kubeconfig of another program does not record its cluster. */
async function requireSameCluster(kubeconfig: string, { path, input }: ManagementClusterFile): Promise<void> {
  const recorded = await kubeconfigClusterId(kubeconfig);
  if (recorded === undefined || sameId(recorded, input.clusterID)) return;
  throw new Failure("ARO-USAGE-001", `${kubeconfig} and ${path} are of different clusters`, {
    problems: [
      { origin: kubeconfig, message: `is the kubeconfig of ${recorded}` },
      { origin: path, message: `describes ${input.clusterID}` },
    ],
  });
}

/** External-dns assumes the public cloud. */
function cloudOf({ cloud }: Readonly<Record<string, unknown>>, file: ManagementClusterFile | undefined): { readonly cloud?: string } {
  if (cloud !== undefined || file === undefined || file.input.cloud === "AzurePublicCloud") return {};
  return { cloud: file.input.cloud };
}

function zoneGroup({ settings, origins }: Install, inFile: string | undefined): string {
  const { dnsZoneRgName: given, externalDnsCredentials = "" } = settings;
  if (given !== undefined && inFile !== undefined && !sameText(given, inFile)) {
    throw new Failure("ARO-USAGE-001", `the resource group of the DNS zone is not the one in ${externalDnsCredentials}`, {
      problems: [{ origin: origins.dnsZoneRgName?.label ?? "--dns-zone-rg-name", message: `is "${given}", but the file has "${inFile}"` }],
    });
  }
  const group = given ?? inFile;
  if (group !== undefined) return group;
  throw new Failure("ARO-USAGE-001", "the resource group of the DNS zone is unknown", {
    because: `${externalDnsCredentials} is a credentials file, which does not name it`,
    next: ["pass --dns-zone-rg-name"],
  });
}

/** HyperShift reads the tags with equals signs. */
function sharedIngressTags({ settings, origins }: Install, file: ManagementClusterFile | undefined): string | undefined {
  const recorded = file?.input.options?.["ingressIpTags"];
  const text = settings.ingressIpTags ?? (typeof recorded === "string" ? recorded : "");
  const origin = origins.ingressIpTags?.label ?? file?.at("options", "ingressIpTags") ?? "--ingress-ip-tags";
  const tags = readIpTags(text);
  if (typeof tags === "string") throw wrongTags(origin, tags);
  if (tags.length === 0) return undefined;
  const annotation = ipTagAnnotation(tags);
  if ("problem" in annotation) throw wrongTags(origin, annotation.problem);
  return annotation.value;
}

function wrongTags(origin: string, message: string): Failure {
  return new Failure("ARO-USAGE-001", "the IP tags of the shared ingress cannot be used", { problems: [{ origin, message }] });
}

/** AKS puts load balancers into the node resource group, where their private link services also belong. */
function privateLink({ settings, origins }: Install, file: ManagementClusterFile | undefined): PrivateLink {
  const { azurePlsResourceGroup, azurePlsManagedIdentityClientId: clientId } = settings;
  const resourceGroup = azurePlsResourceGroup ?? file?.input.nodeResourceGroupName ?? "";
  const subscriptionId = file?.input.subscriptionID;
  const problem = nameProblem("resourceGroup", resourceGroup);
  if (resourceGroup === "" || problem !== undefined) {
    const origin = origins.azurePlsResourceGroup?.label ?? file?.at("nodeResourceGroupName") ?? "--azure-pls-resource-group";
    throw new Failure("ARO-USAGE-001", "the resource group for private link services is unknown", {
      problems: [{ origin, message: resourceGroup === "" ? "is required without --management-cluster-file" : (problem ?? "") }],
    });
  }
  if (clientId !== undefined && subscriptionId === undefined) {
    throw new Failure(
      "ARO-USAGE-001",
      "--azure-pls-managed-identity-client-id requires --management-cluster-file, which has its subscription",
    );
  }
  return {
    resourceGroup,
    identity: clientId === undefined || subscriptionId === undefined ? undefined : { clientId, subscriptionId },
  };
}
