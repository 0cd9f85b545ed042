/** Checks of the key that encrypts etcd: that it is there, and that the KMS identity may use it. */
import type { Key } from "@azure/arm-keyvault";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { idKey, parseResourceId } from "../../infra/resource-id.js";
import { cryptoUser } from "../../infra/role-table.js";
import { broken, holds, notAsked, type Finding } from "../check.js";
import { inspect, type Inspection } from "../inspection.js";
import type { CredentialLink, IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import type { VaultLinks } from "./vault.js";

/** None where the file names no KMS identity. */
export function kmsInspections(azure: Azure, chain: IdentityChain, vaults: VaultLinks, links: readonly CredentialLink[]): Inspection[] {
  return links
    .filter(({ component }) => component.field === "kms")
    .flatMap(({ component: { name: subject }, entry }) => {
      const key = inspect(identityChecks["kms-key"], subject, {}, () => findKey(azure, vaults, chain.encryptionKeyId));
      const role = inspect(identityChecks["kms-role"], subject, { entry, key }, ({ entry: { clientId }, key: { vaultId } }) =>
        judgeRole(azure, clientId, vaultId),
      );
      return [key, role];
    });
}

interface FoundKey {
  readonly vaultId: string;
}

/** By Resource Manager, which asks for no right on the vault's content, and answers where the vault's network does not let us in. */
async function findKey(azure: Azure, vaults: VaultLinks, keyId: string | undefined): Promise<Finding<FoundKey>> {
  if (keyId === undefined) return notAsked("no --encryption-key-id is given");
  const { hostname, pathname } = new URL(keyId);
  const [, , name = "", version = ""] = pathname.split("/");
  const vaultName = hostname.split(".")[0] ?? "";
  if (hostname.slice(vaultName.length + 1) !== azure.connection.cloud.vaultSuffix) {
    return notAsked(`${hostname} is no vault of ${azure.connection.cloud.name}: keys of a managed HSM are not looked at`);
  }
  const vault = (await vaults.inSubscription()).find((other) => other.name?.toLowerCase() === vaultName.toLowerCase());
  if (vault?.id === undefined) {
    return broken(
      `subscription ${azure.connection.subscriptionId} has no vault ${vaultName}`,
      "correct --encryption-key-id, or give the subscription that holds the vault with --subscription",
    );
  }
  const client = await azure.vaults();
  const key = await found(client.keys.getVersion(parseResourceId(vault.id).resourceGroup ?? "", vaultName, name, version));
  if (key === undefined) {
    return broken(
      `vault ${vaultName} has no version ${version} of a key ${name}`,
      `give the id that \`az keyvault key show --vault-name ${vaultName} --name ${name} --query key.kid\` prints, or make the key with \`az keyvault key create --vault-name ${vaultName} --name ${name} --kty RSA\``,
    );
  }
  return judgeKey(key, { vaultId: vault.id, vaultName, name, version });
}

function judgeKey(
  { kty, keySize, attributes }: Key,
  { vaultId, vaultName, name, version }: FoundKey & { readonly vaultName: string; readonly name: string; readonly version: string },
): Finding<FoundKey> {
  if (kty?.startsWith("RSA") !== true) {
    return broken(
      `key ${name} is of type ${kty ?? "unknown"}: etcd's keys are wrapped with RSA-OAEP-256`,
      `encrypt with another: \`az keyvault key create --vault-name ${vaultName} --name <name> --kty RSA\``,
    );
  }
  if (attributes?.enabled === false) {
    return broken(
      `version ${version} of key ${name} is disabled`,
      `\`az keyvault key set-attributes --vault-name ${vaultName} --name ${name} --version ${version} --enabled true\``,
    );
  }
  return holds(`${kty} ${String(keySize ?? "")}, enabled`, { vaultId });
}

async function judgeRole(azure: Azure, clientId: string, vaultId: string): Promise<Finding<unknown>> {
  const directory = await azure.directory();
  const [principal] = await directory.servicePrincipals([clientId]);
  if (principal === undefined) return notAsked(`the directory does not know client ${clientId}`);
  const { subscriptionId } = parseResourceId(vaultId);
  const { roleAssignments } = await azure.authorization(subscriptionId);
  // Those above the vault count, too.
  const held = await all(roleAssignments.listForScope(vaultId, { filter: `principalId eq '${principal.id}'` }));
  const grant = held.find(
    ({ roleDefinitionId = "", scope = "" }) =>
      idKey(roleDefinitionId).endsWith(`/${cryptoUser.id}`) && idKey(vaultId).startsWith(idKey(scope)),
  );
  if (grant !== undefined) return holds(`${cryptoUser.name} on ${grant.scope ?? ""}`);
  return broken(
    `principal ${principal.id} has no ${cryptoUser.name} on ${vaultId}`,
    `\`az role assignment create --role ${cryptoUser.id} --assignee-object-id ${principal.id} --assignee-principal-type ServicePrincipal --scope ${vaultId}\``,
  );
}
