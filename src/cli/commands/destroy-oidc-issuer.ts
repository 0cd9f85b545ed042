/** `destroy oidc-issuer`: what is provably the set's: its storage account, the role given on it, and the group that was made for it. */
import { findIssuer, foreignContainers, issuerRemovals } from "../../removal/issuer.js";
import type { Resolved } from "../../settings/settings.js";
import { issuerPlace } from "../issuer-spec.js";
import { inSession } from "../session.js";
import { requireConsent, tearDown } from "../tear-down.js";

const command = "destroy oidc-issuer";

export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  const { name } = settings;
  return inSession(settings, notices, environment, async (azure, stage) => {
    requireConsent(name, settings, stage);
    const look = () => findIssuer(azure, { identitySet: name }, issuerPlace(settings));
    const inventory = await look();
    return tearDown(azure, stage, settings, {
      command,
      subject: name,
      about: { name },
      removals: issuerRemovals(azure, inventory),
      kept: inventory.kept,
      refusal: foreignContainers(inventory),
      leftovers: async () => (await look()).accounts.map(({ id }) => id),
    });
  });
}
