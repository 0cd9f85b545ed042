/** Runs one command of the command line to its exit code, with a failure in the requested format. */
import { variableOf } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import type { ProcessPort } from "../run/process-port.js";
import { parseValue } from "../settings/parse-value.js";
import type { Sources } from "../settings/resolve.js";
import { execute, type CommandCall, type CommandModule, type RunnableCommand } from "../library/execute.js";
import type { DisplayOptions } from "../run/show-failure.js";

/** Returns the exit code. */
export async function runCommand<C extends RunnableCommand>(
  command: C,
  load: () => Promise<CommandModule<C>>,
  call: Omit<CommandCall, "onSettings">,
): Promise<number> {
  let displayOptions: DisplayOptions = {
    ...likelyDisplayOptions(call.flags, call.port.environment),
    command,
    variables: call.port.environment,
  };
  // A command without such a setting uses the likely value.
  const onSettings = (settings: object) => {
    displayOptions = { ...displayOptions, ...displayOptionsIn(settings), known: settings };
  };
  return orShowFailure(
    call.port,
    () => displayOptions,
    () => execute(command, load, { ...call, onSettings }),
  );
}

/** The exit code of the work, or of its failure, which is shown. */
export async function orShowFailure(port: ProcessPort, displayOptions: () => DisplayOptions, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    // It imports the SDK, which is too slow if nothing fails.
    const { showFailure, summarizeFailure } = await import("../run/show-failure.js");
    await summarizeFailure(error, displayOptions(), port);
    return showFailure(error, displayOptions(), port);
  }
}

/** The settings for the format of a failure and for its Azure cloud. */
const displayKeys: ReadonlySet<string> = new Set<keyof DisplayOptions>(["output", "debug", "color", "cloud", "azureCreds", "subscription"]);

/** From flags and variables, because the settings themselves may be invalid; unreadable values count as unset. */
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
