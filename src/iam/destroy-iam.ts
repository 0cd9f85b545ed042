/** `destroy iam`: deletes the workload identities that the cluster owns, role assignments first. */
import { listAssignments } from "../removal/assignments.js";
import { existingClusters } from "../removal/existing-clusters.js";
import { findIam, unclaimedIdentities } from "./removal.js";
import { noSuchIam } from "./not-found.js";
import { clustersUsing, usedByClusters } from "../removal/set-in-use.js";
import type { Resolved } from "../settings/settings.js";
import { iamPlace } from "./inputs.js";
import { destroy } from "../run/destroy.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "destroy iam";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, infraId } = settings;
  const about = { command, subject: infraId, about: { infraId, name }, names: { cluster: name, infraId } };
  return destroy({ ...about, settings, notices, port }, async (azure) => {
    const place = iamPlace(settings, azure);
    const assigned = listAssignments(azure, [place.subscriptionId]);
    const [found, clusters] = await Promise.all([findIam(azure, place, assigned), existingClusters(azure, assigned)]);
    const because = "they have role assignments that the cluster needs, and the removal would delete them";
    return {
      found,
      findAgain: () => findIam(azure, place),
      refusal:
        usedByClusters(`the workload identities of ${name}/${infraId} are used`, clustersUsing(found.grants, clusters), because) ??
        unclaimedIdentities(place, found.unclaimed),
      nothingFound: () => noSuchIam(azure, place),
    };
  });
}
