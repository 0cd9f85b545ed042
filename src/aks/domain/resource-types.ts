/** The rows of the Azure resource types that only a management or service cluster uses. Part of the table of resource types, which checks them. */

export const aksTypes = {
  managedCluster: {
    type: "Microsoft.ContainerService/managedClusters",
    label: "AKS cluster",
    heldBy: [],
    az: "aks",
    parts: ["agentPoolProfiles"],
    use: {
      step: "aks-cluster",
      part: "aks",
      group: "aks",
      verbs: ["read", "write"],
      location: "regional",
      quota: "not published",
    },
  },
  agentPool: {
    type: "Microsoft.ContainerService/managedClusters/agentPools",
    label: "agent pool",
    heldBy: [],
    az: "aks nodepool",
    use: { step: "agent-pool", part: "aks", group: "aks", verbs: ["read", "write"], location: "regional", quota: "not published" },
  },
  maintenanceConfiguration: {
    type: "Microsoft.ContainerService/managedClusters/maintenanceConfigurations",
    label: "maintenance configuration",
    heldBy: [],
    use: { step: "maintenance", part: "aks", group: "aks", verbs: ["read", "write"], location: "global" },
  },
  addressRecord: {
    type: "Microsoft.Network/dnsZones/A",
    label: "A record",
    heldBy: [],
    az: "network dns record-set a",
    use: { step: "address-record", part: "aks", group: "dns", verbs: ["read", "write"], location: "global" },
  },
  nameServerRecord: {
    type: "Microsoft.Network/dnsZones/NS",
    label: "NS record set",
    heldBy: [],
    az: "network dns record-set ns",
    use: { step: "zone-delegation", part: "aks", group: "dns", verbs: ["read", "write"], location: "global" },
  },
  securityRule: {
    type: "Microsoft.Network/networkSecurityGroups/securityRules",
    label: "security rules",
    plural: "security rules",
    heldBy: [],
    az: "network nsg rule",
    use: { step: "security-rules", part: "aks", group: "aks", verbs: ["read", "write"], location: "global" },
  },
  vaultKey: {
    type: "Microsoft.KeyVault/vaults/keys",
    label: "Key Vault key",
    heldBy: [],
    use: { step: "etcd-key", part: "aks", group: "aks", verbs: ["read", "write"], location: "global" },
  },
} as const;
