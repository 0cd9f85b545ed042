/** Runs the command of the command line, or prints its help, and explains arguments that name no command. */
import { Failure } from "../errors/failure.js";
import { firstWords, secondWords } from "../settings/commands.js";
import type { TextStream } from "../render/text-stream.js";
import { completeWord, parseArguments, unknownCommandMessage, type CommandLine } from "./arguments.js";
import { helpWidth } from "./built-help.js";
import { commandModules } from "./command-modules.js";
import type { ProcessPort } from "./process-port.js";
import { version } from "./version.js";

/** Returns the exit code. */
export async function runCommandLine(port: ProcessPort): Promise<number> {
  if (port.args[0] === completeWord) return printCompletions(port);
  const line = parseArguments(port.args);
  const { command, words, help } = line;
  if (line.isVersionRequested) {
    port.stdout.write(`${version}\n`);
    return 0;
  }
  // `help --help` is about itself.
  if (command === "help" && (help === undefined || words.length > 1)) return printHelp(words.slice(1), line, port);
  if (help !== undefined || command === "help") return printHelp(command?.split(" ") ?? words, line, port);
  if (command === undefined) return showNoCommand(line, port);
  const { runCommand } = await import("./run/run-command.js");
  return runCommand(command, commandModules[command], { ...line, port });
}

async function printCompletions({ args, stdout }: ProcessPort): Promise<number> {
  const { completions } = await import("./complete.js");
  for (const line of await completions(args.slice(1))) stdout.write(`${line}\n`);
  return 0;
}

function widthOf({ isTTY, columns }: TextStream): number {
  return Math.min((isTTY && columns) || helpWidth, helpWidth);
}

async function printHelp(topic: readonly string[], line: CommandLine, port: ProcessPort): Promise<number> {
  const { helpText } = await import("./help-text.js");
  const text = helpText(topic, line.help ?? "common", widthOf(port.stdout));
  if (text === undefined) return showNoCommand({ ...line, words: topic }, port);
  port.stdout.write(text);
  return 0;
}

/** A word that is only the first one of several commands is answered with their list. */
async function showNoCommand({ words, flags, problems }: CommandLine, port: ProcessPort): Promise<number> {
  const [first] = words;
  const isStart = first === undefined || (words.length === 1 && firstWords.includes(first));
  if (isStart) {
    const { helpText } = await import("./help-text.js");
    port.stderr.write(`${helpText(words, "common", widthOf(port.stderr)) ?? ""}\n`);
  }
  const message = isStart ? missingCommandMessage(first) : unknownCommandMessage(words);
  const list = first !== undefined && secondWords(first).length > 0 ? `aro-hcp ${first} --help` : "aro-hcp --help";
  const next = isStart ? [] : [`\`${list}\` lists the commands`];
  const failure = new Failure("ARO-USAGE-001", message, { problems, next });
  const { likelyDisplayOptions, orShowFailure } = await import("./run/run-command.js");
  return orShowFailure(
    port,
    () => likelyDisplayOptions(flags, port.environment),
    () => Promise.reject(failure),
  );
}

function missingCommandMessage(first: string | undefined): string {
  return first === undefined ? "no command specified" : `"${first}" requires a second word: ${secondWords(first).join(", ")}`;
}
