/** The actions that a create needs, by what is made and where: what the doctor holds against the rights there are. Held to by running with exactly these. */

/** What a create makes, as far as its needs differ. */
export const parts = ["infra", "identities", "issuer"] as const;
export type Part = (typeof parts)[number];

/** Groups by what is in them; `dns` is that of the public zone. */
export const groupKinds = ["managed", "vnet", "nsg", "privateZone", "dns", "identities", "issuer"] as const;
export type GroupKind = (typeof groupKinds)[number];

/** What `create infra` takes from others. */
export type Existing = "managed" | "vnet" | "nsg";

export interface RequiredActions {
  /** Needed where all of these are made. */
  readonly parts: readonly Part[];
  readonly at: GroupKind | "subscription";
  /** Not needed where this is brought. */
  readonly unlessExisting?: Existing;
  readonly actions: readonly string[];
}

function on(type: string, ...verbs: readonly string[]): string[] {
  return verbs.map((verb) => `${type}/${verb}`);
}

const network = "Microsoft.Network";
const identity = "Microsoft.ManagedIdentity/userAssignedIdentities";
const storage = "Microsoft.Storage";
const group = on("Microsoft.Resources/subscriptions/resourceGroups", "read", "write");
const roles = on("Microsoft.Authorization/roleAssignments", "read", "write");

/** `join/action` is asked for where one resource refers to another: a load balancer to an address, a link to a network. */
export const requiredActions: readonly RequiredActions[] = [
  {
    parts: ["infra"],
    at: "managed",
    actions: [
      ...on("Microsoft.Resources/subscriptions/resourceGroups", "read"),
      ...on(`${network}/publicIPAddresses`, "read", "write", "join/action"),
      ...on(`${network}/loadBalancers`, "read", "write"),
    ],
  },
  { parts: ["infra"], at: "managed", unlessExisting: "managed", actions: group },
  { parts: ["infra"], at: "vnet", actions: on(`${network}/virtualNetworks`, "read", "join/action") },
  { parts: ["infra"], at: "vnet", unlessExisting: "vnet", actions: [...group, ...on(`${network}/virtualNetworks`, "write")] },
  { parts: ["infra"], at: "nsg", actions: on(`${network}/networkSecurityGroups`, "read", "join/action") },
  { parts: ["infra"], at: "nsg", unlessExisting: "nsg", actions: [...group, ...on(`${network}/networkSecurityGroups`, "write")] },
  {
    parts: ["infra"],
    at: "privateZone",
    actions: [
      ...on(`${network}/privateDnsZones`, "read", "write"),
      ...on(`${network}/privateDnsZones/virtualNetworkLinks`, "read", "write"),
    ],
  },
  { parts: ["infra"], at: "dns", actions: on(`${network}/dnsZones`, "read") },
  ...(["managed", "vnet", "nsg", "dns"] as const).map((at): RequiredActions => ({ parts: ["infra", "identities"], at, actions: roles })),
  {
    parts: ["identities"],
    at: "identities",
    actions: [
      ...group,
      ...on("Microsoft.KeyVault/vaults", "read", "write"),
      ...on(identity, "read", "write"),
      ...on(`${identity}/federatedIdentityCredentials`, "read", "write"),
      ...roles,
    ],
  },
  {
    parts: ["identities"],
    at: "subscription",
    actions: ["Microsoft.KeyVault/checkNameAvailability/read", "Microsoft.KeyVault/deletedVaults/read"],
  },
  {
    parts: ["issuer"],
    at: "issuer",
    actions: [
      ...group,
      ...on(`${storage}/storageAccounts`, "read", "write"),
      ...on(`${storage}/storageAccounts/blobServices/containers`, "read", "write"),
      ...roles,
    ],
  },
  { parts: ["issuer"], at: "subscription", actions: ["Microsoft.Storage/checkNameAvailability/read"] },
];
