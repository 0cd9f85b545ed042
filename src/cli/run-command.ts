/** Runs one command from its arguments to its exit code: settings, work, and a failure in the requested format. */
import type { FailureCode } from "../errors/catalogue.js";
import { Failure, type Problem } from "../errors/failure.js";
import type { CommandName } from "../settings/commands.js";
import { inputFilesOf, type InputFile } from "../settings/read-files.js";
import { variableOf } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import type { ProcessStreams } from "../render/screen.js";
import { parseValue } from "../settings/parse-value.js";
import { resolveSettings, type Sources } from "../settings/resolve.js";
import type { Resolved, Settings } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { checksOf } from "./check-ids.js";
import type { ProcessPort } from "../run/process-port.js";
import type { DisplayOptions } from "../run/show-failure.js";

export interface CommandModule<C extends CommandName> {
  /** Returns the exit code. `flags` are the values on the command line, for a command that shows the settings of another one. */
  run(resolved: Resolved<C>, port: ProcessPort, argument?: string, flags?: Sources["flags"]): Promise<number>;
}

export interface CommandCall {
  /** The values on the command line, by option key, not yet parsed. */
  readonly flags: Sources["flags"];
  /** The problems of the command line, and the settings that they are about. */
  readonly problems?: Sources["problems"];
  readonly reported?: Sources["reported"];
  /** The positional arguments, as one text. */
  readonly argument: string | undefined;
  readonly port: ProcessPort;
}

/** Returns the exit code. */
export async function runCommand<C extends CommandName>(
  command: C,
  load: () => Promise<CommandModule<C>>,
  { flags, problems, reported, argument, port }: CommandCall,
): Promise<number> {
  const { environment } = port;
  let displayOptions: DisplayOptions = { ...likelyDisplayOptions(flags, environment), command };
  let settings: Settings<C> | undefined;
  const work = async () => {
    const checks = await checksOf(command);
    const resolved = await resolveSettings(command, {
      flags,
      environment,
      // Most runs have no configuration file, and the parser of YAML takes long to load.
      readConfig: async (path) => (await import("../files/read.js")).readDocument(path),
      fileProblems: problemsOfFiles,
      ...(checks && { choices: { only: Object.keys(checks) } }),
      ...(problems && { problems }),
      ...(reported && { reported }),
    });
    // A command without such a setting uses the likely value.
    displayOptions = { ...displayOptions, ...displayOptionsIn(resolved.settings), known: resolved.settings };
    settings = resolved.settings;
    const { run } = await load();
    try {
      return await run(resolved, port, argument, flags);
    } catch (error) {
      throw await withOtherFiles(error, inputFilesOf(command, resolved.settings, resolved.origins));
    }
  };
  const withAdvice = async (error: unknown): Promise<never> => {
    const { withSettingAdvice } = await import("../settings/setting-advice.js");
    throw withSettingAdvice(error, command, settings);
  };
  return orShowFailure(
    port,
    () => displayOptions,
    () => work().catch(withAdvice),
  );
}

/** Loaded only where something is wrong: the readers of all files take longer than those of one command. */
async function problemsOfFiles(files: readonly InputFile[]): Promise<readonly (readonly Problem[])[]> {
  const { fileProblems } = await import("./file-problems.js");
  return fileProblems(files);
}

const unreadable: ReadonlySet<FailureCode> = new Set(["ARO-FILE-001", "ARO-FILE-002", "ARO-FILE-003"]);

/** A command ends at the first file that it cannot read. If others have problems too, all of them are reported. */
async function withOtherFiles(error: unknown, files: readonly InputFile[]): Promise<unknown> {
  if (!(error instanceof Failure) || !unreadable.has(error.code) || files.length < 2) return error;
  const problems = await problemsOfFiles(files);
  if (problems.length < 2) return error;
  return new Failure(error.code, `${plural(problems.length, "file")} cannot be used`, { problems: problems.flat(), cause: error });
}

/** The exit code of the work, or of its failure, which is shown. */
export async function orShowFailure(
  streams: ProcessStreams,
  displayOptions: () => DisplayOptions,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    // It imports the SDK, which is too slow if nothing fails.
    const { showFailure } = await import("../run/show-failure.js");
    return showFailure(error, displayOptions(), streams);
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
