/** `render hypershift-install`: the commands that install HyperShift's operator, without requests to Azure. */
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../errors/failure.js";
import { isEarlierOutput, unknownOwner, type OutputFile } from "../files/output-file.js";
import { makeDirectory, readText } from "../files/text-file.js";
import { checkOutputs, writeDocument, writeText } from "../files/write.js";
import { installArguments, installCommands, installScript, scriptHeader, type HypershiftInstall } from "./manifests/hypershift-install.js";
import { screensOf, type Screens } from "../render/screen.js";
import { sentence } from "../render/wrapped.js";
import type { Resolved } from "../settings/settings.js";
import { uncoloredText } from "../text/control.js";
import { gatherInstall, type GatheredInstall } from "./inputs/hypershift-install.js";
import type { ProcessPort } from "../run/process-port.js";

/** Next to each other, so that the script finds them from any directory. */
const files = { script: "hypershift-install.sh", externalDns: "external-dns.json", pullSecret: "pull-secret.json" } as const;

export async function run(resolved: Resolved<"render hypershift-install">, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const screens = screensOf(port, settings.color);
  const gathered = await gatherInstall(resolved);
  for (const notice of [...resolved.notices, ...gathered.notices]) screens.people.print(sentence(screens.people, `notice: ${notice}`));
  if (settings.outputDir === undefined) printCommands(gathered, screens);
  else await writeScript(gathered, settings.outputDir, screens);
  return 0;
}

function printCommands({ install, externalDnsIsReady }: GatheredInstall, { result }: Screens): void {
  if (!externalDnsIsReady) {
    throw new Failure("ARO-USAGE-001", `${install.externalDns?.credentialsFile ?? ""} is not a file that external-dns can read`, {
      because: "hypershift copies the file into a secret as it is",
      next: ["pass --output-dir: the command then writes the file that external-dns reads, for its owner only"],
    });
  }
  const hidden = [...installArguments(install), install.kubeconfig ?? ""].find((word) => uncoloredText(word) !== word);
  if (hidden !== undefined) {
    throw new Failure(
      "ARO-USAGE-001",
      `${JSON.stringify(hidden)} contains characters that a terminal does not show or that a CI system obeys`,
      {
        next: ["rename the file, or pass --output-dir: a script may contain them"],
      },
    );
  }
  result.print(installCommands(install));
}

async function writeScript({ install, secrets, cluster }: GatheredInstall, directory: string, { people }: Screens): Promise<void> {
  const script = scriptFile(directory, cluster);
  const externalDns = secrets.externalDns && secretFile(directory, files.externalDns, "aadClientId", secrets.externalDns, script);
  const pullSecret = secrets.pullSecret && secretFile(directory, files.pullSecret, "auths", secrets.pullSecret, script);
  await makeDirectory(directory, Object.values(files));
  await checkOutputs([script, externalDns, pullSecret]);
  if (externalDns !== undefined) await writeDocument(externalDns, secrets.externalDns);
  if (pullSecret !== undefined) await writeDocument(pullSecret, secrets.pullSecret);
  const own: HypershiftInstall = {
    ...install,
    kubeconfig: install.kubeconfig === undefined ? undefined : resolve(install.kubeconfig),
    externalDns: install.externalDns && { ...install.externalDns, credentialsFile: files.externalDns },
    pullSecretFile: install.pullSecretFile === undefined ? undefined : files.pullSecret,
  };
  await writeText(script, installScript(own, cluster), 0o644);
  people.print(`written to ${script.path}; run it with sh`);
}

/** Its first lines say for which management cluster it was written. */
function scriptFile(directory: string, cluster: string): OutputFile {
  const otherOwner: OutputFile["otherOwner"] = ({ text }) => (text.startsWith(scriptHeader(cluster)) ? undefined : unknownOwner);
  return { path: join(directory, files.script), otherOwner };
}

/** The formats of others have no place for an owner. The script beside them does, and names the files that were written with it. */
function secretFile(directory: string, name: string, key: string, content: object, script: OutputFile): OutputFile {
  return {
    path: join(directory, name),
    async otherOwner({ json }) {
      if (isDeepStrictEqual(json, content)) return undefined;
      const hasFormat = typeof json === "object" && json !== null && key in json;
      const isNamed = hasFormat && (await isEarlierOutput(script)) && (await readText(script.path)).text.includes(name);
      return isNamed ? undefined : unknownOwner;
    },
  };
}
