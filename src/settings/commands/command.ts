/** The texts of a command, and the options that it accepts. */
import type { OptionName } from "../options.js";

/** The positional argument of a command. */
export interface Argument {
  readonly name: string;
  readonly help: string;
  /** The valid values; any text if absent. */
  readonly choices?: readonly string[];
  readonly isRequired?: true;
  /** It takes all further words, joined by spaces. */
  readonly isRepeated?: true;
}

export interface Command {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly argument?: Argument;
  /** Required options; they need not be in `options`. */
  readonly required?: readonly OptionName[];
  readonly options: readonly OptionName[];
}
