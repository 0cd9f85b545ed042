/** The input and output of a check of settings, which only reads values and reports problems. */
import type { CommandName } from "./commands.js";
import type { SettingKey, Values } from "./settings.js";

export interface CheckContext {
  readonly command: CommandName;
  /** A value that failed to parse is undefined here; its problem is already reported. */
  readonly values: Values;
  /** Whether the value is set, not a default. */
  given(key: SettingKey): boolean;
  /** Reports an invalid setting, at the source of the value of `key`. */
  problem(key: SettingKey, message: string): void;
  /** Reports a setting without another one that it requires. For an existing AKS cluster, its record may have that one. */
  incomplete(key: SettingKey, message: string): void;
  /** Reports a valid but probably unintended setting. */
  notice(message: string): void;
}

export type Check = (context: CheckContext) => void;
