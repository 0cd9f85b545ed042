/** Gets the tokens of Microsoft Graph and Key Vault before their first requests, because a token is slower than a read. */
import type { Connection } from "./connection.js";

/** A failure is that of the first request, which asks for the token again. */
export function fetchTokensAhead({
  credential,
  cloud,
  tenantId,
  early,
}: Pick<Connection, "credential" | "cloud" | "tenantId" | "early">): void {
  // A command that ends before does not wait for them.
  const abortSignal = early.ending;
  void early.start(() => credential.getToken(`${cloud.graph}/.default`, { abortSignal }));
  // The vaults' SDK signs in to the tenant that the vault's challenge names: without a known tenant, this would be another token.
  if (tenantId === "") return;
  void early.start(() => credential.getToken(`https://${cloud.vaultSuffix}/.default`, { tenantId, abortSignal }));
}
