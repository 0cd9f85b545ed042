/** `destroy all`: deletes the owned resources of infrastructure, identities and issuer in one run. */
import {
  takeAllInventories,
  destroyAllIds,
  destroyAllRefusal,
  destroyAllRemovals,
  leftBesideSet,
  type DestroyAllPlace,
} from "../../removal/all.js";
import { fetchTokensAhead } from "../../azure/tokens-ahead.js";
import { startEarlyReads } from "../../removal/early-reads.js";
import { idsToRemove } from "../../removal/selection.js";
import { noSuchCluster } from "../../removal/nothing-found.js";
import { setElsewhere } from "../../removal/set-elsewhere.js";
import { decideUnclaimed } from "../../removal/unclaimed.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey, ofIdentitySet, persistentGroupOf } from "../inputs/identity-set.js";
import { issuerPlace } from "../inputs/issuer-spec.js";
import { recoverable } from "../../removal/recoverable.js";
import { existingSubscriptions, recall } from "../inputs/recorded-options.js";
import { withConnection } from "../run/with-connection.js";
import { applyRemovals } from "../run/destroy.js";
import type { ProcessPort } from "../process-port.js";

const command = "destroy all";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings, notices } = resolved;
  const { name, infraId, purge, deleteForeign } = settings;
  return withConnection(
    { ...settings, command, consentTo: `destroying ${infraId}`, deletes: true },
    notices,
    port,
    async (azure, context) => {
      fetchTokensAhead(azure.connection, ["graph", "vault"]);
      const { blocksOf, lists, apiVersions } = startEarlyReads(azure);
      const cluster = { name, infraId };
<<<<<<< 33a6e88a8b0009ff0c88aea5a0371775f197982f
      const setPlace = {
        key: identitySetKey({ ...settings, persistentResourceGroupName: persistentGroupOf(settings) }, azure),
        issuer: issuerPlace(settings),
      };
      const options = { preserveGroups: false, deleteForeign, purge };
      const searching = recall(azure, resolved, cluster, undefined, context.say).then(({ record, isRecorded }) => ({
        cluster,
        // What the resources show without a record is no proof that they are the cluster's.
        existingGroup: isRecorded ? record?.resourceGroupName : undefined,
        otherSubscriptions: existingSubscriptions(record),
      }));
      // Identities and issuer do not depend on the record, so they are read beside it.
      let found = await takeAllInventories(azure, searching, setPlace, options, lists);
      const place: DestroyAllPlace = { search: await searching, ...setPlace };
=======
      const { record, resolved: recorded } = await recall(azure, resolved, cluster, undefined, context.say);
      const set = ofIdentitySet({ ...settings, identitiesName: recorded.settings.identitiesName });
      const place: DestroyAllPlace = {
        search: {
          cluster,
          existingGroup: record?.resourceGroupName,
          recorded: record !== undefined,
          otherSubscriptions: existingSubscriptions(record),
        },
        key: identitySetKey({ ...set, persistentResourceGroupName: persistentGroupOf(set) }, azure),
        issuer: issuerPlace(set),
      };
      const options = { preserveGroups: false, deleteForeign, purge };
      let found = await takeAllInventories(azure, place, options, lists);
      const keepsSet = found.users.length > 0;
>>>>>>> f004ee7cc94e03e41ec7d70305d54c199a064703
      const unclaimed = await decideUnclaimed(azure, place.search, found.infra, options);
      return applyRemovals(azure, context, settings, {
        command,
        subject: infraId,
        about: { infraId, name },
        ...(await destroyAllRemovals(azure, place, found, options, apiVersions)),
        blocksOf,
        refusal: (await setElsewhere(azure, place.key, found, options)) ?? unclaimed.refusal ?? destroyAllRefusal(place, found, options),
        afterwards: unclaimed.afterwards,
        next: ["the output directory of create all still contains the private signing key; keep it for another create, or delete it"],
        // The set has the name of the cluster by default, so it may exist where the infra ID is mistyped.
        nothingFound: () => {
          if (idsToRemove(found.infra, options).length > 0) return undefined;
          const notice = noSuchCluster(azure, cluster, found.infra);
          const isSetLeft = destroyAllIds(found, options).length > 0;
          return isSetLeft ? `only the identity set "${set.name}" and its issuer would be removed: ${notice}` : notice;
        },
        leftovers: async () => {
          found = await takeAllInventories(azure, place, options);
          return keepsSet ? leftBesideSet(place, found, options) : destroyAllIds(found, options);
        },
<<<<<<< 33a6e88a8b0009ff0c88aea5a0371775f197982f
        leftovers: async () => destroyAllIds((found = await takeAllInventories(azure, place.search, place, options)), options),
=======
>>>>>>> f004ee7cc94e03e41ec7d70305d54c199a064703
        // The last read, when nothing was left.
        recoverable: () => Promise.resolve(recoverable(found.identities)),
      });
    },
  );
}
