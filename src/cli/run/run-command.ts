/** One command from its words to its exit code: settings, the work, and, should it fail, the failure in the form that was asked for. */
import { readDocument } from "../../files/read.js";
import type { CommandName } from "../../settings/commands.js";
import { variableOf } from "../../settings/option.js";
import { allOptions } from "../../settings/options.js";
import type { ProcessStreams } from "../../render/screen.js";
import { parseValue } from "../../settings/parse-value.js";
import { resolveSettings, type Sources } from "../../settings/resolve.js";
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../process-port.js";
import type { DisplayOptions } from "./show-failure.js";

/** What the module of a command offers. */
export interface CommandModule<C extends CommandName> {
  /** Returns the exit code. */
  run(resolved: Resolved<C>, port: ProcessPort, word?: string): Promise<number>;
}

export interface CommandCall {
  /** What was given on the command line, by the key of the option, still as text. */
  readonly flags: Sources["flags"];
  /** What stood behind the command, beside flags. */
  readonly word: string | undefined;
  readonly port: ProcessPort;
}

/** Returns the exit code. */
export async function runCommand<C extends CommandName>(
  command: C,
  load: () => Promise<CommandModule<C>>,
  { flags, word, port }: CommandCall,
): Promise<number> {
  const { environment } = port;
  let displayOptions = likelyDisplayOptions(flags, environment);
  const work = async () => {
    const resolved = await resolveSettings(command, { flags, environment, readConfig: readDocument });
    // A command that has no such setting leaves what is likely.
    displayOptions = { ...displayOptions, ...displayOptionsIn(resolved.settings) };
    const { run } = await load();
    return run(resolved, port, word);
  };
  return orShown(port, () => displayOptions, work);
}

/** The exit code of the work; where it fails, of its failure, which is shown. */
export async function orShown(streams: ProcessStreams, displayOptions: () => DisplayOptions, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    // It knows the SDK: too slow to load where nothing fails.
    const { showFailure } = await import("./show-failure.js");
    return showFailure(error, displayOptions(), streams);
  }
}

/** The settings that say how a failure is told, and of which Azure. */
const displayKeys: ReadonlySet<string> = new Set<keyof DisplayOptions>(["output", "debug", "color", "cloud", "azureCreds", "subscription"]);

/** As flags and variables say it, where the settings may be what fails; what cannot be read counts as not given. */
export function likelyDisplayOptions(flags: Sources["flags"], environment: NodeJS.ProcessEnv): DisplayOptions {
  const given = allOptions
    .filter(({ key }) => displayKeys.has(key))
    .flatMap((option) => {
      const raw = (flags as Readonly<Record<string, unknown>>)[option.key] ?? environment[variableOf(option)];
      const parsed = parseValue(option, raw);
      return "value" in parsed ? [[option.key, parsed.value] as const] : [];
    });
  return { output: "text", debug: false, color: "auto", ...(Object.fromEntries(given) as Partial<DisplayOptions>) };
}

function displayOptionsIn(settings: object): Partial<DisplayOptions> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => displayKeys.has(key)));
}
