/** Prints the help texts that the build has written, which is twice as fast as making them. */
import { readFileSync } from "node:fs";
import type { ProcessPort } from "../run/process-port.js";

/** Columns of the built texts, and the maximum of all help: longer lines are harder to read. */
export const helpWidth = 80;

/** `common` leaves out the options that a usual cluster does not need. */
export type HelpForm = "common" | "all";

/** The flags that print help, of every command. */
export const helpOptions = [
  ["-h, --help", "common", "print this help"],
  ["--help-all", "all", "print this help with all options"],
] as const satisfies readonly (readonly [flags: string, form: HelpForm, text: string])[];

/** Each spelling of them. */
export const helpFlags: ReadonlyMap<string, HelpForm> = new Map(
  helpOptions.flatMap(([flags, form]) => flags.split(", ").map((flag) => [flag, form] as const)),
);

/** The file of the help of a command, in the folder of the bundle. */
export function helpFile(words: readonly string[], form: HelpForm): string {
  return `${[form === "all" ? "help-all" : "help", ...words].join("/")}.txt`;
}

/** Undefined if the arguments do not ask for help, for an unknown command, on a narrow terminal, and where the sources run unbundled. */
export function builtHelp({ args, stdout }: ProcessPort): string | undefined {
  const [last = "", ...before] = args.toReversed();
  // Without an argument, the program introduces itself.
  const form = args.length === 0 ? "common" : helpFlags.get(last);
  const words = form === undefined ? args : before.reverse();
  const [first, ...topic] = words;
  const isTopic = first === "help" && (form === undefined || topic.length > 0);
  if (form === undefined && !isTopic) return undefined;
  if (stdout.isTTY === true && stdout.columns !== undefined && stdout.columns < helpWidth) return undefined;
  if (!words.every((word) => /^[a-z-]+$/.test(word))) return undefined;
  try {
    return readFileSync(new URL(helpFile(isTopic ? topic : words, form ?? "common"), import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
