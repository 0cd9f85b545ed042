/** The endpoints of each Azure cloud, in one profile so that no client falls back to the public cloud. */

export interface CloudProfile {
  /** The name in `--cloud` and in the HostedCluster's `platform.azure.cloud`. */
  readonly name: string;
  readonly authorityHost: string;
  readonly resourceManager: string;
  readonly resourceManagerScope: string;
  readonly graph: string;
  /** Blobs of a storage account are at `https://<account>.<blobSuffix>`. */
  readonly blobSuffix: string;
  /** A vault is at `https://<vault>.<vaultSuffix>`. */
  readonly vaultSuffix: string;
  /** A managed HSM is at `https://<hsm>.<hsmSuffix>`. */
  readonly hsmSuffix: string;
  /** The agents of Azure Arc read their configuration at `https://<region>.<arcSuffix>`. */
  readonly arcSuffix: string;
  /** The name of the cloud in the Helm values of the agents. */
  readonly agentsName: string;
  /** The address of the Azure portal; undefined if the cloud has no portal with a published address. */
  readonly portal: string | undefined;
}

interface Hosts {
  readonly authority: string;
  readonly resourceManager: string;
  readonly graph: string;
  readonly storage: string;
  readonly vault: string;
  readonly arc: string;
  readonly agentsName: string;
  readonly portal?: string;
}

function profile(name: string, { authority, resourceManager, graph, storage, vault, arc, agentsName, portal }: Hosts): CloudProfile {
  return {
    name,
    authorityHost: `https://${authority}`,
    resourceManager: `https://${resourceManager}`,
    resourceManagerScope: `https://${resourceManager}/.default`,
    graph: `https://${graph}`,
    blobSuffix: `blob.core.${storage}`,
    vaultSuffix: `vault.${vault}`,
    hsmSuffix: `managedhsm.${vault}`,
    arcSuffix: `dp.kubernetesconfiguration.${arc}`,
    agentsName,
    portal: portal && `https://${portal}`,
  };
}

const publicHosts: Hosts = {
  authority: "login.microsoftonline.com",
  resourceManager: "management.azure.com",
  graph: "graph.microsoft.com",
  storage: "windows.net",
  vault: "azure.net",
  arc: "azure.com",
  agentsName: "AZUREPUBLICCLOUD",
};

/**
 * The clouds of HyperShift's API enum that are still reachable: AzureGermanCloud closed in 2021, and AzureStackCloud has no fixed endpoints.
 * "local" is the emulator, which serves the public cloud's hostnames.
 */
export const clouds = {
  AzurePublicCloud: profile("AzurePublicCloud", { ...publicHosts, portal: "portal.azure.com" }),
  AzureUSGovernmentCloud: profile("AzureUSGovernmentCloud", {
    authority: "login.microsoftonline.us",
    resourceManager: "management.usgovcloudapi.net",
    graph: "graph.microsoft.us",
    storage: "usgovcloudapi.net",
    vault: "usgovcloudapi.net",
    arc: "azure.us",
    agentsName: "AZUREUSGOVERNMENTCLOUD",
    portal: "portal.azure.us",
  }),
  AzureChinaCloud: profile("AzureChinaCloud", {
    authority: "login.chinacloudapi.cn",
    resourceManager: "management.chinacloudapi.cn",
    graph: "microsoftgraph.chinacloudapi.cn",
    storage: "chinacloudapi.cn",
    vault: "azure.cn",
    arc: "azure.cn",
    agentsName: "AZURECHINACLOUD",
    portal: "portal.azure.cn",
  }),
  AzureBleuCloud: profile("AzureBleuCloud", {
    authority: "login.sovcloud-identity.fr",
    resourceManager: "management.sovcloud-api.fr",
    graph: "graph.svc.sovcloud.fr",
    storage: "sovcloud-api.fr",
    vault: "sovcloud-api.fr",
    arc: "sovcloud-api.fr",
    agentsName: "AZUREBLEUCLOUD",
  }),
  local: profile("AzurePublicCloud", publicHosts),
} as const satisfies Record<string, CloudProfile>;

export type CloudName = keyof typeof clouds;

/** Every name of Entra's sign-in hosts, by cloud. The openid configuration and the challenges of vaults may name any of their own cloud. */
const authorities: readonly (readonly string[])[] = [
  ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"],
  ["login.microsoftonline.us", "login.usgovcloudapi.net"],
  ["login.chinacloudapi.cn", "login.partner.microsoftonline.cn"],
];

/** Whether this is a sign-in host of the same cloud; a region has its own: eastus.login.microsoft.com. */
export function isAuthority(url: URL, authorityHost: string): boolean {
  const { host } = new URL(authorityHost);
  const hosts = authorities.find((names) => names.includes(host)) ?? [host];
  return url.protocol === "https:" && hosts.some((name) => url.host === name || url.host.endsWith(`.${name}`));
}
