/** The texts of a command, and the options that it accepts. */
import type { OptionName } from "../options.js";

export interface Command {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** The optional positional argument. */
  readonly argument?: { readonly name: string; readonly help: string };
  /** Required options; they need not be in `options`. */
  readonly required?: readonly OptionName[];
  readonly options: readonly OptionName[];
}
