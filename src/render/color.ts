/** Decides whether a stream gets color, and creates its painter. */
import { Chalk, type ChalkInstance } from "chalk";

export type ColorChoice = "auto" | "always" | "never";

export interface ColorFacts {
  /** `--color`. */
  readonly choice: ColorChoice;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether this stream is a terminal: often stdout is piped and stderr is a terminal. */
  readonly isTerminal: boolean;
}

/** `--color`, then NO_COLOR (no-color.org: any non-empty value), then FORCE_COLOR, then whether the stream is a terminal with color. */
export function wantsColor({ choice, environment, isTerminal }: ColorFacts): boolean {
  if (choice !== "auto") return choice === "always";
  if (environment["NO_COLOR"]) return false;
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && environment["TERM"] !== "dumb";
}

/** The sixteen colors of every terminal, in the reader's theme; or none. */
export function painter(color: boolean): ChalkInstance {
  return new Chalk({ level: color ? 1 : 0 });
}
