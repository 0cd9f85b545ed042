/** `destroy oidc-issuer`: what is provably the set's: its storage account, the role given on it, and the group that was made for it. */
import { issuerNames } from "../../infra/issuer.js";
import { Failure } from "../../errors/failure.js";
import { findIssuer, issuerRemovals, type IssuerInventory, type IssuerPlace } from "../../removal/issuer.js";
import type { Resolved } from "../../settings/settings.js";
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

/** Where to look for it. */
export function issuerPlace(settings: IssuerPlaceSettings): IssuerPlace {
  return { groupName: issuerNames(settings.name, settings).group, named: settings.oidcResourceGroupName !== undefined };
}

type IssuerPlaceSettings = Parameters<typeof issuerNames>[1] & { readonly name: string };

/** A storage account is deleted with all that is in it. */
export function foreignContainers({ accounts }: IssuerInventory): Failure | undefined {
  const foreign = accounts.flatMap(({ name, foreignContainers: names }) => names.map((container) => `${name}/${container}`));
  if (foreign.length === 0) return undefined;
  return new Failure("ARO-OWN-004", `${foreign.length} containers in the issuer's storage account are not its own`, {
    because: foreign.join(", "),
    next: ["move what is in them elsewhere and delete them; the account goes with all that is in it"],
  });
}
