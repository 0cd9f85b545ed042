/** `show identities`: the resources of a set, and the expiry of its credentials. */
import { advise, aroHcp } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { noSuchSet } from "../removal/nothing-found.js";
import { namesGivenVault, readVaultOfSet, requireVaultOfSet } from "../azure/set-vault.js";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { vaultSettings } from "../domain/given-vault.js";
import { ownsContent } from "../domain/set-content.js";
import { table } from "../render/table.js";
import type { Resolved } from "../settings/settings.js";
import { identitySetKey, settingsOfSet, type IdentitySetSettings } from "../run/identity-set.js";
import type { RunContext } from "../run/run-context.js";
import { showParts, type ShownPart } from "../run/show-resources.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../run/process-port.js";
import { plural } from "../text/plural.js";
import { spoken } from "../text/spoken.js";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { controlPlaneComponents, dataPlaneComponents } from "../domain/components.js";
import { applicationUniqueName, credentialSecretName, managedIdentityName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";

const command = "show identities";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = settingsOfSet(given);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const part = await identitiesToShow(azure, settings, context);
    return showParts({ command, about: { name: settings.name }, settings }, [part], context);
  });
}

type ShownSet = IdentitySetSettings & {
  readonly warnDays: number;
  readonly exitCode: boolean;
  /** Whether a set that does not exist is shown as absent, because only its cluster was asked for. */
  readonly mayBeAbsent?: boolean;
};

/** What `show identities` and `show all` show of a set. */
export async function identitiesToShow(azure: Azure, settings: ShownSet, context: RunContext): Promise<ShownPart> {
  const key = identitySetKey(settings, azure);
  const [controlPlane, dataPlane] = await Promise.all([credentialsOf(azure, key, settings.warnDays), managedIdentitiesOf(azure, key)]);
  const areAbsent = [...controlPlane.map(({ state }) => state === "absent"), ...dataPlane.map(({ clientId }) => clientId === undefined)];
  const isAbsent = !areAbsent.includes(false);
  if (isAbsent && settings.mayBeAbsent !== true) {
    throw new Failure("ARO-USAGE-001", await noSuchSet(azure, key), {
      next: ["check --identities-name, --persistent-resource-group-name and --subscription"],
    });
  }
  if (!isAbsent && key.givenVaultId === undefined && (await readVaultOfSet(azure, key)) === undefined) {
    const given = await namesGivenVault(azure, key);
    throw new Failure("ARO-OWN-003", `${quotedTitleOf(resourceTypes.keyVault, key.vaultName)} does not exist`, {
      because: `identities of the set "${key.name}" exist, so its vault may have another name, or be one that somebody else has prepared`,
      next: given.length > 0 ? given : ["pass its vault as --key-vault-id or --key-vault-name, or rerun the create of the set"],
    });
  }
  const warned = controlPlane.filter(({ state }) => state === "expires-soon" || state === "expired");
  const print = () => {
    context.result.show(
      table(
        context.result,
        // They fit 80 columns: the secret has the name of the set and of the component.
        ["COMPONENT", "CLIENT ID", "STATE", "EXPIRES"],
        [
          ...controlPlane.map(({ component, clientId = "", state, expiresOn }) => {
            return [component, clientId, spoken(state), expiresOn?.slice(0, "2026-01-31".length) ?? ""];
          }),
          ...dataPlane.map(({ component, clientId = "" }) => [component, clientId, clientId === "" ? "absent" : "federated", ""]),
        ],
      ),
    );
  };
  // Until every identity exists, a create has more to do than a rotation.
  const isIncomplete = settings.exitCode && areAbsent.includes(true);
  const code = isIncomplete ? exitCodes.changes : warned.length > 0 ? exitCodes.expiring : exitCodes.done;
  const set = { identitiesName: key.name, persistentResourceGroupName: key.groupName, ...vaultSettings(key) };
  if (warned.length > 0)
    context.say(
      context.renderAdvice(
        advise`${plural(warned.length, "credential")} expired or expiring within ${plural(settings.warnDays, "day")}: ${warned.map(({ component }) => component).join(", ")}; renew with ${aroHcp("rotate credentials", set)}`,
      ),
    );
  const absent = [
    ...controlPlane.filter(({ state }) => state === "absent").map(({ component }) => `credential of ${component}`),
    ...dataPlane.filter(({ clientId }) => clientId === undefined).map(({ component }) => `managed identity of ${component}`),
  ];
  return { members: { keyVault: key.vaultName, controlPlane, dataPlane }, print, code, absent };
}

/** The credentials and managed identities of a set that exist in Azure. Reads no secret. */
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
async function credentialsOf(azure: Azure, key: IdentitySetKey, warnDays: number): Promise<ExistingCredential[]> {
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
function managedIdentitiesOf(azure: Azure, key: IdentitySetKey): Promise<ExistingManagedIdentity[]> {
  return Promise.all(
    dataPlaneComponents.map(async (component) => {
      const { userAssignedIdentities } = await azure.identities();
      const name = managedIdentityName(key, component);
      const live = await found(userAssignedIdentities.get(key.groupName, name));
      return { component: component.key, name, clientId: live?.clientId };
    }),
  );
}
