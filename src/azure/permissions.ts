/** The effective permissions of the signed-in principal at a scope: of its roles, without deny assignments and locks. */
import type { Azure } from "./azure.js";
import { permissionResponse, type PermissionResponse } from "./arm-responses.js";
import { oncePerKey } from "./concurrency.js";
import { found } from "./long-running.js";

const version = "2022-04-01";

/** Reads each scope once; undefined if the scope does not exist. */
export type PermissionsReader = (scope: string) => Promise<readonly PermissionResponse[] | undefined>;

export function permissionsReader(azure: Azure): PermissionsReader {
  const reads = oncePerKey<readonly PermissionResponse[] | undefined>();
  return (scope) =>
    reads.get(scope.toLowerCase(), async () =>
      found((await azure.manager()).list(`${scope}/providers/Microsoft.Authorization/permissions`, version, permissionResponse)),
    );
}
