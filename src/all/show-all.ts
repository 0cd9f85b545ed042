/** `show all`: what show infra and show identities show, of one cluster. */
import type { Azure } from "../azure/azure.js";
import { identitiesToShow } from "../identities/index.js";
import { infraToShow } from "../infra/index.js";
import { listAssignments } from "../removal/assignments.js";
import { inPersistentGroup } from "../run/identity-set.js";
import type { ProcessPort } from "../run/process-port.js";
import { showParts } from "../run/show-resources.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { setOfCluster } from "./set-elsewhere.js";

const command = "show all";

/** The name of the set that the cluster uses, as a destroy finds it. */
async function setWithRoles(azure: Azure, infraId: string): Promise<string | undefined> {
  return setOfCluster(azure, infraId, await listAssignments(azure, [azure.connection.subscriptionId]));
}

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const { notices, connection, about, name, connected } = await infraToShow(resolved, "create all");
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) => {
    const infra = await connected(azure, context);
    const setName = settings.identitiesName ?? (await setWithRoles(azure, about.infraId)) ?? name;
    const set = { ...inPersistentGroup({ ...settings, name: setName }), mayBeAbsent: settings.identitiesName === undefined };
    const parts = [infra, await identitiesToShow(azure, set, context)];
    return showParts({ command, about: { ...about, name }, settings }, parts, context);
  });
}
