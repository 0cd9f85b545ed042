/** Runs the command of the command line, and explains arguments that name no command. */
import { exitCodes } from "../errors/exit-codes.js";
import { Failure, type Problem } from "../errors/failure.js";
import { commandIn, subcommandsOf } from "../settings/commands.js";
import { plural } from "../text/plural.js";
import { completionCommand, parseArguments, unknownCommandMessage, type CommandLine } from "./arguments.js";
import type { ProcessPort } from "../run/process-port.js";

/** Returns the exit code. */
export async function runCommandLine(port: ProcessPort): Promise<number> {
  const [first, second = ""] = port.args;
  if (first === completionCommand) return printCompletions(port);
  if (first === "help" && isErrorCode(second)) return explainError(second, port);
  const line = parseArguments(port.args, port);
  if (line === undefined) return 0;
  const { command } = line;
  if (port.args.length === 0) return exitCodes.usage;
  if (command === undefined) return showNoCommand(line, port);
  const [{ runCommand }, { commandModules }] = await Promise.all([import("./run-command.js"), import("../library/execute.js")]);
  return runCommand(command, commandModules[command], { ...line, port });
}

/** ARO-NET-004, in lowercase too, as somebody types it. */
export function isErrorCode(text: string): boolean {
  return /^aro-[a-z]+-\d+$/i.test(text);
}

async function explainError(code: string, port: ProcessPort): Promise<number> {
  const { likelyDisplayOptions, orShowFailure } = await import("./run-command.js");
  return orShowFailure(
    port,
    () => likelyDisplayOptions({}, port.environment),
    async () => {
      const { errorHelp } = await import("./error-help.js");
      port.stdout.write(errorHelp(code));
      return 0;
    },
  );
}

async function printCompletions({ args, stdout }: ProcessPort): Promise<number> {
  const { completions } = await import("./complete.js");
  for (const line of await completions(args.slice(1))) stdout.write(`${line}\n`);
  return 0;
}

async function showNoCommand({ words, flags, problems }: CommandLine, port: ProcessPort): Promise<number> {
  const { likelyDisplayOptions, orShowFailure } = await import("./run-command.js");
  return orShowFailure(
    port,
    () => likelyDisplayOptions(flags, port.environment),
    () => Promise.reject(noCommand(words, problems)),
  );
}

function noCommand(words: readonly string[], problems: readonly Problem[]): Failure {
  const [first] = words;
  if (first === undefined) {
    if (problems.length === 0) return new Failure("ARO-USAGE-001", "no command specified", { next: [] });
    return new Failure("ARO-USAGE-001", `no command specified, and ${plural(problems.length, "option")} cannot be used`, { problems });
  }
  const whole = commandIn(words);
  if (problems.length > 0 && whole?.includes(" ") === true && subcommandsOf(whole).length === 0) {
    return new Failure("ARO-USAGE-001", `${plural(problems.length, "option")} cannot be used`, { problems });
  }
  const seconds = subcommandsOf(first);
  if (words.length === 1 && seconds.length > 0) {
    return new Failure("ARO-USAGE-001", `"${first}" requires a subcommand: ${seconds.join(", ")}`, { problems, next: [] });
  }
  const list = seconds.length > 0 ? `aro-hcp ${first} --help` : "aro-hcp --help";
  return new Failure("ARO-USAGE-001", unknownCommandMessage(words), { problems, next: [`\`${list}\` lists the commands`] });
}
