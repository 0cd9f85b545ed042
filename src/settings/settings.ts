/** The settings of each command as types, derived from the table of options. */
import type { CommandName } from "./option.js";
import type { options } from "./options.js";

type AnyOption = (typeof options)[number];
type OptionOf<C extends CommandName, O extends AnyOption = AnyOption> = O extends AnyOption
  ? C extends O["commands"][number]
    ? O
    : never
  : never;

type ValueOf<O extends AnyOption> = O extends { readonly kind: "choice"; readonly choices: readonly (infer Choice)[] }
  ? Choice
  : O extends { readonly kind: "switch" }
    ? boolean
    : O extends { readonly kind: "duration" | "integer" }
      ? number
      : O extends { readonly kind: "list" | "files" }
        ? O extends { readonly choices: readonly (infer Choice)[] }
          ? readonly Choice[]
          : readonly string[]
        : O extends { readonly kind: "tags" }
          ? Readonly<Record<string, string>>
          : string;

/** Switches, lists and tags are never absent: unset is false or empty. */
type Always<C extends CommandName, O extends AnyOption> = O extends
  { readonly default: string } | { readonly kind: "switch" | "list" | "files" | "tags" }
  ? true
  : O extends { readonly required: readonly (infer Required)[] }
    ? C extends Required
      ? true
      : false
    : false;

/** Every option of a command under its key; undefined where it was not given and has no default. Durations in milliseconds. */
export type Settings<C extends CommandName> = {
  readonly [O in OptionOf<C> as O["key"]]: Always<C, O> extends true ? ValueOf<O> : ValueOf<O> | undefined;
};

export type CreateInfraSettings = Settings<"create infra">;
export type DestroyInfraSettings = Settings<"destroy infra">;
export type ShowInfraSettings = Settings<"show infra">;
export type GraphSettings = Settings<"graph">;
export type CreateAllSettings = Settings<"create all">;
export type SettingKey = AnyOption["key"];

/** Any of the settings, while they are being checked. */
export type Values = { readonly [O in AnyOption as O["key"]]?: ValueOf<O> | undefined };

/** Where a value came from. */
export interface Origin {
  readonly source: "flag" | "environment" | "file" | "default";
  /** The flag, the variable, `file:line`, or "default". */
  readonly label: string;
}

/** What a command runs with. */
export interface Resolved<C extends CommandName> {
  readonly settings: Settings<C>;
  readonly origins: Readonly<Partial<Record<SettingKey, Origin>>>;
  /** What works but may not be meant, one sentence each. */
  readonly notices: readonly string[];
}
