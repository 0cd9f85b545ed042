/** Checks the advice in the output of every run of every test: each command must parse, and each flag must exist. */
import { stripVTControlCharacters } from "node:util";
import { commandNames, optionsOf, type CommandName } from "../../src/settings/commands.js";
import { variableOf } from "../../src/settings/option.js";
import { resolveSettings } from "../../src/settings/resolve.js";
import { checkAz } from "./az.js";
import { checkOwnLine, linesIn } from "./own-line.js";

export interface PrintedRun {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: string;
  readonly stderr: string;
}

/** Flags of every command, also of those that print texts before a command is known. */
const flagsOfAll: readonly string[] = ["--help", "--help-all", "--debug", "--version"];

/** @throws Error for advice that cannot be followed as printed. */
export async function checkPrintedAdvice(run: PrintedRun): Promise<void> {
  // The help of an error is about every command that can fail with it, and names them without their settings.
  if (run.args[0] === "help") return;
  const texts = [run.stderr, run.stdout].map(stripVTControlCharacters);
  const { strings, next } = documentTexts(texts[1] ?? "");
  const lines = [...new Set([...texts, ...strings].flatMap(linesIn))];
  for (const line of lines.filter((one) => one.startsWith("aro-hcp "))) await checkOwn(line, run);
  // Without flags, a text only names the command.
  lines.filter((one) => /^az .* --/.test(one)).forEach(checkAz);
  for (const text of [...texts.flatMap(nextTexts), ...next]) checkFlags(text, run.args);
}

/** The line parses, its settings are complete and fit together, and it repeats what the run knew. */
async function checkOwn(line: string, { args, env }: PrintedRun): Promise<void> {
  const { words, flags, isHelp } = checkOwnLine(line);
  const command = commandOf(words);
  if (command === undefined || isHelp) return;
  const blank = optionsOf(command).filter(
    (option) => line.includes(` ${option.flag} <`) && (given(args, option.flag) || env[variableOf(option)] !== undefined),
  );
  if (blank.length > 0) throw new Error(`the run knew ${blank.map(({ flag }) => flag).join(", ")}, but advised: ${line}`);
  try {
    await resolveSettings(command, { flags, environment: {}, readConfig: () => Promise.reject(new Error("no file is read")) });
  } catch (error) {
    const { problems = [] } = error as { problems?: readonly { origin: string; message: string }[] };
    const wrong = problems.filter(({ origin }) => !line.includes(`${origin} <`) && !line.includes(`${origin} ...`));
    if (wrong.length > 0 || problems.length === 0)
      throw new Error(`cannot be run: ${line}: ${wrong.map(({ origin, message }) => `${origin} ${message}`).join("; ")}`, { cause: error });
  }
}

/** Outside of commands, a flag is one of the running command, or of a command that the text names. */
function checkFlags(text: string, args: readonly string[]): void {
  const running = commandOf(args);
  if (running === undefined) return;
  // `show settings` takes the flags of the command that it shows.
  const shown = running === "show settings" ? commandOf(args.slice(2)) : undefined;
  const named = commandNames.filter((name) => name === shown || text.includes(name));
  const accepted = new Set<string>([...flagsOfAll, ...[running, ...named].flatMap((name) => optionsOf(name).map(({ flag }) => flag))]);
  const unknown = (text.replace(/`[^`]*`/g, "").match(/(?<![\w-])--[a-z][a-z-]+/g) ?? []).filter((flag) => !accepted.has(flag));
  if (unknown.length > 0) throw new Error(`\`${running}\` does not accept ${unknown.join(", ")}, but advises: ${text}`);
}

/** The longest name at the start: "doctor" has an argument, "create infra" is two words. */
function commandOf(words: readonly string[]): CommandName | undefined {
  const longest = commandNames.toSorted((a, b) => b.length - a.length);
  return longest.find((name) => `${words.join(" ")} `.startsWith(`${name} `));
}

function given(args: readonly string[], flag: string): boolean {
  return args.some((arg) => arg === flag || arg.startsWith(`${flag}=`));
}

/** The advice after each label "next", with its further lines. */
function nextTexts(text: string): string[] {
  return [...text.matchAll(/^( *next +)(\S.*(?:\n {9,}\S.*)*)/gm)].map(([, , advice = ""]) => advice.replace(/\s+/g, " "));
}

/** All strings of a JSON document, and those under the name `next`. */
function documentTexts(text: string): { readonly strings: readonly string[]; readonly next: readonly string[] } {
  const strings: string[] = [];
  const next: string[] = [];
  const visit = (value: unknown, isNext: boolean): void => {
    if (typeof value === "string") {
      strings.push(value);
      if (isNext) next.push(value);
    } else if (Array.isArray(value)) for (const one of value) visit(one, isNext);
    else if (typeof value === "object" && value !== null) for (const [key, one] of Object.entries(value)) visit(one, key === "next");
  };
  try {
    visit(JSON.parse(text), false);
  } catch {
    // It is text.
  }
  return { strings, next };
}
