/** The names and IDs of the fresh state. */

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
