/** `completion`: the script that connects a shell's Tab to the program. */
import { screensOf } from "../render/screen.js";
import type { Resolved } from "../settings/settings.js";
import { completionScripts } from "./completion-scripts.js";
import type { ProcessPort } from "../run/process-port.js";

/** `shell`: one of the choices in the table of commands. */
export function run({ settings }: Resolved<"completion">, port: ProcessPort, shell = ""): Promise<number> {
  screensOf(port, settings.color).result.print(completionScripts[shell] ?? "");
  return Promise.resolve(0);
}
