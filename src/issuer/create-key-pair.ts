/** `create key-pair`: writes the signing key to two files, without requests to Azure. */
import { scaledClock } from "../azure/clock.js";
import { publicKeyFile, publicKeyOutput } from "./files/key-pair.js";
import { makeDirectory } from "../files/text-file.js";
import { checkOutputs } from "../files/write.js";
import { keyPair, type KeyPairOutput } from "./steps/key-pair.js";
import type { Resolved } from "../settings/settings.js";
import { applyGraph } from "../run/apply.js";
import { openRunContext } from "../run/run-context.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "create key-pair";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const directory = settings.outputDir ?? ".";
  // An existing private key is not written, so its file may be read-only.
  await makeDirectory(directory, [publicKeyFile]);
  await checkOutputs([publicKeyOutput(directory)]);
  const context = await openRunContext({ ...settings, command }, port);
  try {
    for (const notice of notices) context.say(`notice: ${notice}`);
    let created: KeyPairOutput | undefined;
    const step = keyPair(directory, port.clock);
    const local = { connection: { clock: scaledClock(1, port.clock) } };
    const { code, done } = await applyGraph(
      local,
      context,
      { ...settings, concurrency: 1, dryRun: false, exitCode: false, fullPlan: false, yes: true },
      {
        command,
        subject: directory,
        about: { directory },
        steps: [step],
        onDone: (_step, output) => {
          created = output as KeyPairOutput;
        },
        document: () => ({ ...(created && keyPairDocument(created)) }),
      },
    );
    if (settings.output === "text" && done && created) {
      const { privateKeyFile, publicKeyFile, kid } = keyPairDocument(created);
      context.result.print(`private key  ${privateKeyFile}\npublic key   ${publicKeyFile}\nkey ID       ${kid}`);
    }
    return code;
  } finally {
    context.close();
  }
}

function keyPairDocument({ privateFile, publicFile, keys }: KeyPairOutput) {
  return { privateKeyFile: privateFile, publicKeyFile: publicFile, kid: keys.map(({ kid }) => kid).join() };
}
