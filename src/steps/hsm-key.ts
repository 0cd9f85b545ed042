/** The key that encrypts the etcd of hosted clusters, in an existing managed HSM, and the role of the KMS identity on it. */
import { isRestError } from "@azure/core-rest-pipeline";
import { azureCodeOf } from "../azure/azure-error.js";
import type { Azure } from "../azure/azure.js";
import { vaultRecovery } from "../azure/expected-durations.js";
import { noInterval } from "../azure/long-running.js";
import { readHsmKey, type HsmKey, type LocalAssignment } from "../azure/managed-hsm.js";
import { pollWhenDue } from "../azure/poll-timing.js";
import { encryptionKeyName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownershipTags } from "../domain/ownership.js";
import { grantName } from "../domain/role-assignment-name.js";
import { roleAssignmentTitle } from "../domain/role-assignment-title.js";
import { hsmCryptoOfficer, hsmCryptoUser, type Role } from "../domain/roles.js";
import { defineStep, type Step } from "../engine/step.js";
import { advise, blank, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { Recovered, Stale } from "../errors/stale.js";
import { sameText } from "../text/same-text.js";
import {
  decideLive,
  keyOutput,
  kmsPrincipals,
  type EncryptionKeyGraph,
  type EncryptionKeyOutput,
  type KeyPlace,
} from "./encryption-key.js";

export function hsmOf({ connection }: Azure, set: IdentitySetKey, hsmName: string): KeyPlace {
  return { name: hsmName, suffix: connection.cloud.hsmSuffix, flag: "--hsm-name", keyName: encryptionKeyName(set) };
}

/** For a set and a managed HSM that exist already. */
export function hsmKeyGraph(azure: Azure, set: IdentitySetKey, hsmName: string): EncryptionKeyGraph<EncryptionKeyOutput> {
  const place = hsmOf(azure, set, hsmName);
  const { steps, principals } = kmsPrincipals(azure, set);
  const key = keyStep(azure, set, place);
  const roles = principals.map((principal) => roleStep(azure, place, key, principal));
  return { steps: [...steps, key, ...roles], key };
}

function keyStep(azure: Azure, set: IdentitySetKey, place: KeyPlace): Step<EncryptionKeyOutput> {
  const { keyName: name } = place;
  const id = `/keys/${name}`;
  const hsm = () => azure.managedHsm(place.name);
  const read = () => withRole(place, hsmCryptoUser, "/keys", async () => readHsmKey(await hsm(), name));
  return defineStep({
    id: "managed-hsm-key",
    title: `key ${name} of managed HSM ${place.name}`,
    subject: { kind: "vault-object" },
    needs: {},
    addsVersion: true,
    read,
    decide: (live) => (live === undefined ? { act: "create" } : decideLive(set, live, place)),
    async apply(): Promise<HsmKey> {
      const { keys } = await hsm();
      const options = { keySize: 2048, keyOps: ["encrypt", "decrypt"], tags: ownershipTags({ identitySet: set.name }), hsm: true };
      try {
        await keys.createRsaKey(name, options);
      } catch (error) {
        if (azureCodeOf(error) !== "ObjectIsDeletedButRecoverable") throw error;
        await withRole(place, hsmCryptoOfficer, "/", () =>
          pollWhenDue(vaultRecovery, async () => (await keys.beginRecoverDeletedKey(name, { intervalInMs: noInterval })).pollUntilDone()),
        );
        throw new Recovered("it was recovered");
      }
      const created = await read();
      if (created === undefined) throw new Stale("it was deleted in the meantime");
      return created;
    },
    predict: (): EncryptionKeyOutput => ({ id, activeKeyId: "", backupKeyId: undefined }),
    output: ({ versions }) => keyOutput(place, id, versions),
  });
}

/** On the key alone, or inherited from all keys or the HSM. */
function roleStep(azure: Azure, place: KeyPlace, key: Step<EncryptionKeyOutput>, principal: Step<string>): Step<true> {
  const role = hsmCryptoUser;
  return defineStep({
    id: "role-encryption-key",
    title: roleAssignmentTitle({ role: role.name, holder: "kms", scope: key.title }),
    subject: { kind: "vault-access" },
    needs: { key, principal },
    within: "key",
    async read({ key: { id }, principal: objectId }): Promise<true | undefined> {
      const mayUse = await withRole(place, hsmCryptoOfficer, "/", () => mayUseKey(azure, place.name, id, objectId));
      return mayUse ? true : undefined;
    },
    decide: (live) => (live === undefined ? { act: "create" } : { act: "keep" }),
    async apply(_live, { key: { id }, principal: objectId }): Promise<true> {
      const { assign } = await azure.managedHsm(place.name);
      try {
        await assign(id, grantName(objectId, role.id, `${place.name}${id}`), { principalId: objectId, role });
      } catch (error) {
        if (azureCodeOf(error) === "RoleAssignmentExists") throw new Stale("it was assigned in the meantime", { cause: error });
        throw deniedAs(error, place, hsmCryptoOfficer, "/");
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
 * @throws RestError AccessDenied if the assignments that the caller may read do not tell
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

/** Whether the HSM refused because the caller has no local role. */
export function isDenied(error: unknown): boolean {
  return isRestError(error) && azureCodeOf(error) === "AccessDenied";
}

async function withRole<T>(place: KeyPlace, role: Role, scope: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw deniedAs(error, place, role, scope);
  }
}

/** ARO-AUTHZ-001 with the role that is missing; any other error unchanged. */
function deniedAs(error: unknown, { name }: KeyPlace, role: Role, scope: string): unknown {
  if (!isDenied(error)) return error;
  const assign = shell`az keyvault role assignment create --hsm-name ${name} --role ${role.name} --assignee-object-id ${blank("your object ID")} --scope ${scope}`;
  return new Failure(
    "ARO-AUTHZ-001",
    `managed HSM "${name}" denies access to ${scope === "/" ? "its roles and deleted keys" : "its keys"}`,
    {
      because: `the signed-in principal lacks a local role, such as "${role.name}"; roles in Azure do not count in a managed HSM`,
      next: [advise`let an administrator of the HSM assign it: ${assign}`],
      cause: error,
    },
  );
}
