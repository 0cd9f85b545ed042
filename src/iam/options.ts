/** The options of workload identities alone, as part of the table of options. */
import type { Option } from "../settings/option.js";

export const options = {
  workloadIdentitiesOutputFile: {
    key: "outputFile",
    flag: "--output-file",
    kind: "file",
    group: "output",
    help: "JSON file for the client IDs, as create infra and render hosted-cluster read it: --workload-identities-file",
  },
} as const satisfies Readonly<Record<string, Option>>;
