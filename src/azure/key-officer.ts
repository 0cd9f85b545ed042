/** Key Vault Crypto Officer for the signed-in principal: a run assigns it if the vault denies access, and takes it back at its end. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { RoleAssignment } from "@azure/arm-authorization";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { idKey, parseResourceId, sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { grantName } from "../domain/role-assignment-name.js";
import { principalTitle, roleAssignmentTitle } from "../domain/role-assignment-title.js";
import { cryptoOfficer, roleDefinitionId } from "../domain/roles.js";
import { grantVaultRoles } from "../errors/access-failures.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { sameText } from "../text/same-text.js";
import { abortedLater, closingMs } from "./aborted-later.js";
import type { Azure } from "./azure.js";
import { azureCodeOf } from "./azure-error.js";
import { found } from "./long-running.js";
import { all } from "./pages.js";
import type { SignedIn } from "./signed-in.js";
import { admitted, longestWaitMs, notYet, pauseMs, type Waiting } from "./vault-admission.js";

/** Shows that a run assigned the role for its own work only. An assignment without it stays. */
const purpose = "assigned by aro-hcp to itself for one run";

/** The role of the signed-in principal on the vault. `temporary`: a run of this program assigned it for its own work. */
export type HeldRole = "temporary" | "lasting" | undefined;

export interface KeyOfficer {
  readonly title: string;
  readonly role: typeof cryptoOfficer;
  /** `lasting` also for another role that allows the same. */
  held(vaultId: string): Promise<HeldRole>;
  assign(vaultId: string): Promise<void>;
  /** Does `work` as soon as the vault allows it. Assigns the role if it is missing: a concurrent run takes back the one that both use. */
  use<T>(vaultId: string, io: Waiting, work: () => Promise<T>): Promise<T>;
  /** @throws Failure with the command that deletes it */
  takeBack(vaultId: string): Promise<void>;
}

/** `keepsRole`: what it assigns is lasting. */
export function keyOfficer(azure: Azure, vaultName: string, caller: SignedIn, keepsRole: boolean): KeyOfficer {
  const { objectId, principalType } = caller;
  const vaultTitle = titleOf(resourceTypes.keyVault, vaultName);
  const title = roleAssignmentTitle({ role: cryptoOfficer.name, holder: principalTitle(objectId, caller), scope: vaultTitle });
  const { clock } = azure.connection;
  const nameAt = (vaultId: string) => grantName(objectId, cryptoOfficer.id, vaultId);

  const assignments = async (vaultId: string, options: { readonly abortSignal?: AbortSignal } = {}): Promise<RoleAssignment[]> => {
    const { roleAssignments } = await azure.authorization();
    const listed = (await found(all(roleAssignments.listForScope(vaultId, { ...options, filter: "atScope()" })))) ?? [];
    return listed.filter(
      (live) => sameText(live.principalId, objectId) && idKey(live.roleDefinitionId ?? "").endsWith(`/${cryptoOfficer.id}`),
    );
  };
  const isTemporary = (vaultId: string, { name, scope = "", description }: RoleAssignment) =>
    sameText(name, nameAt(vaultId)) && sameId(scope, vaultId) && description === purpose;

  const assign = async (vaultId: string): Promise<void> => {
    const { roleAssignments } = await azure.authorization();
    try {
      await roleAssignments.create(vaultId, nameAt(vaultId), {
        ...{ principalId: objectId, principalType, ...(!keepsRole && { description: purpose }) },
        roleDefinitionId: roleDefinitionId(parseResourceId(vaultId).subscriptionId, cryptoOfficer),
      });
    } catch (error) {
      // Somebody else has assigned it since, and it stays.
      if (azureCodeOf(error) !== "RoleAssignmentExists") throw error;
    }
  };

  return {
    title,
    role: cryptoOfficer,
    assign,
    async held(vaultId) {
      const [live] = await assignments(vaultId);
      if (live !== undefined) return isTemporary(vaultId, live) ? "temporary" : "lasting";
      return (await admitted(azure, vaultName, "keys")) ? "lasting" : undefined;
    },
    async use(vaultId, io, work) {
      for (let waitedMs = 0; ; waitedMs += pauseMs) {
        try {
          return await work();
        } catch (error) {
          if (!isRestError(error) || !notYet.has(azureCodeOf(error) ?? "")) throw error;
          if (waitedMs >= longestWaitMs) {
            const what = `${quotedTitleOf(resourceTypes.keyVault, vaultName)} still denies access to the signed-in principal`;
            throw new Failure("ARO-AUTHZ-005", `${what}, 10 minutes after its role assignment`, { next: grantVaultRoles(["keys"]) });
          }
        }
        if ((await assignments(vaultId)).length === 0) await assign(vaultId);
        io.note(
          `waiting for the role assignment to take effect in the vault, which takes up to ${plural(longestWaitMs / 60_000, "minute")}`,
        );
        await clock.sleep(pauseMs, io.signal);
      }
    },
    async takeBack(vaultId) {
      // A signal of its own: that of the run has aborted if the command is stopped.
      const closing = abortedLater(clock, azure.connection.signal, closingMs);
      const options = { abortSignal: closing.signal };
      try {
        const live = (await assignments(vaultId, options)).find((one) => isTemporary(vaultId, one));
        if (live?.name === undefined) return;
        const { roleAssignments } = await azure.authorization();
        await found(roleAssignments.delete(vaultId, live.name, options));
      } catch (error) {
        const id = `${vaultId}/providers/${resourceTypes.roleAssignment.type}/${nameAt(vaultId)}`;
        throw new Failure("ARO-AUTHZ-001", `the ${title} was not deleted`, {
          because: error instanceof Error ? error.message : String(error),
          next: [advise`delete it: ${shell`az role assignment delete --ids ${id}`}`],
          cause: error,
        });
      } finally {
        closing.end();
      }
    },
  };
}
