/** `verify arc`: checks a connected cluster, its agents, extensions and secrets in Azure, and with access also in the cluster. */
import type { Resolved } from "../../settings/settings.js";
import { arcCheckInstances } from "../verify/check-instances.js";
import { arcSnapshot } from "../verify/snapshot.js";
import { withArcAccess } from "../inputs/arc-access.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../../run/process-port.js";
import { runVerification } from "../../run/verification.js";
import { withConnection } from "../../run/with-connection.js";

const command = "verify arc";

export function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { only } = settings;
  return withConnection({ ...settings, command }, notices, port, (azure, context) =>
    withArcAccess(azure, settings, context, async (access, kubeconfig) => {
      const place = arcPlace(settings, azure);
      const kubernetes = kubeconfig && (await import("../../kubernetes/api-server.js")).openKubernetes(kubeconfig, context.signal);
      const snapshot = await arcSnapshot(azure, place, access && kubernetes && { access, kubernetes });
      return runVerification(context, {
        ...{ command, instances: arcCheckInstances(snapshot), chosen: { subjects: [], checks: only }, settings },
        about: snapshot.subject,
        places: [`subscription ${place.subscriptionId}`, `resource group ${place.groupName}`],
      });
    }),
  );
}
