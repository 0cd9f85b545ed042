/** The identity files, read and validated before any other work. */
import { Failure } from "../../errors/failure.js";
import {
  readDataPlaneIdentities,
  readManagedIdentities,
  readWorkloadIdentities,
  type ManagedIdentities,
} from "../../files/identity-files.js";
import type { DataPlaneIdentities, WorkloadIdentities } from "../../files/identity-schemas.js";
import { assignedComponents, isEnabled, type AssignedComponent } from "../../domain/components.js";
import type { Assignee, RoleOptions } from "../../domain/infra-spec.js";

export interface IdentityFiles {
  readonly managedIdentitiesFile: string | undefined;
  readonly dataPlaneIdentitiesFile: string | undefined;
  readonly workloadIdentitiesFile: string | undefined;
  readonly disableClusterCapabilities: readonly string[];
}

/** Whether any identity file is named. */
export function namesIdentityFile(files: Omit<IdentityFiles, "disableClusterCapabilities">): boolean {
  const { managedIdentitiesFile, dataPlaneIdentitiesFile, workloadIdentitiesFile } = files;
  return [managedIdentitiesFile, dataPlaneIdentitiesFile, workloadIdentitiesFile].some((file) => file !== undefined);
}

export interface Identities extends Partial<ManagedIdentities> {
  readonly dataPlane?: DataPlaneIdentities;
  readonly workload?: WorkloadIdentities;
  /** The file of each plane. */
  readonly files?: NonNullable<RoleOptions["identities"]["files"]>;
}

export interface IdentitiesInFiles extends Identities {
  /** One sentence for each file: its detected format. */
  readonly formats: readonly string[];
}

/** @throws ARO-FILE-00x. A combined file contains both planes; a separate data-plane file takes precedence. */
export async function readIdentities(files: IdentityFiles): Promise<IdentitiesInFiles> {
  const reading = { disabledCapabilities: files.disableClusterCapabilities };
  const managed = files.managedIdentitiesFile === undefined ? undefined : await readManagedIdentities(files.managedIdentitiesFile, reading);
  const dataPlane = files.dataPlaneIdentitiesFile === undefined ? undefined : await readDataPlaneIdentities(files.dataPlaneIdentitiesFile);
  const workload =
    files.workloadIdentitiesFile === undefined ? undefined : await readWorkloadIdentities(files.workloadIdentitiesFile, reading);
  const control = managed && files.managedIdentitiesFile;
  const data = dataPlane ? files.dataPlaneIdentitiesFile : managed?.identities.dataPlane && files.managedIdentitiesFile;
  return {
    ...managed?.identities,
    ...(dataPlane && { dataPlane: dataPlane.identities }),
    ...(workload && { workload: workload.identities }),
    ...(workload === undefined && { files: { ...(control && { control }), ...(data && { data }) } }),
    formats: [
      ...(managed ? [`${files.managedIdentitiesFile} is ${managed.format}`] : []),
      ...(dataPlane ? [`${files.dataPlaneIdentitiesFile} is ${dataPlane.format}`] : []),
      ...(workload ? [`${files.workloadIdentitiesFile} is ${workload.format}`] : []),
    ],
  };
}

/** The components to assign roles to: those with a known identity and an enabled capability. */
export function assigneesOf(identities: Identities, disabled: readonly string[]): Assignee[] {
  return enabledComponents(disabled).flatMap((component) => {
    const clientId = clientIdOf(identities, component);
    if (clientId !== undefined) return [{ component, clientId }];
    const { plane, field } = component;
    if (plane === "control" && !identities.workload && identities.controlPlane?.[field]) {
      throw new Failure("ARO-FILE-003", `the identity "${field}" has no clientID, which role assignment needs`);
    }
    return [];
  });
}

/** Undefined if the files do not have it. */
function clientIdOf({ controlPlane, dataPlane, workload }: Identities, { plane, field }: AssignedComponent): string | undefined {
  if (plane === "data") return dataPlane?.[field];
  return (workload ?? controlPlane)?.[field]?.clientID;
}

/** The components with roles and an enabled capability. */
export function enabledComponents(disabled: readonly string[]): AssignedComponent[] {
  return assignedComponents.filter((component) => isEnabled(component, disabled));
}
