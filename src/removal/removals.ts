/** From an inventory to removals in safe order: role assignments before groups, what refers before what is referred to. */
import type { Azure } from "../azure/azure.js";
import { finish, found, pollInterval } from "../azure/long-running.js";
import type { Removal } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { idKey, isWithin, parseResourceId } from "../infra/resource-id.js";
import type { FoundAssignment } from "./assignments.js";
import { listContents, strangerWhy, type FoundGroup, type FoundResource, type Inventory, type Kept } from "./inventory.js";
import { goesBefore, isOrdered } from "./order.js";

export interface RemovalWishes {
  /** Keep the groups, remove only what is ours in them. */
  readonly preserveGroups: boolean;
  /** Delete groups of ours along with what others put there. */
  readonly deleteForeign: boolean;
}

/** The foreign resources that forbid deleting the groups they are in. */
export function foreignContents({ groups }: Inventory, { preserveGroups, deleteForeign }: RemovalWishes): FoundResource[] {
  if (preserveGroups || deleteForeign) return [];
  return groups.filter(({ ours }) => ours).flatMap(({ contents }) => contents.filter(({ origin }) => origin === "foreign"));
}

/** Every id that is to be gone in the end, sorted; what goes with its group by itself, too. */
export function idsToRemove({ groups, assignments }: Inventory, { preserveGroups }: RemovalWishes): string[] {
  const contents = groups.flatMap((group) => group.contents.filter(({ origin }) => origin !== "foreign"));
  const goingGroups = groups.filter(({ ours }) => ours && !preserveGroups);
  return [...assignments, ...contents, ...goingGroups].map(({ id }) => id).toSorted();
}

/** What has no removal of its own, because its group goes in one piece and takes it along. */
export function goingAlong({ groups }: Inventory, { preserveGroups }: RemovalWishes): (FoundResource & { readonly title: string })[] {
  if (preserveGroups) return [];
  return groups.filter(isWholesale).flatMap(({ contents }) => contents.map((resource) => ({ ...resource, title: titleOf(resource) })));
}

/** What stays, and why: what is not ours, and where groups are preserved, those and what others put into them. */
export function stayingBehind({ groups, kept }: Inventory, { preserveGroups }: RemovalWishes): Kept[] {
  const preserved = preserveGroups ? groups.filter(({ ours }) => ours) : [];
  return [
    ...kept,
    ...preserved.flatMap(({ id, contents }) => [
      { id, why: "--preserve-resource-group keeps it" },
      ...contents.filter(({ origin }) => origin === "foreign").map((stranger) => ({ id: stranger.id, why: strangerWhy })),
    ]),
  ];
}

export function removalsOf(azure: Azure, inventory: Inventory, wishes: RemovalWishes): Removal[] {
  const goes = (group: FoundGroup) => group.ours && !wishes.preserveGroups;
  const apiVersions = apiVersionLookup(azure);
  const assignments = inventory.assignments.map((assignment) => ({ assignment, removal: assignmentRemoval(azure, assignment) }));
  const resources = inventory.groups
    .filter((group) => !group.deleting)
    .flatMap((group) => itemsOf(group, goes(group)))
    .map((resource) => ({ resource, removal: resourceRemoval(azure, resource, apiVersions) }));
  const groups = inventory.groups.filter(goes).map((group) => ({ group, removal: groupRemoval(azure, group) }));

  const after = (ids: readonly { readonly removal: Removal }[]) => ids.map(({ removal }) => removal.id);
  return [
    ...assignments.map(({ removal }) => removal),
    ...resources.map(({ resource, removal }) => ({
      ...removal,
      after: [
        ...after(resources.filter((other) => goesBefore(other.resource.type, resource.type))),
        // What a group takes along may use a network elsewhere.
        ...after(groups.filter(({ group }) => group.name !== resource.group && isWholesale(group) && outlives(resource.type))),
      ],
    })),
    ...groups.map(({ group, removal }) => ({
      ...removal,
      after: [
        ...after(assignments.filter(({ assignment }) => isWithin(assignment.scope, group.id))),
        ...after(
          resources.filter(({ resource }) => resource.group === group.name || (isWholesale(group) && mayUseNetworks(resource.type))),
        ),
        ...(isWholesale(group) ? [] : after(groups.filter((other) => isWholesale(other.group)))),
      ],
    })),
  ];
}

/**
 * Whether a group goes in one piece. Normally each resource is removed by itself and the empty group after: that takes Azure half the time of
 * deleting a full group. A group with kinds that we cannot order is left to Azure's own order.
 */
function isWholesale({ ours, contents }: FoundGroup): boolean {
  return ours && contents.some(({ type, origin }) => !isOrdered(type) || origin === "foreign");
}

/** Kinds that may be attached to a network in a group that goes in one piece: they go before it. */
function mayUseNetworks(type: string): boolean {
  return goesBefore(type, "Microsoft.Network/virtualNetworks");
}

/** Kinds that resources of a group that goes in one piece may be attached to: they go after it. */
function outlives(type: string): boolean {
  return goesBefore("Microsoft.Network/networkInterfaces", type) && !mayUseNetworks(type);
}

function itemsOf(group: FoundGroup, groupGoes: boolean): FoundResource[] {
  if (groupGoes && isWholesale(group)) return [];
  return group.contents.filter(({ origin }) => origin !== "foreign");
}

function assignmentRemoval(azure: Azure, { id, name, scope, component }: FoundAssignment): Removal {
  return {
    id: `role-assignment ${name}`,
    title: `role of ${component} on ${parseResourceId(scope).name}`,
    resourceId: id,
    after: [],
    async remove() {
      const { roleAssignments } = await azure.authorization(parseResourceId(scope).subscriptionId);
      // 204 where it is gone already; 404 where its scope is.
      await found(roleAssignments.delete(scope, name));
    },
  };
}

function resourceRemoval(azure: Azure, resource: FoundResource, apiVersions: ApiVersions): Removal {
  const { id, type } = resource;
  return {
    id: idKey(id),
    title: titleOf(resource),
    resourceId: id,
    after: [],
    async remove() {
      const { resources } = await azure.resources();
      const interval = type.toLowerCase().includes("privatedns") ? pollInterval.privateDns : pollInterval.network;
      const apiVersion = await apiVersions(type);
      await found(finish(azure, interval, (options) => resources.beginDeleteById(id, apiVersion, options)));
    },
  };
}

function groupRemoval(azure: Azure, group: FoundGroup): Removal {
  return {
    id: idKey(group.id),
    title: `resource group ${group.name}`,
    resourceId: group.id,
    after: [],
    async remove({ note, signal }) {
      const { resourceGroups } = await azure.resources();
      if (group.deleting) {
        note("an earlier deletion is at work on it");
        const { pace } = azure.connection;
        for (let live; (live = await found(resourceGroups.get(group.name))) !== undefined;) {
          // A deletion that is blocked ends with the group as it was: then it is ours to delete.
          if (live.properties?.provisioningState !== "Deleting") break;
          await pace.sleep(pollInterval.resourceGroup, signal);
        }
      }
      await refuseNewcomers(azure, group);
      await found(finish(azure, pollInterval.resourceGroup, (options) => resourceGroups.beginDelete(group.name, options)));
    },
  };
}

/** The group goes with all that is in it, so it is looked at once more: something may have been put there since the inventory. */
async function refuseNewcomers(azure: Azure, group: FoundGroup): Promise<void> {
  const known = new Set(group.contents.map(({ id }) => idKey(id)));
  // Gone already, by another destroy or by a deletion that we lost sight of, is as good as empty.
  const listed = await listContents(azure, group.name);
  const newcomers = listed.flatMap(({ id }) => (id === undefined || known.has(idKey(id)) ? [] : [id]));
  if (newcomers.length === 0) return;
  throw new Failure("ARO-OWN-004", `resource group "${group.name}" was given something new while it was being emptied`, {
    because: newcomers.join(", "),
    next: ["run the same command again: it is looked at anew"],
  });
}

type ApiVersions = (type: string) => Promise<string>;

/** The API version to delete a type with: the newest stable one that its provider lists. */
function apiVersionLookup(azure: Azure): ApiVersions {
  const providers = new Map<string, Promise<ReadonlyMap<string, string>>>();
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
  return async (type) => {
    const namespace = type.split("/", 1)[0] ?? "";
    const known = providers.get(namespace) ?? load(namespace);
    providers.set(namespace, known);
    return (await known).get(type.toLowerCase()) ?? "";
  };
}

function titleOf({ type, name }: FoundResource): string {
  return `${kindOf(type)} ${name}`;
}

/** "Microsoft.Network/publicIPAddresses" as people call it: "public IP address"; an uncommon type by its own name. */
function kindOf(type: string): string {
  return kinds[type.toLowerCase()] ?? type;
}

const kinds: Readonly<Record<string, string>> = {
  "microsoft.network/loadbalancers": "load balancer",
  "microsoft.network/publicipaddresses": "public IP address",
  "microsoft.network/networksecuritygroups": "network security group",
  "microsoft.network/virtualnetworks": "virtual network",
  "microsoft.network/privatednszones": "private DNS zone",
  "microsoft.network/privatednszones/virtualnetworklinks": "virtual network link",
  "microsoft.network/networkinterfaces": "network interface",
  "microsoft.compute/virtualmachines": "virtual machine",
  "microsoft.compute/disks": "disk",
};
