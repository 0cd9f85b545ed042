/** The help texts that the build has written. To print one takes little longer than to start Node.js; to make one takes twice as long. */
import { readFileSync } from "node:fs";
import type { ProcessPort } from "./process-port.js";

/** Columns of the built texts, and the maximum of all help: longer lines are harder to read. */
export const helpWidth = 80;

/** The file of the help of a command, in the folder of the bundle. */
export function helpFile(words: readonly string[]): string {
  return `${["help", ...words].join("/")}.txt`;
}

/** Undefined if the arguments do not ask for help, for an unknown command, on a narrow terminal, and where the sources run unbundled. */
export function builtHelp({ args, stdout }: ProcessPort): string | undefined {
  const [last, ...words] = args.toReversed();
  if (last !== "--help" && last !== "-h") return undefined;
  if (stdout.isTTY === true && stdout.columns !== undefined && stdout.columns < helpWidth) return undefined;
  if (!words.every((word) => /^[a-z-]+$/.test(word))) return undefined;
  try {
    return readFileSync(new URL(helpFile(words.reverse()), import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
