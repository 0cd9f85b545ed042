/** The hostnames of Azure that the server stands for, and two of its own: for the metadata service, and for the agents of Arc. */

/** As a certificate names them: a star is one label. */
export const azureHostPatterns = [
  "management.azure.com",
  "login.microsoftonline.com",
  "graph.microsoft.com",
  "*.vault.azure.net",
  "*.managedhsm.azure.net",
  "*.blob.core.windows.net",
  "*.oic.prod-aks.azure.com",
  "*.dp.kubernetesconfiguration.azure.com",
  "*.instance-metadata.invalid",
  "*.arc-agents.invalid",
] as const;

/** Whether a lower-case hostname without port is one of them. */
export function isAzureHost(host: string): boolean {
  return azureHostPatterns.some((pattern) =>
    pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) && !host.slice(0, -pattern.length + 1).includes(".") : host === pattern,
  );
}
