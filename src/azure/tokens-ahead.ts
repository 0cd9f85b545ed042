/** Signs in to Microsoft Graph and Key Vault before their first requests, beside other requests: a token takes longer than a read. */
import type { Connection } from "./connection.js";

/** A failure is that of the first request, which asks for the token again. */
export function fetchTokensAhead(
  { credential, cloud, tenantId }: Pick<Connection, "credential" | "cloud" | "tenantId">,
  services: readonly ("graph" | "vault")[],
): void {
  const fetch = {
    graph: () => credential.getToken(`${cloud.graph}/.default`),
    // The vaults' SDK signs in to the tenant that the vault's challenge names.
    vault: () => credential.getToken(`https://${cloud.vaultSuffix}/.default`, tenantId === "" ? {} : { tenantId }),
  };
  void Promise.allSettled(services.map((service) => fetch[service]()));
}
