/** The data plane of one vault: its certificates and secrets, through the SDK's clients on our pipeline, and its deleted keys. */
import { createDefaultHttpClient, createPipelineFromOptions } from "@azure/core-rest-pipeline";
import { CertificateClient } from "@azure/keyvault-certificates";
import { SecretClient } from "@azure/keyvault-secrets";
import type { Connection } from "./connection.js";
import { arrangePipeline, vaultPolicies } from "./pipeline.js";
import { deletedKeyResponse } from "./arm-responses.js";
import { resourceManager } from "./resource-manager.js";
import { vaultService } from "./service.js";

export interface VaultContent {
  readonly certificates: CertificateClient;
  readonly secrets: SecretClient;
  /** The names of the soft-deleted keys, without those of certificates. */
  deletedKeys(): Promise<string[]>;
}

/** The clients sign in through the vault's authentication challenge, and require that it names the vault's domain. */
export function vaultContent(connection: Connection, vaultName: string): VaultContent {
  const url = vaultUrl(connection, vaultName);
  const options = {
    // The pipeline's retry policy applies instead.
    retryOptions: { maxRetries: 0 },
    additionalPolicies: vaultPolicies(connection, url),
    userAgentOptions: { userAgentPrefix: connection.userAgent },
  };
  return {
    certificates: new CertificateClient(url, connection.credential, options),
    secrets: new SecretClient(url, connection.credential, options),
    async deletedKeys() {
      const pipeline = createPipelineFromOptions({ userAgentOptions: options.userAgentOptions });
      const scope = `https://${connection.cloud.vaultSuffix}/.default`;
      arrangePipeline(pipeline, connection, { service: vaultService(url), scope, register: () => Promise.resolve(false) });
      const httpClient = createDefaultHttpClient();
      // The lists of a vault have the format of Resource Manager's.
      const { list } = resourceManager(url, (request) => pipeline.sendRequest(httpClient, request));
      const keys = await list("/deletedkeys", "7.6", deletedKeyResponse);
      return keys.flatMap(({ kid, managed }) => (managed === true ? [] : [new URL(kid).pathname.split("/")[2] ?? ""]));
    },
  };
}

function vaultUrl({ cloud }: Connection, vaultName: string): string {
  return `https://${vaultName}.${cloud.vaultSuffix}`;
}
