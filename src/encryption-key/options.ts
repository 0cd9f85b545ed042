/** The options of the key that encrypts etcd, as part of the table of options. */
import type { Option } from "../settings/option.js";

export const options = {
  managedHsmName: {
    key: "managedHsmName",
    flag: "--managed-hsm-name",
    kind: "text",
    group: "placement",
    rare: true,
    help: "existing, activated managed HSM for the key that encrypts etcd, instead of the vault of the set",
  },
  encryptionKeyOutputFile: {
    key: "outputFile",
    flag: "--output-file",
    kind: "file",
    group: "output",
    help: "JSON output file: the IDs of the active and the backup key",
  },
} as const satisfies Readonly<Record<string, Option>>;
