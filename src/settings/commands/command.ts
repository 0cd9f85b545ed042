/** What a command is in words, and the options that it takes. */
import type { OptionName } from "../options.js";

export interface Command {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** What may stand behind the command, beside flags. */
  readonly word?: { readonly name: string; readonly help: string };
  /** Those it cannot do without; they need not be among `options`. */
  readonly required?: readonly OptionName[];
  readonly options: readonly OptionName[];
}
