/** The hostnames of Azure that the server stands for. */

/** As a certificate names them: a star is one label. */
export const azureHostPatterns = [
  "management.azure.com",
  "login.microsoftonline.com",
  "graph.microsoft.com",
  "*.vault.azure.net",
  "*.blob.core.windows.net",
] as const;

/** Whether a lower-case hostname without port is one of them. */
export function isAzureHost(host: string): boolean {
  return azureHostPatterns.some((pattern) =>
    pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) && !host.slice(0, -pattern.length + 1).includes(".") : host === pattern,
  );
}
