/** How a command runs another one, with settings of its own: a fleet runs those of its clusters. */
import type { CommandName } from "../settings/commands.js";
import type { ConfigDocument } from "../settings/config-file.js";
import type { SettingKey } from "../settings/settings.js";
import type { ProcessPort } from "./process-port.js";

export interface OtherCommand {
  readonly command: Exclude<CommandName, "help">;
  /** As on a command line. */
  readonly flags: Readonly<Partial<Record<SettingKey, string | boolean>>>;
  /** In place of a configuration file. */
  readonly config: ConfigDocument;
  readonly port: ProcessPort;
}

/** Prints its document, or its failures, and resolves with its exit code. */
export type RunOther = (other: OtherCommand) => Promise<number>;
