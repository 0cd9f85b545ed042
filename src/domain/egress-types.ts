/** The rows of the Azure resource types that only an existing egress uses. Part of the table of resource types, which checks them. */

export const egressTypes = {
  publicIpPrefix: {
    type: "Microsoft.Network/publicIPPrefixes",
    label: "public IP prefix",
    plural: "public IP prefixes",
    heldBy: ["publicIpAddress", "loadBalancer", "natGateway"],
    az: "network public-ip prefix",
    use: {
      step: "public-ip-prefix",
      part: "infra",
      group: "managed",
      verbs: ["read", "join/action"],
      location: "regional",
      existingFlag: "--public-ip-prefix-id",
    },
  },
  routeTable: {
    type: "Microsoft.Network/routeTables",
    label: "route table",
    heldBy: ["virtualNetwork"],
    az: "network route-table",
    use: {
      step: "route-table",
      part: "infra",
      group: "vnet",
      verbs: ["read", "join/action"],
      location: "regional",
      existingFlag: "--route-table-id",
    },
  },
} as const;
