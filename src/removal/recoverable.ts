/** What Azure keeps of a set of identities that was destroyed, and how it is brought back. */
import { titleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { IdentityInventory } from "./identities.js";

/** Entra empties its bin after 30 days. */
const applicationsKeptMs = 30 * 86_400_000;

/** Deleted, but not yet gone for good. */
export interface Recoverable {
  readonly title: string;
  /** RFC 3339; undefined where Azure does not say. */
  readonly until: string | undefined;
  /** How it is brought back. */
  readonly how: string;
}

export function recoverable({ deletedApplications, deletedVaults }: IdentityInventory): Recoverable[] {
  return [
    ...deletedVaults.map(({ name = "", properties }) => ({
      title: titleOf(resourceTypes.keyVault, name),
      until: properties?.scheduledPurgeDate?.toISOString(),
      how: "the same `aro-hcp create all` or `aro-hcp create identities` as before does it, or `az keyvault recover`",
    })),
    ...deletedApplications.map(({ displayName, deletedDateTime }) => ({
      title: `application ${displayName}`,
      until: new Date(Date.parse(deletedDateTime) + applicationsKeptMs).toISOString(),
      how: "the same `aro-hcp create all` or `aro-hcp create identities` as before does it",
    })),
  ];
}
