/** What a check of settings sees and tells. A check reads values and reports; it changes none. */
import type { CommandName } from "../commands.js";
import type { SettingKey, Values } from "../settings.js";

export interface CheckContext {
  readonly command: CommandName;
  /** What is known; a value that has a problem of its own already is undefined here. */
  readonly values: Values;
  /** Whether a value was given, and is not a default. */
  given(key: SettingKey): boolean;
  /** Reports what cannot be used, at the place that the value of `key` came from. */
  problem(key: SettingKey, message: string): void;
  /** Says what works but may not be meant. */
  notice(message: string): void;
}

export type Check = (context: CheckContext) => void;
