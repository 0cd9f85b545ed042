/** `show infra`: the state and drift of every resource of create infra. */
import type { Azure } from "../azure/azure.js";
import { infraGraph } from "./steps/infra.js";
import { requireExistingInSubscription } from "../settings/existing-subscription.js";
import type { Resolved, ShowInfraSettings } from "../settings/settings.js";
import { readInfraIdentities } from "../files/infra-identities.js";
import { readInfraOutput } from "../files/infra-output.js";
import { requireSameCluster } from "./inputs/same-cluster.js";
import { namesIdentityFile, readIdentities, type Identities } from "./inputs/identities.js";
import { recall, withFileRecord } from "./inputs/recorded-options.js";
import { subscriptionInFile } from "../run/subscription.js";
import { knownCluster, requireFound, requiredCluster, requiredValue } from "./inputs/infra-to-verify.js";
import { infraSpec } from "./inputs/infra-spec.js";
import { planGraph } from "../run/plan-graph.js";
import type { RunContext } from "../run/run-context.js";
import { showParts, shownResources, type ShownPart } from "../run/show-resources.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "show infra";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const { notices, connection, about, connected } = await infraToShow(resolved, "create infra");
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) =>
    showParts({ command, about, settings }, [await connected(azure, context)], context),
  );
}

/** What `show infra` and `show all` show of the infrastructure. */
export async function infraToShow(resolved: Resolved<typeof command>, create: "create infra" | "create all") {
  const { infraFile } = resolved.settings;
  const document = infraFile === undefined ? undefined : await readInfraOutput(infraFile);
  if (document) requireSameCluster(resolved.settings, resolved.origins, document);
  const recorded = await withFileRecord(resolved, document?.options, infraFile);
  const { settings: given, notices } = recorded;
  const { name, infraId } = requiredCluster(given, document);
  const identities = await identitiesOf(given);
  return {
    notices,
    connection: {
      documentSubscription: subscriptionInFile(document?.subscriptionID, infraFile),
      cluster: knownCluster(given, document),
    },
    about: { infraId },
    name,
    connected: async (azure: Azure, context: RunContext): Promise<ShownPart> => {
      const { subscriptionId } = azure.connection;
      const { resolved: merged, exists } = await recall(azure, recorded, { name, infraId }, document?.options, context.say);
      requireExistingInSubscription(merged, subscriptionId);
      await requireFound(azure, { name, infraId }, { ...merged.settings, exists, document, create });
      const baseDomain = requiredValue(merged.settings.baseDomain ?? document?.baseDomain, "--base-domain");
      const location =
        merged.origins.location?.source === "default" ? (document?.region ?? merged.settings.location) : merged.settings.location;
      const { steps } = infraGraph(
        azure,
        infraSpec({ ...merged.settings, name, infraId, baseDomain, location }, subscriptionId, identities),
      );
      const plan = await planGraph(steps, given.concurrency, context);
      return shownResources(plan, given, context);
    },
  };
}

/** Reads the identities from their files, or otherwise from the output file, which contains those with roles. */
async function identitiesOf(settings: ShowInfraSettings): Promise<Identities> {
  const { infraFile } = settings;
  if (infraFile === undefined || namesIdentityFile(settings)) return readIdentities(settings);
  return readInfraIdentities(infraFile);
}
