/** The Azure calls that delete one role assignment, resource or group, without an order. */
import type { Azure } from "../azure/azure.js";
import { expectedDuration, expectedGroupDeletion } from "../azure/expected-durations.js";
import { finish, found, inFlightIntervalMs } from "../azure/long-running.js";
import { oncePerKey } from "../azure/concurrency.js";
import { listContents } from "../azure/group-contents.js";
import type { Removal } from "../engine/step.js";
import { labelled, quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { idKey } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { FoundGrant } from "./assignments.js";
import { requireNothingNew } from "./new-resources.js";
import type { FoundGroup, FoundResource } from "./inventory.js";

/** Works for any subscription, because the ID contains the scope. */
export function assignmentRemoval(azure: Azure, title: string, { id, name, scope }: Pick<FoundGrant, "id" | "name" | "scope">): Removal {
  return {
    id: `role-assignment ${name}`,
    title,
    resourceId: id,
    after: [],
    async remove() {
      const { roleAssignments } = await azure.authorization();
      // 204 if it is already deleted, 404 if its scope is.
      await found(roleAssignments.delete(scope, name));
    },
  };
}

export function resourceRemoval(azure: Azure, resource: FoundResource, apiVersions: ApiVersions): Removal {
  const { id, type, name } = resource;
  const expected = expectedDuration("DELETE", type);
  return {
    id: idKey(id),
    title: titleOf(labelled(type), name),
    resourceId: id,
    after: [],
    seconds: expected.spread[1],
    async remove() {
      const { resources } = await azure.resources();
      const apiVersion = await apiVersions(type);
      await found(finish(azure, expected, (options) => resources.beginDeleteById(id, apiVersion, options)));
    },
  };
}

export function groupRemoval(azure: Azure, group: FoundGroup): Removal {
  return {
    id: idKey(group.id),
    title: titleOf(resourceTypes.resourceGroup, group.name),
    resourceId: group.id,
    after: [],
    seconds: expectedGroupDeletion([]).spread[1],
    async remove({ note, signal }) {
      const { resourceGroups } = await azure.resources();
      if (group.deleting) {
        note("an earlier deletion is in progress");
        const { clock } = azure.connection;
        for (let live; (live = await found(resourceGroups.get(group.name))) !== undefined;) {
          // If the earlier deletion is blocked, the group remains, and this run deletes it.
          if (live.properties?.provisioningState !== "Deleting") break;
          await clock.sleep(inFlightIntervalMs, signal);
        }
      }
      const expected = expectedGroupDeletion(await remainingTypes(azure, group));
      await found(finish(azure, expected, (options) => resourceGroups.beginDelete(group.name, options)));
    },
  };
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
