/** `destroy arc`: deletes extensions, agents, the connected cluster, and what was created for it. */
import { isSamePlace } from "../../domain/arc/names.js";
import { agentsAdvice, agentsRemoval, arcRemovals, removableExtensions } from "../../removal/arc.js";
import { arcIdsToRemove, takeArcInventory } from "../../removal/arc-inventory.js";
import { blocksReader } from "../../removal/blocked.js";
import { noSuchConnectedCluster } from "../../removal/nothing-found.js";
import type { Resolved } from "../../settings/settings.js";
import { withArcAccess } from "../inputs/arc-access.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../process-port.js";
import { applyRemovals } from "../run/destroy.js";
import { withConnection } from "../run/with-connection.js";

const command = "destroy arc";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name } = settings;
  return withConnection({ ...settings, command, consentTo: `destroying ${name}`, deletes: true }, notices, port, (azure, context) =>
    withArcAccess(azure, settings, context, async (access) => {
      const blocksOf = blocksReader(azure);
      const place = arcPlace(settings, azure);
      const take = () => takeArcInventory(azure, place);
      const inventory = await take();
      const { cluster, extensions, kept } = inventory;
      const connectedAs = await access?.connectedAs();
      const isElsewhere = connectedAs !== undefined && !isSamePlace(connectedAs, place);
      const inCluster = access === undefined || isElsewhere ? undefined : await agentsRemoval(access);
      // Agents without helm's release can only be removed with helm.
      const agentsStay = cluster !== undefined && cluster.properties.agentVersion !== undefined && access?.hasHelm !== true;
      if (agentsStay) context.say(`warning: ${context.renderAdvice(agentsAdvice())}`);
      if (isElsewhere)
        context.say(
          `warning: the cluster is connected as ${connectedAs.name} in resource group "${connectedAs.groupName}", so its agents are kept`,
        );
      const removable = new Set(removableExtensions(inventory));
      return applyRemovals(azure, context, settings, {
        command,
        subject: name,
        about: { name },
        removals: arcRemovals(azure, inventory, inCluster),
        byAzure: extensions.flatMap((one) =>
          removable.has(one) || cluster === undefined
            ? []
            : [
                {
                  id: one.id ?? "",
                  title: `cluster extension ${one.name ?? ""}`,
                  why: "deleted with the connected cluster; its pods stay in the cluster",
                },
              ],
        ),
        kept,
        blocksOf,
        nothingFound: () => (arcIdsToRemove(inventory).length === 0 ? noSuchConnectedCluster(azure, name) : undefined),
        leftovers: async () => arcIdsToRemove(await take()),
        ...(agentsStay && { next: [agentsAdvice()] }),
      });
    }),
  );
}
