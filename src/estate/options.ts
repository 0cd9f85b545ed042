/** The options of the commands about an estate, as part of the table of options. */
import type { Option } from "../settings/option.js";

export const options = {
  subscriptions: {
    key: "subscriptions",
    flag: "--subscriptions",
    aliases: ["--subscription"],
    kind: "list",
    group: "placement",
    help: "IDs of the subscriptions to read; by default all that you can see",
  },
  budgetLocation: {
    key: "location",
    flag: "--location",
    short: "-l",
    kind: "text",
    group: "placement",
    help: "Azure location of the new clusters; by default, those where clusters are",
  },
} as const satisfies Readonly<Record<string, Option>>;
