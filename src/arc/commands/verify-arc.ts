/** `verify arc`: checks a connected cluster in Azure, and with access also in the cluster. */
import type { Resolved } from "../../settings/settings.js";
import { arcSnapshot, type ArcSnapshot } from "../verify/snapshot.js";
import { withArcAccess } from "../inputs/arc-access.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../../run/process-port.js";
import { runVerification } from "../../run/verification.js";
import { withConnection } from "../../run/with-connection.js";
import type { CheckInstance } from "../../verify/check-instance.js";
import { agentChecks } from "../verify/agents.js";
import { extensionChecks } from "../verify/extensions.js";
import { inClusterChecks } from "../verify/in-cluster.js";
import { secretChecks } from "../verify/secrets.js";

const command = "verify arc";

export function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return withConnection({ ...settings, command }, notices, port, (azure, context) =>
    withArcAccess(azure, settings, context, async (access, kubeconfig) => {
      const place = arcPlace(settings, azure);
      const kubernetes = kubeconfig && (await import("../../kubernetes/api-server.js")).openKubernetes(kubeconfig, context.signal);
      const snapshot = await arcSnapshot(azure, place, access && kubernetes && { access, kubernetes });
      return runVerification(context, {
        command,
        instances: arcCheckInstances(snapshot),
        settings,
        about: snapshot.subject,
        places: [`subscription ${place.subscriptionId}`, `resource group ${place.groupName}`],
      });
    }),
  );
}

/** The instances, in the order of the report. */
function arcCheckInstances(snapshot: ArcSnapshot): CheckInstance[] {
  const { exists, instances } = agentChecks(snapshot);
  return [...instances, ...extensionChecks(snapshot, exists), ...secretChecks(snapshot), ...inClusterChecks(snapshot, exists)];
}
