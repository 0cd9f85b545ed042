/** What is verified must be said: in files, or for infrastructure by names. */
import ipaddr from "ipaddr.js";
import { parseEncryptionKeyId } from "../../domain/encryption-key.js";
import type { Check } from "./check.js";

export const checkVerifiedIdentities: Check = ({ command, values, problem }) => {
  if (command !== "verify identities") return;
  const { inputDir, managedIdentitiesFile, dataPlaneIdentitiesFile, encryptionKeyId } = values;
  if ((inputDir ?? managedIdentitiesFile ?? dataPlaneIdentitiesFile) === undefined) {
    problem("inputDir", "or one of --managed-identities-file and --data-plane-identities-file is required");
  }
  if (encryptionKeyId !== undefined && parseEncryptionKeyId(encryptionKeyId) === undefined) {
    problem("encryptionKeyId", `"${encryptionKeyId}" is not the id of a vault key: https://<vault>.vault.azure.net/keys/<name>/<version>`);
  }
};

export const checkVerifiedInfra: Check = ({ command, values, problem }) => {
  if (command !== "verify infra") return;
  if ((values.infraJson ?? values.inputDir) === undefined) {
    for (const key of ["name", "infraId"] as const) {
      if (values[key] === undefined) problem(key, "is required where neither --infra-json nor --input-dir is given");
    }
  }
  for (const key of ["clusterCidr", "serviceCidr"] as const) {
    const wrong = values[key]?.find((cidr) => !ipaddr.isValidCIDR(cidr));
    if (wrong !== undefined) problem(key, `"${wrong}" is not a range such as 10.132.0.0/14`);
  }
};
