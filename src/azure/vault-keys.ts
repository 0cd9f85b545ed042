/** The keys of one vault, through the SDK's client on our pipeline. */
import { KeyClient } from "@azure/keyvault-keys";
import type { Connection } from "./connection.js";
import { vaultClientOptions, vaultUrl } from "./vault-content.js";

/** `brief`: a missing role is a result, so nothing waits until one takes effect. */
export function vaultKeys(connection: Connection, vaultName: string, retries: { readonly brief: boolean }): KeyClient {
  const url = vaultUrl(connection, vaultName);
  return new KeyClient(url, connection.credential, vaultClientOptions(connection, url, retries));
}
