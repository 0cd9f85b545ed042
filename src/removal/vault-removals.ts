/** The removals of a vault: deleted with its contents, and purged if it is wanted and possible. */
import type { Azure } from "../azure/azure.js";
import { vaultObjectDeletion, vaultPurge } from "../azure/expected-durations.js";
import { begun, finish, found, noInterval } from "../azure/long-running.js";
import { pollWhenDue } from "../azure/poll-timing.js";
import type { Removal, StepIo } from "../engine/step.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { idKey, parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { mergedTags } from "../domain/tags.js";
import { orRefused } from "../azure/or-refused.js";
import { checkedTag, type FoundVault } from "./vaults.js";

/** Directory replicas and Key Vault take seconds to list what was deleted. */
const purgePauseMs = 2_000;
const purgeTries = 15;

/** `after` are the IDs of removals that must end before it is deleted. */
export function vaultRemovals(azure: Azure, vault: FoundVault, purge: boolean, after: readonly string[] = []): Removal[] {
  const { id, name, location, purgeProtected } = vault;
  const purged = purge && !purgeProtected;
  const removal = {
    ...removalOf(idKey(id), titleOf(resourceTypes.keyVault, name), after, async () => {
      const { vaults } = await azure.vaults();
      if (purged) await markChecked(azure, vault);
      await found(vaults.delete(parseResourceId(id).resourceGroup ?? "", name));
    }),
    resourceId: id,
  };
  return purged ? [removal, purgedVault(azure, name, location, [removal.id])] : [removal];
}

/** For the next run, if this one ends before the purge. This run does not need the mark, so it also deletes the vault without permission for it. */
async function markChecked(azure: Azure, { id, name, foreign, tags }: FoundVault): Promise<void> {
  if (foreign.length > 0) return;
  const { vaults } = await azure.vaults();
  const marked = mergedTags(tags, { [checkedTag]: azure.connection.clock.now().toISOString() });
  await orRefused(found(vaults.update(parseResourceId(id).resourceGroup ?? "", name, { tags: marked })));
}

export function purgedVault(azure: Azure, name: string, location: string, after: readonly string[]): Removal {
  return removalOf(`purge key vault ${name.toLowerCase()}`, `${titleOf(resourceTypes.keyVault, name)}, permanently`, after, async (io) => {
    const { vaults } = await azure.vaults();
    const purged = async () => {
      await finish(azure, vaultPurge, (options) => begun(vaults.purgeDeleted(name, location, options)));
      return true;
    };
    await untilPurged(azure, io, async () => (await found(purged())) ?? false);
  });
}

/** Its key and its secret are deleted with it. */
export function certificateRemoval(azure: Azure, vaultName: string, name: string, purge: boolean): Removal {
  return removalOf(`certificate ${name}`, `certificate ${name}`, [], async () => {
    const content = await azure.vaultContent(vaultName);
    const options = { intervalInMs: noInterval };
    await found(
      pollWhenDue(vaultObjectDeletion, async () => (await content.certificates.beginDeleteCertificate(name, options)).pollUntilDone()),
    );
    if (purge) await found(content.certificates.purgeDeletedCertificate(name));
  });
}

/** If nothing is found, it may be purged or not listed as deleted yet, so this retries for a while. */
export async function untilPurged(azure: Azure, { note, signal }: StepIo, purge: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await purge()) && tries < purgeTries; tries += 1) {
    note("waiting until Azure lists it as deleted");
    await azure.connection.clock.sleep(purgePauseMs, signal);
  }
}

/** Of something without an ID of its own in Resource Manager. */
export function removalOf(id: string, title: string, after: readonly string[], remove: (io: StepIo) => Promise<void>): Removal {
  return { id, title, resourceId: undefined, after, remove };
}
