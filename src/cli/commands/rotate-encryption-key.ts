/** `rotate encryption-key`: a new version of the key that encrypts etcd. The HostedCluster decrypts with the earlier one until it has encrypted again. */
import { signedIn } from "../../azure/signed-in.js";
import { encryptionKeyOutput } from "../../files/encryption-key-output.js";
import { checkWritable, writeDocument } from "../../files/write.js";
import { table } from "../../render/table.js";
import type { Resolved } from "../../settings/settings.js";
import { keyRotationGraph, type RotatedKey } from "../../steps/encryption-key.js";
import { identitySetKey } from "../inputs/identity-set.js";
import type { ProcessPort } from "../process-port.js";
import { applyGraph } from "../run/apply.js";
import { planPreflight } from "../run/preflight.js";
import { withConnection } from "../run/with-connection.js";

const command = "rotate encryption-key";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, outputFile, minAge } = settings;
  if (outputFile !== undefined) await checkWritable(outputFile);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const graph = keyRotationGraph(azure, identitySetKey(settings, azure), await signedIn(azure.connection), minAge);
    let rotated: RotatedKey | undefined;
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      steps: graph.steps,
      preflight: planPreflight(azure, port),
      async onDone(step, output) {
        if (step !== graph.key) return;
        rotated = output as RotatedKey;
        if (outputFile !== undefined) await writeDocument(outputFile, encryptionKeyOutput(rotated));
      },
      document: () => ({ ...(rotated && { encryptionKey: encryptionKeyOutput(rotated) }) }),
      outputFile,
    });
    if (settings.output === "text" && done && rotated) {
      const { activeKeyId, backupKeyId = "", notRotated } = rotated;
      context.result.print(
        table(
          context.result,
          ["KEY", "ID"],
          [
            ["active", activeKeyId],
            ["backup", backupKeyId],
          ],
        ),
      );
      context.say(
        notRotated === undefined
          ? "set both keys in the HostedCluster; keep the backup key enabled until etcd is encrypted with the active one"
          : `the key was not rotated: ${notRotated}`,
      );
    }
    return code;
  });
}
