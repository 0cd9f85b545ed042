/** An option: its flag, its texts and the kind of its value. */

export const optionGroups = ["required", "placement", "network", "identity", "safety", "output", "run"] as const;
export type OptionGroup = (typeof optionGroups)[number];

const groupHeadings: Readonly<Record<OptionGroup, string>> = {
  required: "Cluster",
  placement: "Location and names",
  network: "Network",
  identity: "Identities and roles",
  safety: "Safety",
  output: "Output",
  run: "Run",
};

/** The options by group, in the order of help and docs. Empty groups are left out. */
export function byGroup<O extends { readonly group: OptionGroup }>(
  options: readonly O[],
): readonly { readonly heading: string; readonly options: readonly O[] }[] {
  return optionGroups
    .map((group) => ({ heading: groupHeadings[group], options: options.filter((option) => option.group === group) }))
    .filter((one) => one.options.length > 0);
}

/** `text`, `file` and `directory` are strings, `switch` is a boolean, `duration` is milliseconds. `list` and `tags` can be repeated or comma-separated, `files` and `texts` repeated. */
export type OptionKind = "text" | "texts" | "file" | "files" | "directory" | "switch" | "choice" | "list" | "tags" | "duration" | "integer";

export interface Option {
  /** Name in a configuration file and in the settings: `vnetCidr`. */
  readonly key: string;
  /** `--vnet-cidr`; the variable is derived from it: `ARO_HCP_VNET_CIDR`. */
  readonly flag: `--${string}`;
  readonly short?: `-${string}`;
  /** The key of the option whose value it has without its own: a set has the name of its cluster. */
  readonly orElse?: string;
  readonly aliases?: readonly `--${string}`[];
  /** A variable of another tool, read if no setting or file has the value; not a setting of this program. */
  readonly otherVariable?: string;
  readonly kind: OptionKind;
  /** The valid values of a choice, or of each list item; any text if absent. */
  readonly choices?: readonly string[];
  /** Other spellings of choices, each with its choice: accepted, but not shown. */
  readonly otherSpellings?: Readonly<Record<string, string>>;
  /** A file that the command reads, so it must exist. */
  readonly isInput?: true;
  readonly group: OptionGroup;
  /** Only `--help-all` shows it, unless the command names it as usual: a usual cluster does not need it. */
  readonly rare?: true;
  /** Of almost every command: the help of the program shows it, and `--help-all` of a command. */
  readonly isGlobal?: true;
  /** One sentence without a period, for the help. */
  readonly help: string;
  /** The value without a flag, variable or file. */
  readonly default?: string;
  /** It decides what the infrastructure of a cluster consists of: the output file records it, and a rerun without it keeps it. */
  readonly isRecorded?: true;
  /** The default is one of the emulator: elsewhere, a create asks for the value, or requires it (run/location.ts). */
  readonly isLocalDefault?: true;
  /** It decides who gets access to what: flags and files set it, not what exists in Azure alone. */
  readonly decidesRights?: true;
  /** Not read from a configuration file: a person confirms one run at a time. */
  readonly notInFile?: true;
}

/** The variable of an option: `--vnet-cidr` is `ARO_HCP_VNET_CIDR`. */
export function variableOf({ flag }: Pick<Option, "flag">): string {
  return `ARO_HCP_${flag.slice(2).toUpperCase().replaceAll("-", "_")}`;
}

/** The kinds whose flag can be repeated. */
const repeatedKinds: readonly OptionKind[] = ["list", "files", "texts", "tags"];

export function isRepeatable({ kind }: Pick<Option, "kind">): boolean {
  return repeatedKinds.includes(kind);
}

export function spellingsOf({ flag, short, aliases = [] }: Pick<Option, "flag" | "short" | "aliases">): readonly string[] {
  return [flag, ...(short === undefined ? [] : [short]), ...aliases];
}

export function negated({ flag }: Pick<Option, "flag">): string {
  return flag.replace("--", "--no-");
}
