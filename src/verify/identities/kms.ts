/** Checks of the key that encrypts etcd: that it is there, and that the KMS identity may use it. */
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import type { Key } from "@azure/arm-keyvault";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { foreignKeyProblem, parseEncryptionKeyId } from "../../domain/encryption-key.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { roleAssignmentTitle, scopeTitle } from "../../domain/role-assignment-title.js";
import { cryptoUser } from "../../domain/roles.js";
import { broken, holds, notChecked, notCheckedFor, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { allowsOnData } from "../../domain/action-pattern.js";
import type { IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import { objectIdOf, type EntraLink } from "./entra.js";
import { isCombined } from "./file-documents.js";
import { heldRoles } from "./effective-roles.js";
import type { VaultLinks } from "./vault.js";

const subject = "kms";

/** What the API server does with the key. */
const operations = ["encrypt", "decrypt"] as const;

/** None where nobody speaks of it: neither the file nor a key. `kms`: undefined where the file names no such identity. */
export function kmsCheckInstances(azure: Azure, chain: IdentityChain, vaults: VaultLinks, kms: EntraLink | undefined): CheckInstance[] {
  if (kms === undefined && chain.encryptionKeyId === undefined) return [];
  const key = checkInstance(identityChecks["kms-key"], subject, {}, () => findKey(azure, vaults, chain));
  const role =
    kms === undefined
      ? checkInstance(identityChecks["kms-role"], subject, { key }, () => nobody(chain))
      : checkInstance(
          identityChecks["kms-role"],
          subject,
          { key },
          ({ key: found }, results) => {
            const objectId = objectIdOf(results);
            return objectId === undefined ? notCheckedFor(results.principal.result) : checkRole(azure, objectId, found);
          },
          { principal: kms.principal, signIn: kms.signIn },
        );
  return [key, role];
}

interface FoundKey {
  /** Of the key. */
  readonly id: string;
  readonly vaultId: string;
}

/** Only a combined file has a place for it. */
function nobody(chain: IdentityChain): Finding<never> {
  const make = advise`${aroHcp("create identities", { enableKms: true })} creates it, and writes the combined file`;
  return isCombined(chain.managedIdentities)
    ? broken("the file names no identity kms: nobody could encrypt etcd with the key", make)
    : notChecked(advise`the KMS identity is not known: a combined file names it, and none is given; ${make}`);
}

/** By Resource Manager, which asks for no right on the vault's content, and answers where the vault's network does not let us in. */
async function findKey(azure: Azure, vaults: VaultLinks, { encryptionKeyId: keyId, now }: IdentityChain): Promise<Finding<FoundKey>> {
  if (keyId === undefined) return notChecked("no --encryption-key-id is given");
  const { cloud, subscriptionId } = azure.connection;
  const known = parseEncryptionKeyId(keyId);
  if (known === undefined) return broken(`${keyId} is not the id of a key with its version`, "correct --encryption-key-id");
  const { keyVaultName: vaultName, keyName: name, keyVersion: version, vaultSuffix } = known;
  if (vaultSuffix.startsWith("managedhsm.")) return notChecked(`${name} is a key of a managed HSM: managed HSM keys are not checked`);
  const foreign = foreignKeyProblem(known, cloud.name);
  if (foreign !== undefined) return broken(foreign, "give the key of a vault of this cloud with --encryption-key-id");
  const vault = (await vaults.inSubscription()).find((other) => other.name?.toLowerCase() === vaultName.toLowerCase());
  if (vault?.id === undefined) {
    return broken(
      `subscription ${subscriptionId} has no vault ${vaultName}`,
      "correct --encryption-key-id, or give the subscription that holds the vault with --subscription",
    );
  }
  const client = await azure.vaults();
  const key = await found(client.keys.getVersion(parseResourceId(vault.id).resourceGroup ?? "", vaultName, name, version));
  if (key === undefined) {
    return broken(
      `vault ${vaultName} has no version ${version} of a key ${name}`,
      advise`pass the ID that ${shell`az keyvault key show --vault-name ${vaultName} --name ${name} --query key.kid`} prints, or create the key with ${shell`az keyvault key create --vault-name ${vaultName} --name ${name} --kty RSA`}`,
    );
  }
  return checkKey(key, { id: `${vault.id}/keys/${name}`, vaultId: vault.id, vaultName, name, version }, now());
}

function checkKey(
  { kty, keySize, keyOps, attributes: { enabled, notBefore, expires } = {} }: Key,
  { vaultName, name, version, ...key }: FoundKey & { readonly vaultName: string; readonly name: string; readonly version: string },
  now: Date,
): Finding<FoundKey> {
  const what = `version ${version} of key ${name}`;
  const set = (flag: string, ...values: readonly string[]) =>
    shell`az keyvault key set-attributes --vault-name ${vaultName} --name ${name} --version ${version} ${flag} ${values}`;
  const setTime = (flag: string, when: string) =>
    shell`az keyvault key set-attributes --vault-name ${vaultName} --name ${name} --version ${version} ${flag} ${blank(when)}`;
  const seconds = now.getTime() / 1000;
  const time = (epoch: number) => rfc3339(new Date(epoch * 1000));
  if (kty?.startsWith("RSA") !== true) {
    return broken(
      `key ${name} is of type ${kty ?? "unknown"}: etcd's keys are wrapped with RSA-OAEP-256`,
      advise`use another key: ${shell`az keyvault key create --vault-name ${vaultName} --name ${blank("name")} --kty RSA`}`,
    );
  }
  if (enabled === false) return broken(`${what} is disabled`, set("--enabled", "true"));
  if (notBefore !== undefined && notBefore > seconds) {
    return broken(`${what} is not valid before ${time(notBefore)}`, setTime("--not-before", "an earlier time"));
  }
  if (expires !== undefined && expires <= seconds) {
    return broken(`${what} expired on ${time(expires)}: nothing new can be encrypted with it`, setTime("--expires", "a later time"));
  }
  const lacking = operations.filter((operation) => keyOps !== undefined && !keyOps.includes(operation));
  if (lacking.length > 0) return broken(`${what} may not be used to ${lacking.join(" and ")}`, set("--ops", "encrypt", "decrypt"));
  return holds(`${kty} ${String(keySize ?? "")}, enabled${expires === undefined ? "" : `, until ${time(expires)}`}`, key);
}

async function checkRole(azure: Azure, objectId: string, { id, vaultId }: FoundKey): Promise<Finding<unknown>> {
  const roles = await heldRoles(azure, objectId, id);
  const able = roles.find((role) =>
    operations.every((operation) => allowsOnData(role.permissions, `Microsoft.KeyVault/vaults/keys/${operation}/action`)),
  );
  if (able !== undefined) return holds(`${able.roleName ?? able.name ?? ""} for object ${objectId}`);
  const title = roleAssignmentTitle({ role: cryptoUser.name, holder: subject, scope: scopeTitle(vaultId) });
  return broken(
    `no ${title} (object ${objectId}), nor on the key: it may not encrypt and decrypt with it`,
    shell`az role assignment create --role ${cryptoUser.id} --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --scope ${vaultId}`,
  );
}
