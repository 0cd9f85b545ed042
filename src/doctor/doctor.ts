/** `doctor`: checks this machine, the account and the subscription for the prerequisites of create. */
import { clusterKey, clusterInAzure, settingsAsFound, withRecord } from "../infra/index.js";
import { accountPlace, issuerAccount } from "../issuer/index.js";
import type { Azure } from "../azure/azure.js";
import { signedIn } from "../azure/signed-in.js";
import type { Part } from "../domain/create-parts.js";
import { defaultAccountName } from "../domain/issuer.js";
import type { Failure } from "../errors/failure.js";
import type { RecordedOptions } from "../files/recorded-options.js";
import type { Resolved } from "../settings/settings.js";
import { doctorCheckInstances } from "./check-instances.js";
import { partsOf, doctorRequest } from "./doctor-request.js";
import { ofIdentitySet } from "../run/identity-set.js";
import { isKnown, noLocation } from "../run/location.js";
import { withConnection } from "../run/with-connection.js";
import { machineOf } from "../run/create-preflight.js";
import type { RunContext } from "../run/run-context.js";
import { runVerification } from "../run/verification.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "doctor";

/**
 * As `create` keeps them for an existing cluster. A failure to read them is left to the checks, which say why.
 * @throws ARO-OWN-001, as create does, if another cluster has the infra ID
 */
async function recalledSettings(
  azure: Azure,
  resolved: Resolved<typeof command>,
  created: ReadonlySet<Part>,
  context: RunContext,
): Promise<Resolved<typeof command>["settings"]> {
  const cluster = created.has("infra") ? clusterKey(resolved.settings) : undefined;
  if (cluster === undefined) return resolved.settings;
  const read = async (): Promise<typeof notRead> => {
    await signedIn(azure.connection);
    const inAzure = await clusterInAzure(azure, cluster);
    const derived = inAzure.exists ? await settingsAsFound(azure, cluster, inAzure, resolved, context.say) : undefined;
    return { taken: inAzure.taken, record: derived?.options ?? {} };
  };
  const { taken, record } = await read().catch(() => notRead);
  const { resourceGroupName, ...others } = record;
  context.signal.throwIfAborted();
  if (taken) throw taken;
  // In `create all`, that flag is the group of the identities.
  const forAll = created.has("identities") || resourceGroupName === undefined;
  return withRecord(resolved, forAll ? others : record, record).settings;
}

/** The storage account of the issuer, as create names it; undefined without a set. If it cannot be read, the checks say why. */
async function accountOf(
  settings: Resolved<typeof command>["settings"],
  created: ReadonlySet<Part>,
  azure: Azure,
): Promise<string | undefined> {
  const { name } = ofIdentitySet(settings);
  if (name === undefined) return undefined;
  const { storageAccountName = defaultAccountName(accountPlace({ ...settings, name }, azure)) } = settings;
  if (!created.has("issuer")) return storageAccountName;
  return issuerAccount({ ...settings, name }, azure).catch(() => storageAccountName);
}

const notRead: { readonly taken?: Failure | undefined; readonly record: RecordedOptions } = { record: {} };

/** `argument`: the create command to check; all by default. */
export async function run(resolved: Resolved<typeof command>, port: ProcessPort, argument?: string): Promise<number> {
  const { settings, notices } = resolved;
  const created = partsOf(argument);
  return withConnection({ ...settings, command, subscriptionOptional: true }, notices, port, async (azure, context) => {
    const recalled = await recalledSettings(azure, resolved, created, context);
    if (!isKnown({ ...resolved, settings: recalled })) context.say(noLocation);
    const account = await accountOf(recalled, created, azure);
    context.signal.throwIfAborted();
    const instances = doctorCheckInstances(azure, doctorRequest(recalled, created, azure, machineOf(port), account));
    return runVerification(context, { command, instances, settings });
  });
}
