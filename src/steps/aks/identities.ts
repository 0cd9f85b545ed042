/** The managed identities of an AKS cluster: that of the cluster, and that of its nodes, which pull images as it. */
import type { Identity } from "@azure/arm-msi";
import { found } from "../../azure/long-running.js";
import { defineLookup, defineStep, type Step } from "../../engine/step.js";
import { ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { documentedId, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { idBelow } from "../in-group.js";
import type { InTurn } from "../managed-identities.js";
import { adopt, decideOwned } from "../ownership-decision.js";
import { recordedTags } from "../record-tags.js";
import type { AksContext } from "./context.js";

export interface IdentityOutput {
  readonly id: string;
  readonly clientId: string;
  /** Object ID of its service principal. */
  readonly principalId: string;
}

interface IdentityUse {
  readonly purpose: "cluster" | "kubelet";
  readonly name: string;
  readonly existingId: string | undefined;
  readonly flag: `--${string}`;
}

const row = resourceTypes.managedIdentity;

export function clusterIdentity(context: AksContext, inTurn: InTurn): Step<IdentityOutput> {
  const { names, spec } = context;
  const existingId = spec.existing.clusterIdentityId;
  return identity(context, { purpose: "cluster", name: names.clusterIdentity, existingId, flag: "--cluster-identity-id" }, inTurn);
}

export function kubeletIdentity(context: AksContext, inTurn: InTurn): Step<IdentityOutput> {
  const { names, spec } = context;
  const existingId = spec.existing.kubeletIdentityId;
  return identity(context, { purpose: "kubelet", name: names.kubeletIdentity, existingId, flag: "--kubelet-identity-id" }, inTurn);
}

function identity(context: AksContext, use: IdentityUse, inTurn: InTurn): Step<IdentityOutput> {
  const { existingId } = use;
  return existingId === undefined ? createdIdentity(context, use, inTurn) : existingIdentity(context, use, existingId);
}

function createdIdentity(
  { azure, spec, group, recordOn }: AksContext,
  { purpose, name }: IdentityUse,
  inTurn: InTurn,
): Step<IdentityOutput> {
  const { cluster: owner, location } = spec;
  const record = recordOn === `${purpose} identity` ? spec.optionTags : undefined;
  const tagging = recordedTags(ownershipTags(owner), record, quotedTitleOf(row, name));
  return defineStep({
    id: `${row.use.step}-${purpose}`,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, name),
    needs: { group },
    within: "group",
    read: async ({ group: { name: groupName } }) => found((await azure.identities()).userAssignedIdentities.get(groupName, name)),
    decide: (live) => decideOwned(live, { row, name, owner, location }, ({ tags }) => tagging.changes(tags)),
    async apply(live, { group: { name: groupName } }): Promise<Identity> {
      const { userAssignedIdentities } = await azure.identities();
      return inTurn(() => userAssignedIdentities.createOrUpdate(groupName, name, { location, tags: tagging.merged(live?.tags) }));
    },
    output: identityOutput,
  });
}

/** It may be in any location: the identities of a fleet are often in one. */
function existingIdentity({ azure }: AksContext, { purpose, flag }: IdentityUse, id: string): Step<IdentityOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  return defineLookup({
    id: `${row.use.step}-${purpose}`,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true, anywhere: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.identities(subscriptionId)).userAssignedIdentities.get(resourceGroup, name)),
    decide: (live) => adopt(live, { row, what: quotedTitleOf(row, name), flag }),
    output: identityOutput,
  });
}

function identityOutput({ id = "", clientId = "", principalId = "" }: Identity): IdentityOutput {
  return { id: documentedId(id), clientId, principalId };
}
