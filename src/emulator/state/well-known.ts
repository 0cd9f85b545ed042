/** The names and IDs of the fresh state, and the GUIDs of Azure's general roles. */

/** The same in every state, so that scripts and tests can hard-code them. */
export const wellKnown = {
  tenantId: "7e7a0000-0000-4000-8000-000000000001",
  subscriptionId: "5b5c0000-0000-4000-8000-000000000001",
  /** The client of `azure-creds.json`. */
  clientId: "c11e0000-0000-4000-8000-000000000001",
  clientApplicationId: "c11e0000-0000-4000-8000-000000000002",
  clientPrincipalId: "c11e0000-0000-4000-8000-000000000003",
  dnsZone: "hcp.example.com",
  dnsGroup: "dns",
} as const;

/** The fresh state assigns the last two to the client. */
export const roleIds = {
  owner: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
  contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  userAccessAdministrator: "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
} as const;
