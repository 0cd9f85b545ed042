/** Every option of every command, once. Help, completion, documentation and checks are made from this; it loads no library, so `--help` is fast. */
import { clusterOptions } from "./cluster-options.js";
import { identityOptions } from "./identity-options.js";
import { issuerOptions } from "./issuer-options.js";
import { manifestOptions } from "./manifest-options.js";
import type { CommandName, Option } from "./option.js";
import { runOptions } from "./run-options.js";
import { verifyOptions } from "./verify-options.js";

export const options = [
  ...clusterOptions,
  ...identityOptions,
  ...issuerOptions,
  ...verifyOptions,
  ...manifestOptions,
  ...runOptions,
] as const satisfies readonly Option[];

/** The options of a command, in the order of the help. An alias gives way to another option's flag of that name. */
export function optionsOf(command: CommandName): readonly Option[] {
  const every: readonly Option[] = options;
  const own = every.filter((option) => option.commands.includes(command));
  const flags = new Set(own.map(({ flag }) => flag));
  return own.map(({ aliases, ...option }) => ({ ...option, ...(aliases && { aliases: aliases.filter((alias) => !flags.has(alias)) }) }));
}
