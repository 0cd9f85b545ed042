/** Where each Azure cloud answers: one profile for every client, so that no client falls back to the public cloud. */

export interface CloudProfile {
  /** As `--cloud` and the HostedCluster's `platform.azure.cloud` name it. */
  readonly name: string;
  readonly authorityHost: string;
  readonly resourceManager: string;
  /** Scope of a Resource Manager token. */
  readonly resourceManagerScope: string;
  readonly graph: string;
}

function profile(name: string, authority: string, resourceManager: string, graph: string, audience = resourceManager): CloudProfile {
  return {
    name,
    authorityHost: `https://${authority}`,
    resourceManager: `https://${resourceManager}`,
    resourceManagerScope: `https://${audience}/.default`,
    graph: `https://${graph}`,
  };
}

/**
 * The clouds of HyperShift's API enum that can still be reached; AzureGermanCloud was closed in 2021 and AzureStackCloud has no fixed addresses.
 * "local" is the embedded Azure, which answers under the public cloud's names.
 */
export const clouds = {
  AzurePublicCloud: profile("AzurePublicCloud", "login.microsoftonline.com", "management.azure.com", "graph.microsoft.com"),
  AzureUSGovernmentCloud: profile(
    "AzureUSGovernmentCloud",
    "login.microsoftonline.us",
    "management.usgovcloudapi.net",
    "graph.microsoft.us",
  ),
  AzureChinaCloud: profile("AzureChinaCloud", "login.chinacloudapi.cn", "management.chinacloudapi.cn", "microsoftgraph.chinacloudapi.cn"),
  AzureBleuCloud: profile("AzureBleuCloud", "login.sovcloud-identity.fr", "management.sovcloud-api.fr", "graph.svc.sovcloud.fr"),
  local: profile("AzurePublicCloud", "login.microsoftonline.com", "management.azure.com", "graph.microsoft.com"),
} as const satisfies Record<string, CloudProfile>;

export type CloudName = keyof typeof clouds;
