/** A subscription with all 4,000 of its role assignments taken: most are in use, many left over, and some only look so. */
import { randomUUID } from "node:crypto";
import { assignedComponents } from "../../src/domain/components.js";
import { applicationUniqueName } from "../../src/domain/identity-names.js";
import { resourceGroupId, subscriptionScope } from "../../src/domain/resource-id.js";
import { roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { wellKnown } from "../../src/emulator/index.js";
import { group, merged } from "./estate-seed.js";

const { subscriptionId, clientPrincipalId } = wellKnown;
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

export interface Row {
  readonly scope: string;
  readonly name: string;
  readonly role: string;
  readonly principalId: string;
  readonly principalType?: string;
  readonly delegatedManagedIdentityResourceId?: string;
  readonly createdOn: string;
}

/** What is given to a sweep: nothing else in the subscription says that these were infra IDs. */
export const givenInfraIds = [...Array.from({ length: 10 }, (_, at) => `given${String(at)}`), "drift0", "drift1", "drift2"];
const shared = { managed: "shared-rg", vnet: "shared-vnet", nsg: "shared-nsg", dns: "shared-dns" };

/** Up to 21 assignments, as a create names them for a cluster in groups of others. */
function ofCluster(infraId: string, createdOn: string, principal: (at: number) => string, groups = shared): Row[] {
  return assignedComponents.flatMap(({ assigned: { scopes, hypershiftName, role } }, at) =>
    // One for each group, as a create makes it.
    scopes
      .filter((one, index) => scopes.findIndex((other) => groups[other] === groups[one]) === index)
      .map((one) => {
        const scope = resourceGroupId(subscriptionId, groups[one]);
        return {
          scope,
          name: roleAssignmentName(infraId, hypershiftName, scope),
          role: role.id,
          principalId: principal(at),
          createdOn,
        };
      }),
  );
}

function numbered<T>(count: number, row: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => row(at));
}

/** `now`: of the emulator. */
export function fullSubscription(now: Date) {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const old = ago(40);
  const gone = () => randomUUID();
  const living = numbered(12, () => randomUUID());
  const alive = (at: number) => living[at % living.length] ?? "";
  const scope = resourceGroupId(subscriptionId, "team");
  const unnamed = (principalId: string, more: Partial<Row> = {}): Row => {
    return { scope, name: randomUUID(), role: reader, principalId, createdOn: old, ...more };
  };
  const clusters = (names: readonly string[], count: number, principal: (at: number) => string, groups = shared) =>
    names.flatMap((infraId) => ofCluster(infraId, old, principal, groups)).slice(0, count);
  const named = (prefix: string, count: number) => numbered(count, (at) => `${prefix}${String(at)}`);
  const inGroup = (name: string) => ({ managed: name, vnet: name, nsg: name, dns: name });

  const ofApplications = [...clusters(named("given", 10), 200, gone), ...clusters(named("left", 6), 110, gone)];
  const ofIdentities = clusters(named("mi", 11), 220, gone);
  const locked = clusters(["locked0", "locked1", "locked2"], 24, gone, inGroup("locked"));
  const denied = clusters(["denied0"], 6, gone, inGroup("denied"));
  const drifted = clusters(named("drift", 3), 44, alive);
  const restorable = clusters(named("soft", 4), 64, gone);
  const delegated = `${scope}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/foreign`;
  const rows: readonly Row[] = [
    // 90 clusters of 21, 40 sets of 3, 20 AKS clusters of 9, people, and what PIM has activated: one is the emulator's own.
    ...numbered(90, (at) => `live${String(at)}`).flatMap((infraId) => ofCluster(infraId, old, alive)),
    ...numbered(300 + 560 + 12 - 2, (at) => unnamed(alive(at))),
    ...numbered(8, () => unnamed(gone(), { principalType: "ForeignGroup" })),
    ...numbered(6, () => unnamed(gone(), { delegatedManagedIdentityResourceId: delegated })),
    ...ofCluster("young0", ago(0.5), gone).slice(0, 20),
    ...ofApplications,
    ...ofIdentities,
    ...locked,
    ...denied,
    ...drifted,
    ...restorable,
    ...numbered(36 + 470, () => unnamed(gone())),
    ...numbered(30, () => unnamed(gone(), { principalType: "User" })),
  ];
  // One group is left of each of these clusters, and none of the given ones.
  const traces = [...named("left", 6), ...named("mi", 11), ...named("soft", 4), "young0", "denied0", "locked0", "locked1", "locked2"];
  const lock = `${resourceGroupId(subscriptionId, "locked")}/providers/Microsoft.Authorization/locks/frozen`;
  const denial = `${resourceGroupId(subscriptionId, "denied")}/providers/Microsoft.Authorization/denyAssignments/d0000000-0000-4000-8000-000000000001`;
  return {
    rows,
    ofApplications,
    ofIdentities,
    seed: {
      ...merged([
        ...["team", "locked", "denied", ...Object.values(shared)].map((name) => group(name)),
        ...traces.map((infraId) => group(`demo-${infraId}-nsg`, { "aro-hcp-name": "demo", "aro-hcp-infra-id": infraId })),
        {
          resources: {
            [lock]: { properties: { level: "CanNotDelete" } },
            [denial]: {
              properties: {
                denyAssignmentName: "stack",
                permissions: [{ actions: ["Microsoft.Authorization/*/delete"] }],
                principals: [{ id: clientPrincipalId, type: "ServicePrincipal" }],
                excludePrincipals: [],
              },
            },
          },
          roleAssignments: rows,
        },
      ]),
      groups: living.map((id) => ({ id, displayName: "living" })),
      deletedServicePrincipals: ofIdentities.map(({ principalId: id }) => ({
        id,
        displayName: "identity",
        identity: `${scope}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${id}`,
        deletedDateTime: ago(20),
      })),
      applications: restorable.map(({ principalId }, at) => ({
        appId: randomUUID(),
        servicePrincipalId: principalId,
        displayName: "set-cpo",
        // In a group that is there: the set may be restored.
        uniqueName: applicationUniqueName({ subscriptionId, groupName: "team", name: `set${String(at)}` }, { key: "cpo" }),
        deletedDateTime: ago(2),
      })),
    },
    subscription: subscriptionScope(subscriptionId),
  };
}
