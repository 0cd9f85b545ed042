/** Rows of the key that encrypts etcd: it exists, and the KMS identity can use it. */
import { mayUseKey } from "../../encryption-key/index.js";
import { advise, aroHcp, blank, shell } from "../../errors/advice.js";
import type { RoleDefinition } from "@azure/arm-authorization";
import { azureCodeOf } from "../../azure/azure-error.js";
import type { Azure } from "../../azure/azure.js";
import { isAccessDenied } from "../../azure/hsm-keys.js";
import { found } from "../../azure/long-running.js";
import {
  backupKeyProblem,
  foreignKeyProblem,
  keyVaultTypeOf,
  parseEncryptionKeyId,
  type EncryptionKey,
} from "../../domain/encryption-key.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { roleAssignmentTitle, scopeTitle } from "../../domain/role-assignment-title.js";
import { cryptoUser, hsmCryptoUser } from "../../domain/roles.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { firstOf, unlessFailed } from "../../verify/check-instance.js";
import { allowsOnData } from "../../domain/allowed-actions.js";
import { principal, signIn } from "./entra.js";
import { createCommand, deletedKey } from "./deleted-key.js";
import { isCombined } from "./file-documents.js";
import { controlPlaneSet } from "./file-set.js";
import { heldRoles, rolesInSubscription } from "./effective-roles.js";
import { row, type IdentityReads } from "./reads.js";
import type { RowKey } from "../../verify/row.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { rfc3339 } from "../../text/rfc3339.js";

const subject = "kms";

/** The key operations that the API server uses. */
const operations = ["encrypt", "decrypt"] as const;

interface FoundKey {
  /** The ID of the key. */
  readonly id: string;
  readonly vaultId: string;
  /** The name of the vault or the managed HSM. */
  readonly vaultName: string;
  readonly isHsm: boolean;
  /** The active one, and the backup if there is one. */
  readonly versions: readonly { readonly name: string; readonly version: string }[];
}

/** Only a fault of the backup key is reported. */
export const kmsKey = row("kms-key", {}, async (_needs, reads): Promise<Finding<FoundKey>> => {
  const { encryptionKeyId, backupKeyId, now } = reads.chain;
  const active = await findKey(reads, encryptionKeyId, now());
  if (active.passed !== true || backupKeyId === undefined) return active;
  const [activeKey, backupKey] = [parseEncryptionKeyId(encryptionKeyId ?? ""), parseEncryptionKeyId(backupKeyId)];
  const problem = activeKey && backupKey && backupKeyProblem(backupKey, activeKey);
  if (problem !== undefined) return failed(problem, "correct --backup-encryption-key-id");
  const backup = await findKey(reads, backupKeyId, now());
  if (backup.passed !== true) return backup;
  const versions = [...active.value.versions, ...backup.value.versions];
  return passed(`${active.evidence}; the backup key: ${backup.evidence}`, { ...active.value, versions });
});

/** The row without a KMS identity, which only a combined file can contain. */
export const kmsRoleMissing = row("kms-role", { key: kmsKey, set: unlessFailed(controlPlaneSet) }, (_needs, { chain }) => {
  const create = advise`${aroHcp("create identities", { enableKms: true })} creates it, and writes the combined file`;
  return isCombined(chain.managedIdentities)
    ? failed("the file has no KMS identity, so no identity can encrypt etcd with the key", create)
    : notChecked(advise`the KMS identity is unknown, because only a combined file contains it; ${create}`);
});

const holder = firstOf<{ readonly id: string }, RowKey>(principal, signIn);

/** The key is unknown, but without a role on any vault or key, the identity can use none. */
export const kmsAnyRole = row("kms-role", { holder }, async ({ holder: { id: objectId } }, { azure }) => {
  const { subscriptionId } = azure.connection;
  const able = (await rolesInSubscription(azure, objectId)).filter(({ role }) => canUseKeys(role));
  if (able.length > 0) {
    const roles = able.map(({ role, scope }) => `${role.roleName ?? role.name ?? ""} on ${scope}`).join(", ");
    return notChecked(`the identity has ${roles}; --encryption-key-id is not specified, so the key is unknown`);
  }
  const key = shell`az keyvault key create --vault-name ${blank("vault")} --name ${blank("key")} --kty RSA`;
  const assign = shell`az role assignment create --role ${cryptoUser.id} --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --scope ${blank("ID of the vault")}`;
  return failed(
    `the KMS identity (object ID ${objectId}) has no role in subscription ${subscriptionId} that allows it to encrypt and decrypt with a key`,
    advise`if there is no key yet, create one: ${key}; then assign the role: ${assign}; then verify with --encryption-key-id`,
  );
});

export const kmsRole = row("kms-role", { key: kmsKey, holder }, ({ key, holder: { id } }, { azure }) => checkRole(azure, id, key));

/** Uses the key as the KMS identity. */
export const kmsUse = row(
  "kms-use",
  { key: kmsKey, acting: signIn, role: firstOf<unknown, RowKey>(kmsRole, kmsAnyRole) },
  ({ key, acting }) => useKey(acting.azure, key),
);

/** Reads the key through Resource Manager, which needs no data permission and is not blocked by the vault's firewall. */
async function findKey(reads: IdentityReads, keyId: string | undefined, now: Date): Promise<Finding<FoundKey>> {
  if (keyId === undefined) return notChecked("--encryption-key-id is not specified");
  const { azure } = reads;
  const { cloud, subscriptionId } = azure.connection;
  const known = parseEncryptionKeyId(keyId);
  if (known === undefined) return failed(`${keyId} is not a key ID with a version`, "correct --encryption-key-id");
  const { keyVaultName: vaultName, keyName: name, keyVersion: version } = known;
  const foreign = foreignKeyProblem(known, cloud.name);
  if (foreign !== undefined) return failed(foreign, "pass a key in this cloud with --encryption-key-id");
  if (keyVaultTypeOf(known) === "ManagedHSM") return findHsmKey(reads, known, now);
  const vault = (await reads.vaults()).find((other) => sameText(other.name, vaultName));
  if (vault?.id === undefined) {
    return failed(
      `subscription ${subscriptionId} has no vault ${vaultName}`,
      "correct --encryption-key-id, or pass the vault's subscription with --subscription",
    );
  }
  const client = await azure.vaults();
  const key = await found(client.keys.getVersion(parseResourceId(vault.id).resourceGroup ?? "", vaultName, name, version));
  if (key === undefined) {
    const deleted = await deletedKey(reads, known);
    if (deleted !== undefined) return deleted;
    const create =
      createCommand(reads, vault, known)?.command ?? shell`az keyvault key create --vault-name ${vaultName} --name ${name} --kty RSA`;
    return failed(
      `vault ${vaultName} has no version ${version} of key ${name}`,
      advise`pass the ID that ${shell`az keyvault key show --vault-name ${vaultName} --name ${name} --query key.kid`} prints, or create the key with ${create}`,
    );
  }
  return checkKey(
    key,
    { id: `${vault.id}/keys/${name}`, vaultId: vault.id, vaultName, isHsm: false, versions: [{ name, version }] },
    { name, version },
    now,
  );
}

/** An HSM shows its keys only to principals with a role of its own. */
async function findHsmKey(reads: IdentityReads, known: EncryptionKey, now: Date): Promise<Finding<FoundKey>> {
  const { keyVaultName: hsm, keyName: name, keyVersion: version } = known;
  const { keys } = await reads.azure.managedHsm(hsm, { brief: true });
  try {
    const key = await found(keys.getKey(name, { version }));
    if (key === undefined) {
      const deleted = await deletedKey(reads, known);
      if (deleted !== undefined) return deleted;
      return failed(
        `managed HSM ${hsm} has no version ${version} of key ${name}`,
        advise`pass the ID that ${shell`az keyvault key show --hsm-name ${hsm} --name ${name} --query key.kid`} prints`,
      );
    }
    const epoch = (date: Date | undefined) => (date === undefined ? undefined : date.getTime() / 1000);
    const { enabled, notBefore, expiresOn } = key.properties;
    const attributes = { enabled, notBefore: epoch(notBefore), expires: epoch(expiresOn) };
    const place = { id: `/keys/${name}`, vaultId: hsm, vaultName: hsm, isHsm: true, versions: [{ name, version }] };
    return checkKey({ kty: key.keyType, keySize: undefined, keyOps: key.keyOperations, attributes }, place, { name, version }, now);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    return notChecked(
      `the signed-in principal may not read keys of managed HSM ${hsm}; let an administrator assign it "${hsmCryptoUser.name}" there`,
    );
  }
}

interface KeyFacts {
  readonly kty?: string | undefined;
  readonly keySize?: number | undefined;
  readonly keyOps?: readonly string[] | undefined;
  /** Times are epoch seconds. */
  readonly attributes?:
    { readonly enabled?: boolean | undefined; readonly notBefore?: number | undefined; readonly expires?: number | undefined } | undefined;
}

function checkKey(
  { kty, keySize, keyOps, attributes: { enabled, notBefore, expires } = {} }: KeyFacts,
  key: FoundKey,
  { name, version }: FoundKey["versions"][number],
  now: Date,
): Finding<FoundKey> {
  const { vaultName } = key;
  const place = key.isHsm ? "--hsm-name" : "--vault-name";
  const what = `version ${version} of key ${name}`;
  const set = (flag: string, ...values: readonly string[]) =>
    shell`az keyvault key set-attributes ${place} ${vaultName} --name ${name} --version ${version} ${flag} ${values}`;
  const setTime = (flag: string, when: string) =>
    shell`az keyvault key set-attributes ${place} ${vaultName} --name ${name} --version ${version} ${flag} ${blank(when)}`;
  const seconds = now.getTime() / 1000;
  const time = (epoch: number) => rfc3339(new Date(epoch * 1000));
  if (kty?.startsWith("RSA") !== true) {
    return failed(
      `key ${name} is of type ${kty ?? "unknown"}, but RSA-OAEP-256 wraps etcd's keys`,
      advise`use another key: ${shell`az keyvault key create ${place} ${vaultName} --name ${blank("name")} --kty ${key.isHsm ? "RSA-HSM" : "RSA"}`}`,
    );
  }
  if (enabled === false) return failed(`${what} is disabled`, set("--enabled", "true"));
  if (notBefore !== undefined && notBefore > seconds) {
    return failed(`${what} is not valid before ${time(notBefore)}`, setTime("--not-before", "an earlier time"));
  }
  if (expires !== undefined && expires <= seconds) {
    return failed(`${what} expired on ${time(expires)}, so it can encrypt no new data`, setTime("--expires", "a later time"));
  }
  const lacking = operations.filter((operation) => keyOps !== undefined && !keyOps.includes(operation));
  if (lacking.length > 0)
    return failed(`${what} does not allow the key operations ${lacking.join(" and ")}`, set("--ops", "encrypt", "decrypt"));
  return passed(
    `${[kty, keySize].filter((part) => part !== undefined).join(" ")}, enabled${expires === undefined ? "" : `, until ${time(expires)}`}`,
    key,
  );
}

function canUseKeys({ permissions }: RoleDefinition): boolean {
  return operations.every((operation) => allowsOnData(permissions, `Microsoft.KeyVault/vaults/keys/${operation}/action`));
}

async function checkLocalRole(azure: Azure, objectId: string, { id, vaultName: hsm }: FoundKey): Promise<Finding<unknown>> {
  try {
    if (await mayUseKey(azure, hsm, id, objectId)) return passed(`${hsmCryptoUser.name} for object ID ${objectId}`);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    return notChecked(`the signed-in principal may not read the role assignments of managed HSM ${hsm}`);
  }
  return failed(
    `the KMS identity (object ID ${objectId}) has no role "${hsmCryptoUser.name}" on ${id} of managed HSM ${hsm}: it cannot encrypt and decrypt`,
    shell`az keyvault role assignment create --hsm-name ${hsm} --role ${hsmCryptoUser.name} --assignee-object-id ${objectId} --scope ${id}`,
  );
}

async function checkRole(azure: Azure, objectId: string, key: FoundKey): Promise<Finding<unknown>> {
  if (key.isHsm) return checkLocalRole(azure, objectId, key);
  const { id, vaultId } = key;
  const roles = await heldRoles(azure, objectId, id);
  const able = roles.find(canUseKeys);
  if (able !== undefined) return passed(`${able.roleName ?? able.name ?? ""} for object ID ${objectId}`);
  const title = roleAssignmentTitle({ role: cryptoUser.name, holder: subject, scope: scopeTitle(vaultId) });
  return failed(
    `no ${title} (object ID ${objectId}) or on the key: the identity cannot encrypt and decrypt with it`,
    shell`az role assignment create --role ${cryptoUser.id} --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --scope ${vaultId}`,
  );
}

/** HyperShift's control plane operator tries the key with this algorithm, and the API server wraps etcd's keys with it. */
const algorithm = "RSA-OAEP-256";

async function useKey(azure: Azure, { vaultName, versions, isHsm }: FoundKey): Promise<Finding<unknown>> {
  const client = isHsm ? (await azure.managedHsm(vaultName, { brief: true })).keys : await azure.vaultKeys(vaultName, { brief: true });
  const plaintext = Buffer.from("aro-hcp verify");
  for (const { name, version } of versions) {
    const what = `version ${version} of key ${name}`;
    try {
      const cryptography = client.getCryptographyClient(name, { keyVersion: version });
      const { result: ciphertext } = await cryptography.encrypt({ algorithm, plaintext });
      const { result } = await cryptography.decrypt({ algorithm, ciphertext });
      if (!plaintext.equals(result)) return failed(`${what} decrypts to another value`, "verify again; if that repeats, use another key");
    } catch (error) {
      return refusedUse(error, what);
    }
  }
  return passed(`encrypted and decrypted with ${algorithm}: ${plural(versions.length, "version")} of key ${versions[0]?.name ?? ""}`);
}

/** @throws any other error unchanged. */
function refusedUse(error: unknown, what: string): Finding<unknown> {
  const code = azureCodeOf(error) ?? "";
  if (code === "ForbiddenByFirewall" || code === "ForbiddenByConnection")
    return notChecked(`${code}: the vault's network rules do not admit this machine; verify from a network that the vault allows`);
  if (code === "ForbiddenByRbac" || code === "AccessDenied") {
    return failed(
      `${code}: the KMS identity may not use ${what} yet`,
      "a role assignment takes up to 10 minutes to take effect; verify again after that",
    );
  }
  throw error;
}
