/** Reads the keys of a managed HSM and recognizes its refusals, apart from the clients that few commands load. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { KeyVersion } from "../domain/encryption-key.js";
import type { Role } from "../domain/roles.js";
import { advise, blank, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { azureCodeOf } from "./azure-error.js";
import { found } from "./long-running.js";
import type { ManagedHsm } from "./managed-hsm.js";
import { all } from "./pages.js";

export interface HsmKey {
  readonly key: {
    readonly tags: Readonly<Record<string, string>> | undefined;
    /** "Recoverable+Purgeable"; without "Purgeable", purge protection is enabled. */
    readonly recoveryLevel: string | undefined;
  };
  readonly versions: readonly KeyVersion[];
}

/** Undefined if there is no such key, or if it is soft-deleted. @throws RestError AccessDenied without a local role */
export async function readHsmKey({ keys }: ManagedHsm, name: string): Promise<HsmKey | undefined> {
  const key = await found(keys.getKey(name));
  if (key === undefined) return undefined;
  const listed = await all(keys.listPropertiesOfKeyVersions(name));
  const versions = listed.map(({ version = "", createdOn = new Date(0), enabled = true }) => ({ version, createdOn, enabled }));
  // Azure lists them in any order.
  return {
    key: { tags: key.properties.tags, recoveryLevel: key.properties.recoveryLevel },
    versions: versions.toSorted((a, b) => a.createdOn.getTime() - b.createdOn.getTime()),
  };
}

/** Whether the HSM refused because the caller has no local role. */
export function isAccessDenied(error: unknown): boolean {
  return isRestError(error) && azureCodeOf(error) === "AccessDenied";
}

/**
 * Uses the HSM. `role` and `scope`: what the caller needs for it; scope "/" is for the HSM's roles and deleted keys.
 * @throws ARO-AUTHZ-001 that names both if the HSM denies access
 */
export async function withLocalRole<T>(hsmName: string, role: Role, scope: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    const assign = shell`az keyvault role assignment create --hsm-name ${hsmName} --role ${role.name} --assignee-object-id ${blank("your object ID")} --scope ${scope}`;
    throw new Failure(
      "ARO-AUTHZ-001",
      `managed HSM "${hsmName}" denies access to ${scope === "/" ? "its roles and deleted keys" : "its keys"}`,
      {
        because: `the signed-in principal lacks a local role, such as "${role.name}"; roles in Azure do not count in a managed HSM`,
        next: [advise`let an administrator of the HSM assign it: ${assign}`],
        cause: error,
      },
    );
  }
}
