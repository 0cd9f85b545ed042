/** `destroy iam`: deletes the workload identities that the cluster owns, role assignments first. */
import { listAssignments } from "../removal/assignments.js";
import { existingClusters } from "../removal/existing-clusters.js";
import { findIam, unclaimedIdentities } from "./removal.js";
import { noSuchIam } from "./not-found.js";
import { clustersUsing, destroyFirst, workloadIdentitiesInUse } from "../removal/set-in-use.js";
import type { Resolved } from "../settings/settings.js";
import { iamPlace } from "./inputs.js";
import { applyRemovals } from "../run/destroy.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "destroy iam";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, infraId } = settings;
  return withConnection(
    { ...settings, command, consentTo: `destroying ${infraId}`, deletes: true },
    notices,
    port,
    async (azure, context) => {
      const place = iamPlace(settings, azure);
      const assigned = listAssignments(azure, [place.subscriptionId]);
      const [found, clusters] = await Promise.all([findIam(azure, place, assigned), existingClusters(azure, assigned)]);
      const users = clustersUsing(found.grants, clusters);
      return applyRemovals(azure, context, settings, {
        command,
        subject: infraId,
        about: { infraId, name },
        target: targetOf(azure, { cluster: name, infraId }),
        found,
        findAgain: () => findIam(azure, place),
        refusal:
          workloadIdentitiesInUse(place.cluster, users, destroyFirst(clusters.filter((one) => users.includes(one.infraId)))) ??
          unclaimedIdentities(place, found.unclaimed),
        nothingFound: () => noSuchIam(azure, place),
      });
    },
  );
}
