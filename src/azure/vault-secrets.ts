/** A secret of a vault as it is: live, disabled or soft-deleted. */
import type { DeletedSecret, KeyVaultSecret, SecretProperties } from "@azure/keyvault-secrets";
import { Stale } from "../errors/stale.js";
import type { Azure } from "./azure.js";
import { azureCodeOf } from "./azure-error.js";
import { found } from "./long-running.js";
import { all } from "./pages.js";

export interface LiveSecret {
  /** A disabled secret has no value. */
  readonly secret?: KeyVaultSecret;
  readonly deleted?: DeletedSecret;
}

export async function readSecret(azure: Azure, vaultName: string, name: string): Promise<LiveSecret | undefined> {
  const { secrets } = await azure.vaultContent(vaultName);
  try {
    const secret = await found(secrets.getSecret(name));
    if (secret) return { secret };
  } catch (error) {
    if (azureCodeOf(error) !== "SecretDisabled") throw error;
    return { secret: { name, properties: await newestVersion(secrets.listPropertiesOfSecretVersions(name)) } };
  }
  const deleted = await found(secrets.getDeletedSecret(name));
  return deleted && { deleted };
}

/** A disabled secret without its value, which cannot be read. */
async function newestVersion(versions: AsyncIterable<SecretProperties>): Promise<SecretProperties> {
  const createdMs = ({ createdOn }: SecretProperties) => createdOn?.getTime() ?? 0;
  const [newest] = (await all(versions)).toSorted((left, right) => createdMs(right) - createdMs(left));
  if (!newest) throw new Stale("it was deleted in the meantime");
  return newest;
}
