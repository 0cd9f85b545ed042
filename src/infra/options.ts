/** The options of the infrastructure commands alone, and those that decide what a cluster consists of. */
import { infrastructureOptions } from "../settings/infrastructure-options.js";
import type { Option } from "../settings/option.js";

export const options = {
  adoptedBaseDomain: {
    key: "baseDomain",
    flag: "--base-domain",
    kind: "text",
    group: "required",
    help: "base DNS domain of the cluster; needed only if it has private DNS zones of several",
  },
  infraFile: {
    key: "infraFile",
    flag: "--infra-file",
    aliases: ["--infra-json"],
    kind: "file",
    isInput: true,
    group: "required",
    help: "output file of create infra, used instead of --name and --infra-id, or to find the identities",
  },

  ...infrastructureOptions,
} as const satisfies Readonly<Record<string, Option>>;
