/** `destroy all`: what is provably ours of infrastructure, identities and issuer, in one run. */
import { findWhole, wholeIdsToRemove, wholeRefusal, wholeRemovals, type WholePlace } from "../../removal/all.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey, persistentGroupOf } from "../identity-set.js";
import { issuerPlace } from "../issuer-spec.js";
import { recoverable } from "../recoverable.js";
import { inSession } from "../session.js";
import { requireConsent, tearDown } from "../tear-down.js";

const command = "destroy all";

export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  const { name, infraId, purge, deleteForeign } = settings;
  return inSession(settings, notices, environment, async (azure, stage) => {
    requireConsent(infraId, settings, stage);
    const place: WholePlace = {
      search: { cluster: { name, infraId }, broughtGroup: undefined, otherSubscriptions: [] },
      key: identitySetKey({ ...settings, persistentResourceGroupName: persistentGroupOf(settings) }, azure),
      issuer: issuerPlace(settings),
    };
    const wishes = { preserveGroups: false, deleteForeign, purge };
    let found = await findWhole(azure, place, wishes);
    return tearDown(azure, stage, settings, {
      command,
      subject: infraId,
      about: { infraId, name },
      ...(await wholeRemovals(azure, place, found, wishes)),
      refusal: wholeRefusal(place, found, wishes),
      next: ["the directory that create all wrote is left, with the private signing key in it: keep it for the same create, or delete it"],
      leftovers: async () => wholeIdsToRemove((found = await findWhole(azure, place, wishes)), wishes),
      // What was seen last, which was when nothing was left.
      recoverable: () => Promise.resolve(recoverable(found.identities)),
    });
  });
}
