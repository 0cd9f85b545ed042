/** Whether one stream gets colour, and with it the painter used for that stream. */
import { Chalk, type ChalkInstance } from "chalk";

export type ColourChoice = "auto" | "always" | "never";

export interface ColourFacts {
  /** `--color`. */
  readonly choice: ColourChoice;
  readonly environment: NodeJS.ProcessEnv;
  /** Of that very stream: a piped stdout beside a terminal on stderr is the usual case. */
  readonly isTerminal: boolean;
}

/** `--color`, then NO_COLOR (no-color.org: any non-empty value), then FORCE_COLOR, then whether the stream is a terminal that can. */
export function wantsColour({ choice, environment, isTerminal }: ColourFacts): boolean {
  if (choice !== "auto") return choice === "always";
  if (environment["NO_COLOR"]) return false;
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && environment["TERM"] !== "dumb";
}

/** The sixteen colours every terminal has, in the reader's own theme; or none. */
export function painter(colour: boolean): ChalkInstance {
  return new Chalk({ level: colour ? 1 : 0 });
}
