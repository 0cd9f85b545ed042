/** The clouds of Azure by the names that HyperShift gives them. */

export const azureClouds = ["AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud", "AzureBleuCloud"] as const;
