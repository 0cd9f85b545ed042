/** A managed identity: of a component of the data plane, of an AKS cluster or its nodes, of pods in a connected cluster. */
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "../azure/azure.js";
import { atMostEvery } from "../azure/concurrency.js";
import { found } from "../azure/long-running.js";
import { defineLookup, defineStep, type Step } from "../engine/step.js";
import { ownershipTags, type Owner } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { documentedId, parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { idBelow } from "./in-group.js";
import { useExisting, decideOwned } from "./ownership-decision.js";
import { withoutOptionTags } from "../domain/option-tags.js";
import { removedOptionTags } from "./tag-changes.js";
import type { GroupOutput } from "./resource-groups.js";

export interface ManagedIdentityOutput {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  /** Object ID of its service principal. */
  readonly principalId: string;
}

/** Limits the rate: Azure allows 2 writes of identities and their credentials per second for a subscription. */
export type RateLimit = <T>(write: () => Promise<T>) => Promise<T>;

/** A little more than half a second, because network delays vary. */
const identityWriteMs = 600;

/** For a graph that writes more than Azure allows in a second. */
export function identityWrites(azure: Azure): RateLimit {
  return atMostEvery(identityWriteMs, () => azure.connection.clock);
}

export interface ManagedIdentitySpec {
  readonly name: string;
  readonly owner: Owner;
  readonly location: string;
  /** Ends the ID of the step, if a graph has several: `cluster`. */
  readonly purpose?: string;
}

const row = resourceTypes.managedIdentity;

/** `rateLimit`: see `identityWrites`. */
export function managedIdentity(
  azure: Azure,
  { name, owner, location, purpose }: ManagedIdentitySpec,
  group: Step<GroupOutput>,
  rateLimit: RateLimit = (write) => write(),
): Step<ManagedIdentityOutput> {
  return defineStep({
    id: stepId(purpose),
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, name),
    needs: { group },
    within: "group",
    read: async ({ group: { name: groupName } }) => found((await azure.identities()).userAssignedIdentities.get(groupName, name)),
    decide: (live) => decideOwned(live, { row, name, owner, location }, ({ tags }) => removedOptionTags(tags)),
    async apply(live, { group: { name: groupName } }): Promise<Identity> {
      const { userAssignedIdentities } = await azure.identities();
      const tags = { ...withoutOptionTags(live?.tags), ...ownershipTags(owner) };
      return rateLimit(() => userAssignedIdentities.createOrUpdate(groupName, name, { location, tags }));
    },
    output: (live) => outputOf(name, live),
  });
}

/** It may be in any location: the identities of a fleet are often in one. */
export function existingManagedIdentity(
  azure: Azure,
  { id, purpose, flag }: { readonly id: string; readonly purpose: string; readonly flag: `--${string}` },
): Step<ManagedIdentityOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  return defineLookup({
    id: stepId(purpose),
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true, anywhere: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.identities(subscriptionId)).userAssignedIdentities.get(resourceGroup, name)),
    decide: (live) => useExisting(live, { row, what: quotedTitleOf(row, name), flag }),
    output: (live) => outputOf(name, live),
  });
}

function stepId(purpose: string | undefined): string {
  return purpose === undefined ? row.use.step : `${row.use.step}-${purpose}`.toLowerCase();
}

function outputOf(name: string, { id = "", clientId = "", principalId = "" }: Identity): ManagedIdentityOutput {
  return { id: documentedId(id), name, clientId, principalId };
}
