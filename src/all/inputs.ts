/** Converts settings to everything that `create all` creates, for the create and its graph. */
import { infraSpecOfAll } from "../infra/index.js";
import type { Azure } from "../azure/azure.js";
import type { SignedIn } from "../azure/signed-in.js";
import type { IssuerSpec } from "../domain/issuer.js";
import type { PurgeProtection } from "../domain/purge-protection.js";
import type { Settings } from "../settings/settings.js";
import type { CreateAllSpec } from "./steps.js";
import { identitySpec, inPersistentGroup, ofIdentitySet } from "../run/identity-set.js";

type CreateAll = Settings<"create all">;

/** The settings of `create all` that define what it creates. */
type DescribedAll = Omit<Pick<CreateAll, keyof CreateAll & keyof Settings<"graph">>, "purgeProtection"> & {
  readonly purgeProtection: PurgeProtection;
  readonly changeIdentities?: boolean;
  readonly changeEgress?: boolean;
  readonly formerRouteTableId?: string | undefined;
};

export function createAllSpec(settings: DescribedAll, issuer: IssuerSpec, azure: Azure, caller: SignedIn): CreateAllSpec {
  const identities = identitySpec({ ...inPersistentGroup(ofIdentitySet(settings)), oidcIssuerUrl: issuer.url }, azure, caller);
  return {
    keyDirectory: settings.outputDir,
    issuer,
    identities,
    hsmName: settings.managedHsmName,
    infra: infraSpecOfAll(settings, azure.connection.subscriptionId, identities.key),
  };
}
