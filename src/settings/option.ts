/** What an option is: the words it is given by, and the kind of value it takes. */

export const optionGroups = ["required", "placement", "network", "identity", "safety", "output", "run"] as const;
export type OptionGroup = (typeof optionGroups)[number];

/** `text` and `file` are strings, `switch` is a boolean, `duration` milliseconds, `list` and `tags` may be repeated and hold commas, `files` be repeated. */
export type OptionKind = "text" | "file" | "files" | "switch" | "choice" | "list" | "tags" | "duration" | "integer";

export interface Option {
  /** Name in a configuration file and in the settings: `vnetCidr`. */
  readonly key: string;
  /** `--vnet-cidr`; the variable follows from it: `ARO_HCP_VNET_CIDR`. */
  readonly flag: `--${string}`;
  readonly short?: `-${string}`;
  /** Other flags for the same thing. */
  readonly aliases?: readonly `--${string}`[];
  /** A variable of others that is read where neither a setting nor a file says it; no setting itself. */
  readonly otherVariable?: string;
  readonly kind: OptionKind;
  /** What is allowed for a choice, or for each item of a list; absent: any text. */
  readonly choices?: readonly string[];
  /** Other spellings of choices, each with the choice: accepted, and not shown. */
  readonly otherSpellings?: Readonly<Record<string, string>>;
  readonly group: OptionGroup;
  /** One sentence without a full stop, for the help. */
  readonly help: string;
  /** As it would be given. */
  readonly default?: string;
  /** Not taken from a configuration file: consent is given for one run, by whoever runs it. */
  readonly notInFile?: true;
}

/** The variable of an option: `--vnet-cidr` is `ARO_HCP_VNET_CIDR`. */
export function variableOf({ flag }: Pick<Option, "flag">): string {
  return `ARO_HCP_${flag.slice(2).toUpperCase().replaceAll("-", "_")}`;
}
