/** Every option there is, once; the commands say which of them they take. It loads no library, so `--help` is fast. */
import { clusterOptions } from "./cluster-options.js";
import { identityOptions } from "./identity-options.js";
import { issuerOptions } from "./issuer-options.js";
import { manifestOptions } from "./manifest-options.js";
import type { Option } from "./option.js";
import { runOptions } from "./run-options.js";
import { verifyOptions } from "./verify-options.js";

/** An option goes by its key, unless two commands mean different things by one key. */
export const options = {
  ...clusterOptions,
  ...identityOptions,
  ...issuerOptions,
  ...verifyOptions,
  ...manifestOptions,
  ...runOptions,
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof options;

/** In the order of the help. */
export const optionNames = Object.keys(options) as OptionName[];

export const allOptions: readonly Option[] = Object.values(options);
