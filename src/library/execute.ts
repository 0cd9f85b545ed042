/** Runs one command from the sources of its settings: for the command line, and for programs. */
import type { FailureCode } from "../errors/catalogue.js";
import type { Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { modules } from "../features.js";
import type { OtherCommand, RunOther } from "../run/other-command.js";
import type { ProcessPort } from "../run/process-port.js";
import { isCommand, optionsOf, type CommandName } from "../settings/commands.js";
import type { ConfigDocument } from "../settings/config-file.js";
import { inputFilesOf, type InputFile } from "../settings/read-files.js";
import { resolveSettings, type Sources } from "../settings/resolve.js";
import type { Resolved, Settings } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { checksOf } from "./check-ids.js";
import type { UnusableFile } from "./file-problems.js";

/** `help` prints texts without settings. */
export type RunnableCommand = Exclude<CommandName, "help">;

export interface CommandModule<C extends CommandName> {
  /** Returns the exit code. */
  run(resolved: Resolved<C>, port: ProcessPort, argument: string | undefined, around: Around): Promise<number>;
}

/** For a command about others. */
export interface Around {
  /** The values on the command line. */
  readonly flags: Sources["flags"];
  readonly runOther: RunOther;
}

export const commandModules: { readonly [C in RunnableCommand]: () => Promise<CommandModule<C>> } = modules;

export interface CommandCall {
  /** The values on the command line, by option key, not yet parsed. */
  readonly flags: Sources["flags"];
  /** The problems of the command line, and the settings that they are about. */
  readonly problems?: Sources["problems"];
  readonly reported?: Sources["reported"];
  /** The positional arguments, as one text. */
  readonly argument?: string | undefined;
  readonly port: ProcessPort;
  /** In place of a configuration file. */
  readonly config?: ConfigDocument;
  /** Receives the settings before the command begins. */
  readonly onSettings: (settings: object) => void;
}

/** Returns the exit code. @throws Failure, or an AggregateError of several, before the command has a result */
export async function execute<C extends RunnableCommand>(
  command: C,
  load: () => Promise<CommandModule<C>>,
  call: CommandCall,
): Promise<number> {
  let settings: Settings<C> | undefined;
  try {
    const resolved = await resolvedFor(command, call);
    settings = resolved.settings;
    call.onSettings(settings);
    return await runWith(resolved, await load(), command, call);
  } catch (error) {
    const { withSettingAdvice } = await import("../settings/setting-advice.js");
    throw withSettingAdvice(error, shownIn(command, call), settings);
  }
}

/** `show settings` is about the options of another command. */
function shownIn(command: CommandName, { argument = "" }: CommandCall): CommandName {
  return command === "show settings" && isCommand(argument) ? argument : command;
}

async function resolvedFor<C extends RunnableCommand>(
  command: C,
  { flags, problems, reported, port, config }: CommandCall,
): Promise<Resolved<C>> {
  const checks = await checksOf(command);
  return resolveSettings(command, {
    flags,
    environment: port.environment,
    // Most runs have no configuration file, and the parser of YAML takes long to load.
    readConfig: async (path) => (await import("../files/read.js")).readDocument(path),
    ...(config && { config }),
    fileProblems: async (files) => (await unusableOf(files)).map(({ problems: found }) => found),
    ...(checks && { choices: { only: Object.keys(checks) } }),
    ...(problems && { problems }),
    ...(reported && { reported }),
  });
}

async function runWith<C extends RunnableCommand>(
  resolved: Resolved<C>,
  { run }: CommandModule<C>,
  command: C,
  { port, argument, flags }: CommandCall,
): Promise<number> {
  try {
    return await run(resolved, port, argument, { flags, runOther });
  } catch (error) {
    throw await withOtherFiles(error, command, inputFilesOf(command, resolved.settings, resolved.origins));
  }
}

/** Prints the failure of the other command as its own command line would. */
async function runOther({ command, flags, config, port }: OtherCommand): Promise<number> {
  let known: object | undefined;
  const onSettings = (settings: object) => {
    known = settings;
  };
  try {
    return await execute(command, commandModules[command], { flags, config, port, onSettings });
  } catch (error) {
    const { showFailure } = await import("../run/show-failure.js");
    return showFailure(error, { output: "json", debug: false, color: "never", command, ...known, known }, port);
  }
}

/** Loaded only where something is wrong: the readers of all files take longer than those of one command. */
async function unusableOf(files: readonly InputFile[]): Promise<readonly UnusableFile[]> {
  const { unusableFiles } = await import("./file-problems.js");
  return unusableFiles(files);
}

async function adviceOnFiles(command: CommandName, code: FailureCode, unusable: readonly UnusableFile[]): Promise<readonly Advice[]> {
  const { fileAdvice } = await import("../settings/setting-advice.js");
  return unusable.flatMap(({ file: { key, label } }) => {
    const option = optionsOf(command).find((one) => one.key === key);
    return option === undefined ? [] : fileAdvice(code, option, label);
  });
}

const unreadable: ReadonlySet<FailureCode> = new Set(["ARO-FILE-001", "ARO-FILE-002", "ARO-FILE-003"]);

/** A command ends at the first file that it cannot read. If others have problems too, all of them are reported. */
async function withOtherFiles(error: unknown, command: CommandName, files: readonly InputFile[]): Promise<unknown> {
  if (!(error instanceof Failure) || !unreadable.has(error.code) || files.length < 2) return error;
  const unusable = await unusableOf(files);
  const advice = await adviceOnFiles(command, error.code, unusable);
  // Two options may have the same path, and one of them can use the file.
  if (unusable.length < 2) return error.next === undefined && advice.length > 0 ? error.withAdvice(advice) : error;
  const problems = unusable.flatMap((one) => one.problems);
  return new Failure(error.code, `${plural(unusable.length, "file")} cannot be used`, { problems, next: advice, cause: error });
}
