/** `create infra`: reads and validates everything, shows the plan, creates missing resources, and keeps the output file up to date. */
import { signedIn } from "../../azure/signed-in.js";
import type { InfraOutput } from "../../files/infra-output.js";
import { checkWritable } from "../../files/write.js";
import { infraGraph } from "../../steps/infra.js";
import { requireSubscription } from "../../settings/existing-subscription.js";
import type { Resolved } from "../../settings/settings.js";
import { preflight } from "../run/preflight.js";
import { applyGraph } from "../run/apply.js";
import { readIdentities } from "../inputs/identities.js";
import { infraDocument } from "../outputs/infra-document.js";
import { optionTagsOf, recordOf } from "../inputs/recorded-options.js";
import { infraSpec } from "../inputs/infra-spec.js";
import { withConnection } from "../run/with-connection.js";
import type { ProcessPort } from "../process-port.js";

const command = "create infra";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings, notices } = resolved;
  const identities = await readIdentities(settings);
  if (settings.outputFile !== undefined) await checkWritable(settings.outputFile);
  return withConnection({ ...settings, command }, [...notices, ...identities.seen], port, async (azure, context) => {
    const { subscriptionId, cloud } = azure.connection;
    requireSubscription(resolved, subscriptionId);
    const { steps, documented } = infraGraph(azure, {
      ...infraSpec(settings, subscriptionId, identities),
      optionTags: optionTagsOf(resolved),
    });
    const { name, infraId, baseDomain, location } = settings;
    // The SDK's default chain signs in without a tenant ID, but HyperShift needs one.
    const tenantId = azure.connection.tenantId || (await signedIn(azure.connection)).tenantId;
    const known = {
      cloud: cloud.name,
      subscriptionId,
      tenantId,
      clusterName: name,
      infraId,
      baseDomain,
      location,
      options: recordOf(resolved),
      ...identities,
    };
    const document = infraDocument(known, documented, settings.outputFile);
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: infraId,
      about: { infraId },
      steps,
      preflight: preflight(azure, port, ["infra"]),
      onDone: (step, output) => document.add(step, output),
      document: () => ({ infra: document.current() }),
      outputFile: settings.outputFile,
    });
    if (settings.output === "text" && done) context.result.print(idLines(document.current()));
    return code;
  });
}

/** The IDs that people copy. */
function idLines(document: InfraOutput): string {
  const keys = ["resourceGroupName", "publicZoneID", "privateZoneID", "vnetID", "subnetID", "securityGroupID"] as const;
  return keys.map((key) => `${key.padEnd(18)} ${document[key]}`).join("\n");
}
