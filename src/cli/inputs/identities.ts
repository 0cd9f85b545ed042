/** The identity files that were given, read and checked before anything else happens. */
import { Failure } from "../../errors/failure.js";
import {
  readDataPlaneIdentities,
  readManagedIdentities,
  readWorkloadIdentities,
  type ManagedIdentities,
} from "../../files/identity-files.js";
import type { DataPlaneIdentities, WorkloadIdentities } from "../../files/identity-schemas.js";
import { assignedComponents, isEnabled, type AssignedComponent } from "../../domain/components.js";
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

/**
 * A combined file serves for both planes; a data-plane file given besides it wins.
 * @throws ARO-FILE-00x.
 */
export async function readIdentities(files: IdentityFiles): Promise<Identities> {
  const reading = { disabledCapabilities: files.disableClusterCapabilities };
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

/** Who gets roles: every component whose identity is known, and whose capability is not disabled. */
export function assigneesOf({ controlPlane, dataPlane, workload }: Omit<Identities, "seen">, disabled: readonly string[]): Assignee[] {
  return enabledComponents(disabled).flatMap((component) => {
    const { plane, field } = component;
    if (plane === "data") return dataPlane ? [{ component, clientId: dataPlane[field] }] : [];
    if (workload) return assignee(component, workload[field]?.clientID);
    const identity = controlPlane?.[field];
    if (identity && identity.clientID === undefined) {
      throw new Failure("ARO-FILE-003", `the identity "${field}" has no clientID, and roles are to be assigned to it`);
    }
    return assignee(component, identity?.clientID);
  });
}

/** The components that get roles and whose capability is not disabled. */
export function enabledComponents(disabled: readonly string[]): AssignedComponent[] {
  return assignedComponents.filter((component) => isEnabled(component, disabled));
}

function assignee(component: AssignedComponent, clientId: string | undefined): Assignee[] {
  return clientId === undefined ? [] : [{ component, clientId }];
}
