/** Creates or rotates the key that encrypts etcd, and writes its file. */
import type { Azure } from "../azure/azure.js";
import { encryptionKeyName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { encryptionKeyFile, encryptionKeyOutput } from "./files/encryption-key-output.js";
import { checkOutputs, checkWritable, writeDocument } from "../files/write.js";
import type { Resolved } from "../settings/settings.js";
import type { EncryptionKeyGraph, KeysOfFile } from "./steps/encryption-key.js";
import { identitySetKey, settingsOfSet } from "../run/identity-set.js";
import type { ProcessPort } from "../run/process-port.js";
import { written } from "../run/written-files.js";
import { applyGraph } from "../run/apply.js";
import { planPreflight } from "../run/create-preflight.js";
import type { RunContext } from "../run/run-context.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";

type Command = "create encryption-key" | "rotate encryption-key";

/** `print` gets the key for the text output, if the command has completed. Returns the exit code. */
export async function applyEncryptionKey<Output extends KeysOfFile>(
  command: Command,
  { settings: given, notices }: Pick<Resolved<Command>, "settings" | "notices">,
  port: ProcessPort,
  graphOf: (azure: Azure, set: IdentitySetKey) => EncryptionKeyGraph<Output> | Promise<EncryptionKeyGraph<Output>>,
  print: (context: RunContext, key: Output) => void,
): Promise<number> {
  const settings = settingsOfSet(given);
  const { name, outputFile, managedHsmName } = settings;
  if (outputFile !== undefined) await checkWritable(outputFile);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const set = identitySetKey(settings, azure);
    const owner = { keyName: encryptionKeyName(set), vaults: [set.vaultName, managedHsmName] };
    const file = outputFile === undefined ? undefined : encryptionKeyFile(outputFile, owner);
    await checkOutputs([file]);
    const graph = await graphOf(azure, set);
    let key: Output | undefined;
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { identitySet: name }),
      steps: graph.steps,
      preflight: planPreflight(azure, port),
      async onDone(step, output) {
        if (step !== graph.key) return;
        key = output as Output;
        if (file !== undefined) await writeDocument(file, encryptionKeyOutput(key));
      },
      document: () => ({ ...(key && { encryptionKey: encryptionKeyOutput(key) }) }),
      written: written(outputFile, "encryptionKey"),
    });
    if (settings.output === "text" && done && key) print(context, key);
    return code;
  });
}
