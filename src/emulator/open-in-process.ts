/** Opens the emulator for this process alone, apart because servers do not need the pipeline library. */
import { inProcess, type InProcess } from "./listeners/in-process.js";
import { openCore, type Emulator, type OpenOptions } from "./open.js";
import { credentialsFileOf } from "./state/files.js";

/** What an emulator without a server gives its clients. */
export interface InProcessEmulator extends InProcess, Pick<Emulator, "credentialsFile" | "timeScale"> {}

/** `kill` ends what runs in this process, as a fault rule says. @throws EmulatorError as `openEmulator` */
export async function openInProcess(
  options: Pick<OpenOptions, "directory" | "environment" | "clock" | "random">,
  kill: () => void,
): Promise<InProcessEmulator> {
  const core = await openCore(options);
  return { ...inProcess(core, kill), credentialsFile: credentialsFileOf(options.directory), timeScale: core.timeScale };
}
