/** The data plane of one vault: its certificates and secrets, through the SDK's clients on our pipeline. */
import { CertificateClient } from "@azure/keyvault-certificates";
import { SecretClient } from "@azure/keyvault-secrets";
import type { Connection } from "./connection.js";
import { vaultPolicies } from "./pipeline.js";
import { serviceUrl } from "./service-url.js";

export interface VaultContent {
  readonly certificates: CertificateClient;
  readonly secrets: SecretClient;
}

/** The clients sign in through the vault's authentication challenge, and require that it names the vault's domain. */
export function vaultContent(connection: Connection, vaultName: string): VaultContent {
  const url = vaultUrl(connection, vaultName);
  const options = vaultClientOptions(connection, url);
  return {
    certificates: new CertificateClient(url, connection.credential, options),
    secrets: new SecretClient(url, connection.credential, options),
  };
}

export function vaultClientOptions(connection: Connection, url: string, retries: { readonly brief?: boolean } = {}) {
  return {
    // The pipeline's retry policy applies instead.
    retryOptions: { maxRetries: 0 },
    additionalPolicies: vaultPolicies(connection, url, retries),
    userAgentOptions: { userAgentPrefix: connection.userAgent },
  };
}

export function vaultUrl({ cloud }: Connection, vaultName: string): string {
  return serviceUrl(vaultName, cloud.vaultSuffix);
}
