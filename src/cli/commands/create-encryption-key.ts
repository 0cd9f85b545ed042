/** `create encryption-key`: the key that encrypts etcd in the vault of a set, and the role of the KMS identity on it. */
import { encryptionKeyOutput } from "../../files/encryption-key-output.js";
import { checkWritable, writeDocument } from "../../files/write.js";
import type { Resolved } from "../../settings/settings.js";
import { encryptionKeyGraph, type EncryptionKeyOutput } from "../../steps/encryption-key.js";
import { identitySetKey } from "../inputs/identity-set.js";
import type { ProcessPort } from "../process-port.js";
import { applyGraph } from "../run/apply.js";
import { planPreflight } from "../run/preflight.js";
import { withConnection } from "../run/with-connection.js";

const command = "create encryption-key";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, outputFile } = settings;
  if (outputFile !== undefined) await checkWritable(outputFile);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const graph = encryptionKeyGraph(azure, identitySetKey(settings, azure));
    let created: EncryptionKeyOutput | undefined;
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      steps: graph.steps,
      preflight: planPreflight(azure, port),
      async onDone(step, output) {
        if (step !== graph.key) return;
        created = output as EncryptionKeyOutput;
        if (outputFile !== undefined) await writeDocument(outputFile, encryptionKeyOutput(created));
      },
      document: () => ({ ...(created && { encryptionKey: encryptionKeyOutput(created) }) }),
      outputFile,
    });
    if (settings.output === "text" && done && created) context.result.print(created.activeKeyId);
    return code;
  });
}
