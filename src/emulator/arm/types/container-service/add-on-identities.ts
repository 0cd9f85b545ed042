/** The add-ons of AKS for which it makes an identity, and the names of these identities. */

/** Device plugins and the dashboard have none. */
export const addOnsWithIdentity: readonly string[] = [
  "aciConnectorLinux",
  "azureKeyvaultSecretsProvider",
  "azurepolicy",
  "httpApplicationRouting",
  "ingressApplicationGateway",
  "omsagent",
  "openServiceMesh",
];

export function addOnIdentityName(addOn: string, cluster: string): string {
  return `${addOn}-${cluster}`.toLowerCase();
}
