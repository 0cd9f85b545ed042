/** The clouds of Azure by the names that HyperShift gives them. Output files name theirs. */

export const azureClouds = ["AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud", "AzureBleuCloud"] as const;
