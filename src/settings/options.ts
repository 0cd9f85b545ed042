/** The table of all options; the commands list those that they accept. It loads no library, so `--help` is fast. */
import { aksIngressOptions } from "../aks/settings/aks-ingress-options.js";
import { aksOptions } from "../aks/settings/aks-options.js";
import { arcExtensionOptions } from "../arc/settings/arc-extension-options.js";
import { arcOptions } from "../arc/settings/arc-options.js";
import { arcSecretsOptions } from "../arc/settings/arc-secrets-options.js";
import { clusterOptions } from "../aks/settings/cluster-options.js";
import { dnsOptions } from "../dns-zone/options.js";
import { hostedClusterOptions } from "../hosted-cluster/settings/hosted-cluster-options.js";
import { identityOptions } from "../identities/options.js";
import { installOptions } from "../hosted-cluster/settings/install-options.js";
import { issuerOptions } from "../issuer/options.js";
import { localOptions } from "../local/options.js";
import { manifestOptions } from "./manifest-options.js";
import type { Option } from "./option.js";
import { runOptions } from "./run-options.js";
import { verifyOptions } from "./verify-options.js";

/** An option is identified by its key, unless two commands use one key for different things. */
export const options = {
  ...clusterOptions,
  ...identityOptions,
  ...issuerOptions,
  ...verifyOptions,
  ...manifestOptions,
  ...hostedClusterOptions,
  ...installOptions,
  ...aksOptions,
  ...aksIngressOptions,
  ...arcOptions,
  ...arcExtensionOptions,
  ...arcSecretsOptions,
  ...dnsOptions,
  ...localOptions,
  ...runOptions,
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof options;

/** In the order of the help. */
export const optionNames = Object.keys(options) as OptionName[];

export const allOptions: readonly Option[] = Object.values(options);

/** The flag with this key. */
export function flagOf(key: string): string {
  return allOptions.find((option) => option.key === key)?.flag ?? key;
}
