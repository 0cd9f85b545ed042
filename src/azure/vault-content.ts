/** The data plane of one vault: its certificates and secrets, by the SDK's clients on our pipeline. */
import { CertificateClient } from "@azure/keyvault-certificates";
import { SecretClient } from "@azure/keyvault-secrets";
import type { Connection } from "./connection.js";
import { dataPlanePolicies } from "./pipeline.js";

export interface VaultContent {
  readonly certificates: CertificateClient;
  readonly secrets: SecretClient;
}

/** The clients sign in by the vault's own challenge, and insist that it names the vault's domain. */
export function vaultContent(connection: Connection, vaultName: string): VaultContent {
  const url = vaultUrl(connection, vaultName);
  const options = {
    // Ours retries instead.
    retryOptions: { maxRetries: 0 },
    additionalPolicies: dataPlanePolicies(connection),
    userAgentOptions: { userAgentPrefix: connection.userAgent },
  };
  return {
    certificates: new CertificateClient(url, connection.credential, options),
    secrets: new SecretClient(url, connection.credential, options),
  };
}

function vaultUrl({ cloud }: Connection, vaultName: string): string {
  return `https://${vaultName}.${cloud.vaultSuffix}`;
}
