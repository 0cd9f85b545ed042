/** What exists of a connected cluster in Azure, and what of it is its owner's. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import { listExtensions } from "../arc-extensions.js";
import type { Azure } from "../../azure/azure.js";
import { readConnectedCluster } from "../connected-clusters.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { type ConnectedClusterPlace } from "../domain/names.js";
import { arcNames } from "../../domain/arc-names.js";
import { arcIdentityName } from "../domain/secrets.js";
import { ownedBy, type ArcOwner } from "../../domain/ownership.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { isWithin, resourceGroupId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import { findArcSecrets, type FoundArcSecrets } from "./arc-secrets.js";
import { grantsOfPrincipal, type FoundGrant } from "../../removal/assignments.js";
import { decideContents, groupReads, type GroupDecision } from "../../removal/emptied-group.js";
import type { RemovalMode } from "../../removal/selection.js";
import { idsOf } from "../../removal/owned.js";
import { requireOneOwner } from "../../removal/second-owner.js";

export interface FoundIdentity {
  readonly id: string;
  readonly name: string;
  readonly principalId: string;
}

export interface ArcInventory {
  readonly live: ConnectedCluster | undefined;
  /** Otherwise somebody else connected it. */
  readonly isOwn: boolean;
  readonly extensions: readonly Extension[];
  readonly identities: readonly FoundIdentity[];
  readonly grants: readonly FoundGrant[];
  /** What create arc secrets created besides the managed identity. */
  readonly secrets: FoundArcSecrets;
  readonly home: GroupDecision;
}

/** `files`: those of the operator that name the application of create arc secrets. `before`: what an earlier read of the same run found. */
export async function takeArcInventory(
  azure: Azure,
  place: ConnectedClusterPlace,
  mode: RemovalMode,
  { files, before }: { readonly files?: EarlierFiles; readonly before?: ArcInventory } = {},
): Promise<ArcInventory> {
  const { groupName, name } = place;
  const owner = { arc: name };
  const live = await readConnectedCluster(azure, place);
  const isOwn = live !== undefined && ownedBy(live.tags, owner) === "ours";
  requireOneOwner(owner, isOwn ? [live] : []);
  const [extensions, identities] = await Promise.all([isOwn ? listExtensions(azure, place) : [], identitiesOf(azure, owner, groupName)]);
  const { subscriptionId } = azure.connection;
  const lists = identities.map(({ name: holder, principalId }) => grantsOfPrincipal(azure, subscriptionId, { principalId, holder }));
  const grants = (await Promise.all(lists)).flat();
  const secrets = await findArcSecrets(azure, place, mode, { files, before: before?.secrets.applications, grants });
  const vaults = (secrets.kinds.vaults.removals ?? []).flatMap(({ resourceId }) => resourceId ?? []);
  const deleted = [...(isOwn ? [live.id] : []), ...idsOf(identities), ...vaults];
  const home = await groupOf(azure, owner, groupName, (id) => deleted.some((one) => isWithin(id, one)));
  return { live, isOwn, extensions, identities, grants, secrets, home };
}

async function identitiesOf(azure: Azure, owner: ArcOwner, group: string): Promise<FoundIdentity[]> {
  const { userAssignedIdentities } = await azure.identities();
  const listed = (await found(all(userAssignedIdentities.listByResourceGroup(group)))) ?? [];
  return listed.flatMap(({ id, name = "", principalId = "", tags }) =>
    id !== undefined && ownedBy(tags, owner) === "ours" && sameText(name, arcIdentityName({ name: owner.arc }))
      ? [{ id, name, principalId }]
      : [],
  );
}

async function groupOf(azure: Azure, owner: ArcOwner, name: string, isDeleted: (id: string) => boolean): Promise<GroupDecision> {
  const reads = groupReads(azure);
  const live = await reads.group(name);
  if (live === undefined) return {};
  const id = live.id ?? resourceGroupId(azure.connection.subscriptionId, name);
  if (!sameText(name, arcNames(owner.arc).group) || ownedBy(live.tags, owner) !== "ours") {
    return { kept: { id, title: titleOf(resourceTypes.resourceGroup, name), why: "not created by create arc" } };
  }
  requireOneOwner(owner, [live]);
  return decideContents(reads, { id, name: live.name ?? name }, isDeleted);
}
