/** `show identities`: the resources of a set, and the expiry of its credentials. */
import { advise, aroHcp } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { exitCodes } from "../../errors/exit-codes.js";
import { controlPlaneComponents, dataPlaneComponents } from "../../domain/components.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { applicationUniqueName, credentialSecretName, managedIdentityName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { printDocument } from "../../render/document.js";
import { table } from "../../render/table.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey } from "../inputs/identity-set.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../process-port.js";
import { plural } from "../../text/plural.js";

const dayMs = 86_400_000;

type CredentialState = "absent" | "valid" | "expires soon" | "expired";

interface ShownCredential {
  readonly component: string;
  readonly clientId: string | undefined;
  readonly secretName: string;
  readonly state: CredentialState;
  /** RFC 3339. */
  readonly expiresOn: string | undefined;
  /** Whole days, negative after expiry. */
  readonly daysLeft: number | undefined;
}

interface ShownManagedIdentity {
  readonly component: string;
  readonly name: string;
  readonly clientId: string | undefined;
}

const command = "show identities";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const key = identitySetKey(settings, azure);
    const [controlPlane, dataPlane] = await Promise.all([
      showCredentials(azure, key, settings.warnDays),
      showManagedIdentities(azure, key),
    ]);
    const warned = controlPlane.filter(({ state }) => state === "expires soon" || state === "expired");
    if (settings.output === "json") {
      printDocument(context.result, { ok: true, command, name: key.name, keyVault: key.vaultName, controlPlane, dataPlane });
    } else {
      context.result.print(
        table(
          context.result,
          ["COMPONENT", "CLIENT ID", "SECRET", "STATE", "EXPIRES", "DAYS"],
          [
            ...controlPlane.map(({ component, clientId = "", secretName, state, expiresOn, daysLeft }) => {
              const expires = expiresOn === undefined ? "" : rfc3339(new Date(expiresOn));
              return [component, clientId, secretName, state, expires, daysLeft === undefined ? "" : String(daysLeft)];
            }),
            ...dataPlane.map(({ component, clientId = "" }) => [component, clientId, "", clientId === "" ? "absent" : "federated", "", ""]),
          ],
        ),
      );
    }
    if (warned.length === 0) return exitCodes.done;
    const set = { name: key.name, persistentResourceGroupName: key.groupName, keyVaultName: key.vaultName };
    context.say(
      context.renderAdvice(
        advise`${plural(warned.length, "credential")} expired or expiring within ${plural(settings.warnDays, "day")}: ${warned.map(({ component }) => component).join(", ")}; renew with ${aroHcp("rotate credentials", set)}`,
      ),
    );
    return exitCodes.expiring;
  });
}

async function showCredentials(azure: Azure, key: IdentitySetKey, warnDays: number): Promise<ShownCredential[]> {
  const directory = await azure.directory();
  const expiries = await secretExpiries(azure, key);
  const shown = await Promise.all(
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
  return shown.flat();
}

function stateOf(applicationExists: boolean, daysLeft: number | undefined, warnDays: number): CredentialState {
  if (!applicationExists || daysLeft === undefined) return "absent";
  if (daysLeft < 0) return "expired";
  return daysLeft < warnDays ? "expires soon" : "valid";
}

/** Finds a certificate by the name of its secret; reads only its attributes, never a secret. */
async function secretExpiries(azure: Azure, { groupName, vaultName }: IdentitySetKey): Promise<ReadonlyMap<string, Date>> {
  const { vaults } = await azure.vaults();
  const expiries = new Map<string, Date>();
  if (!(await found(vaults.get(groupName, vaultName)))) return expiries;
  const { secrets } = await azure.vaultContent(vaultName);
  for await (const { name, expiresOn } of secrets.listPropertiesOfSecrets()) {
    if (expiresOn) expiries.set(name.toLowerCase(), expiresOn);
  }
  return expiries;
}

function showManagedIdentities(azure: Azure, key: IdentitySetKey): Promise<ShownManagedIdentity[]> {
  return Promise.all(
    dataPlaneComponents.map(async (component) => {
      const { userAssignedIdentities } = await azure.identities();
      const name = managedIdentityName(key, component);
      const live = await found(userAssignedIdentities.get(key.groupName, name));
      return { component: component.key, name, clientId: live?.clientId };
    }),
  );
}
