/** The settings of each command as types, derived from the table of options. */
import type { commands, CommandName } from "./commands.js";
import type { options, OptionName } from "./options.js";

type Row = (typeof commands)[CommandName];
type Required<R extends Row> = R extends { readonly required: readonly (infer N extends OptionName)[] } ? N : never;
type OptionalOf<R extends Row> = R["options"][number];

type AnyOption = (typeof options)[OptionName];

type ValueOf<O extends AnyOption> = O extends { readonly kind: "choice"; readonly choices: readonly (infer Choice)[] }
  ? Choice
  : O extends { readonly kind: "switch" }
    ? boolean
    : O extends { readonly kind: "duration" | "integer" }
      ? number
      : O extends { readonly kind: "list" | "files" | "texts" }
        ? O extends { readonly choices: readonly (infer Choice)[] }
          ? readonly Choice[]
          : readonly string[]
        : O extends { readonly kind: "tags" }
          ? Readonly<Record<string, string>>
          : string;

/** Switches, lists and tags are never undefined: unset is false or empty. */
type Always<R extends Row, N extends OptionName> =
  N extends Required<R>
    ? true
    : (typeof options)[N] extends { readonly default: string } | { readonly kind: "switch" | "list" | "files" | "texts" | "tags" }
      ? true
      : false;

/** Every option of a command by its key; undefined if it was not set and has no default. Durations in milliseconds. */
export type Settings<C extends CommandName> = C extends CommandName ? SettingsOfRow<(typeof commands)[C]> : never;

/** The same of a row of the table of commands. */
export type SettingsOfRow<R extends Row> = {
  readonly [N in Required<R> | OptionalOf<R> as (typeof options)[N]["key"]]: Always<R, N> extends true
    ? ValueOf<(typeof options)[N]>
    : ValueOf<(typeof options)[N]> | undefined;
};

export type CreateInfraSettings = Settings<"create infra">;
export type DestroyInfraSettings = Settings<"destroy infra">;
export type ShowInfraSettings = Settings<"show infra">;
export type SettingKey = AnyOption["key"];

/** Settings of any command, during validation. */
export type Values = { readonly [O in AnyOption as O["key"]]?: ValueOf<O> | undefined };

export interface Origin {
  /** "record": a setting that the cluster was created with, read from its output file or its resources. */
  readonly source: "flag" | "environment" | "file" | "record" | "default";
  /** The flag, the variable, `file:line`, or "default". */
  readonly label: string;
}

export interface Resolved<C extends CommandName> {
  readonly settings: Settings<C>;
  readonly origins: Readonly<Partial<Record<SettingKey, Origin>>>;
  /** Notices about valid but probably unintended settings, one sentence each. */
  readonly notices: readonly string[];
}
