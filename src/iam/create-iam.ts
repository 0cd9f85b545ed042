/** `create iam`: creates the missing workload identities of a cluster, and keeps their file up to date. */
import { workloadFile, workloadOutput, type KnownWorkloadIdentities } from "./files/workload-output.js";
import { checkOutputs, checkWritable, writeDocument } from "../files/write.js";
import { iamGraph } from "./steps.js";
import type { ManagedIdentityOutput } from "../steps/managed-identity.js";
import { jsonText } from "../text/control.js";
import type { Resolved } from "../settings/settings.js";
import { iamPlace, workloadComponents } from "./inputs.js";
import { keptKms, type Existing } from "../run/kept-kms.js";
import { applyGraph } from "../run/apply.js";
import { preflight } from "../run/create-preflight.js";
import { withLocation } from "../run/location.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import { written } from "../run/written-files.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { workloadIdentityName, ownWorkloadIdentity } from "../domain/workload-names.js";
import { kmsComponents } from "../domain/components.js";
import type { IamPlace } from "./spec.js";

const command = "create iam";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, infraId, outputFile, oidcIssuerUrl: issuerUrl, persistentResourceGroupName } = given.settings;
  if (outputFile !== undefined) await checkWritable(outputFile);
  return withConnection({ ...given.settings, command }, given.notices, port, async (azure, context) => {
    const resolved = await withLocation(command, given, azure, context, persistentResourceGroupName);
    const { settings } = resolved;
    const { location } = settings;
    const place = iamPlace(settings, azure);
    const components = workloadComponents(await keptKms(resolved, existingIam(azure, place), context.say));
    const { steps, identities } = iamGraph(azure, { ...place, location, issuerUrl, components });
    let known: KnownWorkloadIdentities = {};
    let earlier: KnownWorkloadIdentities = {};
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: infraId,
      target: targetOf(azure, { location, cluster: name, infraId }),
      about: { infraId, name },
      steps,
      preflight: preflight(azure, port, { parts: ["identities"], location, steps }),
      async requireOwnFiles(live) {
        const ids = identities.map(({ component, step }) => [component.field, live.get(step)?.clientId] as const);
        earlier = Object.fromEntries(ids.filter(([, id]) => id !== undefined));
        if (outputFile !== undefined) await checkOutputs([workloadFile(outputFile, { known: earlier, isRunning: false })]);
      },
      async onDone(step, output) {
        const created = identities.find((one) => one.step === step);
        if (created === undefined) return;
        known = { ...known, [created.component.field]: (output as ManagedIdentityOutput).clientId };
        if (outputFile === undefined) return;
        await writeDocument(workloadFile(outputFile, { known: { ...earlier, ...known }, isRunning: true }), workloadOutput(known));
      },
      document: () => ({ workloadIdentities: workloadOutput(known) }),
      written: written(outputFile, "workload"),
    });
    if (settings.output === "text" && done) context.result.print(jsonText(workloadOutput(known), 2));
    return code;
  });
}

/** Whether the workload identities of a cluster include one for KMS. */
function existingIam(azure: Azure, { cluster, groupName }: IamPlace): Existing {
  return {
    title: cluster.infraId,
    async hasKms() {
      const { userAssignedIdentities } = await azure.identities();
      const identities = await Promise.all(
        kmsComponents.map((component) => found(userAssignedIdentities.get(groupName, workloadIdentityName(cluster, component)))),
      );
      return identities.some(
        (one) => ownWorkloadIdentity(cluster, { name: one?.name ?? "", ...(one?.tags && { tags: one.tags }) }) !== undefined,
      );
    },
  };
}
