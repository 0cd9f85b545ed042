/** A role on the contents of a vault that a run assigns to the signed-in principal when the vault denies access. */
import { isRestError } from "@azure/core-rest-pipeline";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { cryptoOfficer, vaultReader, type Role } from "../domain/roles.js";
import { grantOnVault } from "../errors/access-failures.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import type { Azure } from "./azure.js";
import { azureCodeOf } from "./azure-error.js";
import { ownRole, type OwnRole } from "./own-role.js";
import type { SignedIn } from "./signed-in.js";
import { admitted, longestWaitMs, notYet, pauseMs, type Waiting } from "./vault-admission.js";

export interface VaultRole extends OwnRole {
  /** Does `work` as soon as the vault allows it. Assigns the role if it is missing: a concurrent run takes back the one that both use. */
  use<T>(vaultId: string, io: Waiting, work: () => Promise<T>): Promise<T>;
}

/** To rotate, delete and recover keys. `keepsRole`: what it assigns is lasting. */
export function keyOfficer(azure: Azure, vaultName: string, caller: SignedIn, keepsRole: boolean): VaultRole {
  const role = vaultRole(azure, vaultName, cryptoOfficer, caller, keepsRole);
  return {
    ...role,
    // Another role may allow the same.
    held: async (vaultId) => (await role.held(vaultId)) ?? ((await admitted(azure, vaultName, "keys")) ? "lasting" : undefined),
  };
}

/** The role that lists the contents of a vault, including soft-deleted ones. */
export function contentsReader(azure: Azure, vaultName: string, caller: SignedIn): VaultRole {
  return vaultRole(azure, vaultName, vaultReader, caller, false);
}

function vaultRole(azure: Azure, vaultName: string, role: Role, caller: SignedIn, keepsRole: boolean): VaultRole {
  const own = ownRole(azure, { role, scopeTitle: titleOf(resourceTypes.keyVault, vaultName) }, caller, keepsRole);
  return {
    ...own,
    async use(vaultId, io, work) {
      for (let waitedMs = 0; ; waitedMs += pauseMs) {
        try {
          return await work();
        } catch (error) {
          if (!isRestError(error) || !notYet.has(azureCodeOf(error) ?? "")) throw error;
          if (waitedMs >= longestWaitMs) {
            const what = `${quotedTitleOf(resourceTypes.keyVault, vaultName)} still denies access to the signed-in principal`;
            throw new Failure("ARO-AUTHZ-005", `${what}, 10 minutes after its role assignment`, { next: grantOnVault([role.name]) });
          }
        }
        if ((await own.held(vaultId)) === undefined) await own.assign(vaultId);
        io.note(
          `waiting for the role assignment to take effect in the vault, which takes up to ${plural(longestWaitMs / 60_000, "minute")}`,
        );
        await azure.connection.clock.sleep(pauseMs, io.signal);
      }
    },
  };
}
