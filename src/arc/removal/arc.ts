/** The table of what a destroy deletes of a connected cluster: extensions, agents, the connected cluster, and what it used. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import type { Azure } from "../../azure/azure.js";
import { listExtensions } from "../arc-extensions.js";
import { deleteConnectedCluster } from "../connected-clusters.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { removalCommands, uninstallArguments } from "../domain/agent-commands.js";
import type { ArcAccess } from "../domain/cluster-access.js";
import { releaseNamespace, securityContextBinding } from "../domain/cluster-objects.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { agents } from "../domain/names.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { advise, shell, type Advice } from "../../errors/advice.js";
import { extensionRemoval } from "./arc-extension.js";
import type { ArcInventory } from "./arc-inventory.js";
import { grantRemoval, managedIdentityRemoval } from "../../removal/azure-removals.js";
import { withGroup } from "../../removal/emptied-group.js";
import { requireNothingNew } from "../../removal/new-resources.js";
import { foundIn, removalOf, resourceRemovalOf, type Found, type OwnedRemoval } from "../../removal/owned.js";

/** `agents`: the removal of those in the cluster. */
export function arcFound(azure: Azure, inventory: ArcInventory, agents?: OwnedRemoval): Found {
  const { live, isOwn, extensions, identities, grants, secrets, home } = inventory;
  const ofOthers = isOwn ? undefined : live;
  const found = foundIn({
    extensions: { removals: removableExtensions(inventory).map((one) => extensionRemoval(azure, one, false)) },
    agents: { removals: agents ? [agents] : [], after: ["extensions"] },
    cluster: {
      removals: isOwn && live ? [clusterRemoval(azure, live, extensions)] : [],
      after: ["extensions", "agents"],
      kept: ofOthers
        ? [{ id: ofOthers.id, title: titleOf(resourceTypes.connectedCluster, ofOthers.name), why: "create arc did not create it" }]
        : [],
    },
    roles: { removals: grants.map((grant) => grantRemoval(azure, grant)) },
    identities: { removals: identities.map((one) => managedIdentityRemoval(azure, one)), after: ["roles"] },
    ...secrets.kinds,
  });
  return withGroup(azure, found, home);
}

/** Only connected agents uninstall an extension. Otherwise, Azure deletes it with the connected cluster. */
export function removableExtensions({ live, extensions }: ArcInventory): readonly Extension[] {
  return live?.properties.connectivityStatus === "Connected" ? extensions : [];
}

/** Azure deletes the extensions with it. `planned`: those that the plan lists. */
function clusterRemoval(azure: Azure, { id, name }: ConnectedCluster, planned: readonly Extension[]): OwnedRemoval {
  const row = resourceTypes.connectedCluster;
  const namesOf = (some: readonly Extension[]) => some.map((one) => `extension ${one.name ?? ""}`);
  const remove = async () => {
    const { subscriptionId, resourceGroup: groupName = "" } = parseResourceId(id);
    const now = await listExtensions(azure, { subscriptionId, groupName, name });
    requireNothingNew(quotedTitleOf(row, name), namesOf(planned), namesOf(now));
    await deleteConnectedCluster(azure, id);
  };
  return { ...resourceRemovalOf(row, id, remove), seconds: expectedDuration("DELETE", row.type).spread[1] };
}

/** The agents in the cluster, and the objects that create arc made there; undefined if it has neither. */
export async function agentsRemoval(access: ArcAccess): Promise<OwnedRemoval | undefined> {
  const objects = [securityContextBinding, releaseNamespace, { ...releaseNamespace, metadata: { name: agents.namespace } }] as const;
  const [release, ...exist] = await Promise.all([access.hasHelm ? access.release() : undefined, ...objects.map((one) => access.has(one))]);
  if (release === undefined && !exist.includes(true)) return undefined;
  const remove = async () => {
    if (access.hasHelm && (await access.release()) !== undefined) await access.helm("remove the agents", uninstallArguments);
    for (const one of objects) await access.remove(one);
  };
  return { ...removalOf("arc-agents", `agents in ${access.server}`, remove), seconds: 60 };
}

/** What to do about agents that this run cannot remove. */
export function agentsAdvice(): Advice {
  return advise`the agents stay in the cluster: remove them there with ${removalCommands.map((words) => shell`${words}`).flatMap((one, index) => (index === 0 ? [one] : [", then ", one]))}`;
}
