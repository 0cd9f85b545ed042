/** The identity files that were given, read and checked before anything else happens. */
import { Failure } from "../errors/failure.js";
import { readDataPlaneIdentities, readManagedIdentities, readWorkloadIdentities, type ManagedIdentities } from "../files/identity-files.js";
import type { DataPlaneIdentities, WorkloadIdentities } from "../files/identity-schemas.js";
import { roleTable } from "../infra/role-table.js";
import type { Assignee } from "../infra/spec.js";

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
      ...(managed ? [`${String(files.managedIdentitiesFile)} is ${managed.seen}`] : []),
      ...(dataPlane ? [`${String(files.dataPlaneIdentitiesFile)} is ${dataPlane.seen}`] : []),
      ...(workload ? [`${String(files.workloadIdentitiesFile)} is ${workload.seen}`] : []),
    ],
  };
}

/** Who gets roles: every row of the role table whose identity is known, and whose capability is not disabled. */
export function assigneesOf({ controlPlane, dataPlane, workload }: Identities, disabled: readonly string[]): Assignee[] {
  return roleTable.flatMap((row) => {
    if (row.capability !== undefined && disabled.includes(row.capability)) return [];
    if (row.plane === "data") return dataPlane ? [{ component: row.component, clientId: dataPlane[row.field] }] : [];
    if (workload) return assignee(row.component, workload[row.field]?.clientID);
    const identity = controlPlane?.[row.field];
    if (identity && identity.clientID === undefined) {
      throw new Failure("ARO-FILE-003", `the identity "${row.field}" has no clientID, and roles are to be assigned to it`);
    }
    return assignee(row.component, identity?.clientID);
  });
}

/** Every component that gets roles, where all identities are made. */
export function allComponents(disabled: readonly string[]): string[] {
  return roleTable.filter(({ capability }) => capability === undefined || !disabled.includes(capability)).map(({ component }) => component);
}

function assignee(component: string, clientId: string | undefined): Assignee[] {
  return clientId === undefined ? [] : [{ component, clientId }];
}
