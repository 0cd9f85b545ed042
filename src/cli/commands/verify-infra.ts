/** `verify infra`: every resource and property of create infra compared with Azure, and what would block a hosted cluster. */
import { signedIn } from "../../azure/signed-in.js";
import type { Resolved } from "../../settings/settings.js";
import { requireSubscription } from "../../settings/brought-subscription.js";
import { infraGraph } from "../../steps/infra.js";
import { infraCheckIds } from "../../verify/infra/checks.js";
import { infraInspections } from "../../verify/infra/inspections.js";
import { readIdentities } from "../identities.js";
import { planGraph } from "../plan-graph.js";
import { inSession } from "../session.js";
import { requireTenant, subscriptionInFile } from "../subscription.js";
import { requireKnownChecks, verified } from "../verification.js";
import { infraFiles, verifiedInfra, withRangesAsFound } from "../verified-infra.js";

const command = "verify infra";

export async function run(resolved: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  const { settings, notices } = resolved;
  const { concurrency, only, output, disableClusterCapabilities, clusterCidr, serviceCidr } = settings;
  requireKnownChecks(only, infraCheckIds, "docs/verify.md");
  const { document, path, identityPaths, inDocument } = await infraFiles(settings);
  const identities =
    inDocument ??
    (await readIdentities({
      managedIdentitiesFile: identityPaths.managedIdentitiesFile,
      dataPlaneIdentitiesFile: identityPaths.dataPlaneIdentitiesFile,
      workloadIdentitiesFile: identityPaths.workloadIdentitiesFile,
      disableClusterCapabilities,
    }));
  const documentSubscription = subscriptionInFile(document?.subscriptionID, path);
  return inSession({ ...settings, documentSubscription }, notices, environment, async (azure, stage) => {
    const { subscriptionId } = azure.connection;
    requireTenant((await signedIn(azure.connection)).tenantId, document?.tenantID, path);
    requireSubscription(resolved, subscriptionId);
    const { spec: wanted, rangesUnknown } = verifiedInfra(resolved, document, subscriptionId, identities);
    const spec = rangesUnknown ? await withRangesAsFound(azure, wanted, document?.vnetID) : wanted;
    const { steps } = infraGraph(azure, spec);
    const plan = await planGraph(steps, concurrency, stage);
    const inspections = infraInspections(azure, steps, {
      spec,
      plan,
      podNetworks: clusterCidr,
      serviceNetworks: serviceCidr,
      identityPaths,
    });
    const { name, infraId } = spec.cluster;
    const { code } = await verified(stage, {
      ...{ command, inspections, chosen: { subjects: [], checks: only }, concurrency, output },
      heading: `infrastructure of ${name} (${infraId}): ${path === undefined ? "" : `${path}, `}subscription ${subscriptionId}, ${spec.location}`,
      directory: settings.inputDir,
    });
    return code;
  });
}
