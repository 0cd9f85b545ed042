/** The options of the doctor alone, as part of the table of options. */
import type { Option } from "../settings/option.js";

export const options = {
  clusters: {
    key: "clusters",
    flag: "--clusters",
    kind: "integer",
    default: "1",
    group: "placement",
    help: "number of clusters like this one that must fit the limits of the subscription and the region",
    notInFile: true,
  },
} as const satisfies Readonly<Record<string, Option>>;
