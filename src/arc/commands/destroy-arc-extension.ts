/** `destroy arc extension`: removes one extension from a connected cluster. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import { foundIn } from "../../removal/owned.js";
import { listExtensions } from "../arc-extensions.js";
import { readConnectedCluster } from "../connected-clusters.js";
import { extensionRefusal, extensionRemoval } from "../removal/arc-extension.js";
import type { Resolved } from "../../settings/settings.js";
import { isChosenExtension } from "../inputs/arc-extension.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../../run/process-port.js";
import { applyRemovals } from "../../run/destroy.js";
import { withConnection } from "../../run/with-connection.js";

const command = "destroy arc extension";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, forceDelete } = settings;
  const consentTo = `removing an extension of ${name}`;
  return withConnection({ ...settings, command, consentTo, deletes: true }, notices, port, async (azure, context) => {
    const place = arcPlace(settings, azure);
    const find = async () => (await listExtensions(azure, place)).filter(isChosenExtension(settings));
    const foundOf = (some: readonly Extension[]) =>
      foundIn({ extensions: { removals: some.map((one) => extensionRemoval(azure, one, forceDelete)) } });
    const [cluster, extensions] = await Promise.all([readConnectedCluster(azure, place), find()]);
    const [extension] = extensions;
    const refusal = cluster && extension && extensionRefusal(cluster, extension, forceDelete);
    if (extension !== undefined && forceDelete)
      context.say("warning: with --force-delete, what the extension installed stays on the cluster if the agents do not remove it");
    return applyRemovals(azure, context, settings, {
      command,
      subject: extension?.name ?? settings.extensionName ?? name,
      about: { name },
      names: { connectedCluster: name },
      found: foundOf(extensions),
      findAgain: async () => foundOf(await find()),
      refusal,
      nothingFound: () =>
        `no such extension was found on the connected cluster "${name}" in resource group ${place.groupName}; show arc extension lists them`,
    });
  });
}
