/** What is verified must be said: without a file there is no identity to follow. */
import type { Check } from "./check.js";

const vaultKeyId = /^https:\/\/[a-z0-9-]+\.[a-z0-9.-]+\/keys\/[a-z0-9-]{1,127}\/[0-9a-f]{32}$/i;

export const checkVerified: Check = ({ command, values, problem }) => {
  if (command !== "verify identities") return;
  const { inputDir, managedIdentitiesFile, dataPlaneIdentitiesFile, encryptionKeyId } = values;
  if ((inputDir ?? managedIdentitiesFile ?? dataPlaneIdentitiesFile) === undefined) {
    problem("inputDir", "or one of --managed-identities-file and --data-plane-identities-file is required");
  }
  if (encryptionKeyId !== undefined && !vaultKeyId.test(encryptionKeyId)) {
    problem("encryptionKeyId", `"${encryptionKeyId}" is not the id of a vault key: https://<vault>.vault.azure.net/keys/<name>/<version>`);
  }
};
