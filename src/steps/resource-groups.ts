/** Resource groups: created and existing ones. */
import type { ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import type { ResourcesClient } from "../azure/sdk-operations.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import { defineLookup, defineStep, type Step } from "../engine/step.js";
import { Stale } from "../errors/stale.js";
import { isSharing, type Owner } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId, resourceGroupId } from "../domain/resource-id.js";
import { scopeTitle } from "../domain/role-assignment-title.js";
import { resourceTypes } from "../domain/resource-types.js";
import { createdGroupTags, ownsGroup } from "../domain/set-ownership.js";
import { mergedTags } from "../domain/tags.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { useExisting, decideOwned } from "./ownership-decision.js";
import { Failure } from "../errors/failure.js";
import { hasLostTags, type LostTags } from "./lost-tags.js";
import { withoutOptionTags } from "../domain/option-tags.js";
import { tagChanges } from "./tag-changes.js";
import { writeTags } from "./write-tags.js";

export interface GroupOutput {
  /** `/subscriptions/<id>/resourceGroups/<name>`, in exactly this casing: the scope of role assignments. */
  readonly id: string;
  /** As Azure spells it. */
  readonly name: string;
}

const row = resourceTypes.resourceGroup;

export interface GroupOptions {
  readonly subscriptionId: string;
  readonly location: string;
  /** An identity set, workload identities or a DNS zone use an existing group that they do not own unchanged; a cluster refuses it. */
  readonly owner: Owner;
  /** The user's tags, merged with existing tags. */
  readonly tags: Readonly<Record<string, string>>;
  /** For a group of a cluster. */
  readonly lostTags?: LostTags;
}

/** A created group, with the ownership tags and the user's tags. */
export function ownGroup(azure: Azure, options: GroupOptions, id: string, name: string): Step<GroupOutput> {
  const { subscriptionId, location, owner } = options;
  const scope = resourceGroupId(subscriptionId, name);
  const sharing = isSharing(owner) ? owner : undefined;
  const ownTags = createdGroupTags(owner, name);
  const tagsOn = (live: Readonly<Record<string, string>>) => tagChanges(live, { ...options.tags, ...ownTags }, quotedTitleOf(row, name));
  const requireRoom = (live: Readonly<Record<string, string>>) => {
    const tags = tagsOn(live);
    if (tags instanceof Failure) throw tags;
    return tags;
  };
  const wanted = (): ResourceGroup => ({ location, tags: requireRoom({}).merged });
  return defineStep({
    id,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: scope,
    needs: {},
    async read() {
      const live = await readGroup(azure, subscriptionId, name);
      return options.lostTags ? options.lostTags.mark(live, scope) : live;
    },
    // A group that is being deleted is deleted with its contents, and can be recreated only afterwards.
    busy: (live) => (live.properties?.provisioningState === "Deleting" ? "Deleting" : undefined),
    wanted,
    decide: (live) =>
      live && sharing && !ownsGroup(sharing, { name, tags: live.tags })
        ? { act: "use" }
        : decideOwned(live, { row, name, owner, location }, (group) => {
            const change = tagsOn(group.tags ?? {});
            return change instanceof Failure ? change : change.changes;
          }),
    async apply(live): Promise<ResourceGroup> {
      const client = await azure.resources();
      if (!live) return createGroup(client, name, wanted());
      const changes = requireRoom(live.tags ?? {});
      if (hasLostTags(live)) await options.lostTags?.restore(scope);
      await writeTags(azure, scope, changes);
      return { ...live, tags: mergedTags(withoutOptionTags(live.tags), changes.merged) };
    },
    predict: () => ({ id: scope, name }),
    output: (live) => groupOutput(subscriptionId, live, name),
  });
}

/** @throws Stale if the group exists or is being deleted, so that it is read again. */
async function createGroup(client: ResourcesClient, name: string, group: ResourceGroup): Promise<ResourceGroup> {
  let status = 0;
  try {
    const onResponse = (answer: { readonly status: number }) => {
      status = answer.status;
    };
    const created = await client.resourceGroups.createOrUpdate(name, group, { onResponse });
    // 200, not 201: another client created it, and its contents must be read like those of any existing group.
    if (status === 200) throw new Stale("it was created in the meantime");
    return created;
  } catch (error) {
    if (azureCodeOf(error) === "ResourceGroupBeingDeleted") throw new Stale("it is being deleted", { cause: error });
    throw error;
  }
}

/** The group of `--resource-group-name`, used unchanged. */
export function existingGroup(
  azure: Azure,
  spec: Pick<InfraSpec, "subscriptionId" | "location">,
  id: string,
  name: string,
): Step<GroupOutput> {
  return defineLookup({
    id,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true },
    resourceId: resourceGroupId(spec.subscriptionId, name),
    needs: {},
    read: () => readGroup(azure, spec.subscriptionId, name),
    decide: (live) => useExisting(live, { row, what: quotedTitleOf(row, name), location: spec.location, flag: row.use.existingFlag }),
    output: (live) => groupOutput(spec.subscriptionId, live, name),
  });
}

export interface GroupLookup {
  readonly resource: Step<{ readonly id: string }>;
  /** The existing resource in the group. */
  readonly flag: string;
  /** The group's ID as typed; undefined if only Azure knows it. */
  readonly groupId: string | undefined;
}

/**
 * The group of an existing resource, in any subscription. It is read because names of role assignments are computed from the
 * group's name as Azure spells it, not as it was typed in an ID.
 */
export function groupOfExisting(azure: Azure, id: string, { resource, flag, groupId }: GroupLookup): Step<GroupOutput> {
  return defineLookup({
    id,
    title: groupId === undefined ? `${row.label} of ${resource.title}` : scopeTitle(groupId),
    subject: { kind: "resource", type: row.type, existing: true, anywhere: true },
    needs: { resource },
    read({ resource: { id: resourceId } }) {
      const { subscriptionId, resourceGroup = "" } = parseResourceId(resourceId);
      return readGroup(azure, subscriptionId, resourceGroup);
    },
    decide: (live, { resource: { id: resourceId } }) => useExisting(live, { row, what: `the ${row.label} of ${resourceId}`, flag }),
    output(live, { resource: { id: resourceId } }) {
      const { subscriptionId, resourceGroup = "" } = parseResourceId(resourceId);
      return groupOutput(subscriptionId, live, resourceGroup);
    },
  });
}

async function readGroup(azure: Azure, subscriptionId: string, name: string): Promise<ResourceGroup | undefined> {
  const { resourceGroups } = await azure.resources(subscriptionId);
  return found(resourceGroups.get(name));
}

function groupOutput(subscriptionId: string, live: ResourceGroup, asked: string): GroupOutput {
  const name = live.name ?? asked;
  return { id: resourceGroupId(subscriptionId, name), name };
}
