/** `destroy arc`: deletes extensions, agents, the connected cluster, and what was created for it. */
import type { ArcAccess } from "../domain/cluster-access.js";
import { isSamePlace, type ConnectedClusterPlace } from "../domain/names.js";
import type { Advice } from "../../errors/advice.js";
import { readArcSecrets } from "../files/arc-secrets-output.js";
import { agentsAdvice, agentsRemoval, arcFound, removableExtensions } from "../removal/arc.js";
import { takeArcInventory, type ArcInventory } from "../removal/arc-inventory.js";
import type { OwnedRemoval } from "../../removal/owned.js";
import { noSuchConnectedCluster } from "../removal/not-found.js";
import { options as arcOptions } from "../options.js";
import type { Resolved } from "../../settings/settings.js";
import { withArcAccess } from "../inputs/arc-access.js";
import { earlierClients } from "../../run/earlier-clients.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../../run/process-port.js";
import { applyRemovals } from "../../run/destroy.js";
import { withConnection } from "../../run/with-connection.js";

const command = "destroy arc";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name } = settings;
  return withConnection({ ...settings, command, consentTo: `destroying ${name}`, deletes: true }, notices, port, (azure, context) => {
    const destroy = async (access: ArcAccess | undefined) => {
      const place = arcPlace(settings, azure);
      const { arcSecretsFile = arcOptions.arcSecretsOutputFile.default } = settings;
      const files = earlierClients({ "--arc-secrets-file": async () => (await readArcSecrets(arcSecretsFile)).clientID });
      const inventory = await takeArcInventory(azure, place, settings, { files });
      const { removal, why, next } = await inCluster(access, inventory, place);
      for (const warning of [why, next]) if (warning !== undefined) context.say(`warning: ${context.renderAdvice(warning)}`);
      return applyRemovals(azure, context, settings, {
        command,
        subject: name,
        names: { connectedCluster: name },
        found: arcFound(azure, inventory, removal),
        findAgain: async () => arcFound(azure, await takeArcInventory(azure, place, settings, { files, before: inventory })),
        byAzure: deletedByAzure(inventory),
        nothingFound: () => noSuchConnectedCluster(azure, place),
        ...(next !== undefined && { next: [next] }),
      });
    };
    return withArcAccess(azure, settings, context, destroy, { mayBeGone: true });
  });
}

interface InCluster {
  readonly removal: OwnedRemoval | undefined;
  /** Why agents are kept. */
  readonly why?: string;
  /** What to do about agents that this run cannot remove. */
  readonly next?: Advice;
}

/** Agents of another connected cluster are kept. Only helm removes agents: it knows what it installed. */
async function inCluster(access: ArcAccess | undefined, { live, isOwn }: ArcInventory, place: ConnectedClusterPlace): Promise<InCluster> {
  const connectedAs = await access?.connectedAs();
  if (connectedAs !== undefined && !isSamePlace(connectedAs, place)) {
    const { name, groupName } = connectedAs;
    return { removal: undefined, why: `the cluster is connected as ${name} in resource group "${groupName}", so its agents are kept` };
  }
  if (live !== undefined && !isOwn) return { removal: undefined };
  const areInstalled = connectedAs !== undefined || live?.properties.agentVersion !== undefined;
  if (areInstalled && access?.hasHelm !== true) return { removal: undefined, next: agentsAdvice() };
  return { removal: access && (await agentsRemoval(access)) };
}

/** Only connected agents uninstall an extension. */
function deletedByAzure(inventory: ArcInventory) {
  const removable = new Set(removableExtensions(inventory));
  return inventory.extensions
    .filter((one) => !removable.has(one))
    .map(({ id = "", name = "" }) => ({
      id,
      title: `cluster extension ${name}`,
      why: "deleted with the connected cluster; its pods stay in the cluster",
    }));
}
