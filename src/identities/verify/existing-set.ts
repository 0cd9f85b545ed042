/** The credentials and managed identities of a set that exist in Azure. Reads no secret. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { requireVaultOfSet } from "../../azure/set-vault.js";
import { controlPlaneComponents, dataPlaneComponents } from "../../domain/components.js";
import { ownsContent } from "../../domain/given-vault.js";
import { applicationUniqueName, credentialSecretName, managedIdentityName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";

const dayMs = 86_400_000;

type CredentialState = "absent" | "valid" | "expires-soon" | "expired";

interface ExistingCredential {
  readonly component: string;
  readonly clientId: string | undefined;
  readonly secretName: string;
  readonly state: CredentialState;
  /** RFC 3339. */
  readonly expiresOn: string | undefined;
  /** Whole days, negative after expiry. */
  readonly daysLeft: number | undefined;
}

interface ExistingManagedIdentity {
  readonly component: string;
  readonly name: string;
  readonly clientId: string | undefined;
}

/** One for each component; a credential that expires within `warnDays` has the state "expires-soon". */
export async function credentialsOf(azure: Azure, key: IdentitySetKey, warnDays: number): Promise<ExistingCredential[]> {
  const directory = await azure.directory();
  const expiries = await secretExpiries(azure, key);
  const credentials = await Promise.all(
    controlPlaneComponents.map(async (component) => {
      const application = await directory.application(applicationUniqueName(key, component));
      const secretName = credentialSecretName(key, component);
      const expiresOn = expiries.get(secretName.toLowerCase());
      // Created only on request.
      if (component.field === "kms" && !application && !expiresOn) return [];
      const daysLeft = expiresOn && Math.floor((expiresOn.getTime() - azure.connection.clock.now().getTime()) / dayMs);
      const state = stateOf(application !== undefined, daysLeft, warnDays);
      return [{ component: component.key, clientId: application?.appId, secretName, state, expiresOn: expiresOn?.toISOString(), daysLeft }];
    }),
  );
  return credentials.flat();
}

function stateOf(applicationExists: boolean, daysLeft: number | undefined, warnDays: number): CredentialState {
  if (!applicationExists || daysLeft === undefined) return "absent";
  if (daysLeft < 0) return "expired";
  return daysLeft < warnDays ? "expires-soon" : "valid";
}

/** Finds a certificate by the name of its secret; reads only its attributes, never a secret. */
async function secretExpiries(azure: Azure, key: IdentitySetKey): Promise<ReadonlyMap<string, Date>> {
  const expiries = new Map<string, Date>();
  if ((await requireVaultOfSet(azure, key)) === undefined) return expiries;
  const { secrets } = await azure.vaultContent(key.vaultName);
  for await (const { name, expiresOn, tags } of secrets.listPropertiesOfSecrets()) {
    if (expiresOn && ownsContent(key, tags)) expiries.set(name.toLowerCase(), expiresOn);
  }
  return expiries;
}

/** One for each component; without a client ID if it does not exist. */
export function managedIdentitiesOf(azure: Azure, key: IdentitySetKey): Promise<ExistingManagedIdentity[]> {
  return Promise.all(
    dataPlaneComponents.map(async (component) => {
      const { userAssignedIdentities } = await azure.identities();
      const name = managedIdentityName(key, component);
      const live = await found(userAssignedIdentities.get(key.groupName, name));
      return { component: component.key, name, clientId: live?.clientId };
    }),
  );
}
