/** Names the flag in the advice of a failure about a setting, or about a file that a setting names. */
import type { Advice } from "../errors/advice.js";
import type { FailureCode } from "../errors/catalogue.js";
import { Failure, type Problem } from "../errors/failure.js";
import { optionsOf, type CommandName, type CommandOption } from "./commands.js";

/** Settings of the command, as far as they are known. */
type Known = Readonly<Record<string, unknown>>;

/** Other failures, and those that have advice of their own, stay as they are. */
export function withSettingAdvice(error: unknown, command: CommandName, settings: Known = {}): unknown {
  if (!(error instanceof Failure) || error.next !== undefined) return error;
  const next = error.code === "ARO-USAGE-001" ? adviceOnSettings(error.problems, command) : adviceOnFile(error, command, settings);
  return next.length === 0 ? error : error.withAdvice(next);
}

function adviceOnSettings(problems: readonly Problem[], command: CommandName): readonly Advice[] {
  if (problems.length === 0) return [];
  const own = new Set<string>(optionsOf(command).map(({ flag }) => flag));
  const isMissing = ({ message }: Problem) => /\bis required\b/.test(message);
  const isForeign = (problem: Problem) => problem.origin.startsWith("-") && !own.has(problem.origin) && !isMissing(problem);
  // What a resource in Azure has, no option corrects; the message says what to do.
  const isRecorded = ({ origin }: Problem) => origin.startsWith("existing ");
  const isLacking = ({ message }: Problem) => /\brequires --/.test(message);
  const missing = problems.filter(isMissing);
  const others = problems.filter((problem) => !isMissing(problem) && !isForeign(problem) && !isRecorded(problem));
  const lacking = others.filter(isLacking);
  const wrong = others.filter((problem) => !isLacking(problem));
  const todo = [
    ...(missing.length > 0 ? [`pass ${listOf(missing)}`] : []),
    ...(lacking.length > 0
      ? [`pass what ${listOf(lacking)} ${originsOf(lacking).length > 1 ? "require, or omit them" : "requires, or omit it"}`]
      : []),
    ...(wrong.length > 0 ? [`correct ${listOf(wrong)}`] : []),
    ...(problems.some(isForeign) ? [`correct or omit what ${command} does not take`] : []),
  ];
  const isAboutExisting = !/^(?:create|doctor|render) /.test(command);
  const lacksInfraId = isAboutExisting && missing.some(({ origin }) => origin === "--infra-id");
  return [
    ...(todo.length > 0 ? [todo.join(", and ")] : []),
    ...(lacksInfraId ? ["`aro-hcp list clusters` shows the infra IDs of existing clusters"] : []),
    `\`aro-hcp help ${command} --help-all\` lists every option`,
  ];
}

function originsOf(problems: readonly Problem[]): readonly string[] {
  return [...new Set(problems.map(({ origin }) => origin))];
}

const mostNamed = 4;

/** "--name, --infra-id and c.yaml:2" */
function listOf(problems: readonly Problem[]): string {
  const origins = originsOf(problems);
  if (origins.length > mostNamed) return "each of them";
  return origins.join(", ").replace(/, ([^,]*)$/, " and $1");
}

function adviceOnFile({ code, message }: Failure, command: CommandName, settings: Known): readonly Advice[] {
  const option = optionsOf(command).find(({ key, kind }) => isPath(kind) && [settings[key]].flat().some((path) => isNamed(path, message)));
  if (option === undefined) return [];
  return fileAdvice(code, option);
}

/** `label`: where the path is named, if not as the flag. */
export function fileAdvice(code: FailureCode, option: CommandOption, label: string = option.flag): readonly Advice[] {
  const { isInput } = option;
  const as = label.startsWith("-") ? `as ${label}` : `in place of the one at ${label}`;
  switch (code) {
    case "ARO-FILE-001":
      return [`pass an existing file that you may read ${as}: ${kindOf(option)}`];
    case "ARO-FILE-002":
      return [`correct that file, or pass another ${as}: ${kindOf(option)}`];
    case "ARO-FILE-003":
      return isInput === true ? [`pass another file ${as}: ${kindOf(option)}`] : [];
    case "ARO-FILE-004":
      return [`pass a path in an existing directory that you can write to ${as}`];
    default:
      return [];
  }
}

function isPath(kind: CommandOption["kind"]): boolean {
  return kind === "file" || kind === "files" || kind === "directory";
}

/** A part of another path does not count. */
function isNamed(path: unknown, message: string): boolean {
  return typeof path === "string" && ` ${message} `.split(/[ :]/).includes(path);
}

/** The begin of its help says what the file is: "output file of create management-cluster". */
function kindOf({ help }: CommandOption): string {
  return help.split(/[,;:]| \(/)[0] ?? help;
}
