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
} as const satisfies Readonly<Record<string, Option>>;
