/** Looks up options in the table that the features make together. */
import { options, type OptionName } from "../features.js";
import type { Option } from "./option.js";

export { options, type OptionName };

export const optionNames = Object.keys(options) as OptionName[];

export const allOptions: readonly Option[] = Object.values(options);

export function flagOf(key: string): string {
  return allOptions.find((option) => option.key === key)?.flag ?? key;
}
