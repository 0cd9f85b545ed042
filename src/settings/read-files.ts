/** The files that a command reads, by its settings. */
import { optionsOf, type CommandName } from "./commands.js";
import type { Origin, SettingKey } from "./settings.js";

export interface InputFile {
  readonly key: SettingKey;
  readonly path: string;
  /** The flag, variable or `file:line` of the path. */
  readonly label: string;
}

export function inputFilesOf(
  command: CommandName,
  values: Readonly<Record<string, unknown>>,
  origins: Readonly<Partial<Record<SettingKey, Origin>>>,
): readonly InputFile[] {
  return optionsOf(command)
    .filter(({ isInput }) => isInput === true)
    .flatMap(({ key, flag }) =>
      [values[key]]
        .flat()
        .filter((path) => typeof path === "string")
        .map((path) => ({ key: key as SettingKey, path, label: origins[key as SettingKey]?.label ?? flag })),
    );
}
