/** The vaults of create arc secrets, and the identity that reads them. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import type { ConnectedClusterPlace } from "../domain/names.js";
import { arcApplication, arcIdentityName, ownsArcVault } from "../domain/secrets.js";

export interface WorkloadVault {
  readonly id: string;
  readonly name: string;
  readonly hasRbac: boolean;
}

interface WorkloadIdentity {
  /** "managed identity demo-secrets" */
  readonly title: string;
  /** Object ID of its service principal. */
  readonly principalId: string;
}

export async function workloadVaults(azure: Azure, place: ConnectedClusterPlace): Promise<WorkloadVault[]> {
  const { vaults } = await azure.vaults();
  const listed = (await found(all(vaults.listByResourceGroup(place.groupName)))) ?? [];
  return listed
    .filter((vault) => ownsArcVault(place, vault))
    .map(({ id = "", name = "", properties }) => ({ id, name, hasRbac: properties.enableRbacAuthorization === true }));
}

/** A create makes one of the two, and leaves the other of an earlier create. */
export async function workloadIdentities(azure: Azure, place: ConnectedClusterPlace): Promise<WorkloadIdentity[]> {
  const [managed, application] = await Promise.all([managedIdentity(azure, place), applicationIdentity(azure, place)]);
  return [...managed, ...application];
}

async function managedIdentity(azure: Azure, place: ConnectedClusterPlace): Promise<WorkloadIdentity[]> {
  const name = arcIdentityName(place);
  const { userAssignedIdentities } = await azure.identities();
  const live = await found(userAssignedIdentities.get(place.groupName, name));
  return live?.principalId === undefined ? [] : [{ title: `managed identity ${name}`, principalId: live.principalId }];
}

async function applicationIdentity(azure: Azure, place: ConnectedClusterPlace): Promise<WorkloadIdentity[]> {
  const directory = await azure.directory();
  const { uniqueName, displayName } = arcApplication(place);
  const live = await directory.application(uniqueName);
  const principalId = live && (await directory.servicePrincipalOf(live.appId));
  return principalId === undefined ? [] : [{ title: `application ${displayName}`, principalId }];
}
