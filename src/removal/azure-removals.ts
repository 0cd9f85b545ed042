/** The Azure calls that delete one role assignment, resource or group, without an order. */
import type { Azure } from "../azure/azure.js";
import { expectedDuration, expectedGroupDeletion } from "../azure/expected-durations.js";
import { finish, found, inFlightIntervalMs } from "../azure/long-running.js";
import { oncePerKey } from "../azure/concurrency.js";
import { listContents } from "../azure/group-contents.js";
import type { StepIo } from "../engine/step.js";
import { labelled, quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { idKey, parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { liveAssignmentTitle } from "../domain/role-assignment-title.js";
import type { FoundGrant } from "./assignments.js";
import { requireNothingNew } from "./new-resources.js";
import type { FoundGroup, FoundResource } from "./inventory.js";
import { removalOf, resourceRemovalOf, type OwnedRemoval } from "./owned.js";

/** Works for any subscription, because the ID contains the scope. */
export function grantRemoval(azure: Azure, grant: Omit<FoundGrant, "principalId">): OwnedRemoval {
  const { id, name, scope, holder } = grant;
  const removal = removalOf(`role-assignment ${name}`, liveAssignmentTitle(grant, holder), async () => {
    const { roleAssignments } = await azure.authorization();
    // 204 if it is already deleted, 404 if its scope is.
    await found(roleAssignments.delete(scope, name));
  });
  return { ...removal, resourceId: id };
}

export function managedIdentityRemoval(azure: Azure, { id }: { readonly id: string }): OwnedRemoval {
  const { resourceGroup = "", name } = parseResourceId(id);
  return resourceRemovalOf(resourceTypes.managedIdentity, id, async () => {
    const { userAssignedIdentities } = await azure.identities();
    await found(userAssignedIdentities.delete(resourceGroup, name));
  });
}

export function resourceRemoval(azure: Azure, { id, type, name }: FoundResource, apiVersions: ApiVersions): OwnedRemoval {
  const expected = expectedDuration("DELETE", type);
  const remove = async () => {
    const { resources } = await azure.resources();
    const apiVersion = await apiVersions(type);
    await found(finish(azure, expected, (options) => resources.beginDeleteById(id, apiVersion, options)));
  };
  return { ...removalOf(idKey(id), titleOf(labelled(type), name), remove), resourceId: id, seconds: expected.spread[1] };
}

export function groupRemoval(azure: Azure, group: FoundGroup): OwnedRemoval {
  const remove = async ({ note, signal }: StepIo) => {
    const { resourceGroups } = await azure.resources();
    if (group.deleting) {
      note("an earlier deletion is in progress");
      const { clock } = azure.connection;
      const readState = async () => (await found(resourceGroups.get(group.name)))?.properties?.provisioningState;
      // If the earlier deletion is blocked, the group remains, and this run deletes it.
      while ((await readState()) === "Deleting") await clock.sleep(inFlightIntervalMs, signal);
    }
    const expected = expectedGroupDeletion(await remainingTypes(azure, group));
    await found(finish(azure, expected, (options) => resourceGroups.beginDelete(group.name, options)));
  };
  return { ...resourceRemovalOf(resourceTypes.resourceGroup, group.id, remove), seconds: expectedGroupDeletion([]).spread[1] };
}

/**
 * The types of the resources that are deleted with the group. It is read again, because another client may have added a resource since the
 * inventory.
 * @throws Failure if one did
 */
async function remainingTypes(azure: Azure, group: FoundGroup): Promise<string[]> {
  // A group that is already deleted, by another destroy or an earlier deletion, counts as empty.
  const listed = await listContents(azure, group.name);
  requireNothingNew(
    quotedTitleOf(resourceTypes.resourceGroup, group.name),
    group.contents.map(({ id }) => id),
    listed.flatMap(({ id }) => id ?? []),
  );
  return listed.map(({ type = "" }) => type);
}

export type ApiVersions = (type: string) => Promise<string>;

/** The API version that deletes a type: the newest stable one of its provider. */
export function apiVersionLookup(azure: Azure): ApiVersions {
  const providers = oncePerKey<ReadonlyMap<string, string>>();
  const load = async (namespace: string) => {
    const client = await azure.resources();
    const { resourceTypes = [] } = await client.providers.get(namespace);
    return new Map(
      resourceTypes.map(({ resourceType = "", apiVersions = [] }) => {
        const newestFirst = apiVersions.toSorted().toReversed();
        return [
          `${namespace}/${resourceType}`.toLowerCase(),
          newestFirst.find((version) => !version.includes("preview")) ?? newestFirst[0] ?? "",
        ];
      }),
    );
  };
  const versionsOf = (namespace: string) => providers.get(namespace, () => load(namespace));
  return async (type) => (await versionsOf(type.split("/", 1)[0] ?? "")).get(type.toLowerCase()) ?? "";
}
