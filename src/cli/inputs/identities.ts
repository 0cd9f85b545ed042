/** The identity files that were given, read and checked before anything else happens. */
import { Failure } from "../../errors/failure.js";
import {
  readDataPlaneIdentities,
  readManagedIdentities,
  readWorkloadIdentities,
  type ManagedIdentities,
} from "../../files/identity-files.js";
import type { DataPlaneIdentities, WorkloadIdentities } from "../../files/identity-schemas.js";
import { roleTable, type RoleTableRow } from "../../domain/role-table.js";
import type { Assignee } from "../../domain/spec.js";

export interface IdentityFiles {
  readonly managedIdentitiesFile: string | undefined;
  readonly dataPlaneIdentitiesFile: string | undefined;
  readonly workloadIdentitiesFile: string | undefined;
  readonly disableClusterCapabilities: readonly string[];
}

export interface Identities extends Partial<ManagedIdentities> {
  readonly dataPlane?: DataPlaneIdentities;
  readonly workload?: WorkloadIdentities;
  /** One sentence for each file: what was recognised in it. */
  readonly seen: readonly string[];
}

/** Throws ARO-FILE-00x. A combined file serves for both planes; a data-plane file given besides it wins. */
export async function readIdentities(files: IdentityFiles): Promise<Identities> {
  const reading = { imageRegistry: !files.disableClusterCapabilities.includes("ImageRegistry") };
  const managed = files.managedIdentitiesFile === undefined ? undefined : await readManagedIdentities(files.managedIdentitiesFile, reading);
  const dataPlane = files.dataPlaneIdentitiesFile === undefined ? undefined : await readDataPlaneIdentities(files.dataPlaneIdentitiesFile);
  const workload =
    files.workloadIdentitiesFile === undefined ? undefined : await readWorkloadIdentities(files.workloadIdentitiesFile, reading);
  return {
    ...managed?.identities,
    ...(dataPlane && { dataPlane: dataPlane.identities }),
    ...(workload && { workload: workload.identities }),
    seen: [
      ...(managed ? [`${files.managedIdentitiesFile} is ${managed.seen}`] : []),
      ...(dataPlane ? [`${files.dataPlaneIdentitiesFile} is ${dataPlane.seen}`] : []),
      ...(workload ? [`${files.workloadIdentitiesFile} is ${workload.seen}`] : []),
    ],
  };
}

/** Who gets roles: every row of the role table whose identity is known, and whose capability is not disabled. */
export function assigneesOf({ controlPlane, dataPlane, workload }: Omit<Identities, "seen">, disabled: readonly string[]): Assignee[] {
  return enabledRows(disabled).flatMap((row) => {
    if (row.plane === "data") return dataPlane ? [{ row, clientId: dataPlane[row.field] }] : [];
    if (workload) return assignee(row, workload[row.field]?.clientID);
    const identity = controlPlane?.[row.field];
    if (identity && identity.clientID === undefined) {
      throw new Failure("ARO-FILE-003", `the identity "${row.field}" has no clientID, and roles are to be assigned to it`);
    }
    return assignee(row, identity?.clientID);
  });
}

/** The rows whose capability is not disabled. */
export function enabledRows(disabled: readonly string[]): RoleTableRow[] {
  return roleTable.filter(({ capability }) => capability === undefined || !disabled.includes(capability));
}

function assignee(row: RoleTableRow, clientId: string | undefined): Assignee[] {
  return clientId === undefined ? [] : [{ row, clientId }];
}
