/** Clusters of every tool, as seeds of the emulator: what each leaves in Azure, by its names and tags. */
import { assignedComponents, dataPlaneComponents } from "../../src/domain/components.js";
import { infraNames, type ClusterKey, type Naming } from "../../src/domain/names.js";
import { managedIdentityName } from "../../src/domain/identity-names.js";
import { resourceGroupId } from "../../src/domain/resource-id.js";
import { roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { wellKnown } from "../../src/emulator/index.js";
import { connectedAzure } from "../harness/connected-azure.js";
import type { TestEmulator } from "../harness/test-emulator.js";

export interface Seed {
  readonly resources: Readonly<Record<string, object>>;
  readonly roleAssignments?: readonly object[];
  readonly identities?: readonly object[];
  readonly applications?: readonly object[];
}

type Tags = Readonly<Record<string, string>>;

const operator = "b24988ac-6180-42a0-ab88-20f7382dd24c";

/** What a virtual network needs. */
export const network = { properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };

export function merged(seeds: readonly Seed[]): Seed {
  return {
    resources: Object.assign({}, ...seeds.map(({ resources }) => resources)) as Seed["resources"],
    roleAssignments: seeds.flatMap(({ roleAssignments = [] }) => roleAssignments),
    identities: seeds.flatMap(({ identities = [] }) => identities),
    applications: seeds.flatMap(({ applications = [] }) => applications),
  };
}

export function group(name: string, tags: Tags = {}, more: object = {}, subscriptionId: string = wellKnown.subscriptionId): Seed {
  return { resources: { [resourceGroupId(subscriptionId, name)]: { location: "eastus", tags, ...more } } };
}

export function inGroup(
  groupName: string,
  type: string,
  name: string,
  body: object = {},
  subscriptionId: string = wellKnown.subscriptionId,
): Seed {
  return { resources: { [`${resourceGroupId(subscriptionId, groupName)}/providers/${type}/${name}`]: { location: "eastus", ...body } } };
}

export interface Cluster extends ClusterKey {
  readonly naming: Naming;
  readonly tags?: Tags;
  readonly subscriptionId?: string;
  /** Whose roles it has; none without one. */
  readonly principals?: Readonly<Record<string, string>>;
  /** The parts that a stopped create has not made. */
  readonly without?: readonly ("roles" | "zone" | "balancer")[];
}

/** The infrastructure of a cluster, as `create infra` of either tool names it. */
export function cluster({ naming, tags = {}, subscriptionId = wellKnown.subscriptionId, without = [], ...key }: Cluster): Seed {
  const { groups, vnet, nsg, privateZone, loadBalancer, publicIp } = infraNames(naming, { ...key, baseDomain: "example.com" });
  const has = (part: "roles" | "zone" | "balancer") => !without.includes(part);
  const zoneGroup = naming === "documented" ? groups.vnet : groups.managed;
  const part = (groupName: string, type: string, name: string, body: object = {}) =>
    inGroup(groupName, type, name, { tags, ...body }, subscriptionId);
  return merged([
    ...[groups.managed, groups.vnet, groups.nsg].map((name) => group(name, tags, {}, subscriptionId)),
    part(groups.vnet, "Microsoft.Network/virtualNetworks", vnet, network),
    part(groups.nsg, "Microsoft.Network/networkSecurityGroups", nsg),
    ...(has("zone") ? [part(zoneGroup, "Microsoft.Network/privateDnsZones", privateZone, { location: "global" })] : []),
    ...(has("balancer")
      ? [
          part(groups.managed, "Microsoft.Network/publicIPAddresses", publicIp, {
            sku: { name: "Standard" },
            properties: { publicIPAllocationMethod: "Static" },
          }),
          part(groups.managed, "Microsoft.Network/loadBalancers", loadBalancer, { sku: { name: "Standard" } }),
        ]
      : []),
    ...(has("roles") ? [roles(key, resourceGroupId(subscriptionId, groups.managed), key.principals)] : []),
  ]);
}

/** The assignments on the managed group, under the names that aro-hcp and hypershift compute. */
function roles({ infraId }: Pick<ClusterKey, "infraId">, scope: string, principals: Readonly<Record<string, string>> = {}): Seed {
  const roleAssignments = assignedComponents
    .filter(({ assigned }) => assigned.scopes.includes("managed"))
    .map(({ key, assigned }, at) => ({
      scope,
      name: roleAssignmentName(infraId, assigned.hypershiftName, scope),
      role: operator,
      principalId: principals[key] ?? `90000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
    }));
  return { resources: {}, roleAssignments };
}

/** The group and the managed identities of a set. */
export function identitySet(name: string, groupName = `${name}-common`, tags: Tags = { "aro-hcp-identities": name }): Seed {
  return merged([
    group(groupName, tags),
    ...dataPlaneComponents.map((component) =>
      inGroup(groupName, "Microsoft.ManagedIdentity/userAssignedIdentities", managedIdentityName({ name }, component), { tags }),
    ),
  ]);
}

/** The object IDs of the managed identities of a set, by component. */
export async function principalsOf({ directory }: TestEmulator, name: string): Promise<Readonly<Record<string, string>>> {
  const { userAssignedIdentities } = await (await connectedAzure(directory)).identities();
  const entries = dataPlaneComponents.map(async (component) => {
    const { principalId = "" } = await userAssignedIdentities.get(`${name}-common`, managedIdentityName({ name }, component));
    return [component.key, principalId] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The groups of hypershift's scripts: all, or those that a deletion left. */
export function scripted(prefix: string, groups = ["managed-rg", "customer-vnet-rg", "customer-nsg-rg"]): Seed {
  return merged(groups.map((one) => group(`${prefix}-${one}`)));
}

/** Adds a seed whose federated credentials are of its own identities, which a seed document adds last. */
export async function seedInOrder(azure: TestEmulator, { resources, ...seed }: Seed): Promise<void> {
  const all = Object.entries(resources);
  const isCredential = ([id]: (typeof all)[number]) => id.includes("/federatedIdentityCredentials/");
  await azure.seed({ ...seed, resources: Object.fromEntries(all.filter((one) => !isCredential(one))) });
  await azure.seed({ resources: Object.fromEntries(all.filter(isCredential)) });
}
