/** The key that encrypts the etcd of hosted clusters, in an existing managed HSM, and the role of the KMS identity on it. */
import { azureCodeOf } from "../../azure/azure-error.js";
import type { Azure } from "../../azure/azure.js";
import { vaultRecovery } from "../../azure/expected-durations.js";
import { readHsmKey, withLocalRole, type HsmKey } from "../../azure/hsm-keys.js";
import { noInterval } from "../../azure/long-running.js";
import type { LocalAssignment } from "../../azure/managed-hsm.js";
import { pollWhenDue } from "../../azure/poll-timing.js";
import type { SignedIn } from "../../azure/signed-in.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { hsmPlace, type KeyPlace } from "../../domain/key-place.js";
import { grantName } from "../../domain/role-assignment-name.js";
import { roleAssignmentTitle } from "../../domain/role-assignment-title.js";
import { hsmCryptoOfficer, hsmCryptoUser } from "../../domain/roles.js";
import { defineStep, type Step } from "../../engine/step.js";
import { shell } from "../../errors/advice.js";
import { Recovered, Stale } from "../../errors/stale.js";
import { sameText } from "../../text/same-text.js";
import {
  decideLive,
  keysOf,
  kmsPrincipals,
  rotationSteps,
  type EncryptionKeyGraph,
  type EncryptionKeyOutput,
  type RotatedKey,
} from "./encryption-key.js";
import { hsmOfSet } from "./hsm-of-set.js";
import type { VaultOutput } from "../../steps/key-vault.js";
import { existingVault } from "../../steps/vault-of-set.js";

/** Expects an existing set and an existing managed HSM. */
export function hsmKeyGraph(azure: Azure, set: IdentitySetKey, hsmName: string, caller: SignedIn): EncryptionKeyGraph<EncryptionKeyOutput> {
  const vault = existingVault(azure, set);
  const { steps: lookups, principals } = kmsPrincipals(azure, set, caller, vault);
  const { steps, key } = hsmKey(azure, set, hsmName, {
    vault,
    principals: principals.map((principal) => ({ principal })),
  });
  return { steps: [vault, ...lookups, ...steps], key };
}

interface OfSet {
  readonly vault: Step<VaultOutput>;
  /** The output of each is the object ID of the KMS identity's service principal. */
  readonly principals: readonly { readonly principal: Step<string> }[];
}

export function hsmKey(
  azure: Azure,
  set: IdentitySetKey,
  hsmName: string,
  { vault, principals }: OfSet,
): EncryptionKeyGraph<EncryptionKeyOutput> {
  const place = hsmPlace(set, hsmName, azure.connection.cloud);
  const recorded = hsmOfSet(azure, set, place, vault);
  const key = keyStep(azure, place, recorded);
  const roles = principals.map(({ principal }) => roleStep(azure, place, key, principal));
  return { steps: [recorded, key, ...roles], key };
}

/** A new version of the key. */
export function hsmRotationGraph(azure: Azure, set: IdentitySetKey, hsmName: string, minAgeMs: number): EncryptionKeyGraph<RotatedKey> {
  const place = hsmPlace(set, hsmName, azure.connection.cloud);
  const asUser = <T>(use: () => Promise<T>) => withLocalRole(hsmName, hsmCryptoUser, "/keys", use);
  return rotationSteps(azure, set, {
    place,
    minAgeMs,
    container: [],
    read: () => asUser(async () => readHsmKey(await azure.managedHsm(hsmName), place.keyName)),
    rotate: () => asUser(async () => (await azure.managedHsm(hsmName)).keys.rotateKey(place.keyName)),
  });
}

/** `recorded`: the step after which a destroy of the set finds the key. */
function keyStep(azure: Azure, place: KeyPlace, recorded: Step<unknown>): Step<EncryptionKeyOutput> {
  const { name: hsmName, keyName: name } = place;
  const id = `/keys/${name}`;
  const hsm = () => azure.managedHsm(hsmName);
  const read = () => withLocalRole(hsmName, hsmCryptoUser, "/keys", async () => readHsmKey(await hsm(), name));
  return defineStep({
    id: "managed-hsm-key",
    title: place.title,
    subject: { kind: "vault-object" },
    needs: { recorded },
    addsVersion: true,
    read,
    decide: (live) => (live === undefined ? { act: "create" } : decideLive(live, place)),
    async apply(): Promise<HsmKey> {
      const { keys } = await hsm();
      const options = { keySize: 2048, keyOps: ["encrypt", "decrypt"], tags: { ...place.tags }, hsm: true };
      try {
        await keys.createRsaKey(name, options);
      } catch (error) {
        if (azureCodeOf(error) !== "ObjectIsDeletedButRecoverable") throw error;
        await withLocalRole(hsmName, hsmCryptoOfficer, "/", () =>
          pollWhenDue(vaultRecovery, async () => (await keys.beginRecoverDeletedKey(name, { intervalInMs: noInterval })).pollUntilDone()),
        );
        throw new Recovered("it was recovered");
      }
      const created = await read();
      if (created === undefined) throw new Stale("it was deleted in the meantime");
      return created;
    },
    predict: (): EncryptionKeyOutput => ({ id, activeKeyId: "", backupKeyId: undefined }),
    output: ({ versions }) => ({ id, ...keysOf(place, versions) }),
  });
}

/** On the key alone, or inherited from all keys or the HSM. */
function roleStep(azure: Azure, { name: hsmName }: KeyPlace, key: Step<EncryptionKeyOutput>, principal: Step<string>): Step<true> {
  const role = hsmCryptoUser;
  const nameOf = (objectId: string, id: string) => grantName(objectId, role.id, `${hsmName}${id}`);
  return defineStep({
    id: "role-encryption-key",
    title: roleAssignmentTitle({ role: role.name, holder: "kms", scope: key.title }),
    subject: { kind: "vault-access" },
    needs: { key, principal },
    within: "key",
    async read({ key: { id }, principal: objectId }): Promise<true | undefined> {
      const mayUse = await withLocalRole(hsmName, hsmCryptoOfficer, "/", () => mayUseKey(azure, hsmName, id, objectId));
      return mayUse ? true : undefined;
    },
    decide: (live) => (live === undefined ? { act: "create" } : { act: "keep" }),
    commands(_live, { key: { id }, principal: objectId }) {
      const flags = ["--assignee-object-id", objectId, "--assignee-principal-type", "ServicePrincipal", "--scope", id];
      const name = nameOf(objectId, id);
      return [shell`az keyvault role assignment create --hsm-name ${hsmName} --role ${role.id} ${flags} --name ${name}`];
    },
    async apply(_live, { key: { id }, principal: objectId }): Promise<true> {
      const { assign } = await azure.managedHsm(hsmName);
      const name = nameOf(objectId, id);
      try {
        await withLocalRole(hsmName, hsmCryptoOfficer, "/", () => assign(id, name, { principalId: objectId, role }));
      } catch (error) {
        if (azureCodeOf(error) === "RoleAssignmentExists") throw new Stale("it was assigned in the meantime", { cause: error });
        throw error;
      }
      return true;
    },
    predict: (): true => true,
    output: (): true => true,
  });
}

/**
 * Whether the principal has the role that encrypts and decrypts, on the key or on what contains it. Another role may allow that too, if somebody
 * defined one.
 * @throws RestError AccessDenied if the caller may not read enough assignments to decide
 */
export async function mayUseKey(azure: Azure, hsmName: string, scope: string, objectId: string): Promise<boolean> {
  const hsm = await azure.managedHsm(hsmName);
  const lists = await Promise.allSettled([scope, "/keys", "/"].map((each) => hsm.assignments(each)));
  if (lists.some((list) => list.status === "fulfilled" && list.value.some((assignment) => allowsUse(assignment, objectId)))) return true;
  const failed = lists.find((list) => list.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return false;
}

function allowsUse({ principalId, roleDefinitionId }: LocalAssignment, objectId: string): boolean {
  return sameText(principalId, objectId) && roleDefinitionId.toLowerCase().endsWith(`/${hsmCryptoUser.id}`);
}
