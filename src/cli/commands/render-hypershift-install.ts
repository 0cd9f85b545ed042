/** `render hypershift-install`: the commands that install HyperShift's operator, or a script with its secrets in private files; no requests to Azure. */
import { join, resolve } from "node:path";
import { Failure } from "../../errors/failure.js";
import { makeDirectory, readTextIfThere, writeText } from "../../files/text-file.js";
import { writeDocument } from "../../files/write.js";
import {
  installArguments,
  installCommands,
  installScript,
  scriptHeader,
  type HypershiftInstall,
} from "../../manifests/hypershift-install.js";
import { screensOf, type Screens } from "../../render/screen.js";
import { sentence } from "../../render/wrapped.js";
import type { Resolved } from "../../settings/settings.js";
import { terminalText } from "../../text/control.js";
import { gatherInstall, type GatheredInstall } from "../inputs/hypershift-install.js";
import type { ProcessPort } from "../process-port.js";

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
  const hidden = [...installArguments(install), install.kubeconfig ?? ""].find((word) => terminalText(word) !== word);
  if (hidden !== undefined) {
    throw new Failure("ARO-USAGE-001", `${JSON.stringify(hidden)} contains characters that a terminal does not show`, {
      next: ["rename the file, or pass --output-dir: a script may contain them"],
    });
  }
  result.print(installCommands(install));
}

async function writeScript({ install, secrets, cluster }: GatheredInstall, directory: string, { people }: Screens): Promise<void> {
  const path = (file: string) => join(directory, file);
  await requireOwnScript(directory, cluster);
  await makeDirectory(directory, Object.values(files));
  if (secrets.externalDns !== undefined) await writeDocument(path(files.externalDns), secrets.externalDns);
  if (secrets.pullSecret !== undefined) await writeDocument(path(files.pullSecret), secrets.pullSecret);
  const own: HypershiftInstall = {
    ...install,
    kubeconfig: install.kubeconfig === undefined ? undefined : resolve(install.kubeconfig),
    externalDns: install.externalDns && { ...install.externalDns, credentialsFile: files.externalDns },
    pullSecretFile: install.pullSecretFile === undefined ? undefined : files.pullSecret,
  };
  await writeText(path(files.script), installScript(own, cluster), 0o644);
  people.print(`written to ${path(files.script)}; run it with sh`);
}

/** @throws ARO-FILE-004 for a directory with files of these names that a run for this cluster did not write */
async function requireOwnScript(directory: string, cluster: string): Promise<void> {
  const script = await readTextIfThere(join(directory, files.script));
  if (script?.text.startsWith(scriptHeader(cluster)) === true) return;
  for (const file of Object.values(files)) {
    if ((await readTextIfThere(join(directory, file))) === undefined) continue;
    throw new Failure("ARO-FILE-004", `${directory} contains ${file}, which was not written for this management cluster`, {
      because: "the run would overwrite it",
      next: ["choose another --output-dir, or delete the old files if nobody needs them"],
    });
  }
}
