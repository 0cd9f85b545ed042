/** The hostnames of Azure that the server stands for, two that Azure lacks (metadata service, agents of Arc), and its own. */

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

/** Whether a request is for the server itself. No client of Azure uses these names. */
export const isEmulatorHost = (host: string): boolean => host === "localhost" || host === "127.0.0.1";
