/** `destroy identities`: deletes the owned resources of a set, role assignments first, and reports what stays soft-deleted until when. */
import { advise, aroHcp, blank } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { servedOf } from "../../removal/all.js";
import { standingClusters } from "../../removal/inventory.js";
import { findIdentities, idsToRemove } from "../../removal/identities.js";
import { identityRemovals } from "../../removal/identity-removals.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey } from "../inputs/identity-set.js";
import { recoverable } from "../../removal/recoverable.js";
import { withConnection } from "../run/with-connection.js";
import { requireConsent, destroyAll } from "../run/destroy.js";
import type { ProcessPort } from "../process-port.js";

const command = "destroy identities";

function stillServing(name: string, clusters: readonly string[]): Failure | undefined {
  if (clusters.length === 0) return undefined;
  return new Failure("ARO-OWN-006", `the identity set "${name}" is used by ${clusters.join(", ")}`, {
    because: "its identities have role assignments of that infra ID, and the cluster needs them to manage its resources",
    next: clusters.map((infraId) => advise`destroy it first: ${aroHcp("destroy infra", { infraId, name: blank("name of the cluster") })}`),
  });
}

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, purge } = settings;
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    requireConsent(name, settings, context);
    const key = identitySetKey(settings, azure);
    const [found, clusters] = await Promise.all([findIdentities(azure, key, { purge }), standingClusters(azure)]);
    let inventory = found;
    return destroyAll(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      removals: identityRemovals(azure, inventory, settings),
      kept: inventory.kept,
      refusal: stillServing(name, servedOf(clusters, inventory)),
      leftovers: async () => idsToRemove((inventory = await findIdentities(azure, key, { purge })), { purge }),
      // The last read, when nothing was left.
      recoverable: () => Promise.resolve(recoverable(inventory)),
    });
  });
}
