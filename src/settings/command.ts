/** The texts of a command, and the options that it accepts. */
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
  /** Names of required options; they need not be in `options`. `features.ts` checks every name. */
  readonly required?: readonly string[];
  readonly options: readonly string[];
  /** Names of the options that `--help` shows, if those that are not rare are more than ten, or take more than a screen. */
  readonly usual?: readonly string[];
}
