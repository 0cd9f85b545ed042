/** Recovers soft-deleted contents of a vault with their versions, and has their step read them again. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { vaultRecovery } from "../azure/expected-durations.js";
import { noInterval } from "../azure/long-running.js";
import { pollWhenDue } from "../azure/poll-timing.js";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { cryptoOfficer } from "../domain/roles.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { Recovered } from "../errors/stale.js";

const polled = { intervalInMs: noInterval };

/** @throws Recovered */
export async function recoverSecret(azure: Azure, vaultName: string, name: string): Promise<never> {
  const { secrets } = await azure.vaultContent(vaultName);
  return recovery(() => secrets.beginRecoverDeletedSecret(name, polled));
}

/** @throws Recovered */
export async function recoverCertificate(azure: Azure, vaultName: string, name: string): Promise<never> {
  const { certificates } = await azure.vaultContent(vaultName);
  return recovery(() => certificates.beginRecoverDeletedCertificate(name, polled));
}

/** @throws Recovered; ARO-VAULT-001 if the caller has no role for the keys of the vault */
export async function recoverKey(azure: Azure, vaultName: string, name: string): Promise<never> {
  const client = await azure.vaultKeys(vaultName);
  try {
    return await recovery(() => client.beginRecoverDeletedKey(name, polled));
  } catch (error) {
    if (!isRestError(error) || azureCodeOf(error) !== "ForbiddenByRbac") throw error;
    throw new Failure("ARO-VAULT-001", `${quotedTitleOf(resourceTypes.vaultKey, name)} is soft-deleted, and keeps its name`, {
      because: `the signed-in principal has no role to recover it, such as "${cryptoOfficer.name}"`,
      next: [advise`let an owner of the vault recover it: ${shell`az keyvault key recover --vault-name ${vaultName} --name ${name}`}`],
      cause: error,
    });
  }
}

async function recovery(begin: () => Promise<{ pollUntilDone(): Promise<unknown> }>): Promise<never> {
  await pollWhenDue(vaultRecovery, async () => (await begin()).pollUntilDone());
  throw new Recovered("it was recovered");
}
