/** `create identities`: make what is missing of a set, and keep the files that name it current. */
import { signedIn } from "../../azure/signed-in.js";
import { identitiesOutput } from "../../files/identities-output.js";
import { checkWritable } from "../../files/write.js";
import { identityGraph } from "../../steps/identities.js";
import type { Resolved } from "../../settings/settings.js";
import { beforehand } from "../beforehand.js";
import { carryOut } from "../carry-out.js";
import { identityDocument } from "../identity-document.js";
import { identitySpec, readerProblems } from "../identity-set.js";
import { inSession } from "../session.js";

const command = "create identities";

export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  for (const path of [settings.outputFile, settings.managedIdentitiesOutputFile, settings.dataPlaneIdentitiesOutputFile]) {
    if (path !== undefined) await checkWritable(path);
  }
  return inSession(settings, notices, environment, async (azure, stage) => {
    const runner = await signedIn(azure.connection);
    const spec = identitySpec(settings, azure, runner);
    const { steps, documented } = identityGraph(azure, spec, runner);
    const document = identityDocument({ vaultName: spec.key.vaultName, tenantId: spec.tenantId }, documented, settings);
    const { code, done } = await carryOut(azure, stage, settings, {
      command,
      subject: settings.name,
      about: { name: settings.name },
      steps,
      beforehand: beforehand(azure, ["identities"], () => readerProblems(azure, settings.keyVaultReaderObjectId)),
      onDone: async (step, output) => void (await document.add(step, output)),
      document: () => ({ identities: identitiesOutput(document.known()) }),
      outputFile: settings.outputFile,
    });
    if (settings.output === "text" && done) stage.result.print(JSON.stringify(identitiesOutput(document.known()), undefined, 2));
    return code;
  });
}
