/** Turns what exists of a connected cluster into ordered removals: extensions, agents, the connected cluster, then what it used. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import type { Azure } from "../../azure/azure.js";
import { listExtensions } from "../arc-extensions.js";
import { deleteConnectedCluster } from "../connected-clusters.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { found } from "../../azure/long-running.js";
import { removalCommands, uninstallArguments } from "../domain/agent-commands.js";
import type { ArcAccess } from "../domain/cluster-access.js";
import { releaseNamespace, securityContextBinding } from "../domain/cluster-objects.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { agents } from "../domain/names.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { groupNameOf, idKey, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { liveAssignmentTitle } from "../../domain/role-assignment-title.js";
import type { Removal } from "../../engine/step.js";
import { advise, shell, type Advice } from "../../errors/advice.js";
import { extensionRemoval } from "./arc-extension.js";
import type { ArcInventory } from "./arc-inventory.js";
import { arcSecretsRemovals } from "./arc-secrets.js";
import { assignmentRemoval } from "../../removal/azure-removals.js";
import type { RemovalMode } from "../../removal/selection.js";
import { emptiedGroupRemoval } from "../../removal/emptied-group.js";
import { requireNothingNew } from "../../removal/new-resources.js";

export function arcRemovals(azure: Azure, inventory: ArcInventory, inCluster: Removal | undefined, mode: RemovalMode): Removal[] {
  const { cluster, identities, grants, secrets, group } = inventory;
  const extensions = removableExtensions(inventory).map((one) => extensionRemoval(azure, one, false));
  const uninstalled = inCluster ? [{ ...inCluster, after: idsOf(extensions) }] : [];
  const clusters = cluster ? [clusterRemoval(azure, cluster, inventory.extensions, idsOf([...extensions, ...uninstalled]))] : [];
  const roles = grants.map((grant) => assignmentRemoval(azure, liveAssignmentTitle(grant, grant.holder), grant));
  const users = identities.map((one): Removal => ({
    id: idKey(one.id),
    title: titleOf(resourceTypes.managedIdentity, one.name),
    resourceId: one.id,
    after: idsOf(roles),
    async remove() {
      const { userAssignedIdentities } = await azure.identities();
      await found(userAssignedIdentities.delete(groupNameOf(one.id) ?? "", one.name));
    },
  }));
  const removals = [...extensions, ...uninstalled, ...clusters, ...roles, ...users, ...arcSecretsRemovals(azure, secrets, mode)];
  return group ? [...removals, emptiedGroupRemoval(azure, group, removals)] : removals;
}

/** Only connected agents uninstall an extension. Otherwise, Azure deletes it with the connected cluster. */
export function removableExtensions({ cluster, extensions }: ArcInventory): readonly Extension[] {
  return cluster?.properties.connectivityStatus === "Connected" ? extensions : [];
}

/** Azure deletes the extensions with it. `planned`: those that the plan lists. */
function clusterRemoval(azure: Azure, { id, name }: ConnectedCluster, planned: readonly Extension[], after: readonly string[]): Removal {
  const row = resourceTypes.connectedCluster;
  const namesOf = (some: readonly Extension[]) => some.map((one) => `extension ${one.name ?? ""}`);
  return {
    id: idKey(id),
    title: titleOf(row, name),
    resourceId: id,
    after,
    seconds: expectedDuration("DELETE", row.type).spread[1],
    async remove() {
      const { subscriptionId, resourceGroup: groupName = "" } = parseResourceId(id);
      const now = await listExtensions(azure, { subscriptionId, groupName, name });
      requireNothingNew(quotedTitleOf(row, name), namesOf(planned), namesOf(now));
      await deleteConnectedCluster(azure, id);
    },
  };
}

/** The agents in the cluster, and the objects that create arc made there; undefined if it has neither. */
export async function agentsRemoval(access: ArcAccess): Promise<Removal | undefined> {
  const objects = [securityContextBinding, releaseNamespace, { ...releaseNamespace, metadata: { name: agents.namespace } }] as const;
  const [release, ...exist] = await Promise.all([access.hasHelm ? access.release() : undefined, ...objects.map((one) => access.has(one))]);
  if (release === undefined && !exist.includes(true)) return undefined;
  return {
    id: "arc-agents",
    title: `agents in ${access.server}`,
    resourceId: undefined,
    after: [],
    seconds: 60,
    async remove() {
      if (access.hasHelm && (await access.release()) !== undefined) await access.helm("remove the agents", uninstallArguments);
      for (const one of objects) await access.remove(one);
    },
  };
}

/** What to do about agents that this run cannot remove. */
export function agentsAdvice(): Advice {
  return advise`the agents stay in the cluster: remove them there with ${removalCommands.map((words) => shell`${words}`).flatMap((one, index) => (index === 0 ? [one] : [", then ", one]))}`;
}

function idsOf(removals: readonly Removal[]): string[] {
  return removals.map(({ id }) => id);
}
