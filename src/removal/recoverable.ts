/** The soft-deleted resources of a destroyed identity set, AKS cluster or connected cluster, and how to recover them. */
import type { DeletedVault } from "@azure/arm-keyvault";
import { advise, shell, type Advice } from "../errors/advice.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { DeletedApplication } from "../azure/applications.js";
import { rfc3339 } from "../text/rfc3339.js";

/** Entra purges deleted applications after 30 days. */
const applicationsKeptMs = 30 * 86_400_000;

const rerunCreate = "rerun the original create all or create identities";

export interface Recoverable {
  readonly title: string;
  /** What several are counted as: "application"; absent if each is named. */
  readonly noun?: string;
  /** RFC 3339; undefined if Azure does not return it. */
  readonly until: string | undefined;
  readonly how: Advice;
}

/** `rerun`: "rerun the original create management-cluster". */
export function recoverableVaults(deletedVaults: readonly DeletedVault[], rerun: string): Recoverable[] {
  const how = advise`${rerun}, or use ${shell`az keyvault recover`}`;
  return deletedVaults.map(({ name = "", properties }) => ({
    title: titleOf(resourceTypes.keyVault, name),
    until: properties?.scheduledPurgeDate && rfc3339(properties.scheduledPurgeDate),
    how,
  }));
}

interface DeletedOfSet {
  readonly deletedApplications: readonly DeletedApplication[];
  readonly deletedVaults: readonly DeletedVault[];
}

export function recoverable({ deletedApplications, deletedVaults }: DeletedOfSet): Recoverable[] {
  return [...recoverableVaults(deletedVaults, rerunCreate), ...recoverableApplications(deletedApplications, rerunCreate)];
}

/** `how`: "rerun the original create identities". */
export function recoverableApplications(deletedApplications: readonly DeletedApplication[], how: Advice): Recoverable[] {
  return deletedApplications.map(({ displayName, deletedDateTime }) => ({
    title: `application ${displayName}`,
    noun: "application",
    until: purgedByEntra({ deletedDateTime }),
    how,
  }));
}

/** When Entra purges the application; RFC 3339. */
export function purgedByEntra({ deletedDateTime }: Pick<DeletedApplication, "deletedDateTime">): string {
  return rfc3339(new Date(Date.parse(deletedDateTime) + applicationsKeptMs));
}
