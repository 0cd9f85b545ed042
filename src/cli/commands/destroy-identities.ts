/** `destroy identities`: what is provably the set's, role assignments first; and what stays recoverable, until when. */
import { findIdentities, type IdentityInventory } from "../../removal/identities.js";
import { canPurge, identityRemovals } from "../../removal/identity-removals.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey } from "../identity-set.js";
import { inSession } from "../session.js";
import { requireConsent, tearDown, type Recoverable } from "../tear-down.js";

/** Entra empties its bin after 30 days. */
const applicationsKeptMs = 30 * 86_400_000;

const command = "destroy identities";

export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  const { name, purge } = settings;
  return inSession(settings, notices, environment, async (azure, stage) => {
    requireConsent(name, settings, stage);
    const key = identitySetKey(settings, azure);
    let inventory = await findIdentities(azure, key, { purge });
    return tearDown(azure, stage, settings, {
      command,
      subject: name,
      about: { name },
      removals: identityRemovals(azure, inventory, settings),
      kept: inventory.kept,
      leftovers: async () => idsLeft((inventory = await findIdentities(azure, key, { purge })), purge),
      // What was seen last, which was when nothing was left.
      recoverable: () => Promise.resolve(recoverable(inventory)),
    });
  });
}

/** Every id that should be gone. */
export function idsLeft(inventory: IdentityInventory, purge: boolean): string[] {
  const { applications, identities, vaults, assignments, deletedApplications, deletedVaults } = inventory;
  return [
    ...assignments.map(({ id }) => id),
    ...applications.map(({ displayName }) => `application ${displayName}`),
    ...identities.map(({ id }) => id),
    ...vaults.map(({ id }) => id),
    ...(purge ? deletedApplications.map(({ displayName }) => `deleted application ${displayName}`) : []),
    ...(purge ? deletedVaults.filter(canPurge).map(({ name = "" }) => `deleted key vault ${name}`) : []),
  ];
}

/** What Azure keeps of the set. */
export function recoverable({ deletedApplications, deletedVaults }: IdentityInventory): Recoverable[] {
  return [
    ...deletedVaults.map(({ name = "", properties }) => ({
      title: `key vault ${name}`,
      until: properties?.scheduledPurgeDate?.toISOString(),
      how: "run `create identities` again, or `az keyvault recover`",
    })),
    ...deletedApplications.map(({ displayName, deletedDateTime }) => ({
      title: `application ${displayName}`,
      until: new Date(Date.parse(deletedDateTime) + applicationsKeptMs).toISOString(),
      how: "run `create identities` again",
    })),
  ];
}
