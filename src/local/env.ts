/** `local env`: the lines with which a shell directs its clients to the emulator that `local serve` runs. */
import { resolve } from "node:path";
import { clientVariables, joinEmulator } from "../emulator/index.js";
import { Failure } from "../errors/failure.js";
import { screensOf } from "../render/screen.js";
import { localDirectory, orLocalFailure } from "../run/local-emulator.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Resolved } from "../settings/settings.js";
import { shellLines, shellOf } from "./shell-lines.js";

/** @throws ARO-LOCAL-003 if no server runs for the directory */
export async function run({ settings }: Resolved<"local env">, port: ProcessPort): Promise<number> {
  const directory = localDirectory(port);
  const served = await orLocalFailure(() => joinEmulator(directory));
  if (served?.proxyPort === undefined) throw new Failure("ARO-LOCAL-003", `no local serve runs for ${directory}`);
  // This program finds the server by its directory.
  const own = { ARO_HCP_CLOUD: "local", ARO_HCP_LOCAL_DIR: resolve(directory) };
  const variables = { ...clientVariables(served.proxyPort, served.caFile), ...own };
  screensOf(port, settings.color).result.print(shellLines(settings.shell ?? shellOf(port.environment["SHELL"]), variables));
  return 0;
}
