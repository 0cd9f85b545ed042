/** The soft-deleted resources of a destroyed identity set, and how to recover them. */
import { advise, shell, type Advice } from "../errors/advice.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { IdentityInventory } from "./identities.js";

/** Entra purges deleted applications after 30 days. */
const applicationsKeptMs = 30 * 86_400_000;

const rerunCreate = "rerun the original create all or create identities";
const recoverApplication = rerunCreate;
const recoverVault = advise`${rerunCreate}, or use ${shell`az keyvault recover`}`;

/** A soft-deleted resource. */
export interface Recoverable {
  readonly title: string;
  /** RFC 3339; undefined if Azure does not return it. */
  readonly until: string | undefined;
  /** How to recover it. */
  readonly how: Advice;
}

export function recoverable({ deletedApplications, deletedVaults }: IdentityInventory): Recoverable[] {
  return [
    ...deletedVaults.map(({ name = "", properties }) => ({
      title: titleOf(resourceTypes.keyVault, name),
      until: properties?.scheduledPurgeDate?.toISOString(),
      how: recoverVault,
    })),
    ...deletedApplications.map(({ displayName, deletedDateTime }) => ({
      title: `application ${displayName}`,
      until: new Date(Date.parse(deletedDateTime) + applicationsKeptMs).toISOString(),
      how: recoverApplication,
    })),
  ];
}
