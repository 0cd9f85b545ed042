/** The key that encrypts the etcd of an AKS cluster, with the vault that contains it: created, or an existing one. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { Key, RotationPolicy, Vault } from "@azure/arm-keyvault";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { admitted, orDenied } from "../../azure/vault-admission.js";
import { defineLookup, defineStep, type Decision, type Step } from "../../engine/step.js";
import { advise, shell, type ShellCommand } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { parseEncryptionKeyId } from "../../domain/encryption-key.js";
import { ownedBy, ownershipTags, type Owner } from "../../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { cryptoOfficer } from "../../domain/roles.js";
import { sameText } from "../../text/same-text.js";
import { recoverKey } from "../../steps/recovery.js";
import { idBelow } from "../../steps/in-group.js";
import { keyVault, untilRegistered, type VaultOutput } from "../../steps/key-vault.js";
import { refuse } from "../../steps/ownership-decision.js";
import { unreadIn } from "../../steps/unread-contents.js";
import type { AksContext } from "./context.js";
import type { LiveCluster } from "./live-cluster.js";

export interface EtcdKeyOutput {
  /** `https://VAULT.vault.azure.net/keys/NAME/VERSION` */
  readonly keyId: string;
}

/** The scope of the role that the cluster's identity needs. */
interface EtcdVaultOutput {
  readonly id: string;
}

export interface EtcdKey {
  readonly vault: Step<EtcdVaultOutput>;
  readonly key: Step<EtcdKeyOutput>;
}

const { keyVault: vaultRow, vaultKey: row } = resourceTypes;

/** Days before its expiry at which Azure notifies its owner. AKS does not rotate it. */
const rotationPolicy: RotationPolicy = { lifetimeActions: [{ trigger: { timeBeforeExpiry: "P30D" }, action: { type: "notify" } }] };

export function etcdKey(context: AksContext, liveCluster: LiveCluster): EtcdKey {
  const { existing } = context.spec;
  return existing.etcdKeyId === undefined ? createdKey(context, liveCluster) : existingKey(context, existing.etcdKeyId);
}

/** What the step of the key reads. */
export interface LiveKey {
  readonly key?: Key;
  /** The ID of a key that does not exist any more, although the AKS cluster still encrypts with it. */
  readonly lostId?: string;
  /** The soft-deleted key with the name. Only a principal with a role for the keys of the vault sees it. */
  readonly deleted?: DeletedKey;
}

interface DeletedKey {
  /** The ID of its latest version. */
  readonly id: string;
  /** Why it cannot be recovered; undefined if it can. */
  readonly fault: string | undefined;
}

function createdKey({ azure, spec, names, group }: AksContext, liveCluster: LiveCluster): EtcdKey {
  const { cluster, tenantId, location } = spec;
  const name = names.etcdKey;
  const what = quotedTitleOf(row, name);
  const vaultSpec = {
    name: names.etcdVault,
    owner: cluster,
    tags: ownershipTags(cluster),
    tenantId,
    location,
    purgeProtection: spec.purgeProtection,
    nameFlag: "--name",
  } as const;
  const vault: Step<VaultOutput> = keyVault(azure, vaultSpec, group);
  const key = defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, names.etcdVault, name),
    needs: { group, vault },
    within: "vault",
    unread: unreadIn,
    async read({ group: { name: groupName }, vault: { name: vaultName, exists } }): Promise<LiveKey | undefined> {
      const key = exists ? await found((await azure.vaults()).keys.get(groupName, vaultName, name)) : undefined;
      if (key !== undefined) return { key };
      if (!exists) return undefined;
      const [lostId, deleted] = [encryptionKey(await liveCluster(), vaultName, name), await deletedKey(azure, cluster, vaultName, name)];
      if (lostId === undefined && deleted === undefined) return undefined;
      return { ...(lostId !== undefined && { lostId }), ...(deleted && { deleted }) };
    },
    decide(read) {
      const live = read?.key;
      if (read?.deleted && read.deleted.fault === undefined) return recovered;
      if (read?.lostId !== undefined) {
        return refuse("ARO-OWN-003", `${what} does not exist, but AKS cluster "${names.cluster}" encrypts its etcd with it`, {
          because: "a new key cannot decrypt what the AKS cluster has stored",
          next: [advise`if it is soft-deleted, recover it: ${recovery(names)}`, "then rerun the command"],
        });
      }
      if (read?.deleted) return { act: "refuse", failure: softDeleted(names, read.deleted.fault) };
      if (live === undefined) return { act: "create" };
      if (live.attributes?.enabled !== false) return { act: "keep" };
      return refuse("ARO-OWN-003", `${what} is disabled`, {
        because: "AKS cannot decrypt etcd without it",
        next: [
          advise`enable it: ${shell`az keyvault key set-attributes --vault-name ${names.etcdVault} --name ${name} --version ${versionOf(live)} --enabled true`}`,
        ],
      });
    },
    async apply(live, { group: { name: groupName }, vault: made }, io): Promise<LiveKey> {
      if (live?.deleted) return recoverKey(azure, made.name, name);
      // Azure creates the key through the vault's own address.
      await untilRegistered(azure, made, io);
      const { keys } = await azure.vaults();
      const properties = { kty: "RSA", keySize: 2048, keyOps: ["encrypt", "decrypt"], rotationPolicy };
      try {
        return { key: await keys.createIfNotExist(groupName, made.name, name, { tags: vaultSpec.tags, properties }) };
      } catch (error) {
        if (azureCodeOf(error) !== "ObjectIsDeletedButRecoverable") throw error;
        // The plan did not see it: the signed-in principal has no role for the keys of the vault, or somebody deleted the key after the plan.
        throw softDeleted(names, "somebody deleted it", error);
      }
    },
    output: ({ key, deleted, lostId = "" }): EtcdKeyOutput => ({ keyId: key?.keyUriWithVersion ?? deleted?.id ?? lostId }),
  });
  return { vault, key };
}

const recovered: Decision = {
  act: "update",
  why: "it is soft-deleted and can be recovered with its versions",
  changes: [{ path: "state", from: "deleted", to: "recovered" }],
};

/** Undefined if there is none, or if the signed-in principal cannot see it. */
async function deletedKey(azure: Azure, owner: Owner, vaultName: string, name: string): Promise<DeletedKey | undefined> {
  const client = await azure.vaultKeys(vaultName);
  const deleted = await orDenied(found(client.getDeletedKey(name)));
  if (deleted === undefined) return undefined;
  const { id = "", properties } = deleted;
  if (ownedBy(properties.tags, owner) !== "ours") return { id, fault: "it does not have the tag of this cluster" };
  const mayRecover = await admitted(azure, vaultName, "keys");
  return { id, fault: mayRecover ? undefined : `the signed-in principal has no role to recover it, such as "${cryptoOfficer.name}"` };
}

function softDeleted(names: AksContext["names"], because: string | undefined, cause?: unknown): Failure {
  const what = `${quotedTitleOf(row, names.etcdKey)} is soft-deleted in ${titleOf(vaultRow, names.etcdVault)}, and keeps its name`;
  const next = [advise`recover it: ${recovery(names)}`, "then rerun the command"];
  return new Failure("ARO-VAULT-001", what, { because, next, cause });
}

function recovery({ etcdVault, etcdKey: name }: AksContext["names"]): ShellCommand {
  return shell`az keyvault key recover --vault-name ${etcdVault} --name ${name}`;
}

/** The key of that name with which the cluster encrypts its etcd. */
function encryptionKey(cluster: ManagedCluster | undefined, vaultName: string, keyName: string): string | undefined {
  const { enabled, keyId = "" } = cluster?.securityProfile?.azureKeyVaultKms ?? {};
  const key = parseEncryptionKeyId(keyId);
  return enabled === true && sameText(key?.keyVaultName, vaultName) && sameText(key?.keyName, keyName) ? keyId : undefined;
}

function versionOf({ keyUriWithVersion = "" }: Key): string {
  return keyUriWithVersion.split("/").at(-1) ?? "";
}

/** The vault is found by its name, which is unique across Azure. */
function existingKey({ azure, spec }: AksContext, keyId: string): EtcdKey {
  const { keyVaultName = "", keyName = "", keyVersion = "" } = parseEncryptionKeyId(keyId) ?? {};
  const what = quotedTitleOf(vaultRow, keyVaultName);
  const vault = defineLookup({
    id: vaultRow.use.step,
    title: titleOf(vaultRow, keyVaultName),
    subject: { kind: "resource", type: vaultRow.type, existing: true, anywhere: true },
    needs: {},
    async read(): Promise<Vault | undefined> {
      return (await all((await azure.vaults()).vaults.listBySubscription())).find(({ name }) => sameText(name, keyVaultName));
    },
    decide(live) {
      if (live === undefined) {
        return refuse("ARO-OWN-003", `${what} is not in subscription ${spec.subscriptionId}`, {
          because: "--etcd-key-id refers to it, and the AKS cluster's identity needs a role on it",
          next: ["correct --etcd-key-id, or check that the signed-in principal has permission to read the vault"],
        });
      }
      if (live.properties.enableRbacAuthorization === true) return { act: "use" };
      return refuse("ARO-OWN-003", `${what} uses access policies, not Azure RBAC`, {
        because: "existing vaults are never changed, and a role assignment has no effect on this one",
        next: [
          advise`ask its owner to switch it: ${shell`az keyvault update --name ${keyVaultName} --enable-rbac-authorization true`}`,
          "or pass a key in another vault as --etcd-key-id",
        ],
      });
    },
    output: ({ id = "" }): EtcdVaultOutput => ({ id }),
  });
  const key = defineLookup({
    id: row.use.step,
    title: titleOf(row, keyName),
    subject: { kind: "resource", type: row.type, existing: true, anywhere: true },
    needs: { vault },
    async read({ vault: { id } }): Promise<LiveKey | undefined> {
      const { resourceGroup = "" } = parseResourceId(id);
      const key = await found((await azure.vaults()).keys.getVersion(resourceGroup, keyVaultName, keyName, keyVersion));
      return key && { key };
    },
    decide(live) {
      const fault = live === undefined ? "does not exist" : live.key?.attributes?.enabled === false ? "is disabled" : undefined;
      if (fault === undefined) return { act: "use" };
      const failure = new Failure("ARO-OWN-003", `${quotedTitleOf(row, keyName)} version ${keyVersion} ${fault}`, {
        because: "--etcd-key-id refers to it",
        next: ["pass the ID of an enabled version of a key as --etcd-key-id"],
      });
      return { act: "refuse", failure };
    },
    output: (): EtcdKeyOutput => ({ keyId }),
  });
  return { vault, key };
}
